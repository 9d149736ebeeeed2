#version 330 core
// A corner of a triangle given in clip space.
layout(location = 0) in vec3 aPlace;

void main() { gl_Position = vec4(aPlace, 1.0); }
