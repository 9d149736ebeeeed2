#version 330 core
// One triangle that covers the viewport.
out vec2 vScreen;

void main() {
	vScreen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
	gl_Position = vec4(vScreen, 1.0, 1.0);
}
