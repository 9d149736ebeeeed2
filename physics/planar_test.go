package physics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// flatCrate is a square of a metre and a half.
var flatCrate = geom.Box{HalfExtents: geom.V(0.75, 0.75, 0)}

var flatKite = func() *hull.Hull {
	h, err := hull.NewPolygon([]geom.Vec3{{X: -0.8}, {Y: -0.5}, {X: 0.5}, {Y: 0.5}})
	if err != nil {
		panic(err)
	}
	return h
}()

// planarShape returns any shape of a planar space, often a compound.
func planarShape(r *rand.Rand) Shape {
	at := func() geom.Vec3 { return geom.V(2*r.Float32()-1, 2*r.Float32()-1, 0) }
	switch r.IntN(9) {
	case 0:
		return geom.AABBAround(at(), at().Abs())
	case 1:
		return geom.Box{Center: at(), HalfExtents: at().Abs(), Rotation: geom.QuatEuler(0, 0, 6*r.Float64())}
	case 2:
		return geom.Sphere{Center: at(), Radius: r.Float32()}
	case 3:
		return geom.Capsule{A: at(), B: at(), Radius: r.Float32()}
	case 4:
		return flatCrate
	case 5:
		return NewTiles(3, 3, 0.5, func(x, y int) bool { return r.IntN(3) > 0 })
	case 7:
		return NewChain([]geom.Vec3{at(), at(), at(), at()}, r.IntN(2) == 0)
	case 6:
		return NewCompound(Child{flatCrate, geom.Transform{Position: at()}}, Child{flatKite, geom.At2D(1, 0, r.Float64())})
	}
	return flatKite
}

func flatPolygon(t require.TestingT, points ...geom.Vec3) *hull.Hull {
	h, err := hull.NewPolygon(points)
	require.NoError(t, err)
	return h
}

// A planar pair has the depth and the normal of the same two shapes made so thick that no way out
// along Z is the shortest.
func TestPenetratePlanarIsThatOfThickShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	at := func(d float32) geom.Vec3 { return geom.V(d*(2*r.Float32()-1), d*(2*r.Float32()-1), 0) }
	draw := func() (flat, thick Placed) {
		flat.Transform = geom.At2D(at(1).X, at(1).Y, 7*r.Float64())
		if r.IntN(3) == 0 {
			flat.Transform.Scale = geom.V(0.5+r.Float32(), 0.5+r.Float32(), 1)
		}
		switch r.IntN(3) {
		case 0:
			h := geom.V(0.1+r.Float32(), 0.1+r.Float32(), 0)
			flat.Shape = geom.Box{HalfExtents: h}
			h.Z = 100
			thick.Shape = geom.Box{HalfExtents: h}
		case 1:
			flat.Shape = geom.Sphere{Radius: 0.1 + r.Float32()}
			flat.Transform.Scale = geom.V(2, 2, 1)
			thick = flat
			thick.Transform.Scale.Z = 2
			return flat, thick
		default:
			flat.Shape = flatPolygon(t, at(1), at(1), at(1), at(1), at(1))
			thick.Shape = flat.Shape
		}
		thick.Transform = flat.Transform
		thick.Transform.Scale = flat.Transform.Factors()
		thick.Transform.Scale.Z = 100
		return flat, thick
	}
	met := 0
	for range 3000 {
		a, x := draw()
		b, y := draw()
		p, ok := PenetratePlanar(a, b)
		q, thick := Penetrate(x, y)
		require.Equal(t, thick, ok, "%v %v", a, b)
		if !ok {
			continue
		}
		met++
		require.InDelta(t, q.Depth, p.Depth, 1e-4)
		require.Zero(t, p.Normal.Z)
		m := CollidePlanar(nil, a, b, 0)
		require.Len(t, m, 1)
		require.Equal(t, p.Normal, m[0].Normal)
		require.InDelta(t, p.Depth, m[0].Depth(), 1e-5)
		require.LessOrEqual(t, m[0].N, int32(2))
		for _, c := range m[0].ContactPoints() {
			require.Zero(t, c.PointA.Z)
			require.Zero(t, c.PointB.Z)
		}
	}
	require.Greater(t, met, 1000)
}

