#version 330 core
// Lighting per vertex instead of per pixel, for items of a few pixels.
#define SMALL
#include "instance.glsl"
#include "light.glsl"

out vec3 vColor;

void main() {
	vec3 p = localPlace();
	gl_Position = iClip * vec4(p, 1.0);
	p = worldPlace(p);
	vec3 c = encode(tone(shade(iColor.rgb * (1.0 - aFade), iColor.a, p, normalize(worldNormal(aNormal)))));
	vColor = mix(c, uHaze.rgb, fog(p));
}
