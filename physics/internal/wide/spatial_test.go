package wide

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// beams is a bumpy sheet of small triangles with long thin ones above and through it, in all
// directions.
func beams(n int) surface {
	s := grid(2 * n)
	s.name = "beams"
	rng := testenv.Rand(3, uint64(n))
	side := float32(2 * n)
	for range n {
		from := geom.V(side*rng.Float32(), 4*rng.Float32(), side*rng.Float32())
		to := geom.V(side*rng.Float32(), 4*rng.Float32(), side*rng.Float32())
		k := uint32(len(s.vertices))
		s.vertices = append(s.vertices, from, to, to.Add(geom.V(0.05, 0, 0)), from.Add(geom.V(0.05, 0, 0)))
		s.indices = append(s.indices, k, k+1, k+2, k, k+2, k+3)
	}
	return s
}

func TestCuttingPays(t *testing.T) {
	testenv.NoRace(t)
	s := beams(60)
	medium, high := build(t, &s, Options{}), build(t, &s, Options{Quality: High})
	t.Logf("cost %.1f, cut %.1f; %d triangles, %d references", medium.Cost(), high.Cost(), s.count(), len(high.ids))
	assert.Less(t, high.Cost(), 0.75*medium.Cost())
	assert.LessOrEqual(t, len(high.ids), s.count()+s.count()/spareShare)
	assert.True(t, high.HasDuplicates())
	assert.Equal(t, s.count(), high.NumTriangles())
	assert.Less(t, high.Bytes(), 2*medium.Bytes())

	sheet := grid(40)
	assert.LessOrEqual(t, build(t, &sheet, Options{Quality: High}).Cost(), 1.02*build(t, &sheet, Options{}).Cost())
}

// The two parts of a cut triangle together are all of it, and each part is on its side.
func TestCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float32Range(-4, 4), rapid.Map(rapid.IntRange(-2, 2), func(i int) float32 { return float32(i) }))
		scale := rapid.SampledFrom([]float32{1, 1e-20, 1e20}).Draw(t, "scale")
		vec := rapid.Custom(func(t *rapid.T) geom.Vec3 { return geom.V(x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")).Mul(scale) })
		s := spatial{builder: &builder{vertices: []geom.Vec3{vec.Draw(t, "a"), vec.Draw(t, "b"), vec.Draw(t, "c")}, indices: []uint32{0, 1, 2}}}
		s.slack = 0x1p-44 * 4 * float64(scale)
		tri := geom.Triangle{A: s.vertices[0], B: s.vertices[1], C: s.vertices[2]}
		parts := []prim{{box: boxOf(boundsOf(tri))}}
		for range rapid.IntRange(1, 6).Draw(t, "cuts") {
			i := rapid.IntRange(0, len(parts)-1).Draw(t, "part")
			axis, at := rapid.IntRange(0, 2).Draw(t, "axis"), x.Draw(t, "at")*scale
			left, right := s.cut(&parts[i], axis, at)
			cut := parts[i]
			parts = slices.Delete(parts, i, i+1)
			for side, b := range []box{left, right} {
				if b.isEmpty() {
					continue
				}
				within := b
				within.grow(&cut.box)
				require.Equal(t, cut.box, within, "a part is within what was cut")
				low, high := wideOf(b.aabb().Min)[axis], wideOf(b.aabb().Max)[axis]
				require.True(t, side == 1 || high <= float64(at))
				require.True(t, side == 0 || low >= float64(at))
				parts = append(parts, prim{box: b})
			}
			var boxes []geom.AABB
			for i := range parts {
				boxes = append(boxes, parts[i].box.aabb())
			}
			require.True(t, covered(tri, boxes), "%v by %v", tri, boxes)
		}
	})
}

func TestCovered(t *testing.T) {
	tri := geom.Triangle{B: geom.V(4, 0, 0), C: geom.V(0, 4, 0)}
	box := func(x0, y0, x1, y1 float32) geom.AABB {
		return geom.AABB{Min: geom.V(x0, y0, 0), Max: geom.V(x1, y1, 0)}
	}
	assert.True(t, covered(tri, []geom.AABB{box(0, 0, 4, 4)}))
	assert.True(t, covered(tri, []geom.AABB{box(2, 0, 4, 2), box(0, 0, 2, 4)}))
	assert.False(t, covered(tri, []geom.AABB{box(2, 0, 4, 2), box(0, 0, 2, 3.9)}))
	assert.False(t, covered(tri, []geom.AABB{box(2, 0, 4, 2), box(0, 0, 1.9, 4)}))
	assert.False(t, covered(tri, nil))
	assert.True(t, covered(geom.Triangle{}, []geom.AABB{box(0, 0, 1, 1)}), "a point")
}

