#version 330 core
// Passes the plane of each triangle on, so that the fragment shader computes the depth at a pixel:
// interpolated depth is too inaccurate on a large triangle that comes near the eye.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

uniform float uParallel;  // 1: t is the depth of clip space (parallel projection); 0: its w

in vec3 gPlace[];
flat out vec3 vNormal;
flat out vec3 vCorner;
flat out vec2 vRange;     // of t on the triangle

void main() {
	vec3 a = gPlace[0], b = gPlace[1], c = gPlace[2];
	vec3 n = cross(b - a, c - a);
	float l = max(abs(n.x), max(abs(n.y), abs(n.z)));
	n = l > 0.0 ? n / l : n;
	vec3 t;
	for (int i = 0; i < 3; i++) {
		vec4 p = gl_in[i].gl_Position;
		t[i] = uParallel > 0.5 ? p.z * 0.5 + 0.5 : p.w;
	}
	for (int i = 0; i < 3; i++) {
		vRange = vec2(min(t.x, min(t.y, t.z)), max(t.x, max(t.y, t.z)));
		vNormal = n;
		vCorner = a;
		gl_Position = gl_in[i].gl_Position;
		EmitVertex();
	}
	EndPrimitive();
}
