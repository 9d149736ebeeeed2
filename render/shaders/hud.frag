#version 330 core

uniform sampler2D uAtlas;

in vec2 vAt;
in vec2 vTexel;
flat in vec2 vHalf;
flat in vec4 vFill, vBorder;
flat in vec3 vCorner;
flat in float vGlyph;
out vec4 color;

void main() {
	if (vGlyph > 0.0) {
		float a = texelFetch(uAtlas, ivec2(vTexel), 0).r;
		color = vec4(vFill.rgb, vFill.a * a);
		return;
	}
	if (vCorner.x < 0.0) {
		color = vFill;
		return;
	}
	// d is the signed distance to a rounded rectangle; a blurred one stays within its rectangle.
	float blur = max(vCorner.y, 1.0);
	vec2 extent = vHalf - (vCorner.y > 0.0 ? blur * 0.5 : 0.0);
	float radius = min(vCorner.x, min(extent.x, extent.y));
	vec2 q = abs(vAt) - extent + radius;
	float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
	float a = vCorner.y > 0.0 ? 1.0 - smoothstep(-0.5, 0.5, d / blur) : clamp(0.5 - d, 0.0, 1.0);
	vec4 c = vFill;
	if (vBorder.a > 0.0) {
		float edge = clamp(0.5 + d + vCorner.z, 0.0, 1.0) * vBorder.a;
		c = vec4(mix(c.rgb, vBorder.rgb, edge), max(c.a, edge));
	}
	color = vec4(c.rgb, c.a * a);
}
