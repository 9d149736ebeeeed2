package physics

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// solidMesh is a convex solid as a mesh and as a convex shape.
type solidMesh struct {
	name string
	mesh *mesh.Mesh
	same *judged
}

// gridBox returns the box of half extents 1 with each face in n×n squares.
func gridBox(n int) *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	at := func(axis, side, i, k int) geom.Vec3 {
		u, v := float32(2*i)/float32(n)-1, float32(2*k)/float32(n)-1
		if side == 0 {
			u, v = v, u
		}
		c := [3]float32{}
		c[axis], c[(axis+1)%3], c[(axis+2)%3] = float32(2*side-1), u, v
		return geom.V(c[0], c[1], c[2])
	}
	for axis := range 3 {
		for side := range 2 {
			for i := range n {
				for k := range n {
					b := uint32(len(vertices))
					vertices = append(vertices, at(axis, side, i, k), at(axis, side, i+1, k), at(axis, side, i+1, k+1), at(axis, side, i, k+1))
					indices = append(indices, b, b+1, b+2, b, b+2, b+3)
				}
			}
		}
	}
	return mustMesh(vertices, indices)
}

func solidMeshes() []solidMesh {
	box := judge(geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})
	oct := testHulls[0]
	ball, faces := mesh.Icosphere(1, 1)
	return []solidMesh{
		{"box", mustMesh(mesh.Box(geom.V(1, 1, 1))), box},
		{"box of 96 triangles", gridBox(4), box},
		{"octahedron", mustMesh(oct.Vertices(), hullTriangles(oct.NumFaces(), oct.Face)), judge(oct, geom.Transform{})},
		{"ball of 80 triangles", mustMesh(ball, faces), judge(mustHull(ball), geom.Transform{})},
		{"open quad", mustMesh(mesh.Plane(1, 1, 1, 1)), judge(geom.Box{HalfExtents: geom.V(1, 0, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})},
		{"open grid", mustMesh(mesh.Plane(1, 1, 5, 4)), judge(geom.Box{HalfExtents: geom.V(1, 0, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})},
	}
}

// fault returns what is wrong with the contacts of a solid's mesh with a shape that is as deep in
// the solid as given, or "".
func (m *solidMesh) fault(s *judged, depth float64, margin float32) string {
	all := Collide(nil, Placed{Shape: m.mesh}, s.placed, margin)
	tolerance := 1e-4 * max(m.same.size, s.size)
	deepest := math.Inf(-1)
	for i := range all {
		x := &all[i]
		n, d := x.Normal.Wide(), float64(x.Depth())
		deepest = max(deepest, d)
		// A way out by the depth: the plane across it parts the two.
		if rest := m.same.reach(n) + s.reach(n.Neg()) - d; rest > max(1e-3, 0.01*math.Abs(d)) {
			return fmt.Sprintf("no way out: %v by %.4f leaves %.4f, true depth %.4f", x.Normal, d, rest, depth)
		}
		if d > depth+max(1e-3, 0.01*math.Abs(depth)) {
			return fmt.Sprintf("too deep: %v by %.4f, true depth %.4f", x.Normal, d, depth)
		}
		for _, c := range x.ContactPoints() {
			if off := offTriangle(c.PointA.Wide(), m.mesh.Triangle(int(c.TriangleA))); off > tolerance {
				return fmt.Sprintf("PointA off by %.5f of %v, normal %v", off, c, x.Normal)
			}
			if off := s.off(&c); off > tolerance {
				return fmt.Sprintf("PointB off by %.5f of %v, normal %v", off, c, x.Normal)
			}
			if off := c.PointA.Wide().Sub(c.PointB.Wide()).AddMul(-float64(c.Depth), n).Len(); off > 1e-6*max(m.same.size, s.size) {
				return fmt.Sprintf("PointA − PointB is off by %.6f of the depth along the normal", off)
			}
		}
	}
	if touches := depth > 0 || -depth < float64(margin); touches && deepest < depth-max(1e-3, 0.01*math.Abs(depth)) {
		return fmt.Sprintf("only %.4f deep instead of %.4f, %d manifolds", deepest, depth, len(all))
	}
	return ""
}

// tries returns how many poses a class has: few, unless HITSCAN_POSES says more.
func tries(few int) int {
	if n, err := strconv.Atoi(os.Getenv("HITSCAN_POSES")); err == nil {
		return n
	}
	return few
}

// try compares the contacts of shapes of a kind, as deep at a feature of a solid as given.
func (m *solidMesh) try(t *testing.T, kind, feature string, depth float64, seed uint64) {
	t.Run(fmt.Sprintf("%s/%s/%s/%g", m.name, kind, feature, depth), func(t *testing.T) {
		r := testenv.Rand(uint64(len(kind))+uint64(len(feature)), seed)
		n, wrong, done, first := tries(12), 0, 0, ""
		for i := range n {
			s, ok := poseAt(r, kind, m.same, feature, depth)
			if !ok {
				continue
			}
			done++
			// An open mesh has no inside: it may be near the far side of a mesh, and to that side.
			margin := float32(0.02)
			if depth > 0 && (i%2 == 0 || strings.HasPrefix(kind, "mesh") && strings.HasPrefix(m.name, "open")) {
				margin = 0
			}
			if f := m.fault(s, depth, margin); f != "" {
				if wrong++; first == "" {
					first = fmt.Sprintf("%s: %T %v", f, s.placed.Shape, s.placed.Transform)
				}
			}
		}
		testenv.Drawn(t, done, n/2, "poses")
		if wrong > 0 {
			t.Errorf("%d of %d wrong; the first: %s", wrong, done, first)
		}
	})
}

// Every shape at the corners, edges and faces of a closed mesh has the contacts that it has with
// the solid, however it is turned.
func TestContactsWithSolidMeshes(t *testing.T) {
	testenv.NoRace(t)
	for _, m := range solidMeshes() {
		for _, kind := range []string{"box", "plank", "flat", "sphere", "capsule", "hull", "sheared", "mesh of a box", "mesh of a ball", "mesh of a tip"} {
			for _, feature := range []string{"tip", "corner", "edge", "face"} {
				for _, depth := range []float64{0.001, -0.01, 0.03} {
					if strings.HasPrefix(m.name, "open") && (feature == "tip" && kind == "flat" || kind == "mesh of a tip") {
						continue // two flat shapes; a tip that may be near the far side
					}
					if depth > 0.01 && (kind == "flat" || kind == "hull" || strings.HasPrefix(kind, "mesh")) {
						continue // thinner than deep, or of triangles, which are
					}
					m.try(t, kind, feature, depth, 5)
				}
			}
		}
	}
}

// Poses of which one in ten thousand is like these.
func TestKeptPosesOnSolidMeshes(t *testing.T) {
	meshes := solidMeshes()
	for name, tt := range map[string]struct {
		solid int
		kind  string
		at    geom.Transform
		depth float64
	}{
		"leaves over an edge of triangles that it does not touch": {3, "flat", geom.Transform{
			Position: geom.V(-0.23776339, 1.0396391, 0.300875),
			Rotation: geom.Quat{X: -0.6246566, Y: 0.053316716, Z: 0.76728904, W: 0.1350147},
		}, 0.001},
		"lands on a face by a corner that is near its edge": {3, "plank", geom.Transform{
			Position: geom.V(-0.35453436, 1.3362988, -0.40513954),
			Rotation: geom.Quat{X: 0.5542776, Y: -0.757472, Z: 0.30246055, W: -0.16592197},
		}, 0.03},
		"leaves over a corner of a rim without the triangle beside it": {5, "flat", geom.Transform{
			Position: geom.V(-1.0632536, -0.16793722, -1.276817),
			Rotation: geom.Quat{X: 0.23955056, Y: 0.01976931, Z: -0.025791647, W: -0.9703399},
		}, 0.001},
		"is over one face of a corner, and behind another": {0, "flat", geom.Transform{
			Position: geom.V(-1.1141387, 0.8535722, 1.2412008),
			Rotation: geom.Quat{X: -0.33352637, Y: 0.19922157, Z: 0.6236082, W: 0.67836845},
		}, 0.001},
		"crosses a triangle of the ball at a rim": {4, "mesh of a ball", geom.Transform{
			Position: geom.V(1.0810462, 0.4717299, 0.9667989),
			Rotation: geom.Quat{X: -0.17125712, Y: 0.28131998, Z: -0.5608041, W: -0.7596241},
		}, 0.001},
	} {
		for _, margin := range []float32{0, 0.02} {
			s := judge(judgedKinds[tt.kind](nil), tt.at)
			// As above: an open mesh is near the far side.
			if margin == 0 || tt.solid == 0 || tt.solid == 3 {
				assert.Empty(t, meshes[tt.solid].fault(s, tt.depth, margin), "%s, margin %v", name, margin)
			}
		}
	}
}

// In the corner of a room, a mesh seen from its inside, a shape is held by each wall that it
// reaches into, by two or three at once where one of its tips is past as many, and by nothing else.
func TestContactsInARoom(t *testing.T) {
	testenv.NoRace(t)
	const margin = 0.02
	for _, room := range []*mesh.Mesh{mustMesh(mesh.Box(geom.V(1, 1, 1))), mustMesh(mesh.Box(geom.V(-1, 1, 1))), gridBox(5)} {
		for kind := range judgedKinds {
			r := testenv.Rand(7, uint64(len(kind)))
			wrong, held := 0, 0
			for range tries(100) {
				s := judgedKinds[kind](r)
				turn := randomTurn(r)
				scale := judgedScale(kind).Mul(0.7)
				j := judge(s, geom.Transform{Rotation: turn, Scale: scale})
				// Up to the walls of a corner, by up to 5 mm, or away from them.
				var at geom.Vec3
				var depths [3]float64
				for axis := range 3 {
					n := geom.Axis(axis).Unit().Wide()
					depths[axis] = 0.005 - 0.05*r.Float64()*float64(r.IntN(3))
					at = at.WithAxis(geom.Axis(axis), float32(1-j.reach(n)+depths[axis]))
				}
				j = judge(s, geom.Transform{Position: at, Rotation: turn, Scale: scale})
				if max(at.X, at.Y, at.Z) > 1 {
					continue // a flat shape, mostly beyond the wall
				}
				all := Collide(nil, Placed{Shape: room}, j.placed, margin)
				ok := true
				for axis := range 3 {
					n, found := geom.Axis(axis).Unit().Neg(), math.Inf(-1)
					for i := range all {
						if all[i].Normal.Dot(n) > 1-1e-6 {
							found = float64(all[i].Depth())
						}
					}
					// Where its furthest point is over the wall, and not beyond another one. Else
					// what is over the wall has contacts.
					over, nearest := false, math.Inf(-1)
					for _, p := range j.points {
						q := [3]float64{p.X, p.Y, p.Z}
						furthest := q[axis]+j.radius > j.reach(geom.Axis(axis).Unit().Wide())-1e-6
						if max(q[(axis+1)%3], q[(axis+2)%3]) < 1-1e-6 {
							over, nearest = over || furthest, max(nearest, q[axis]+j.radius-1)
						}
					}
					switch d := depths[axis]; {
					case !over:
						ok = ok && (nearest < -margin+1e-5 || found > nearest-1e-4)
					case d > -margin+1e-5:
						held++
						ok = ok && math.Abs(found-d) < 1e-4
					case d < -margin-1e-5:
						ok = ok && math.IsInf(found, -1)
					}
				}
				for i := range all {
					n := all[i].Normal.Neg()
					// How far past the walls.
					tip := all[i].Points[0].PointB.Sub(geom.V(1, 1, 1)).Max(geom.Vec3{})
					ok = ok && (max(n.X, n.Y, n.Z) > 1-1e-6 || tip.Sub(n.Mul(all[i].Depth())).Len() < 1e-5)
					for _, c := range all[i].ContactPoints() {
						ok = ok && offTriangle(c.PointA.Wide(), room.Triangle(int(c.TriangleA))) < 1e-4 && j.off(&c) < 1e-4
					}
				}
				if !ok {
					if wrong++; wrong == 1 {
						t.Logf("%s: depths %v, found %v", kind, depths, all)
					}
				}
			}
			assert.Zero(t, wrong, kind)
			assert.Positive(t, held)
		}
	}
}

// A plate is behind three walls of a room by one corner each. Moved past one wall, it is clear of
// the triangle of another that it crossed, and in the next one.
func TestEachWallHoldsAPlate(t *testing.T) {
	at := geom.Transform{Position: geom.V(0.8023697, 0.65118426, 0.6835116), Scale: geom.V(0.7, 0.7, 0.7),
		Rotation: geom.Quat{X: -0.047282398, Y: 0.30429867, Z: -0.52680373, W: 0.7922402}}
	all := Collide(nil, Placed{Shape: gridBox(5)}, Placed{judgedKinds["flat"](nil), at}, 0.02)
	require.Len(t, all, 3)
	for i := range all {
		assert.InDelta(t, -1, min(all[i].Normal.X, all[i].Normal.Y, all[i].Normal.Z), 1e-6)
		assert.InDelta(t, 0.005, all[i].Depth(), 1e-6)
	}
}

// A corner of a plate is past two walls of a room. Over one of them the plate is less deep than it
// is past it, or not at all, and the contact is on the plate.
func TestPlatePastTwoWalls(t *testing.T) {
	for _, at := range []geom.Transform{
		{Position: geom.V(0.7409724, 0.5831795, 0.89182746), Rotation: geom.Quat{X: -0.5299635, Y: -0.6959974, Z: 0.38371518, W: 0.2957854}},
		{Position: geom.V(0.68890995, 0.75975925, 0.683375), Rotation: geom.Quat{X: 0.297812, Y: -0.802822, Z: 0.2050341, W: -0.47407365}},
	} {
		at.Scale = geom.V(0.7, 0.7, 0.7)
		plate := judge(judgedKinds["flat"](nil), at)
		all := Collide(nil, Placed{Shape: gridBox(5)}, plate.placed, 0.02)
		require.GreaterOrEqual(t, len(all), 2)
		for i := range all {
			for _, c := range all[i].ContactPoints() {
				assert.Less(t, plate.off(&c), 1e-6)
			}
		}
	}
}

// A sheared box over a corner of a ball of triangles, of which one there does not touch it.
func TestOverACornerOfWhichATriangleIsApart(t *testing.T) {
	ball := solidMeshes()[3]
	p := Placed{
		geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.3), Rotation: geom.Quat{X: -0.41054094, Y: 0.19930656, Z: -0.8849771, W: -0.09245833}},
		geom.Transform{Position: geom.V(0.87221754, 0.935416, 0.34413576), Scale: geom.V(1.2, 0.6, 0.9),
			Rotation: geom.Quat{X: -0.16599804, Y: 0.5269196, Z: -0.82772785, W: -0.09832084}},
	}
	assert.Empty(t, ball.fault(judge(p.Shape, p.Transform), 0.03, 0))
}

