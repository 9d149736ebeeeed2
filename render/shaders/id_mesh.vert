#version 330 core
layout(location = 0) in vec3 aPlace;

uniform mat4 uClip;

out vec3 gPlace;

void main() {
	gPlace = aPlace;
	gl_Position = uClip * vec4(aPlace, 1.0);
}
