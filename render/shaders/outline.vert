#version 330 core
#include "instance.glsl"

uniform mat4 uClip;       // world, seen from the camera, to clip space
uniform vec4 uEye;        // where the eye is, seen from the camera; or, if w is 1, the direction towards it
uniform vec2 uPixel;      // a pixel in units of clip space after the division
uniform float uWidth;     // of the outline, in framebuffer pixels; 0: the shape itself
uniform float uPull;      // metres towards the eye for each metre of distance, or in all if w of clip space is 1

void main() {
	vec3 p = localPlace();
	vec4 c = iClip * vec4(p, 1.0);
	if (uWidth > 0.0 && c.w > 0.0) {
		// Where the normal points on the screen, in pixels; all vertices go equally far there.
		vec4 n = uClip * vec4(worldNormal(aHull), 0.0);
		vec2 d = (n.xy * c.w - c.xy * n.w) / uPixel;
		float l = length(d);
		if (l > 0.0) c.xy += d / l * length(aHull) * uWidth * uPixel * c.w;

		// A little nearer to the eye, or else the floor on which a thing stands would hide the rim below it.
		vec3 place = worldPlace(p);
		vec3 eye = uEye.w > 0.5 ? uEye.xyz : normalize(uEye.xyz - place);
		vec4 near = uClip * vec4(place + eye * uPull * c.w, 1.0);
		if (near.w > 0.0) c.z = max(near.z / near.w, -1.0) * c.w;
	}
	gl_Position = c;
}