// What is added to a planar space is laid into it, whatever its transform says.
func TestPlanarSpaceLaysFlat(t *testing.T) {
	s := NewPlanarSpace()
	assert.True(t, s.IsPlanar())
	assert.False(t, NewSpace().IsPlanar())
	turned := geom.Transform{Position: geom.V(1, 2, 3), Rotation: geom.QuatAxisAngle(geom.V(0, 0, 1), 0.5), Scale: geom.V(2, 2, 1)}
	id := s.Add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: turned})
	c, _ := s.Collider(id)
	assert.Equal(t, geom.Transform{Position: geom.V(1, 2, 0), Rotation: turned.Rotation, Scale: geom.V(2, 2, 2)}, c.Transform)
	assert.False(t, s.IsNowhere(id))
	s.SetTransform(id, geom.Transform{Position: geom.V(0, 0, 9), Rotation: geom.QuatAxisAngle(geom.V(1, 1, 1), 0.5)})
	c, _ = s.Collider(id)
	assert.Equal(t, geom.V(0, 0, 0), c.Transform.Position)
	assert.Zero(t, c.Transform.Rotation.X)
	assert.Zero(t, c.Transform.Rotation.Y)
	s.SetTransforms([]ColliderID{id}, []geom.Transform{geom.At(4, 5, 6)})
	c, _ = s.Collider(id)
	assert.Equal(t, geom.V(4, 5, 0), c.Transform.Position)
	snapshot := s.Snapshot()
	assert.True(t, snapshot.IsPlanar())
	s.Rebase(geom.DVec3{X: 1, Y: 1, Z: 1})
	c, _ = s.Collider(id)
	assert.Equal(t, geom.V(3, 4, 0), c.Transform.Position)
	nan := geom.At(0, 0, float32(math.NaN()))
	s.SetTransform(id, nan)
	assert.True(t, s.IsNowhere(id))
	// Different scales make an ellipse, which is nowhere for want of an outline.
	s.SetTransform(id, geom.Transform{Scale: geom.V(1, 2, 1)})
	assert.True(t, s.IsNowhere(id))
}

func TestPlanarSpaceRefuses(t *testing.T) {
	cube, err := hull.New([]geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}})
	require.NoError(t, err)
	surface, err := mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2})
	require.NoError(t, err)
	for why, shape := range map[string]Shape{
		"a geom.Cone is no shape of a planar space":                geom.Cylinder(geom.V(0, 0, 0), geom.V(0, 1, 0), 1),
		"a *mesh.Mesh is no shape of a planar space":               surface,
		"a hull of a planar space is made by hull.NewPolygon":      cube,
		"a geom.Sphere that is not centred on the plane":           geom.Sphere{Center: geom.V(0, 0, 1), Radius: 1},
		"a geom.Box that is turned out of the plane":               geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatAxisAngle(geom.V(1, 0, 0), 1)},
		"a geom.Plane that is turned out of the plane":             geom.Plane{Normal: geom.V(0, 1, 1)},
		"child 0: a geom.Capsule that is not centred on the plane": NewCompound(Child{Shape: geom.Capsule{A: geom.V(0, 0, 1), Radius: 1}}),
		"no shape":                                     nil,
		"a *geom.Box must be given by value":           &geom.Box{},
		"a geom.AABB that is not centred on the plane": geom.AABB{Min: geom.V(0, 0, 1), Max: geom.V(1, 1, 2)},
	} {
		assert.PanicsWithValue(t, "physics: Space.Add: "+why, func() { NewPlanarSpace().Add(Collider{Shape: shape}) })
		assert.EqualError(t, NewPlanarSpace().CheckShape(shape), "physics: "+why)
		assert.PanicsWithValue(t, "physics: CollidePlanar: "+why, func() { CollidePlanar(nil, Placed{Shape: shape}, Placed{Shape: flatCrate}, 0) })
	}
}

// A space names what it does not take, and takes what it does not name.
func TestCheckShape(t *testing.T) {
	disc := geom.Sphere{Radius: 1}
	require.NoError(t, NewPlanarSpace().CheckShape(disc))
	rod := geom.Cylinder(geom.V(0, 0, 0), geom.V(0, 1, 0), 1)
	require.NoError(t, NewSpace().CheckShape(rod))
	require.EqualError(t, NewPlanarSpace().CheckShape(rod), "physics: a geom.Cone is no shape of a planar space")
	require.EqualError(t, NewSpace().CheckShape(nil), "physics: no shape")
}

