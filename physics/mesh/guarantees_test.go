package mesh_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// No ray leaks through a closed surface, and none hits what it does not meet. Rays are aimed at,
// and close past, the corners and the edges of closed meshes, from inside and from outside. The
// expected result of a ray is decided in float64, without a tree and without the triangle test:
//
//   - A ray from inside hits something, and its first hit is the back of a triangle. One from
//     outside hits nothing, or the front of a triangle first. After a leak it would be the other
//     way round.
//   - If the triangles around a corner or an edge all turn the same side to the ray, and the ray
//     passes within their outline by more than rounding, one of them is hit.
//   - A hit is where the ray and its triangle are.
//
// HITSCAN_RAYS is the number of rays in all, 300,000 by default. HITSCAN_BATCHED_RAYS is that of
// rays in batches, as many by default: of these, one in 512 is looked at in full, as are those
// whose first hit is not what it should be, and the others by the first rule alone.

// rounding is the largest error of a corner in float32, as a fraction of the largest distance from
// the ray's origin: a ray that passes an outline within that may miss. It is 64 units of 2⁻²⁴, of
// which the triangle test needs nine.
const rounding = 64.0 / (1 << 24)

// caster is a mesh, or a variant of one that is made to fail.
type caster interface {
	CastRay(r geom.Ray, cull geom.Cull) (geom.Hit, bool)
	CastRayAny(r geom.Ray, cull geom.Cull) bool
}

// feature is a corner or an edge of a closed mesh.
type feature struct {
	ends    [2]geom.Vec3 // of an edge; twice the same for a corner
	around  []int        // the triangles that have it
	outline [][2]geom.Vec3
}

// closed is a closed mesh with all its features and origins of rays.
type closed struct {
	*mesh.Mesh
	features []feature
	origins  [2][]geom.Vec3 // outside and inside
}

func newClosed(t testing.TB, s surface, origins int) closed {
	c := closed{Mesh: s.mesh(t)}
	corners, edges := map[geom.Vec3][]int{}, map[[2]geom.Vec3]int{}
	for i := range c.NumTriangles() {
		f := c.Triangle(i)
		for _, e := range [3][2]geom.Vec3{{f.A, f.B}, {f.B, f.C}, {f.C, f.A}} {
			if _, ok := edges[e]; ok {
				t.Fatalf("the edge %v is there twice in one direction", e)
			}
			edges[e] = i
			corners[e[0]] = append(corners[e[0]], i)
		}
	}
	// In the order of the triangles, as the order of a map varies.
	for i := range c.NumTriangles() {
		f := c.Triangle(i)
		for _, e := range [3][2]geom.Vec3{{f.A, f.B}, {f.B, f.C}, {f.C, f.A}} {
			other, ok := edges[[2]geom.Vec3{e[1], e[0]}]
			if !ok {
				t.Fatalf("the surface is open at the edge %v", e)
			}
			if i < other {
				c.addFeature(e, i, other)
			}
			if around := corners[e[0]]; around[0] == i {
				c.addFeature([2]geom.Vec3{e[0], e[0]}, around...)
			}
		}
	}
	rng := testenv.Rand(1, 2)
	center, half := c.Bounds().Center(), c.Bounds().HalfExtents()
	for len(c.origins[0]) < origins || len(c.origins[1]) < origins {
		reach := float32(1.05)
		if rng.IntN(4) == 0 {
			reach = 4
		}
		p := center.Add(randomVec(rng, reach).MulVec(half))
		around := c.winding(p)
		// The winding number is an integer up to rounding in float64. A difference means that the
		// surface is not closed, or that p is on it.
		require.InDelta(t, math.Round(around), around, 1e-6)
		if i := int(math.Round(around)); len(c.origins[i]) < origins {
			c.origins[i] = append(c.origins[i], p)
		}
	}
	return c
}

func randomVec(rng *rand.Rand, reach float32) geom.Vec3 {
	one := func() float32 { return (2*rng.Float32() - 1) * reach }
	return geom.V(one(), one(), one())
}

func (c *closed) addFeature(ends [2]geom.Vec3, around ...int) {
	f := feature{ends: ends, around: around}
	for _, i := range around {
		tri := c.Triangle(i)
		for _, e := range [3][2]geom.Vec3{{tri.A, tri.B}, {tri.B, tri.C}, {tri.C, tri.A}} {
			// Of a corner.
			within := slices.Contains(ends[:], e[0]) || slices.Contains(ends[:], e[1])
			if ends[0] != ends[1] {
				within = e == ends || e == [2]geom.Vec3{ends[1], ends[0]}
			}
			if !within {
				f.outline = append(f.outline, e)
			}
		}
	}
	c.features = append(c.features, f)
}

