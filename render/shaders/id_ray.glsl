// The ray through the centre of a pixel in a shape's local space, and its hit. See pencil in Go: t
// is the same in all spaces, so that depths of different shapes can be compared.
uniform vec3 uFrom, uFromX, uFromY;
uniform vec3 uDir, uDirX, uDirY;
uniform vec2 uRange;      // of t, from the near to the far plane
uniform vec4 uViewport;   // x, y and 2/width, 2/height
uniform float uDepth;     // depth per t
uniform uint uID;

out uint id;

vec3 from, dir;

void ray() {
	vec2 s = (gl_FragCoord.xy - uViewport.xy) * uViewport.zw - 1.0;
	from = uFrom + s.x * uFromX + s.y * uFromY;
	dir = uDir + s.x * uDirX + s.y * uDirY;
}

void hit(float t) {
	id = uID;
	gl_FragDepth = t * uDepth;
}