// A crowd of flat shapes is pushed apart within its plane, out of walls and of each other.
func TestPlanarSeparator(t *testing.T) {
	s := NewPlanarSpace()
	r := rand.New(rand.NewPCG(16, 4))
	var crowd []Movable
	shapes := []Shape{flatCrate, geom.Sphere{Radius: 0.8}, geom.Capsule{A: geom.V(-0.5, 0, 0), B: geom.V(0.5, 0, 0), Radius: 0.4},
		flatPolygon(t, geom.V(-1, -1, 0), geom.V(1, -1, 0), geom.V(0, 1, 0))}
	for i := range 40 {
		crowd = append(crowd, Movable{Collider: s.Add(Collider{
			Shape: shapes[i%4], Transform: geom.At2D(6*r.Float32(), 6*r.Float32(), 7*r.Float64())})})
	}
	s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}, Static: true})
	var p Separator
	for range 200 {
		p.Separate(s, crowd)
		for i := range crowd {
			require.Zero(t, crowd[i].Push.Z)
			c, _ := s.Collider(crowd[i].Collider)
			c.Transform.Position = c.Transform.Position.Add(crowd[i].Push)
			s.SetTransform(crowd[i].Collider, c.Transform)
		}
	}
	deepest := float32(0)
	for _, q := range s.Pairs(nil) {
		for _, m := range s.Collide(nil, q.A, q.B, 0) {
			deepest = max(deepest, m.Depth())
		}
	}
	assert.Less(t, deepest, float32(0.002))
}

// Casts, movers and projectiles end where the same ones do among shapes ten metres thick, except
// that what starts in a shape comes out in the plane.
func TestPlanarMotion(t *testing.T) {
	s, thick := NewPlanarSpace(), NewSpace()
	r := rand.New(rand.NewPCG(16, 5))
	for range 60 {
		tr := geom.At2D(20*r.Float32(), 20*r.Float32(), 7*r.Float64())
		h := geom.V(0.2+r.Float32(), 0.2+r.Float32(), 0)
		s.Add(Collider{Shape: geom.Box{HalfExtents: h}, Transform: tr})
		h.Z = 10
		thick.Add(Collider{Shape: geom.Box{HalfExtents: h}, Transform: tr})
	}
	hits := 0
	for range 2000 {
		at := geom.V(20*r.Float32(), 20*r.Float32(), 0)
		way := geom.V(r.Float32()*20-10, r.Float32()*20-10, 0)
		c := ShapeCast{Shape: geom.Sphere{Radius: 0.3}, Transform: geom.Transform{Position: at}, Motion: way, MaxT: 1}
		want, ok := thick.CastShape(c, Filter{})
		c.Motion.Z, c.Transform.Position.Z = 5, 3 // which count for nothing
		got, found := s.CastShape(c, Filter{})
		require.Equal(t, ok, found)
		if !ok {
			continue
		}
		hits++
		require.Equal(t, want.Overlaps, got.Overlaps)
		require.InDelta(t, want.T, got.T, 1e-5)
		require.InDelta(t, want.Depth, got.Depth, 1e-5)
		require.Zero(t, got.Normal.Z)
		require.Zero(t, got.Point.Z)
	}
	require.Greater(t, hits, 500)

	s = NewPlanarSpace()
	s.Add(Collider{Shape: geom.AABB{Min: geom.V(-50, -1, 0), Max: geom.V(50, 0, 0)}, Static: true})
	s.Add(Collider{Shape: geom.Rect(5, 0, 1, 0.2), Static: true})
	s.Add(Collider{Shape: geom.Rect(9, 0, 1, 4), Static: true})
	st := MoverState{Transform: geom.At(0, 0.05, 0)}
	var m Mover
	for range 300 {
		m.Move(s, &st, geom.V(3, -1, 2), 1.0/60, Filter{}, nil)
		require.Zero(t, st.Transform.Position.Z)
		require.Zero(t, st.Velocity.Z)
	}
	assert.InDelta(t, 8.7, st.Transform.Position.X, 0.05) // up the step, and to the wall
	assert.Equal(t, OnGround, st.Ground)

	p := Projectile{Position: geom.V(0, 3, 0), Velocity: geom.V(4, 0, 7), Acceleration: geom.V(0, -9.8, 1), Radius: 0.1, Restitution: 0.5, Bounces: 10}
	for range 200 {
		p.Move(nil, s, 1.0/60, Filter{})
		require.Zero(t, p.Position.Z)
		require.Zero(t, p.Velocity.Z)
	}
}

