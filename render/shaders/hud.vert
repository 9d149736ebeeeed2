#version 330 core
// A rectangle with round corners, or one glyph.
layout(location = 0) in vec4 iRect;    // framebuffer pixels, Y downward: x, y, width, height
layout(location = 1) in vec4 iGlyph;   // place in the atlas, texels; all zero: no glyph
layout(location = 2) in vec4 iFill;
layout(location = 3) in vec4 iBorder;
layout(location = 4) in vec3 iCorner;  // radius, width of the blur, width of the border

uniform vec2 uSize;                    // of the framebuffer

out vec2 vAt;                          // from the middle, pixels
out vec2 vTexel;
flat out vec2 vHalf;
flat out vec4 vFill, vBorder;
flat out vec3 vCorner;
flat out float vGlyph;

void main() {
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	vec2 p = iRect.xy + corner * iRect.zw;
	vHalf = iRect.zw * 0.5;
	vAt = (corner - 0.5) * iRect.zw;
	vTexel = iGlyph.xy + corner * iGlyph.zw;
	vGlyph = iGlyph.z;
	vFill = iFill;
	vBorder = iBorder;
	vCorner = iCorner;
	gl_Position = vec4(p.x / uSize.x * 2.0 - 1.0, 1.0 - p.y / uSize.y * 2.0, 0.0, 1.0);
}
