package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Contacts of polytopes with sheets of triangles are judged together by the least translation that
// frees the shape of all triangles: branch and bound over the planes of the Minkowski differences.

// cut is a half-space of translations n·t ≥ d that are outside of a Minkowski difference.
type cut struct {
	n geom.DVec3
	d float64
}

// cutsOf returns all planes that can bound the difference of a triangle and a polytope.
func cutsOf(t geom.Triangle, s *judged, edges []geom.DVec3) (all []cut) {
	c := [3]geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	put := func(n geom.DVec3) {
		for _, n := range [2]geom.DVec3{n.Normalize(), n.Normalize().Neg()} {
			all = append(all, cut{n, max(c[0].Dot(n), c[1].Dot(n), c[2].Dot(n)) + s.reach(n.Neg())})
		}
	}
	put(c[1].Sub(c[0]).Cross(c[2].Sub(c[0])))
	for _, f := range s.faces {
		put(f.n)
	}
	for i := range c {
		for _, e := range edges {
			if n := e.Cross(c[(i+1)%3].Sub(c[i])); n.Len() > 1e-6 {
				put(n)
			}
		}
	}
	return all
}

// sunk holds the cuts of each triangle.
type sunk [][]cut

func sunkIn(m *mesh.Mesh, s *judged) (w sunk) {
	t := tipsOf(s)
	for i := range m.NumTriangles() {
		w = append(w, cutsOf(m.Triangle(i), s, t.edges))
	}
	return w
}

// deepest returns the cuts of the triangle in which the shape is deepest after a translation.
func (w sunk) deepest(by geom.DVec3) (in []cut, most float64) {
	for _, cuts := range w {
		least := math.Inf(1)
		for i := range cuts {
			least = min(least, cuts[i].d-cuts[i].n.Dot(by))
		}
		if least > most {
			in, most = cuts, least
		}
	}
	return in, most
}

// leastIn returns the least translation in all cuts, the last of which is new; by is that in the
// others. It is on one, two or three of their planes.
func leastIn(all []cut, by geom.DVec3) (best geom.DVec3, ok bool) {
	c, least := all[len(all)-1], math.Inf(1)
	if c.n.Dot(by) >= c.d {
		return by, true
	}
	try := func(t geom.DVec3) {
		if t.Len() < least && !slices.ContainsFunc(all, func(c cut) bool { return c.n.Dot(t) < c.d-1e-9 }) {
			best, least = t, t.Len()
		}
	}
	if c.d > 0 {
		try(c.n.Mul(c.d))
	}
	for i, a := range all[:len(all)-1] {
		cos := a.n.Dot(c.n)
		if det := 1 - cos*cos; det > 1e-9 {
			try(a.n.Mul((a.d-cos*c.d)/det).AddMul((c.d-cos*a.d)/det, c.n))
		}
		for _, b := range all[:i] {
			across := a.n.Cross(b.n)
			if det := across.Dot(c.n); math.Abs(det) > 1e-7 {
				try(b.n.Cross(c.n).Mul(a.d/det).AddMul(b.d/det, c.n.Cross(a.n)).AddMul(c.d/det, across))
			}
		}
	}
	return best, !math.IsInf(least, 1)
}

// escape makes best the least translation out of all triangles that is in some cuts, if it is
// shorter. by is the least in these.
func (w sunk) escape(held []cut, by geom.DVec3, best *geom.DVec3, nodes *int) {
	in, deep := w.deepest(by)
	if *nodes--; *nodes < 0 || by.Len() > best.Len()-1e-9 {
		return
	}
	if deep < 1e-9 {
		*best = by
		return
	}
	type node struct {
		held []cut
		by   geom.DVec3
	}
	var next []node
	for _, c := range in {
		held := append(held[:len(held):len(held)], c)
		if t, ok := leastIn(held, by); ok {
			next = append(next, node{held, t})
		}
	}
	slices.SortFunc(next, func(a, b node) int { return int(math.Copysign(1, a.by.Len()-b.by.Len())) })
	for _, n := range next {
		w.escape(n.held, n.by, best, nodes)
	}
}

func (w sunk) least(most float64) geom.DVec3 {
	best, nodes := geom.DVec3{X: most}, 1500
	w.escape(nil, geom.DVec3{}, &best, &nodes)
	return best
}

