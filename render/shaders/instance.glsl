// A vertex of a shape and its instance, for every pass over lit items. See vertex and instance in
// Go.
layout(location = 0) in vec3 aOffset;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec3 aCorner;
layout(location = 3) in vec3 aFade;
layout(location = 14) in vec2 aUV;
layout(location = 4) in mat4 iClip;   // local space to clip space, multiplied in double precision
layout(location = 8) in vec3 iX;      // local space to the world, relative to the camera
layout(location = 9) in vec3 iY;
layout(location = 10) in vec3 iZ;
layout(location = 11) in vec3 iOrigin;
layout(location = 12) in vec4 iColor; // linear colour, and gloss in a
layout(location = 13) in vec4 iShape; // half extents, and radius in w

vec3 localPlace() { return aOffset * iShape.w + aCorner * iShape.xyz; }

vec3 worldPlace(vec3 p) { return iX * p.x + iY * p.y + iZ * p.z + iOrigin; }

// The cofactor matrix is the inverse transpose times the determinant; for a direction only the sign
// of the determinant matters.
vec3 worldNormal(vec3 n) {
	vec3 yz = cross(iY, iZ);
	vec3 w = yz * n.x + cross(iZ, iX) * n.y + cross(iX, iY) * n.z;
	return dot(iX, yz) < 0.0 ? -w : w;
}
