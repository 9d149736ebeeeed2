#version 330 core

// Direction of the ray through the image centre, and its change to the right and upward.
uniform vec3 uDir, uDirX, uDirY;
uniform vec3 uTop, uHorizon, uBottom;

in vec2 vScreen;
out vec4 color;

void main() {
	float up = normalize(uDir + vScreen.x * uDirX + vScreen.y * uDirY).y;
	vec3 c = up > 0.0 ? mix(uHorizon, uTop, pow(up, 0.7)) : mix(uHorizon, uBottom, pow(-up, 0.6));
	// Half a step of noise hides the bands of a smooth gradient in eight bits.
	float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
	color = vec4(c + noise / 255.0, 1.0);
}
