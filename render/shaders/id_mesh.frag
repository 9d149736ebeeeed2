#version 330 core
#include "id_ray.glsl"

flat in vec3 vNormal;
flat in vec3 vCorner;
flat in vec2 vRange;

void main() {
	ray();
	float d = dot(vNormal, dir);
	// A triangle seen edge on has no depth of its own at a pixel that it was only rounded to, but it has that of its corners.
	float t = d != 0.0 ? clamp(dot(vNormal, vCorner - from) / d, vRange.x, vRange.y) : vRange.x;
	// Cut here and not by the rasteriser, whose cut through a large triangle is off by more than a pixel's 256th.
	if (!(t >= uRange.x && t <= uRange.y)) discard;
	hit(t);
}
