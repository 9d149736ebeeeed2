package wide

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// primsOf returns the builder's prims of a surface, not yet sorted.
func primsOf(s *surface) []prim {
	list := make([]prim, s.count())
	for i := range list {
		list[i] = prim{box: boxOf(boundsOf(s.triangle(i))), index: int32(i)}
	}
	return list
}

func TestAssemblyLaysBoxesLikeThePortableLoop(t *testing.T) {
	for _, s := range append(shapes(), soup(batch+5)) {
		inBoth(t, s.name, func() any {
			b := &builder{vertices: s.vertices, indices: s.indices, prims: make([]prim, s.count())}
			all := b.lay(s.count())
			require.Equal(t, primsOf(&s), b.prims, s.name)
			require.Equal(t, unionOf(b.prims), all.box, s.name)
			return []any{b.prims, all.box, [3]float32(all.centers[:]), [3]float32(all.centers[4:])}
		})
	}
}

// splitterFor returns a splitter with bins laid over triangles.
func splitterFor(prims []prim, n int) *splitter {
	all, centers := unionOf(prims), spanOf(prims)
	w := &splitter{measure: newMeasure(&all)}
	w.frame(&centers, n)
	return w
}

// inBoth runs a test on the portable loops and, where there is one, on the assembly, and compares
// the results.
func inBoth[T any](t *testing.T, name string, f func() T) {
	t.Helper()
	can := useSIMD
	defer func() { useSIMD = can }()
	useSIMD = false
	want := f()
	useSIMD = can
	require.Equal(t, want, f(), name)
}

func TestAssemblyBinsLikeThePortableLoops(t *testing.T) {
	testenv.NoRace(t)
	for _, s := range shapes() {
		prims := primsOf(&s)
		for _, n := range []int{fewBins, manyBins, places} {
			inBoth(t, s.name, func() any {
				w := splitterFor(prims, n)
				w.fill(prims)
				bins := w.right
				w.weigh()
				w.scan()
				for axis := range 3 { // what is behind the boxes means nothing
					for i := range places {
						for _, p := range []*prim{&bins[axis][i], &w.left[axis][i], &w.right[axis][i]} {
							*p = prim{box: p.box}
						}
					}
				}
				return []any{bins, w.counts, w.left, w.right, w.costLeft, w.costRight}
			})
			for axis := range 3 {
				for _, at := range []int{1, n / 2, n - 1} {
					inBoth(t, s.name, func() any {
						p := slices.Clone(prims)
						w := splitterFor(p, n)
						count, left, right := w.partition(p, axis, at)
						return []any{p, count, [3]float32(left[:]), [3]float32(left[4:]), [3]float32(right[:]), [3]float32(right[4:])}
					})
				}
			}
		}
	}
}

func TestBinsHoldAllTriangles(t *testing.T) {
	for _, s := range shapes() {
		prims := primsOf(&s)
		w := splitterFor(prims, manyBins)
		w.fill(prims)
		for axis := range 3 {
			total, all := 0, emptyBox
			for i := range w.n {
				in, bounds := 0, emptyBox
				l := w.line(axis)
				for k := range prims {
					if int(l.bin(prims[k].center(axis))) == i {
						in++
						bounds.grow(&prims[k].box)
					}
				}
				require.Equal(t, in, int(w.counts[axis][i]), s.name)
				require.Equal(t, bounds, w.right[axis][i].box, s.name)
				total += in
				all.grow(&bounds)
			}
			require.Equal(t, len(prims), total, s.name)
			require.Equal(t, unionOf(prims), all, s.name)
		}
	}
}

