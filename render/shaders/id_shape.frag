#version 330 core
#include "id_ray.glsl"

// Analytic shapes: a ray test for each pixel in the shape's local space.
uniform int uKind;        // 0 box, 1 sphere, 2 capsule, 3 plane, 4 cone or tapered capsule
uniform vec3 uHalf;
uniform float uRadius;
uniform vec4 uEnds;       // heights and radii of the ends of the cone
uniform vec4 uBalls;      // half height and radii of the balls, if the last is 1
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
vec2 sphere(vec3 center, float radius) {
	vec3 o = from - center;
	float dd = dot(dir, dir);
	float middle = -dot(o, dir) / dd;
	vec3 nearest = o + middle * dir;
	float l = length(nearest);
	float h = (radius - l) * (radius + l);
	if (h < 0.0) return vec2(1.0, 0.0);
	h = sqrt(h / dd);
	return vec2(middle - h, middle + h);
}

// The cone between the heights and radii in uEnds: the line in the infinite cone, of which it is in
// one nappe if it is steeper than the side, and in the slab between the ends. It starts from the
// point of the ray nearest to the middle.
vec2 cone() {
	float height = 0.5 * (uEnds.x + uEnds.y);
	vec3 o = from - vec3(0.0, height, 0.0);
	float middle = -dot(o, dir) / dot(dir, dir);
	o += middle * dir;
	float reach = 0.5 * (uEnds.y - uEnds.x);
	float k = 0.5 * (uEnds.w - uEnds.z) / reach;
	float p = 0.5 * (uEnds.z + uEnds.w) + k * o.y, q = k * dir.y;
	float a = dot(dir.xz, dir.xz) - q * q;
	float b = dot(o.xz, dir.xz) - p * q;
	float l = length(o.xz);
	float c = (l - p) * (l + p);
	vec2 t = vec2(-never, never);
	if (a == 0.0 && b == 0.0) {
		if (c > 0.0) return vec2(1.0, 0.0);
	} else if (a == 0.0) {
		if (b > 0.0) t.y = -0.5 * c / b; else t.x = -0.5 * c / b;
	} else {
		float disc = b * b - a * c;
		if (disc < 0.0 && a > 0.0) return vec2(1.0, 0.0);
		float r = -b - (b < 0.0 ? -1.0 : 1.0) * sqrt(max(disc, 0.0));
		vec2 roots = r == 0.0 ? vec2(0.0) : vec2(r / a, c / r);
		roots = vec2(min(roots.x, roots.y), max(roots.x, roots.y));
		if (a > 0.0) t = roots;
		else if (q > 0.0) t.x = roots.y;
		else t.y = roots.x;
	}
	if (dir.y == 0.0) {
		if (abs(o.y) > reach) return vec2(1.0, 0.0);
	} else {
		float u = (-reach - o.y) / dir.y, v = (reach - o.y) / dir.y;
		t = vec2(max(t.x, min(u, v)), min(t.y, max(u, v)));
	}
	return t + middle;
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
		vec2 both;
		if (uKind == 0) both = box();
		else if (uKind == 1) both = sphere(vec3(0.0), uRadius);
		else if (uKind == 2)
			both = join(cylinder(), join(sphere(vec3(0.0, uHalf.y, 0.0), uRadius), sphere(vec3(0.0, -uHalf.y, 0.0), uRadius)));
		else {
			both = cone();
			if (uBalls.w > 0.0)
				both = join(both, join(sphere(vec3(0.0, -uBalls.x, 0.0), uBalls.y), sphere(vec3(0.0, uBalls.x, 0.0), uBalls.z)));
		}
		if (both.x > both.y) discard;
		t = both.x;
	}
	// Entered in front of the near plane: the eye is inside, and solids are not seen from inside.
	if (!(t >= uRange.x && t <= uRange.y)) discard;
	hit(t);
}