// winding returns the winding number of the surface around a point, by the solid angles of its
// triangles (Van Oosterom and Strackee 1983): 1 inside and 0 outside.
func (c *closed) winding(p geom.Vec3) float64 {
	sum := 0.0
	for i := range c.NumTriangles() {
		a, b, d := relative(c.Triangle(i), p)
		x, y, z := a.Len(), b.Len(), d.Len()
		sum += 2 * math.Atan2(a.Dot(b.Cross(d)), x*y*z+a.Dot(b)*z+b.Dot(d)*x+d.Dot(a)*y)
	}
	return sum / (4 * math.Pi)
}

// relative returns the corners of a triangle relative to a point.
func relative(t geom.Triangle, p geom.Vec3) (a, b, c geom.DVec3) {
	return t.A.Wide().Sub(p.Wide()), t.B.Wide().Sub(p.Wide()), t.C.Wide().Sub(p.Wide())
}

// mustHit reports whether a ray certainly meets the triangles around a feature, and in which range
// of T.
func (c *closed) mustHit(f *feature, r geom.Ray) (low, high float32, must bool) {
	d := r.Dir.Wide()
	axis := geom.X
	for _, a := range []geom.Axis{geom.Y, geom.Z} {
		if math.Abs(float64(r.Dir.Axis(a))) > math.Abs(float64(r.Dir.Axis(axis))) {
			axis = a
		}
	}
	from, to, reach := math.Inf(1), math.Inf(-1), 0.0
	for _, i := range f.around {
		tri := c.Triangle(i)
		for _, p := range []geom.Vec3{tri.A, tri.B, tri.C} {
			t := (float64(p.Axis(axis)) - float64(r.Origin.Axis(axis))) / float64(r.Dir.Axis(axis))
			from, to = min(from, t), max(to, t)
			reach = max(reach, p.Wide().Sub(r.Origin.Wide()).Len())
		}
	}
	side := 0.0
	same := func(x float64) bool {
		if side == 0 {
			side = x
		}
		return x*side > 0
	}
	for _, i := range f.around {
		a, b, e := relative(c.Triangle(i), r.Origin)
		n := b.Sub(a).Cross(e.Sub(a))
		longest := max(b.Sub(a).Len(), e.Sub(b).Len(), a.Sub(e).Len())
		// The height of the triangle as seen along the ray.
		if seen := n.Dot(d) / d.Len(); math.Abs(seen)/longest < rounding*reach || !same(seen) {
			return 0, 0, false
		}
	}
	for _, e := range f.outline {
		a, b := e[0].Wide().Sub(r.Origin.Wide()), e[1].Wide().Sub(r.Origin.Wide())
		passes := d.Dot(a.Cross(b)) / d.Cross(b.Sub(a)).Len() // at this distance
		if !(math.Abs(passes) > rounding*reach) || !same(passes) {
			return 0, 0, false
		}
	}
	margin := rounding * reach / d.Len() * 2
	// Some of the triangles may be behind the origin, where only the ray's line meets them.
	return float32(from - margin), float32(to + margin), from > margin
}

// isTrue reports whether a hit is where the ray and its triangle are.
func (c *closed) isTrue(r geom.Ray, h geom.Hit) bool {
	corners := [3]geom.DVec3{}
	corners[0], corners[1], corners[2] = relative(c.Triangle(int(h.Triangle)), r.Origin)
	d := r.Dir.Wide()
	reach := max(corners[0].Len(), corners[1].Len(), corners[2].Len())
	n := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0]))
	// If the triangle is seen nearly edge-on, a small offset changes T by much, so only the
	// distance across the ray is checked.
	point := d.Mul(float64(h.T))
	if math.Abs(n.Dot(d)) > 0.02*n.Len()*d.Len() && distanceToTriangle(point, corners) > rounding*reach {
		return false
	}
	for i, p := range corners {
		corners[i] = p.AddMul(-p.Dot(d)/d.Dot(d), d)
	}
	return distanceToTriangle(geom.DVec3{}, corners) <= rounding*reach
}