// The boxes and areas on either side of each place are those of the triangles there, and the chosen
// place costs least.
func TestChoiceCostsLeast(t *testing.T) {
	testenv.NoRace(t)
	for _, s := range shapes() {
		prims := primsOf(&s)
		w := splitterFor(prims, manyBins)
		w.fill(prims)
		w.weigh()
		w.scan()
		gotAxis, gotAt := w.choose()
		least, found := float32(math.Inf(1)), float32(math.Inf(1))
		for axis := range 3 {
			l := w.line(axis)
			for at := 1; at < manyBins; at++ {
				var side [2][]prim
				for _, p := range prims {
					k := 0
					if int(l.bin(p.center(axis))) >= at {
						k = 1
					}
					side[k] = append(side[k], p)
				}
				left, right := unionOf(side[0]), unionOf(side[1])
				require.Equal(t, left, w.left[axis][at-1].box, s.name)
				require.Equal(t, right, w.right[axis][at].box, s.name)
				if len(side[0]) == 0 || len(side[1]) == 0 {
					continue
				}
				cost := float32(float32(len(side[0])+leafShare)*w.measure.area(&left)) + float32(float32(len(side[1])+leafShare)*w.measure.area(&right))
				least = min(least, cost)
				if axis == gotAxis && at == gotAt {
					found = cost
				}
			}
		}
		require.Equal(t, least, found, s.name)
		require.Equal(t, math.IsInf(float64(least), 1), gotAt == 0, s.name)
	}
}

// The sides of the triangles do not depend on how many are partitioned at once.
func TestPartition(t *testing.T) {
	s := soup(batch*2 + 77)
	prims := primsOf(&s)
	w := splitterFor(prims, manyBins)
	for axis := range 3 {
		p := slices.Clone(prims)
		count, left, right := w.partition(p, axis, 7)
		l := w.line(axis)
		for i := range p {
			require.Equal(t, i < count, int(l.bin(p[i].center(axis))) < 7)
		}
		require.Equal(t, spanOf(p[:count])[axis], left[axis])
		require.Equal(t, spanOf(p[count:])[axis+4], right[axis+4])
		slices.SortFunc(p, func(a, b prim) int { return int(a.index - b.index) })
		require.Equal(t, prims, p, "none is lost")
	}
}

// halfArea returns half the area of the box's six faces.
func halfArea(b geom.AABB) float64 {
	d := b.Max.Sub(b.Min).Wide()
	return d.X*d.Y + d.Y*d.Z + d.Z*d.X
}

func TestArea(t *testing.T) {
	rng := testenv.Rand(3, 3)
	at := func() geom.Vec3 { return geom.V(rng.Float32(), rng.Float32(), rng.Float32()) }
	for _, size := range []float32{1e-44, 1e-38, 1e-20, 1, 3e20, 3e38} {
		all := boxOf(geom.AABB{Min: geom.V(-size, -size, -size), Max: geom.V(size, size, size)})
		m := newMeasure(&all)
		whole := m.area(&all)
		assert.Greater(t, whole, float32(0), "%g", size)
		assert.Less(t, whole, float32(200), "%g", size)
		if size < 1e-30 || size > 1e30 {
			continue
		}
		for range 100 {
			a, b := at().Mul(size), at().Mul(size)
			c := geom.AABB{Min: a.Min(b), Max: a.Max(b)}
			box := boxOf(c)
			want := halfArea(geom.AABB{Min: c.Min.Mul(1 / size), Max: c.Max.Mul(1 / size)}) / 12
			// The area relative to the whole is at most 1 and a sum of three products of float32:
			// some eight roundings of 2⁻²⁴, and the allowance of 10⁻⁹ edges.
			assert.InDelta(t, want, float64(m.area(&box)/whole), 1e-6)
			assert.Equal(t, m.area(&box), m.areaOf(c))
		}
	}
	unit := boxOf(geom.AABB{Max: geom.V(1, 1, 1)})
	m := newMeasure(&unit)
	assert.True(t, math.IsInf(float64(m.area(&emptyBox)), 1), "an empty side is never chosen")
	line, point := boxOf(geom.AABB{Max: geom.V(1, 0, 0)}), boxOf(geom.AABB{})
	assert.Greater(t, m.area(&line), m.area(&point))
	assert.Greater(t, m.area(&point), float32(0))
}