// A compound has with a mesh the contacts of its children, each alone.
func TestCompoundOnMesh(t *testing.T) {
	r := testenv.Rand(8, 8)
	bar := geom.Box{HalfExtents: geom.V(0.6, 0.1, 0.1), Rotation: geom.QuatIdentity()}
	ball := geom.Sphere{Center: geom.V(0.6, 0, 0), Radius: 0.2}
	both := NewCompound(Child{Shape: bar}, Child{Shape: ball})
	solid := solidMeshes()[0]
	touched := 0
	for range tries(300) {
		s, ok := poseAt(r, "box", solid.same, "corner", 0.001)
		if !ok {
			continue
		}
		tr := s.placed.Transform
		var want []Manifold
		for i, c := range []Shape{bar, ball} {
			for _, m := range Collide(nil, Placed{Shape: solid.mesh}, Placed{c, tr}, 0.02) {
				m.ChildB = int32(i)
				want = append(want, m)
			}
		}
		got := Collide(nil, Placed{Shape: solid.mesh}, Placed{both, tr}, 0.02)
		require.Len(t, got, len(want))
		for i := range got {
			touched++
			require.Equal(t, want[i].ChildB, got[i].ChildB)
			require.InDelta(t, want[i].Depth(), got[i].Depth(), 1e-5)
			require.InDelta(t, 1, want[i].Normal.Dot(got[i].Normal), 1e-5)
		}
	}
	assert.Positive(t, touched)
}
