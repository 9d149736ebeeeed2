package physics

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// In the air a mover keeps the part of its motion that leads along a steep surface, or away from
// it, and loses the horizontal part that leads into it.
func TestClipAtSteepSurfaces(t *testing.T) {
	//      \\  n = (0.8, 0.6)
	//       \\
	//        \\
	steep := geom.DVec3{X: 0.8, Y: 0.6}
	for name, tt := range map[string]struct{ v, want geom.DVec3 }{
		"falls on it":                    {geom.DVec3{Y: -1}, geom.DVec3{X: 0.48, Y: -0.64}},
		"falls on it, going away":        {geom.DVec3{X: 0.1, Y: -1}, geom.DVec3{X: 0.516, Y: -0.688}},
		"falls on it, going along":       {geom.DVec3{Y: -1, Z: 3}, geom.DVec3{X: 0.48, Y: -0.64, Z: 3}},
		"runs against it: does not rise": {geom.DVec3{X: -1}, geom.DVec3{}},
		"jumps against it":               {geom.DVec3{X: -1, Y: 0.5}, geom.DVec3{Y: 0.5}},
		"leaves it":                      {geom.DVec3{X: 1, Y: 0.1}, geom.DVec3{X: 1, Y: 0.1}},
		"leaves it, going up its slope":  {geom.DVec3{X: -1, Y: 2}, geom.DVec3{X: -1, Y: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			w := walker{up: geom.DVec3{Y: 1}, leastUp: 0.7}
			w.planes = append(w.planes, steep)
			got := w.clip(tt.v)
			assert.InDelta(t, 0, got.Sub(tt.want).Len(), 1e-12, "%v", got)
		})
	}
	overhang := walker{up: geom.DVec3{Y: 1}, leastUp: 0.7}
	overhang.planes = append(overhang.planes, geom.DVec3{X: 0.8, Y: -0.6})
	got := overhang.clip(geom.DVec3{X: -1, Y: 1})
	assert.InDelta(t, 0, got.Sub(geom.DVec3{X: 0.12, Y: 0.16}).Len(), 1e-12, "an overhang, which leads down, takes no more than what leads into it: %v", got)
}

// Obstacles are in the order of colliders, then of children, then of triangles.
func TestOrderOfObstacles(t *testing.T) {
	in := surroundings{lists: lists{
		owners: []owner{{id: newID(1, 1)}, {id: newID(2, 1)}},
		list:   []obstacle{{child: 0, at: 3}, {child: 1, at: 0}, {child: 1, at: 2}, {owner: 1, child: 0, at: 0}},
	}}
	for i := range in.list {
		for j := range in.list {
			a, b := contact{in: &in, i: int32(i)}, contact{in: &in, i: int32(j)}
			require.Equal(t, cmp.Compare(i, j), a.order(&b), "%d and %d", i, j)
		}
	}
}
