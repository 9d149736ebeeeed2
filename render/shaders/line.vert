#version 330 core
// A segment as a screen-space rectangle of its width in pixels, extended for round ends.
layout(location = 0) in vec3 iA;
layout(location = 1) in vec3 iB;
layout(location = 2) in vec4 iColor;
layout(location = 3) in vec2 iWidth;  // width in window pixels; opacity of hidden parts

uniform mat4 uClip;       // world, relative to the camera, to clip space
uniform vec3 uCamera;
uniform vec4 uEye;
uniform vec2 uHalf;       // half the viewport, framebuffer pixels
uniform float uScale;     // framebuffer pixels per window pixel
uniform float uPull;
uniform float uHidden;    // 1: draws the hidden parts

flat out vec4 vColor;
flat out vec2 vSize;      // length and half width, framebuffer pixels
out vec2 vAt; // along and across, from the first end

vec4 toClip(vec3 place) {
	vec4 c = uClip * vec4(place, 1.0);
	vec3 eye = uEye.w > 0.5 ? uEye.xyz : normalize(uEye.xyz - place);
	vec4 near = uClip * vec4(place + eye * uPull * abs(c.w), 1.0);
	if (near.w > 0.0 && c.w > 0.0) c.z = near.z / near.w * c.w;
	return c;
}

void main() {
	vec4 a = toClip(iA - uCamera), b = toClip(iB - uCamera);
	// Parts in front of the near plane are clipped here: they have no place on the screen.
	float da = a.z + a.w, db = b.z + b.w;
	float inside = step(0.0, max(da, db));
	if (da < 0.0 && db > 0.0) a = mix(a, b, da / (da - db) * 0.99999 + 0.00001);
	else if (db < 0.0 && da > 0.0) b = mix(b, a, db / (db - da) * 0.99999 + 0.00001);
	vec3 pa = a.xyz / a.w, pb = b.xyz / b.w;

	vec2 along = (pb.xy - pa.xy) * uHalf;
	float l = length(along);
	vec2 dir = l > 1e-4 ? along / l : vec2(1.0, 0.0);
	float halfWidth = max(iWidth.x * uScale, 1.0) * 0.5;
	float faint = min(iWidth.x * uScale, 1.0); // thinner than a pixel: fainter instead
	float reach = halfWidth + 1.0;
	bool end = gl_VertexID >= 2;
	float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;

	vAt = vec2(end ? l + reach : -reach, side * reach);
	vSize = vec2(l, halfWidth);
	vColor = vec4(iColor.rgb, iColor.a * faint * mix(1.0, iWidth.y, uHidden));
	vec3 p = end ? pb : pa;
	p.xy += (dir * (end ? reach : -reach) + vec2(-dir.y, dir.x) * vAt.y) / uHalf;
	gl_Position = vec4(p, 1.0) * inside; // all zero: nothing is drawn
}
