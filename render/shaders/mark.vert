#version 330 core
#include "instance.glsl"

void main() { gl_Position = iClip * vec4(localPlace(), 1.0); }