// slip returns how far the T of a hit may be off, if its triangle is off by rounding.
func (c *closed) slip(r geom.Ray, h geom.Hit) float64 {
	a, b, e := relative(c.Triangle(int(h.Triangle)), r.Origin)
	n := b.Sub(a).Cross(e.Sub(a)).Normalize()
	return rounding * max(a.Len(), b.Len(), e.Len()) / math.Abs(n.Dot(r.Dir.Wide()))
}

func distanceToTriangle(p geom.DVec3, corners [3]geom.DVec3) float64 {
	a, b, c := corners[0], corners[1], corners[2]
	n := b.Sub(a).Cross(c.Sub(a))
	within, nearest := n.Len() > 0, math.Inf(1)
	for i := range 3 {
		from, to := corners[i], corners[(i+1)%3]
		along := to.Sub(from)
		within = within && n.Dot(along.Cross(p.Sub(from))) >= 0
		f := p.Sub(from).Dot(along) / max(along.Dot(along), math.SmallestNonzeroFloat64)
		nearest = min(nearest, p.Sub(from.AddMul(min(max(f, 0), 1), along)).Len())
	}
	if within {
		return math.Abs(p.Sub(a).Dot(n)) / n.Len()
	}
	return nearest
}

// count is the results of many rays.
type count struct {
	rays, inside, hits, certain int // certain: had to hit a certain corner or edge
	leaks, inventions           int
	example                     string
}

func (n *count) fault(kind *int, what string, r geom.Ray) {
	*kind++
	if n.example == "" {
		n.example = fmt.Sprintf("%s: %v", what, r)
	}
}

// cast casts rays at the features and checks the results.
func (c *closed) cast(surface caster, rays int) (n count) {
	rng := testenv.Rand(3, 4)
	for n.rays < rays {
		inside := n.rays % 2
		f := &c.features[rng.IntN(len(c.features))]
		r := c.aim(rng, f, c.origins[inside][rng.IntN(len(c.origins[inside]))])
		n.rays++
		n.inside += inside
		c.look(surface, f, r, inside == 1, &n)
	}
	return n
}

// castBatches casts rays by CastRays, from outside and from inside in turns: at features all over
// the surface, and at successive ones, which are near, from one origin, so that they are cast as
// packets.
func (c *closed) castBatches(rays int) (n count) {
	rng := testenv.Rand(5, 6)
	const size = 512
	var batch [size]geom.Ray
	var at [size]*feature
	var hits []geom.Hit
	for ; n.rays < rays; n.rays += size {
		inside := n.rays / size % 2
		origin, first := rng.IntN(len(c.origins[inside])), rng.IntN(len(c.features))
		for i := range batch {
			if n.rays/size%4 < 2 {
				origin, first = rng.IntN(len(c.origins[inside])), rng.IntN(len(c.features))
			}
			at[i] = &c.features[(first+i/4)%len(c.features)]
			batch[i] = c.aim(rng, at[i], c.origins[inside][origin])
		}
		n.inside += inside * size
		hits = c.CastRays(hits[:0], batch[:], geom.CullNone)
		for i, h := range hits {
			ok := h.Triangle >= 0
			if ok {
				n.hits++
			}
			if right := h.BackFace == (inside == 1); i > 0 && (ok && right || !ok && inside == 0) {
				continue
			}
			var one count
			c.look(c, at[i], batch[i], inside == 1, &one)
			if single, found := c.CastRay(batch[i], geom.CullNone); found != ok || found && single != h {
				one.fault(&one.inventions, "another hit than that of one ray", batch[i])
			}
			n.leaks, n.inventions, n.certain = n.leaks+one.leaks, n.inventions+one.inventions, n.certain+one.certain
			n.example = cmp.Or(n.example, one.example)
		}
	}
	return n
}

// aim returns a ray at a feature, or close past it.
func (c *closed) aim(rng *rand.Rand, f *feature, origin geom.Vec3) geom.Ray {
	target := f.ends[0]
	if f.ends[0] != f.ends[1] {
		target = f.ends[0].Lerp(f.ends[1], [...]float32{0.5, 0.25, rng.Float32()}[rng.IntN(3)])
	}
	if rng.IntN(4) == 0 { // close past it
		tri := c.Triangle(f.around[0])
		size := tri.A.Distance(tri.B)
		target = target.Add(randomVec(rng, size/float32(int(1)<<rng.IntN(16))))
	}
	r := geom.Ray{Origin: origin, Dir: target.Sub(origin)}
	switch rng.IntN(3) {
	case 0:
		r.Dir = r.Dir.Normalize()
	case 1:
		r.Dir = r.Dir.Mul(0.1 + 10*rng.Float32())
	}
	return r
}