// Visits visit each triangle once, wherever it is cut.
func TestVisitsEachTriangleOnce(t *testing.T) {
	testenv.NoRace(t)
	s := beams(15)
	tree := build(t, &s, Options{Quality: High})
	var refitted Tree
	moved := shaken(testenv.Rand(1, 2), s, 0.5)
	tree.Refit(&refitted, moved.vertices, &moved)
	for _, c := range []struct {
		surface
		tree *Tree
	}{{s, tree}, {moved, &refitted}} {
		require.True(t, c.tree.HasDuplicates())
		rng := testenv.Rand(4, 5)
		doubled := 0
		for range 60 {
			p := geom.V(30*rng.Float32(), 4*rng.Float32(), 30*rng.Float32())
			box := geom.AABBAround(p, geom.V(6*rng.Float32(), 2*rng.Float32(), 6*rng.Float32()))
			visits := make([]int, c.count())
			c.tree.VisitAABB(box, func(i int) bool { visits[i]++; return true })
			for i, n := range visits {
				tri := c.triangle(i)
				bounds := boundsOf(tri)
				if n > 1 || n == 0 && box.OverlapsTriangle(tri) || n == 1 && !touch(&box, &bounds) {
					t.Fatalf("%v is visited %d times in %v", tri, n, box)
				}
				if n == 1 && c.tree.duplicates.at[slices.Index(c.tree.ids, int32(i))] >= 0 {
					doubled++
				}
			}

			clear(visits)
			limit := float64(3 * rng.Float32())
			c.tree.VisitNearest(limit, func(b geom.AABB) float64 {
				return float64(p.Distance(p.Max(b.Min).Min(b.Max))) * (1 - 0x1p-20)
			}, func(i int) float64 { visits[i]++; return limit })
			for i, n := range visits {
				if n > 1 || n == 0 && float64(c.triangle(i).Distance(p)) <= limit {
					t.Fatalf("%v is visited %d times within %g of %v", c.triangle(i), n, limit, p)
				}
			}
		}
		testenv.Drawn(t, doubled, 100)
	}
}

func TestValidateNoticesCuts(t *testing.T) {
	testenv.NoRace(t)
	s := beams(15)
	// cutLeaf returns the node and the slot of a leaf with a triangle that is in other leaves too.
	cutLeaf := func(t *Tree) (*node, int) {
		d := t.duplicates.list[0]
		return t.node(d.node), int(d.child)
	}
	for _, c := range []struct {
		name   string
		damage func(*Tree)
		want   string
	}{
		{"box too small", func(t *Tree) {
			n, i := cutLeaf(t)
			n.box[0][i] = n.box[1][i] // which the bounds of the node above may notice first
		}, "is not covered|should be"},
		{"box too large", func(t *Tree) {
			n, i := cutLeaf(t)
			n.box[1][i] += 100
		}, "should be"},
		{"no ring", func(t *Tree) { t.duplicates.list[0].next = 0 }, "has a ring of 1 places"},
		{"endless ring", func(t *Tree) { t.duplicates.list[0].next = t.duplicates.list[len(t.duplicates.list)-1].next }, "ring"},
		{"ring that leaves one out", func(t *Tree) {
			l := t.duplicates.list
			for i := range l {
				if j := l[i].next; int(l[l[j].next].next) == i {
					l[l[j].next].next = j
					return
				}
			}
		}, "has a ring"},
		{"alone", func(t *Tree) { t.duplicates.at[slices.Index(t.duplicates.at, 0)] = -1 }, "not so by place"},
		{"too few", func(t *Tree) { t.duplicates.extra++ }, "triangles in the tree"},
		{"unknown duplicates", func(t *Tree) { t.duplicates = nil }, "triangles in the tree"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := build(t, &s, Options{Quality: High})
			require.True(t, tree.HasDuplicates())
			c.damage(tree)
			err := tree.Validate(s.count(), s.triangle)
			require.Error(t, err)
			assert.Regexp(t, c.want, err.Error())
		})
	}
}

// A tree whose visits would take the square of its places is refused, as no build makes it.
func TestTooManyLeavesOfATriangle(t *testing.T) {
	for side, fine := range map[int]bool{22: true, 32: false} {
		s := grid(side)
		p := build(t, &s, Options{}).Parts()
		clear(p.IDs)
		_, err := Load(p, 1)
		if fine {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "triangles in too many leaves: ")
		}
	}
}

