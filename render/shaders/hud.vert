#version 330 core
// A rectangle with round corners, one glyph, or a triangle.
layout(location = 0) in vec4 iRect;    // framebuffer pixels, Y downward: x, y, width, height
layout(location = 1) in vec4 iGlyph;   // rectangle in the atlas, texels; zero: no glyph
layout(location = 2) in vec4 iFill;
layout(location = 3) in vec4 iBorder;
// Radius, width of the blur, width of the border, framebuffer pixels. With a negative radius it is
// a triangle with its corners in iRect and iGlyph.
layout(location = 4) in vec3 iCorner;
layout(location = 5) in vec2 iTurn;    // unit vector along the width; zero: upright

uniform vec2 uSize;                    // of the framebuffer, pixels

out vec2 vAt;                          // from the centre, pixels
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
	if (iTurn != vec2(0.0)) {
		// Edges that are not on whole pixels are antialiased; the quad is a pixel larger for that.
		vAt = (corner - 0.5) * (iRect.zw + 2.0);
		p = iRect.xy + vHalf + vAt.x * iTurn + vAt.y * vec2(-iTurn.y, iTurn.x);
	} else if (iCorner.x < 0.0) {
		p = gl_VertexID == 0 ? iRect.xy : gl_VertexID == 1 ? iRect.zw : iGlyph.xy;
	}
	vTexel = iGlyph.xy + corner * iGlyph.zw;
	vGlyph = iCorner.x < 0.0 ? 0.0 : iGlyph.z;
	vFill = iFill;
	vBorder = iBorder;
	vCorner = iCorner;
	gl_Position = vec4(p.x / uSize.x * 2.0 - 1.0, 1.0 - p.y / uSize.y * 2.0, 0.0, 1.0);
}
