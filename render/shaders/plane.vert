#version 330 core
// A corner of the visible part of an unbounded plane, large enough to fade out inside it.
layout(location = 0) in vec2 aCorner;

uniform mat4 uClip;       // world, relative to the camera, to clip space
uniform vec3 uCenter;     // foot of the camera on the plane, relative to the camera
uniform vec3 uU, uV;      // axes of the plane, unit
uniform float uReach;     // metres

out vec3 vPlace;
out vec2 vPlane;          // metres from the centre along u and v

void main() {
	vPlane = aCorner * uReach;
	vPlace = uCenter + uU * vPlane.x + uV * vPlane.y;
	gl_Position = uClip * vec4(vPlace, 1.0);
}
