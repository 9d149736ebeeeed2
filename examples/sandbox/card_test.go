package main

import (
	"strings"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// text formats a card as lines of text.
func text(r reading) string {
	title, lines := r.lines()
	s := title
	for _, l := range lines {
		s += strings.TrimRight("\n"+l.key+": "+l.text+strings.Join(l.numbers, " ")+" "+l.unit, " ")
	}
	return s
}

func TestCard(t *testing.T) {
	world := ecs.NewWorld()
	mesh, sphere, compound := physecs.Mesh(1), physecs.Sphere(1), physecs.Compound(1)
	e := world.NewEntity()
	hit := physecs.Hit{Entity: e, Hit: physics.Hit{Child: -1, Hit: geom.Hit{
		T: 6.4119, Point: geom.V(-0.12345, 12.5, -0.0001), Normal: geom.V(0, 1, 0), U: 0.25, V: 0.5, Triangle: 12345,
	}}}
	assert.Equal(t, `bunny
entity: 1, generation 0
shape: mesh, 3,674 triangles
T: 6.412 m
point: −0.123 12.500 0.000
normal: 0.000 1.000 0.000
triangle: 12,345
weights: 0.250 0.250 0.500
pick: 3.4 µs, 1.2 again
among: 13 colliders
: 120,000 triangles
selected: ball, bunny`, text(reading{
		name: "bunny", collider: &mesh, detail: "3,674 triangles", hit: hit, ok: true,
		pick: 3421 * time.Nanosecond, again: 1234 * time.Nanosecond, colliders: 13, triangles: 120_000, selected: []string{"ball", "bunny"},
	}))

	hit.Triangle, hit.U, hit.V = -1, 0, 0
	ball := text(reading{name: "ball", collider: &sphere, hit: hit, ok: true})
	assert.Contains(t, ball, "shape: sphere\n")
	assert.Contains(t, ball, "triangle: –\nweights: –\npick: –\namong: –\n: –\nselected: –")

	hit.Child = 2
	assert.Contains(t, text(reading{name: "table", collider: &compound, hit: hit, ok: true}), "shape: compound, part 2\n")

	world.RemoveEntity(e)
	hit.Entity = world.NewEntity()
	assert.Contains(t, text(reading{name: "ball", collider: &sphere, hit: hit, ok: true}), "entity: 1, generation 1\n")
}

func TestCardOfNothing(t *testing.T) {
	_, something := (&reading{ok: true}).lines()
	title, nothing := (&reading{}).lines()
	assert.Equal(t, "nothing under the cursor", title)
	assert.Len(t, nothing, len(something), "the card does not jump about")
	for i, l := range nothing {
		assert.Equal(t, something[i].key, l.key)
		assert.Equal(t, none, l.text)
		assert.Empty(t, l.numbers)
	}
	title, _ = (&reading{busy: true}).lines()
	assert.Equal(t, "looking around", title)
}

func TestNumber(t *testing.T) {
	for x, want := range map[float32]string{
		0: "0.000", -0.0004: "0.000", -0.0006: "−0.001", 1: "1.000", -1.5: "−1.500", 999.9996: "1000.000",
		1234.5678: "1234.568", -12345.678: "−12345.7", 1e6: "1000000", 1e10: "10000000000",
	} {
		assert.Equal(t, want, number(x))
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 45660: "45,660", 1234567: "1,234,567"} {
		assert.Equal(t, want, thousands(n))
	}
}

func TestList(t *testing.T) {
	assert.Equal(t, "–", list(nil))
	assert.Equal(t, "bunny, dragon", list([]string{"bunny", "dragon"}))
	assert.Equal(t, "bunny, dragon + 2", list([]string{"bunny", "dragon", "capsule", "marble"}))
	assert.Equal(t, "2 entities", list([]string{strings.Repeat("a", 40), "b"}))
}

func TestMeter(t *testing.T) {
	var m meter
	m.add(5 * time.Microsecond)
	assert.Equal(t, 5*time.Microsecond, m.shown, "the first one at once")
	for i := range 11 {
		m.add(3 * time.Microsecond)
		assert.Equal(t, 5*time.Microsecond, m.shown, "after %d", i)
	}
	m.add(time.Second)
	assert.Equal(t, 3*time.Microsecond, m.shown, "a pause of the machine does not show")
}
