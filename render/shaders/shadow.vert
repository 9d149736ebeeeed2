#version 330 core
#include "instance.glsl"

uniform mat4 uLight;

void main() { gl_Position = uLight * vec4(worldPlace(localPlace()), 1.0); }