func (c *closed) look(surface caster, f *feature, r geom.Ray, inside bool, n *count) {
	hit, ok := surface.CastRay(r, geom.CullNone)
	if ok {
		n.hits++
		if !c.isTrue(r, hit) {
			n.fault(&n.inventions, "a hit where nothing is", r)
		}
	}
	switch {
	case inside && !ok:
		n.fault(&n.leaks, "out of the surface", r)
	case ok && hit.BackFace != inside:
		// Where front and back meet, in a fold seen edge-on, rounding may order either first.
		cull := geom.CullBack
		if inside {
			cull = geom.CullFront
		}
		right, ok := surface.CastRay(r, cull)
		if !ok || float64(right.T-hit.T) > c.slip(r, hit)+c.slip(r, right) {
			n.fault(&n.leaks, "through the first wall", r)
		}
	}
	low, high, must := c.mustHit(f, r)
	if !must {
		return
	}
	n.certain++
	if !ok || hit.T > high {
		n.fault(&n.leaks, "through a corner or an edge", r)
		return
	}
	r.MinT, r.MaxT = low, high
	if !surface.CastRayAny(r, geom.CullNone) {
		n.fault(&n.leaks, "through a corner or an edge, asked for any hit", r)
	}
}

func TestNoLeakNoFalseHit(t *testing.T) {
	total, origins := 300_000, 200
	if testing.Short() {
		total, origins = 30_000, 40
	}
	total = testenv.Count(t, "HITSCAN_RAYS", total)
	batched := testenv.Count(t, "HITSCAN_BATCHED_RAYS", total)
	surfaces := closedSurfaces(t)
	for _, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := newClosed(t, s, origins)
			n := c.cast(c.Mesh, total/len(surfaces))
			t.Logf("%d rays, %d from inside: %d hit something; %d had to hit the one of %d corners and edges that they went at",
				n.rays, n.inside, n.hits, n.certain, len(c.features))
			assert.Zero(t, n.leaks, "leaks, first %s", n.example)
			assert.Zero(t, n.inventions, "hits where nothing is, first %s", n.example)
			assert.Greater(t, n.certain, n.rays/3, "enough corners and edges are seen from one side")
			assert.Less(t, n.hits, n.rays, "some rays pass")

			n = c.castBatches(batched / len(surfaces))
			t.Logf("%d rays in batches, %d from inside: %d hit something", n.rays, n.inside, n.hits)
			assert.Zero(t, n.leaks, "leaks, first %s", n.example)
			assert.Zero(t, n.inventions, "hits where nothing is, first %s", n.example)
		})
	}
}

// mollerTrumbore is the mesh with Möller and Trumbore's triangle test (1997) in float32, which
// accepts a barycentric weight of at least −margin.
type mollerTrumbore struct {
	*mesh.Mesh
	margin float32
}

func (m mollerTrumbore) CastRay(r geom.Ray, cull geom.Cull) (best geom.Hit, found bool) {
	low, high := r.Range()
	for i := range m.NumTriangles() {
		tri := m.Triangle(i)
		ab, ac, s := tri.B.Sub(tri.A), tri.C.Sub(tri.A), r.Origin.Sub(tri.A)
		p, q := r.Dir.Cross(ac), s.Cross(ab)
		det := ab.Dot(p)
		if det == 0 || cull.Culls(det < 0) {
			continue
		}
		u, v, t := s.Dot(p)/det, r.Dir.Dot(q)/det, ac.Dot(q)/det
		if u >= -m.margin && v >= -m.margin && u+v <= 1+m.margin && low <= t && t <= high {
			best, found, high = geom.Hit{T: t, Triangle: int32(i), BackFace: det < 0}, true, t
		}
	}
	return best, found
}

func (m mollerTrumbore) CastRayAny(r geom.Ray, cull geom.Cull) bool {
	_, ok := m.CastRay(r, cull)
	return ok
}

// The test above detects leaks and false hits: with the usual triangle test rays leak, and with a
// margin that prevents leaks it hits beside the triangles.
func TestLeaksAreFound(t *testing.T) {
	testenv.Long(t)
	const rays = 500
	for _, s := range closedSurfaces(t) {
		t.Run(s.name, func(t *testing.T) {
			c := newClosed(t, s, 20)
			exact, wide := c.cast(mollerTrumbore{c.Mesh, 0}, rays), c.cast(mollerTrumbore{c.Mesh, 1e-3}, rays)
			t.Logf("of %d rays %d leak; with a margin %d leak and %d hit beside a triangle",
				rays, exact.leaks, wide.leaks, wide.inventions)
			testenv.Drawn(t, exact.leaks, 1, "leaks")
			testenv.Drawn(t, wide.inventions, 1, "hits beside triangles")
		})
	}
}

