#version 330 core
#include "light.glsl"

in vec3 vPlace;
in vec3 vNormal;
in vec3 vPaint;
flat in vec4 vColor;
out vec4 color;

void main() {
	vec3 c = encode(tone(shade(vColor.rgb * vPaint, vColor.a, vPlace, normalize(vNormal))));
	color = vec4(mix(c, uHaze.rgb, fog(vPlace)), 1.0);
}