// A shape in another is pushed out in the plane, at the start of a cast too.
func TestPlanarOverlapAtStart(t *testing.T) {
	s := NewPlanarSpace()
	s.Add(Collider{Shape: flatCrate})
	hit, ok := s.CastShape(ShapeCast{Shape: flatCrate, Transform: geom.At(1, 0.25, 0), Motion: geom.V(-1, 0, 0)}, Filter{})
	require.True(t, ok)
	assert.True(t, hit.Overlaps)
	assert.Equal(t, geom.V(1, 0, 0), hit.Normal)
	assert.Equal(t, float32(0.5), hit.Depth)
	n := s.CollideShape(nil, Placed{Shape: flatCrate, Transform: geom.At(1, 0.25, 0)}, 0, Filter{})
	require.Len(t, n, 1)
	assert.Equal(t, geom.V(1, 0, 0), n[0].Normal)
	assert.Equal(t, int32(2), n[0].N)
	triangle := flatPolygon(t, geom.V(-1, 0, 0), geom.V(1, 0, 0), geom.V(0, 1, 0))
	hit, ok = s.CastShape(ShapeCast{Shape: triangle, Transform: geom.At(0, 0.5, 0), Motion: geom.V(0, -1, 0)}, Filter{})
	require.True(t, ok)
	assert.Equal(t, geom.V(0, 1, 0), hit.Normal)
	assert.InDelta(t, 0.25, hit.Depth, 1e-6)
}

// A state is not loaded into a space of another kind, which stays as it was.
func TestPlanarStatesStayPlanar(t *testing.T) {
	flat, solid := NewPlanarSpace(), NewSpace()
	id := flat.Add(Collider{Shape: NewTiles(3, 1, 1, func(x, y int) bool { return true })})
	flat.SetTransform(id, geom.At(1, 2, 0))
	state := flat.AppendState(nil, nil)
	for _, s := range []struct {
		space *Space
		state []byte
		why   string
	}{
		{solid, state, "it is the state of a space that is planar, and this one is of three dimensions"},
		{flat, solid.AppendState(nil, nil), "it is the state of a space that is of three dimensions, and this one is planar"},
	} {
		before := s.space.AppendState(nil, nil)
		require.EqualError(t, s.space.LoadState(s.state, nil), "physics: Space.LoadState: "+s.why)
		require.Equal(t, before, s.space.AppendState(nil, nil))
	}
	flat.Remove(id)
	require.NoError(t, flat.LoadState(state, nil, NewTiles(3, 1, 1, func(x, y int) bool { return true })))
	require.Equal(t, state, flat.AppendState(nil, nil))
	c, ok := flat.Collider(id)
	require.True(t, ok)
	assert.Equal(t, geom.V(1, 2, 0), c.Transform.Position)
}

