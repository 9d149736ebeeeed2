package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// saidOfCollisions returns what a program that takes so many nanoseconds for everything would say.
// There are no contacts of two planes, and Bullet has none of meshes with each other or with
// planes.
func saidOfCollisions(name string, ns ...float64) program {
	p := program{name: name, values: map[string][]float64{"movers_ms": ns}}
	surface := func(kind string) bool { return kind == "plane" || kind == "mesh" }
	for i, x := range pairKinds {
		for _, y := range pairKinds[i:] {
			if x == "plane" && y == "plane" || name == bullet && surface(x) && surface(y) {
				continue
			}
			for state, touch := range map[string]float64{"apart": 0, "near": 0.5, "deep": 1} {
				p.values[x+"-"+y+"-"+state] = ns
				p.values[touching+x+"-"+y+"-"+state] = []float64{touch}
			}
		}
	}
	for _, x := range castKinds {
		for _, size := range castSizes {
			p.values["cast-"+x+"-"+size] = ns
			p.values[touching+"cast-"+x+"-"+size] = []float64{0.6}
		}
	}
	return p
}

// playCollisions is collidebench or its twin for Bullet.
func playCollisions(name string, ns float64) {
	for name, values := range saidOfCollisions(name, ns).values {
		fmt.Println(name, values[0], "ns")
	}
}

func TestCollisionTables(t *testing.T) {
	both := programs{saidOfCollisions(ours, 10, 20, 30), saidOfCollisions(bullet, 20, 40, 120)}
	c := &collisions{pairs: both, movers: both, casts: map[string]programs{"bunny": both, "arena1": both}}
	assert.Contains(t, pairTable(c), "| sphere and box | 20 | 20 | 20 | 40 | 40 | **0.50** (0.25–0.50) | **0.50** (0.25–0.50) |\n")
	assert.Contains(t, pairTable(c), "| plane and mesh | 20 | 20 | 20 | | | | |\n")
	assert.Contains(t, pairTable(c), "| compound and mesh | 20 | 20 | 20 | 40 | 40 |")
	assert.NotContains(t, pairTable(c), "plane and plane")
	assert.Contains(t, castTable(c), "| bunny | hull | 0.002 | 20.00 | 40.0 | **2** (2–4) |\n")
	assert.Contains(t, castTable(c), "| arena1 | capsule | 0.02 | 20.00 | 40.0 | **2** (2–4) |\n")
	assert.Contains(t, moverTable(c), "| 10,000 capsule movers on arena1, ms a tick | 20.0 (10.0–30.0) |\n")

	alone := &collisions{pairs: both[:1], movers: both[:1], casts: map[string]programs{"bunny": both[:1], "arena1": both[:1]}}
	assert.Contains(t, pairTable(alone), "| pair | apart, ns | near, ns | deep, ns |\n|---|---:|---:|---:|\n| sphere and sphere | 20 | 20 | 20 |\n")
	assert.Contains(t, castTable(alone), "| bunny | box | 0.002 | 20.00 |\n")
}

func TestAgreesAboutTouching(t *testing.T) {
	for name, c := range map[string]struct {
		what  string
		value float64
		want  string
	}{
		"as it is":                {"movers_ms", 1, ""},
		"a pair that is missed":   {touching + "sphere-mesh-deep", 0.99, "sphere-mesh-deep: [1] touch, of Bullet's [0.99]"},
		"a pair that is apart":    {touching + "box-box-apart", 0.01, "box-box-apart"},
		"near ones, by margins":   {touching + "box-box-near", 0, ""},
		"casts, except for a few": {touching + "cast-hull-0.02", 0.62, ""},
		"casts, more than a few":  {touching + "cast-hull-0.02", 0.5, "cast-hull-0.02"},
		"what we do not have":     {touching + "plane-plane-deep", 1, "plane-plane-deep: [] touch"},
	} {
		t.Run(name, func(t *testing.T) {
			both := programs{saidOfCollisions(ours, 10), saidOfCollisions(bullet, 20)}
			both[1].values[c.what] = []float64{c.value}
			if err := agree(both); c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
			require.NoError(t, agree(both[:1]), "alone")
		})
	}
}
