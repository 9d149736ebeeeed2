package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// saidOfCollisions returns what a program that takes so many nanoseconds for everything would say.
func saidOfCollisions(name string, ns ...float64) program {
	p := program{name: name, values: map[string][]float64{"movers_ms": ns}}
	for i, x := range pairKinds {
		for _, y := range pairKinds[i:] {
			for _, state := range []string{"apart", "near", "deep"} {
				p.values[x+"-"+y+"-"+state] = ns
			}
		}
	}
	for _, x := range castKinds {
		for _, size := range castSizes {
			p.values["cast-"+x+"-"+size] = ns
		}
	}
	return p
}

// playCollisions is collidebench or its twin for Bullet.
func playCollisions(ns float64) {
	for name, values := range saidOfCollisions("", ns).values {
		fmt.Println(name, values[0], "ns")
	}
}

func TestCollisionTables(t *testing.T) {
	both := programs{saidOfCollisions(ours, 10, 20, 30), saidOfCollisions(bullet, 20, 40, 120)}
	c := &collisions{pairs: both, movers: both, casts: map[string]programs{"bunny": both, "arena1": both}}
	assert.Contains(t, pairTable(c), "| sphere and box | 20 | 20 | 20 | 40 | 40 | **0.50** (0.25–0.50) | **0.50** (0.25–0.50) |\n")
	assert.Contains(t, castTable(c), "| arena1 | capsule | 0.02 | 20.00 | 40.0 | **2** (2–4) |\n")
	assert.Contains(t, moverTable(c), "| 10,000 capsule movers on arena1, ms a tick | 20.0 (10.0–30.0) |\n")

	alone := &collisions{pairs: both[:1], movers: both[:1], casts: map[string]programs{"bunny": both[:1], "arena1": both[:1]}}
	assert.Contains(t, pairTable(alone), "| pair | apart, ns | near, ns | deep, ns |\n|---|---:|---:|---:|\n| sphere and sphere | 20 | 20 | 20 |\n")
	assert.Contains(t, castTable(alone), "| bunny | box | 0.002 | 20.00 |\n")
}