// A query in a planar space refuses the solids that the space refuses, by name.
func TestPlanarQueriesRefuseWhatTheSpaceRefuses(t *testing.T) {
	s := NewPlanarSpace()
	s.Add(Collider{Shape: geom.Box{HalfExtents: geom.V(5, 1, 0)}, Static: true})
	call := map[string]func(Shape){
		"Space.OverlapShape":   func(x Shape) { s.OverlapShape(nil, Placed{Shape: x}, Filter{}) },
		"Space.CollideShape":   func(x Shape) { s.CollideShape(nil, Placed{Shape: x}, 0.1, Filter{}) },
		"Space.NearestToShape": func(x Shape) { s.NearestToShape(Placed{Shape: x}, 9, Filter{}) },
		"Space.CastSwing":      func(x Shape) { s.CastSwing(Swing{Shape: x, Turn: geom.V(0, 0, 1)}, Filter{}) },
		"Space.CastShape":      func(x Shape) { s.CastShape(ShapeCast{Shape: x, Motion: geom.V(0, 1, 0)}, Filter{}) },
		"Mover.Move": func(x Shape) {
			(&Mover{Shape: x}).Move(s, &MoverState{Transform: geom.At(0, 3, 0)}, geom.V(0, -1, 0), 0.1, Filter{}, nil)
		},
	}
	for name, do := range call {
		for _, bad := range []struct {
			shape Shape
			why   string
		}{
			{geom.Cylinder(geom.V(0, 0, 0), geom.V(0, 1, 0), 1), "a geom.Cone is no shape of a planar space"},
			{geom.TaperedCapsule{B: geom.V(0, 1, 0), RadiusA: 1, RadiusB: 0.5}, "a geom.TaperedCapsule is no shape of a planar space"},
			{geom.Sphere{Center: geom.V(0, 0, 1), Radius: 1}, "a geom.Sphere that is not centred on the plane"},
			{geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatEuler(0.3, 0, 0)}, "a geom.Box that is turned out of the plane"},
		} {
			assert.PanicsWithValue(t, "physics: "+name+": "+bad.why, func() { do(bad.shape) }, "%s", name)
		}
		for _, good := range []Shape{flatCrate, flatKite, geom.Sphere{Radius: 1}, geom.Capsule{B: geom.V(0, 1, 0), Radius: 1}} {
			assert.NotPanics(t, func() { do(good) }, "%s of a %T", name, good)
		}
	}
}

// A ball meets the end of a box without height, and of one without width.
func TestPlanarSegments(t *testing.T) {
	for _, half := range []geom.Vec3{geom.V(1, 0, 1), geom.V(0, 1, 1)} {
		along := geom.V(1, 0, 0)
		if half.X == 0 {
			along = geom.V(0, 1, 0)
		}
		s := NewPlanarSpace()
		s.Add(Collider{Shape: geom.Box{HalfExtents: half}, Transform: geom.Transform{Position: along.Mul(5)}})
		for _, c := range []struct{ from, way float32 }{{0, 10}, {10, -10}} {
			hit, ok := s.CastShape(ShapeCast{Shape: geom.Sphere{Radius: 0.25}, Transform: geom.Transform{Position: along.Mul(c.from)}, Motion: along.Mul(c.way)}, Filter{})
			require.True(t, ok)
			assert.InDelta(t, 0.375, hit.T, 1e-6)
		}
	}
}

// Contacts of two crates at a corner of both are there, also where their sides are in line, so that
// rounding decides whether these share a point. So are those of a crate with tiles.
func TestContactsAtCornersInLine(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 26))
	off := func(p geom.Vec3, half float32, at geom.Vec3) float32 {
		d := p.Sub(at).Abs()
		return max(d.X, d.Y) - half
	}
	tiles := drawn(1, "##.", "##.", "#..")
	found := 0
	for range 5000 {
		p, q := 0.1+r.Float32(), 0.1+r.Float32()
		at := geom.V(float32(r.IntN(3)), float32(r.IntN(3)), 0)
		turn := func() geom.Quat { return geom.At2D(0, 0, float64(r.IntN(4))*math.Pi/2).Rotation }
		by := func() float32 {
			return (p+q)*float32(2*r.IntN(2)-1) + []float32{0, 2e-7, -2e-7, 0.01 * r.Float32()}[r.IntN(4)]
		}
		to := at.Add(geom.V(by(), by(), 0))
		a := Placed{geom.Box{HalfExtents: geom.V(p, p, 0)}, geom.Transform{Position: at, Rotation: turn()}}
		b := Placed{geom.Box{HalfExtents: geom.V(q, q, 0)}, geom.Transform{Position: to, Rotation: turn()}}
		for _, m := range CollidePlanar(nil, a, b, 0.02) {
			for _, c := range m.ContactPoints() {
				found++
				require.InDelta(t, 0, off(c.PointA, p, at), 1e-5, "%v %v: %v", a, b, c)
				require.InDelta(t, 0, off(c.PointB, q, to), 1e-5, "%v %v: %v", a, b, c)
			}
		}
		at = geom.V(float32(1+r.IntN(2))+q+0.01*(r.Float32()-0.3), float32(r.IntN(3))+q+[]float32{0, 2e-7, -2e-7}[r.IntN(3)], 0)
		b.Transform.Position = at
		for _, m := range CollidePlanar(nil, Placed{Shape: tiles}, b, 0.02) {
			for _, c := range m.ContactPoints() {
				found++
				require.InDelta(t, 0, off(c.PointB, q, at), 1e-5, "%v: %v", b, c)
			}
		}
	}
	require.Greater(t, found, 1000)
}

