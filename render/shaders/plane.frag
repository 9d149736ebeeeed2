#version 330 core
#include "light.glsl"

uniform vec3 uNormal;
uniform vec4 uColor;      // linear colour, and gloss in a
uniform vec4 uLine;       // linear colour of the grid, and its strength
uniform float uSpacing;   // metres; 0: no grid
uniform vec2 uPhase;      // place of the centre modulo ten cells

in vec3 vPlace;
in vec2 vPlane;
out vec4 color;

// Lines at whole numbers of x, of the given width. Lines thinner than a pixel are drawn a pixel
// wide and fainter; where a pixel contains several, their mean remains.
float lines(vec2 x, vec2 pixel, float width) {
	vec2 drawn = clamp(vec2(width), pixel, vec2(0.5));
	vec2 d = abs(fract(x - 0.5) - 0.5);
	vec2 a = (1.0 - smoothstep(drawn * 0.5 - pixel * 0.25, drawn * 0.5 + pixel * 0.75, d)) * clamp(width / drawn, 0.0, 1.0);
	a = mix(a, vec2(width), clamp(pixel * 2.0 - 1.0, 0.0, 1.0));
	return mix(a.x, 1.0, a.y);
}

void main() {
	vec3 albedo = uColor.rgb;
	if (uSpacing > 0.0) {
		vec2 cells = vPlane / uSpacing;
		vec2 pixel = max(fwidth(cells), 1e-6);
		float fine = lines(cells + uPhase, pixel, 0.022);
		float bold = lines((cells + uPhase) / 10.0, pixel / 10.0, 0.0045);
		albedo = mix(albedo, uLine.rgb, max(fine * 0.75, bold) * uLine.a);
	}
	vec3 c = encode(tone(shade(albedo, uColor.a, vPlace, uNormal)));
	float d = length(vPlane);
	float fade = exp2(-pow(d / uHaze.a, 2.0));
	color = vec4(c, fade);
}
