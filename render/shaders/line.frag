#version 330 core

flat in vec4 vColor;
flat in vec2 vSize;
in vec2 vAt;
out vec4 color;

void main() {
	float d = length(vec2(vAt.x - clamp(vAt.x, 0.0, vSize.x), vAt.y));
	float a = clamp(vSize.y + 0.5 - d, 0.0, 1.0);
	if (a <= 0.0) discard;
	color = vec4(vColor.rgb, vColor.a * a);
}