// isNoise reports whether a triangle, seen along a ray, is thinner than float32 resolves.
func isNoise(tri geom.Triangle, r geom.Ray) bool {
	o, d := r.Origin.Wide(), r.Dir.Wide()
	a, b, c := tri.A.Wide().Sub(o), tri.B.Wide().Sub(o), tri.C.Wide().Sub(o)
	reach := max(a.Len(), b.Len(), c.Len())
	ab, bc, ca := b.Sub(a), c.Sub(b), a.Sub(c)
	across := func(v geom.DVec3) float64 { return v.Cross(d).Len() / d.Len() }
	height := math.Abs(ab.Cross(ca).Dot(d)) / d.Len() / max(across(ab), across(bc), across(ca))
	return !(height > 16.0/(1<<24)*reach)
}

// A tree with cut triangles omits nothing but hits on triangles that, seen along the ray, are
// thinner than float32 resolves, and adds nothing.
func TestCutsLoseOnlyNoise(t *testing.T) {
	testenv.NoRace(t)
	for i, s := range append(shapes(), beams(10)) {
		t.Run(s.name, func(t *testing.T) {
			tree := build(t, &s, Options{Quality: High})
			n := 800
			if s.count() > 1000 {
				n = 150
			}
			list := aims(testenv.Rand(uint64(i), 13), &s, n)
			want := make([][]Impact, len(list))
			for i, r := range list {
				want[i] = s.twin(tree, r, geom.CullNone)
			}
			withSIMD(t, func(t *testing.T) {
				lost, found := 0, 0
				for i, r := range list {
					want, got := want[i], tree.impacts(r, geom.CullNone)
					found += len(want)
					sound := -1 // the first hit that is not noise
					for k := len(want) - 1; k >= 0; k-- {
						noise := isNoise(s.triangle(int(want[k].Triangle)), r)
						if !noise {
							sound = k
						}
						at := slices.IndexFunc(got, func(h Impact) bool { return sameBits(h, want[k]) })
						if at >= 0 {
							got = slices.Delete(got, at, at+1)
							continue
						}
						require.True(t, noise, "%v %v is lost", r, want[k])
						lost++
					}
					require.Empty(t, got, "%v: hits are invented", r)
					var h geom.Hit
					ok := tree.CastRay(&h, &r, geom.CullNone)
					if sound >= 0 {
						require.True(t, ok && tree.CastRayAny(&r, geom.CullNone), "%v", r)
					}
					if ok {
						at := slices.IndexFunc(want, func(w Impact) bool { return sameBits(impactOf(h), w) })
						require.True(t, at >= 0 && (sound < 0 || at <= sound), "%v: %v\nwant %v", r, h, want)
					}
				}
				t.Logf("%d of %d hits lost", lost, found)
			})
		})
	}
}

// Rays in the planes of large triangles that are cut, with limits: T is noise there, and the leaf
// that the ray crosses at that T may not hold the triangle.
func TestCutsEdgeOn(t *testing.T) {
	testenv.NoRace(t)
	s := grid(60)
	rng := testenv.Rand(3, 14)
	for range 180 {
		s.indices = append(s.indices, uint32(len(s.vertices)))
		s.vertices = append(s.vertices, geom.V(60*rng.Float32(), 4*rng.Float32(), 60*rng.Float32()))
	}
	tree := build(t, &s, Options{Quality: High})
	found, lost := 0, 0
	for range 100_000 {
		i := s.count() - 1 - rng.IntN(60)
		tri := s.triangle(i)
		inPlane := func(reach float64) geom.Vec3 {
			a := tri.A.Wide()
			p := a.AddMul(reach*(2*rng.Float64()-1), tri.B.Wide().Sub(a))
			return p.AddMul(reach*(2*rng.Float64()-1), tri.C.Wide().Sub(a)).Narrow()
		}
		r := geom.Ray{Origin: inPlane(3)}
		r.Dir = inPlane(0.5).Sub(r.Origin)
		if rng.IntN(2) == 0 {
			r.MinT = 2 * rng.Float32()
		} else {
			r.MaxT = 2 * rng.Float32()
		}
		q, ok := tree.Ray(r, geom.CullNone)
		require.True(t, ok)
		low, high := q.Range()
		want, ok := q.Cast(r, geom.CullNone, tri, int32(i))
		if !ok || want.T < low || want.T > high {
			continue
		}
		found++
		if !slices.ContainsFunc(tree.impacts(r, geom.CullNone), func(h Impact) bool { return sameBits(h, want) }) {
			require.True(t, isNoise(tri, r), "%v %v is lost", r, want)
			lost++
		}
	}
	t.Logf("%d of %d hits lost", lost, found)
	testenv.Drawn(t, found, 1000)
	assert.Less(t, lost, found/50)
}
