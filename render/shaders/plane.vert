#version 330 core
// A corner of a piece of an endless plane, large enough to reach where it has faded out.
layout(location = 0) in vec2 aCorner;

uniform mat4 uClip;       // world, seen from the camera, to clip space
uniform vec3 uCenter;     // the foot of the camera on the plane, seen from the camera
uniform vec3 uU, uV;      // along the plane, a unit long
uniform float uReach;     // metres

out vec3 vPlace;
out vec2 vPlane;          // metres from the centre along u and v

void main() {
	vPlane = aCorner * uReach;
	vPlace = uCenter + uU * vPlane.x + uV * vPlane.y;
	gl_Position = uClip * vec4(vPlace, 1.0);
}