// The contacts of a capsule that leans by up to 6° have their points on both surfaces, and are as
// deep as the two are there.
func TestPlanarCapsuleLeans(t *testing.T) {
	r := testenv.Rand(7, 2)
	chain := NewChain([]geom.Vec3{{X: 3}, {X: -3}}, false)
	two := 0
	for i := range tries(600) {
		half, radius := 0.05+0.5*r.Float32(), 0.05+0.3*r.Float32()
		lean := 0.1 * (2*r.Float64() - 1)
		low := float32(float64(half)*math.Abs(math.Sin(lean))) + radius
		c := Placed{geom.Capsule{A: geom.V(-half, 0, 0), B: geom.V(half, 0, 0), Radius: radius}, geom.At2D(2*r.Float32()-1, low-0.002, lean)}
		floor := []Shape{geom.Box{Center: geom.V(0, -0.5, 0), HalfExtents: geom.V(1, 0.5, 0)}, geom.Plane{Normal: geom.V(0, 1, 0)}, chain}[i%3]
		for _, m := range CollidePlanar(nil, Placed{Shape: floor}, c, 0.2) {
			ends := [2]geom.DVec3{c.Transform.Point(geom.V(-half, 0, 0)).Wide(), c.Transform.Point(geom.V(half, 0, 0)).Wide()}
			if m.N == 2 {
				two++
			}
			for _, x := range m.ContactPoints() {
				off := offSegment(x.PointB.Wide(), ends[0], ends[1]) - float64(radius)
				require.InDelta(t, 0, off, 1e-6, "%T %v", floor, c)
				require.InDelta(t, 0, x.PointA.Sub(x.PointB).Sub(m.Normal.Mul(x.Depth)).Len(), 1e-6)
			}
		}
	}
	assert.Greater(t, two, tries(600)/4)
}

// The contacts of a box and a tile, whose sides lean by less than rounding can tell, are on both.
func TestContactsOfNearlyParallelBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 31))
	found := 0
	for range 20000 {
		scale := geom.V(1+r.Float32(), 1+r.Float32(), 1)
		at := geom.V(4, float32(r.IntN(8)), 0)
		tile := Placed{NewTiles(5, 8, 1, func(x, y int) bool { return x == 4 && y == int(at.Y) }), geom.Transform{Scale: scale}}
		half := geom.V(0.02+0.4*r.Float32(), 0.02+0.8*r.Float32(), 0.1)
		lean := math.Pow(10, -8+5*r.Float64())
		corner := at.MulVec(scale)
		box := Placed{geom.Box{HalfExtents: half}, geom.At2D(corner.X-half.X+0.01, corner.Y+scale.Y*r.Float32(), lean)}
		low, high := corner, at.Add(geom.V(1, 1, 0)).MulVec(scale)
		for _, m := range CollidePlanar(nil, tile, box, 0.02) {
			for _, c := range m.ContactPoints() {
				found++
				require.InDelta(t, c.PointA.X, min(max(c.PointA.X, low.X), high.X), 1e-5)
				require.InDelta(t, c.PointA.Y, min(max(c.PointA.Y, low.Y), high.Y), 1e-5)
				in := box.Transform.Rotation.Inverse().Rotate(c.PointB.Sub(box.Transform.Position)).Abs()
				require.LessOrEqual(t, in.X, half.X+1e-5)
				require.LessOrEqual(t, in.Y, half.Y+1e-5, "%v of %v at %v", c, box, tile.Transform)
			}
		}
		p, ok := PenetratePlanar(tile, box)
		require.True(t, ok)
		in := box.Transform.Rotation.Inverse().Rotate(p.PointB.Sub(box.Transform.Position)).Abs()
		require.LessOrEqual(t, in.Y, half.Y+1e-5, "%v of %v at %v", p, box, tile.Transform)
		require.InDelta(t, p.PointA.Y, min(max(p.PointA.Y, low.Y), high.Y), 1e-5)
	}
	require.Greater(t, found, 20000)
}
