// Lighting: a key light with shadows, ambient light from above and below, and ambient occlusion
// from above. With SMALL defined, the shadow maps are sampled in fewer places.
uniform vec3 uKeyDir;     // to the light, unit
uniform vec3 uKeyColor;   // linear
uniform vec3 uSkyLight;
uniform vec3 uGroundLight;
uniform float uShadows;   // 0 or 1
uniform mat4 uKeyMap;     // place, relative to the camera, to the shadow map, 0 to 1
uniform mat4 uAboveMap;   // the same for the map seen from above
uniform float uTexel;     // metres per texel of the key light's map
uniform sampler2DShadow uKeyShadow;
uniform sampler2DShadow uAboveShadow;
uniform vec4 uEye;        // position of the eye relative to the camera; if w is 1, direction to it
uniform vec4 uHaze;       // sRGB colour of the sky at the horizon; metres at which it covers half of a plane
uniform float uFog;       // 1 / metres at which it covers half of all else; 0: nowhere

// The light of a place in a shadow map; outside the map everything is lit.
float lit(sampler2DShadow map, vec3 p) {
#ifdef GL_ES // textures have no border, and not every driver clamps the depth
	if (p != clamp(p, 0.0, 1.0)) return 1.0;
#endif
	return texture(map, p);
}

vec3 toEye(vec3 place) { return uEye.w > 0.5 ? uEye.xyz : normalize(uEye.xyz - place); }

float keyLight(vec3 place, vec3 normal) {
	if (uShadows < 0.5) return 1.0;
	// Offset from the surface, more on a slope, against self-shadowing.
	float slope = sqrt(max(1.0 - pow(max(dot(normal, uKeyDir), 0.0), 2.0), 0.0));
	vec3 p = (uKeyMap * vec4(place + normal * uTexel * (0.6 + 1.8 * slope), 1.0)).xyz;
#ifdef SMALL
	return lit(uKeyShadow, p);
#else
	vec2 texel = 1.0 / vec2(textureSize(uKeyShadow, 0));
	float sum = 0.0;
	for (int y = -1; y <= 1; y++)
		for (int x = -1; x <= 1; x++)
			sum += lit(uKeyShadow, vec3(p.xy + vec2(x, y) * 1.4 * texel, p.z));
	return sum / 9.0;
#endif
}

#ifdef SMALL
const int samples = 4;
#else
const int samples = 12;
#endif

// The visible part of the sky, from samples of the map from above in rings around the place.
float openness(vec3 place, vec3 normal) {
	if (uShadows < 0.5) return 1.0;
	// Offset to the side of a wall: the top of an object must not darken its own sides.
	vec3 p = place + normal * vec3(0.62, 0.03, 0.62) + vec3(0.0, 0.02, 0.0);
	float sum = 0.0, weight = 0.0;
	for (int i = 0; i < samples; i++) {
		float a = float(i) * 2.39996, r = 0.62 * sqrt((float(i) + 0.5) / float(samples));
		vec3 q = (uAboveMap * vec4(p + vec3(cos(a) * r, 0.25 * r, sin(a) * r), 1.0)).xyz;
		float w = 1.2 - r;
		sum += w * lit(uAboveShadow, q);
		weight += w;
	}
	return sum / weight;
}

vec3 shade(vec3 albedo, float gloss, vec3 place, vec3 normal) {
	vec3 eye = toEye(place);
	float open = openness(place, normal);
	float up = normal.y * 0.5 + 0.5;
	vec3 ambient = mix(uGroundLight, uSkyLight, up * up * (3.0 - 2.0 * up)) * mix(0.25, 1.0, open);
	float facing = dot(normal, uKeyDir);
	float key = facing > 0.0 ? facing * keyLight(place, normal) : 0.0;

	vec3 halfway = normalize(uKeyDir + eye);
	float sharp = mix(8.0, 160.0, gloss * gloss);
	float shine = pow(max(dot(normal, halfway), 0.0), sharp) * (sharp + 8.0) / 80.0 * gloss * 0.22;
	float rim = pow(1.0 - max(dot(normal, eye), 0.0), 4.0) * 0.22 * mix(0.35, 1.0, open);

	return albedo * (ambient + uKeyColor * key) + uKeyColor * shine * key + uSkyLight * rim * (0.3 + 0.7 * gloss);
}

// Tone mapping that changes bright colours only (Khronos, "PBR neutral", 2024).
vec3 tone(vec3 c) {
	const float start = 0.8 - 0.04, desaturation = 0.15;
	float x = min(c.r, min(c.g, c.b));
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	c -= offset;
	float peak = max(c.r, max(c.g, c.b));
	if (peak < start) return c;
	float d = 1.0 - start;
	float newPeak = 1.0 - d * d / (peak + d - start);
	c *= newPeak / peak;
	float g = 1.0 - 1.0 / (desaturation * (peak - newPeak) + 1.0);
	return mix(c, vec3(newPeak), g);
}

vec3 encode(vec3 c) {
	return mix(12.92 * c, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

// The part of the fog in the colour of a place.
float fog(vec3 place) {
	float d = length(place) * uFog;
	return 1.0 - exp2(-d * d);
}