// For any order of the triangles, a ray hits the same points of the same triangles, bit by bit. Of
// several hits at the same T, as at an edge, the lowest index of each order wins.
func TestAnyOrderSameAnswer(t *testing.T) {
	rays := 2000
	if testing.Short() {
		rays = 300
	}
	surfaces := append(closedSurfaces(t), slivers(), crossing())
	for i, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			m := s.mesh(t)
			count := m.NumTriangles()
			rng := testenv.Rand(uint64(i), 5)
			backward := make([]int, count)
			for i := range backward {
				backward[i] = count - 1 - i
			}
			var got []geom.Hit
			for _, order := range [][]int{backward, rng.Perm(count), rng.Perm(count)} {
				number := make([]int32, count) // of each triangle in this order
				shuffled := surface{vertices: s.vertices}
				for to, from := range order {
					number[from] = int32(to)
					shuffled.indices = append(shuffled.indices, s.indices[3*from:3*from+3]...)
				}
				other := shuffled.mesh(t)
				for j, r := range goldenRays(m, rays) {
					want := m.CastRayAll(nil, r, culls[j%3])
					for k := range want {
						want[k].Triangle = number[want[k].Triangle]
					}
					slices.SortFunc(want, func(g, h geom.Hit) int {
						return cmp.Or(cmp.Compare(g.T, h.T), cmp.Compare(g.Triangle, h.Triangle))
					})
					got = other.CastRayAll(got[:0], r, culls[j%3])
					require.True(t, slices.Equal(want, got), "%v\nwant %v\ngot  %v", r, want, got)
					first, ok := other.CastRay(r, culls[j%3])
					require.Equal(t, len(want) > 0, ok)
					require.Equal(t, ok, other.CastRayAny(r, culls[j%3]))
					if ok {
						require.Equal(t, want[0], first)
						before, _ := m.CastRay(r, culls[j%3])
						require.Equal(t, before.Point, first.Point)
					}
				}
			}
		})
	}
}

// No ray of a batch from inside a closed surface leaves it, and none from outside meets a back
// first. Batches take other paths than single rays: half of the rays come in eights from one origin
// at one edge or corner, which are packets, the others are interleaved. A ray that seems to leak is
// decided by the rules above, which cost more.
//
// HITSCAN_LEAKS is the number of rays in all, 100,000 by default. `-tags noasm` casts them by the
// portable code.
func TestNoLeakInBatches(t *testing.T) {
	total := testenv.Count(t, "HITSCAN_LEAKS", 100_000)
	surfaces := closedSurfaces(t)
	for _, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			c := newClosed(t, s, 40)
			rng := testenv.Rand(5, 6)
			rays, of := make([]geom.Ray, 4096), make([]*feature, 4096)
			hits, any := make([]geom.Hit, 4096), make([]bool, 4096)
			var n count
			for n.rays < total/len(surfaces) {
				var f *feature
				var origin geom.Vec3
				for i := range rays {
					if i/16%2 == 0 || i%8 == 0 {
						f = &c.features[rng.IntN(len(c.features))]
						origin = c.origins[i/8%2][rng.IntN(40)]
					}
					at := f.ends[0].Lerp(f.ends[1], [...]float32{0, 0.5, 0.25, rng.Float32()}[rng.IntN(4)])
					rays[i], of[i] = geom.Ray{Origin: origin, Dir: at.Sub(origin)}, f
				}
				hits, any = c.CastRays(hits[:0], rays, geom.CullNone), c.CastRaysAny(any[:0], rays, geom.CullNone)
				for i, h := range hits {
					inside := i/8%2 == 1
					n.rays++
					ok := h.Triangle >= 0
					if any[i] != ok {
						n.fault(&n.leaks, "hit or miss, by any and by the closest", rays[i])
					}
					if inside && !ok || ok && h.BackFace != inside {
						c.look(c.Mesh, of[i], rays[i], inside, &n)
					}
				}
			}
			t.Logf("%d rays", n.rays)
			assert.Zero(t, n.leaks, "leaks, first %s", n.example)
		})
	}
}
