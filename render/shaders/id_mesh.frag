#version 330 core
#include "id_ray.glsl"

flat in vec3 vNormal;
flat in vec3 vCorner;
flat in vec2 vRange;

void main() {
	ray();
	float d = dot(vNormal, dir);
	// Rounding may put an edge-on triangle at a pixel where its plane has no depth or a wrong one:
	// the depth is clamped to that of its corners.
	float t = d != 0.0 ? clamp(dot(vNormal, vCorner - from) / d, vRange.x, vRange.y) : vRange.x;
	// Clipped here: the rasteriser's clipping of a large triangle is off by more than 1/256 pixel.
	if (!(t >= uRange.x && t <= uRange.y)) discard;
	hit(t);
}
