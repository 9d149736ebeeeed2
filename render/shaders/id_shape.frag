#version 330 core
#include "id_ray.glsl"

// Analytic shapes: a ray test for each pixel in the shape's local space.
uniform int uKind;        // 0 box, 1 sphere, 2 capsule, 3 plane
uniform vec3 uHalf;
uniform float uRadius;
uniform vec4 uPlane;      // normal and distance
uniform float uCulled;    // culled side of a plane: 1 its back, -1 its front, 0 neither

const float never = 3.0e38;

// The interval of t in the box; x > y if the ray misses.
vec2 box() {
	vec2 t = vec2(-never, never);
	for (int i = 0; i < 3; i++) {
		if (dir[i] == 0.0) {
			if (abs(from[i]) > uHalf[i]) return vec2(1.0, 0.0);
			continue;
		}
		float a = (-uHalf[i] - from[i]) / dir[i], b = (uHalf[i] - from[i]) / dir[i];
		t = vec2(max(t.x, min(a, b)), min(t.y, max(a, b)));
	}
	return t;
}

// Computed from the point of the ray nearest to the centre: with squared distances to the eye, a
// small sphere far away would be lost to rounding.
vec2 sphere(vec3 center) {
	vec3 o = from - center;
	float dd = dot(dir, dir);
	float middle = -dot(o, dir) / dd;
	vec3 nearest = o + middle * dir;
	float l = length(nearest);
	float h = (uRadius - l) * (uRadius + l);
	if (h < 0.0) return vec2(1.0, 0.0);
	h = sqrt(h / dd);
	return vec2(middle - h, middle + h);
}

// The side of the capsule between the centres of its caps.
vec2 cylinder() {
	float dd = dot(dir.xz, dir.xz);
	if (dd == 0.0) return vec2(1.0, 0.0);
	float middle = -dot(from.xz, dir.xz) / dd;
	float l = length(from.xz + middle * dir.xz);
	float h = (uRadius - l) * (uRadius + l);
	if (h < 0.0) return vec2(1.0, 0.0);
	h = sqrt(h / dd);
	vec2 t = vec2(middle - h, middle + h);
	if (dir.y == 0.0) return abs(from.y) <= uHalf.y ? t : vec2(1.0, 0.0);
	float a = (-uHalf.y - from.y) / dir.y, b = (uHalf.y - from.y) / dir.y;
	return vec2(max(t.x, min(a, b)), min(t.y, max(a, b)));
}

vec2 join(vec2 a, vec2 b) {
	if (a.x > a.y) return b;
	if (b.x > b.y) return a;
	return vec2(min(a.x, b.x), max(a.y, b.y));
}

void main() {
	ray();
	float t;
	if (uKind == 3) {
		float d = dot(uPlane.xyz, dir);
		if (d == 0.0 || d * uCulled > 0.0) discard;
		t = (uPlane.w - dot(uPlane.xyz, from)) / d;
	} else {
		vec2 both = uKind == 0 ? box() : uKind == 1 ? sphere(vec3(0.0)) :
			join(cylinder(), join(sphere(vec3(0.0, uHalf.y, 0.0)), sphere(vec3(0.0, -uHalf.y, 0.0))));
		if (both.x > both.y) discard;
		t = both.x;
	}
	// Entered in front of the near plane: the eye is inside, and solids are not seen from inside.
	if (!(t >= uRange.x && t <= uRange.y)) discard;
	hit(t);
}
