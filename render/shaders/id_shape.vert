#version 330 core
// A corner of the box around a shape, or of a triangle that covers the viewport for a plane.
layout(location = 0) in vec3 aCorner;

uniform mat4 uClip;
uniform vec3 uReach;
uniform float uWhole;

void main() {
	// The fragment shader clips at the near and the far plane.
	gl_Position = uWhole > 0.5 ? vec4(aCorner.xy * 2.0 + 1.0, 0.0, 1.0) : uClip * vec4(aCorner * uReach, 1.0);
	gl_Position.z = 0.0;
}