// sheetOf returns a sheet of quads, each of which is a grid of its own, so that there may be
// T-junctions.
func sheetOf(r *rand.Rand, name string) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	quad := func(a, u, v geom.Vec3) {
		columns, rows, base := 1+r.Uint32N(4), 1+r.Uint32N(4), uint32(len(vertices))
		for j := range rows + 1 {
			for i := range columns + 1 {
				p := a.Add(u.Mul(float32(i) / float32(columns))).Add(v.Mul(float32(j) / float32(rows)))
				if name == "hills" && i%columns > 0 && j%rows > 0 {
					p.Y += 0.3 * float32(r.NormFloat64())
				}
				vertices = append(vertices, p)
				if i > 0 && j > 0 {
					k := base + j*(columns+1) + i
					b := k - columns - 1
					indices = append(indices, b-1, b, k, b-1, k, k-1)
				}
			}
		}
	}
	x, y, z := geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1)
	switch name {
	case "hills":
		quad(geom.V(-1, 0, -1), z.Mul(2), x.Mul(2))
	case "L":
		quad(z.Neg(), z.Mul(2), x)
		quad(z.Neg(), y, z.Mul(2))
	case "corner":
		quad(geom.Vec3{}, z, x)
		quad(geom.Vec3{}, y, z)
		quad(geom.Vec3{}, x, y)
	case "step":
		quad(geom.V(-1, 0, -1), z.Mul(2), x)
		quad(z.Neg(), z.Mul(2), y.Mul(0.4))
		quad(geom.V(0, 0.4, -1), z.Mul(2), x)
	}
	return mustMesh(vertices, indices)
}

// tryLeast draws a pose that is 10 mm deep in a sheet, and returns what is wrong with its contacts.
// It returns false if there is no such pose.
func tryLeast(r *rand.Rand, name, kind string) (fault string, ok bool) {
	const depth = 0.01
	m, s := sheetOf(r, name), judgedShape(r, kind)
	at := geom.Transform{Rotation: randomTurn(r), Scale: geom.V(1, 1, 1)}
	t := m.Triangle(r.IntN(m.NumTriangles()))
	at.Position = t.A.Lerp(t.B, r.Float32()*float32(r.IntN(2))).Add(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5))
	out := sunkIn(m, judge(s, at)).least(0.4)
	l := out.Len()
	if l > 0.39 || l < 2*depth {
		return "", false
	}
	at.Position = at.Position.Add(out.Mul((l - depth) / l).Narrow())
	j := judge(s, at)
	w := sunkIn(m, j)
	least := w.least(2 * depth).Len()
	if least < depth/2 || least > 1.1*depth {
		return "", false
	}
	all := Collide(nil, Placed{Shape: m}, j.placed, 0.02)
	var held []cut
	var by geom.DVec3
	for i := range all {
		held = append(held, cut{all[i].Normal.Wide().Normalize(), float64(all[i].Depth())})
		if by, ok = leastIn(held, by); !ok {
			return fmt.Sprintf("no translation fulfils all: %v", all), true
		}
		for _, c := range all[i].ContactPoints() {
			if off := max(j.off(&c), offTriangle(c.PointA.Wide(), m.Triangle(int(c.TriangleA)))); off > 1e-4 {
				return fmt.Sprintf("a point is off by %v: %v", off, all[i]), true
			}
		}
	}
	if _, left := w.deepest(by); left > 0.001 {
		return fmt.Sprintf("pushed by %v, it is still %v deep: %v", by, left, all), true
	}
	if by.Len() > 1.05*least+0.002 {
		return fmt.Sprintf("pushed by %v, where %v leads out: %v", by, least, all), true
	}
	return "", true
}

// Of 600 random poses of a class up to 35 failed, and these among them.
func TestLeastWayOutOfSheets(t *testing.T) {
	testenv.NoRace(t)
	kept := map[string][]uint64{
		"hills/plank":          {139},
		"corner/plank":         {21},
		"corner/mesh of a box": {36, 58, 94, 205, 445},
		"step/flat":            {22},
	}
	for _, name := range []string{"hills", "L", "corner", "step"} {
		for _, kind := range []string{"box", "flat", "plank", "mesh of a box"} {
			key := name + "/" + kind
			t.Run(key, func(t *testing.T) {
				done, wrong := 0, 0
				for i := range tries(15) {
					fault, ok := tryLeast(testenv.Rand(uint64(i), uint64(len(key))), name, kind)
					if ok {
						done++
					}
					if fault != "" {
						t.Logf("seed %d: %s", i, fault)
						wrong++
					}
				}
				for _, seed := range kept[key] {
					fault, ok := tryLeast(rand.New(rand.NewPCG(seed, uint64(len(key)))), name, kind)
					assert.True(t, ok)
					assert.Empty(t, fault, "seed %d", seed)
				}
				// One of 2,000 fails still.
				assert.LessOrEqual(t, wrong, 1+done/500)
				testenv.Drawn(t, done, 3)
			})
		}
	}
}
