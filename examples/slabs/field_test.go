package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

const nearly = 1e-4 // metres, or of T

// The cells of the page are those that the library's own walk tests. At a T equal to that of a
// border, which the library rounds, it may test one more.
func TestCellsAreThoseOfTheCast(t *testing.T) {
	crossed := 0
	rapid.Check(t, func(t *rapid.T) {
		h := newSimulatedPointer(5)
		scramble(t, h)
		p := h.page().(*fieldPage)
		w, r := p.walk(), p.ray()
		field, _ := p.meshes()
		_, _, work := field.CastRayWork(r, geom.CullNone)
		least, most := 0, 0
		tMin, tMax := r.Range()
		if w.ok {
			tMax = w.hit.T
		}
		// within reports whether an interval is in the range, surely if by is negative, or may be.
		within := func(near, far, by float64) bool {
			return near <= math.Min(far, float64(tMax))+by && far >= float64(tMin)-by
		}
		for _, c := range w.cells {
			require.True(t, within(c.near, c.far, nearly), "%v is not in the range", c)
			if c.number == p.hole {
				continue
			}
			most++
			if within(c.near, c.far, -nearly) {
				least++
			}
		}
		for _, l := range w.leaves { // those that the ray just touches
			s := l.box.Grow(nearly).Slabs(r)
			if within(s.TNear, s.TFar, nearly) && !(l.box.Grow(-nearly).Slabs(r).Hit && within(s.TNear, s.TFar, -nearly)) {
				most += 4
			}
		}
		require.LessOrEqual(t, least, work.Leaves)
		require.GreaterOrEqual(t, most, work.Leaves)
		crossed = max(crossed, least)
	})
	require.Greater(t, crossed, 4, "no ray has crossed many cells")
}

// The parts and cells come in the order of T, and cover what the ray crosses without a gap.
func TestPartsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newSimulatedPointer(5)
		scramble(t, h)
		w := h.page().(*fieldPage).walk()
		for _, parts := range [...][]part{w.blocks, w.leaves} {
			for i := 1; i < len(parts); i++ {
				require.LessOrEqual(t, parts[i-1].near, parts[i].near)
			}
		}
		for i := 1; i < len(w.cells); i++ {
			a, b := w.cells[i-1], w.cells[i]
			require.LessOrEqual(t, a.near, b.near)
			if b.number == a.number+1 || b.number == a.number-1 {
				require.True(t, a.far == b.near || math.IsInf(a.far, 1), "%v %v", a, b)
			}
		}
	})
}
