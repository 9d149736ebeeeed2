#version 330 core
// Lighting per vertex instead of per pixel, for items of a few pixels.
#define SMALL
#include "instance.glsl"
#include "light.glsl"

uniform sampler2D uPaint; // of which it takes the mean

out vec3 vColor;

void main() {
	vec3 p = localPlace();
	gl_Position = iClip * vec4(p, 1.0);
	p = worldPlace(p);
	vec3 c = encode(tone(shade(iColor.rgb * (1.0 - aFade) * textureLod(uPaint, aUV, 99.0).rgb, iColor.a, p, normalize(worldNormal(aNormal)))));
	vColor = mix(c, uHaze.rgb, fog(p));
}
