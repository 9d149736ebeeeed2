#version 330 core
#include "light.glsl"

in vec3 vPlace;
in vec3 vNormal;
uniform sampler2D uPaint;

in vec3 vPaint;
in vec2 vUV;
flat in vec4 vColor;
out vec4 color;

void main() {
	vec4 paint = texture(uPaint, vUV);
	if (paint.a < 0.5) discard;
	vec3 c = encode(tone(shade(vColor.rgb * vPaint * paint.rgb, vColor.a, vPlace, normalize(vNormal))));
	color = vec4(mix(c, uHaze.rgb, fog(vPlace)), 1.0);
}
