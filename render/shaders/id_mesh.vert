#version 330 core
// A corner of a triangle, with all three: the fragment shader computes the depth at a pixel from
// the plane, since interpolated depth is too inaccurate on a large triangle that comes near the eye.
layout(location = 0) in vec3 aA;
layout(location = 1) in vec3 aB;
layout(location = 2) in vec3 aC;

uniform mat4 uClip;
uniform float uParallel;  // 1: t is the depth of clip space (parallel projection); 0: its w

flat out vec3 vNormal;
flat out vec3 vCorner;
flat out vec2 vRange;     // of t on the triangle

float t(vec4 p) { return uParallel > 0.5 ? p.z * 0.5 + 0.5 : p.w; }

void main() {
	vec3 n = cross(aB - aA, aC - aA);
	float l = max(abs(n.x), max(abs(n.y), abs(n.z)));
	vNormal = l > 0.0 ? n / l : n;
	vCorner = aA;
	vec4 a = uClip * vec4(aA, 1.0), b = uClip * vec4(aB, 1.0), c = uClip * vec4(aC, 1.0);
	float ta = t(a), tb = t(b), tc = t(c);
	vRange = vec2(min(ta, min(tb, tc)), max(ta, max(tb, tc)));
	int corner = gl_VertexID % 3;
	gl_Position = corner == 0 ? a : corner == 1 ? b : c;
	gl_Position.z = 0.0; // the fragment shader clips at the planes
}
