#version 330 core
#include "instance.glsl"

out vec3 vPlace;
out vec3 vNormal;
out vec3 vPaint;
out vec2 vUV;
flat out vec4 vColor;

void main() {
	vec3 p = localPlace();
	gl_Position = iClip * vec4(p, 1.0);
	vPlace = worldPlace(p);
	vNormal = worldNormal(aNormal);
	vPaint = 1.0 - aFade;
	vUV = aUV;
	vColor = iColor;
}
