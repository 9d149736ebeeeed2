package physics_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Moving obstacles, obstacles that overlap the mover at the start, and random worlds.

func TestMoverRidesPlatforms(t *testing.T) {
	for _, c := range []struct {
		name  string
		path  func(s float64) geom.Transform
		speed geom.Vec3 // at 1 s
	}{
		{"up", func(s float64) geom.Transform { return geom.At(0, float32(s), 0) }, geom.V(0, 1, 0)},
		{"down", func(s float64) geom.Transform { return geom.At(0, float32(-3*s), 0) }, geom.V(0, -3, 0)},
		{"sideways", func(s float64) geom.Transform { return geom.At(float32(2*s), 0, float32(-s)) }, geom.V(2, 0, -1)},
		{"fast", func(s float64) geom.Transform { return geom.At(float32(90*s), float32(20*s), 0) }, geom.V(90, 20, 0)},
		{"turning", func(s float64) geom.Transform {
			return geom.Transform{Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), s)}
		}, geom.V(0, 0, 0)},
		{"all", func(s float64) geom.Transform {
			return geom.Transform{Position: geom.V(float32(s), float32(s), 0), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), -s)}
		}, geom.V(0, 0, 0)},
	} {
		for _, shape := range []physics.Shape{geom.Box{HalfExtents: geom.V(4, 0.5, 4)}, meshOf(t, []physics.Shape{slab(-4, -0.5, -4, 4, 0.5, 4)})} {
			t.Run(c.name, func(t *testing.T) {
				s := &stage{Space: physics.NewSpace()}
				platform := s.Add(physics.Collider{Shape: shape, Transform: c.path(0)})
				s.at(1, 0.52, 2)
				s.state.Transform.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)
				s.walk(geom.Vec3{}, 2)
				local := s.position()
				for i := 1; i <= 60; i++ {
					at := c.path(float64(i) / 60)
					s.SetTransform(platform, at)
					s.tick(geom.Vec3{})
					require.Equal(t, physics.OnGround, s.state.Ground)
					require.InDelta(t, 0, at.Point(local).Distance(s.position()), 2e-4)
				}
				assert.Zero(t, s.state.Velocity, "at rest on the platform")
				if c.speed != (geom.Vec3{}) {
					assert.InDelta(t, 0, s.state.GroundVelocity.Distance(c.speed), 2e-2)
				}
				turned := c.path(1).Rotation.Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), 0.3)).Rotate(geom.V(1, 0, 0))
				assert.InDelta(t, 0, turned.Distance(s.state.Transform.Rotation.Rotate(geom.V(1, 0, 0))), 1e-4, "turns along")

				// A jump adds the velocity of the platform.
				s.SetTransform(platform, c.path(61./60))
				s.mover.Move(s.Space, &s.state, geom.V(0, 6, 0), moverTick, physics.Filter{}, nil)
				assert.Equal(t, physics.InAir, s.state.Ground)
				if c.speed != (geom.Vec3{}) {
					assert.InDelta(t, 0, s.state.Velocity.Distance(c.speed.Add(geom.V(0, 6, 0))), 2e-2)
				}
			})
		}
	}
	t.Run("unmoved", func(t *testing.T) {
		s := &stage{Space: physics.NewSpace(), mover: physics.Mover{Unmoved: true}}
		platform := s.Add(physics.Collider{Shape: slab(-4, -0.5, -4, 4, 0.5, 4)})
		s.at(1, 0.52, 0).walk(geom.Vec3{}, 2)
		s.SetTransform(platform, geom.At(1, 0, 0))
		s.tick(geom.Vec3{})
		assert.Equal(t, float32(1), s.position().X)
	})
	t.Run("against a wall", func(t *testing.T) {
		for _, step := range []float32{0.04, 0.6} {
			s := newStage(wall(0, 3, 0))
			platform := s.Add(physics.Collider{Shape: slab(-40, -0.5, -4, 2, 0.5, 4)})
			s.at(1, 0.52, 0).walk(geom.Vec3{}, 2)
			for i := range 60 {
				s.SetTransform(platform, geom.At(float32(i)*step, 0, 0))
				s.tick(geom.Vec3{})
				require.LessOrEqual(t, s.position().X, float32(2.6801))
			}
			assert.InDelta(t, 2.68, s.position().X, 1e-3, "%v m a tick", step)
		}
	})
	t.Run("removed", func(t *testing.T) {
		s := &stage{Space: physics.NewSpace()}
		platform := s.Add(physics.Collider{Shape: slab(-4, -0.5, -4, 4, 0.5, 4)})
		s.at(1, 0.52, 0).walk(geom.Vec3{}, 2)
		require.Equal(t, platform, s.state.GroundCollider)
		s.Remove(platform)
		s.walk(geom.Vec3{}, 2)
		assert.Equal(t, physics.InAir, s.state.Ground)
	})
	t.Run("left by a jump", func(t *testing.T) {
		for _, speed := range []geom.Vec3{{Y: 3}, {Y: -3}, {X: 2, Y: 3}, {Y: -7}, {Z: 4}} {
			s := &stage{Space: physics.NewSpace()}
			lift := s.Add(physics.Collider{Shape: slab(-4, -0.5, -4, 4, 0.5, 4)})
			s.at(0, 0.52, 0)
			for i := range 12 {
				s.SetTransform(lift, geom.Transform{Position: speed.Mul(float32(i) / 60)})
				s.tick(geom.Vec3{})
			}
			require.Equal(t, physics.OnGround, s.state.Ground)
			before := s.position()
			s.SetTransform(lift, geom.Transform{Position: speed.Mul(12. / 60)})
			s.tick(geom.V(0, 5, 0))
			want := speed.Add(geom.V(0, 5, 0))
			assert.InDelta(t, 0, before.Add(want.Mul(1./60)).Distance(s.position()), 1e-5, "%v", speed)
			assert.InDelta(t, 0, want.Distance(s.state.Velocity), 1e-3, "%v", speed)
		}
	})
	t.Run("lifted into a ceiling", func(t *testing.T) {
		s := newStage(slab(-5, 3, -5, 5, 4, 5))
		lift := s.Add(physics.Collider{Shape: slab(-4, -0.5, -4, 4, 0.5, 4)})
		s.at(0, 0.52, 0).walk(geom.Vec3{}, 2)
		for i := range 60 {
			s.SetTransform(lift, geom.At(0, float32(i)*0.02, 0))
			s.tick(geom.Vec3{})
		}
		assert.InDelta(t, 0.24, s.state.Depth, 0.03, "squeezed from both sides")
	})
}

func TestMoverIsPushedOut(t *testing.T) {
	box := slab(-1, 0, -1, 1, 2, 1)
	for name, c := range map[string]struct {
		shape physics.Shape
		at    geom.Vec3
	}{
		"AABB, side":    {box, geom.V(-1.2, 0.02, 0)},
		"AABB, deep":    {box, geom.V(-0.8, 0.02, 0.1)},
		"AABB, above":   {box, geom.V(0.1, 1.9, 0.1)},
		"AABB, edge":    {box, geom.V(-1.2, 0.02, -1.2)},
		"box":           {geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 0.5)}, geom.V(-1.1, 0.02, 0)},
		"sphere":        {geom.Sphere{Radius: 1}, geom.V(0.9, 0.02, 0.3)},
		"capsule":       {geom.Capsule{A: geom.V(0, 0, 0), B: geom.V(0, 3, 0), Radius: 1}, geom.V(0.9, 0.02, 0.3)},
		"plane":         {geom.Plane{Normal: geom.V(1, 0, 0)}, geom.V(-0.1, 0.02, 0)},
		"plane, behind": {geom.Plane{Normal: geom.V(1, 0, 0)}, geom.V(0.1, 0.02, 0)},
		"mesh":          {meshOf(t, []physics.Shape{box}), geom.V(-1.2, 0.02, 0.1)},
		"mesh, edge":    {meshOf(t, []physics.Shape{box}), geom.V(-1.15, 0.02, -1.15)},
		"compound":      {physics.NewCompound(physics.Child{Shape: box}, physics.Child{Shape: geom.Sphere{Radius: 2}}), geom.V(1.8, 0.02, 0)},
		"scaled sphere": {physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}, Transform: geom.Transform{Scale: geom.V(2, 1, 1)}}), geom.V(2.1, 0.02, 0)},
		"pierced sheet": {sheet(t, 2, func(x, z float32) float32 { return 0.3 }), geom.V(0.1, 0.02, 0.1)},
	} {
		for kind, shape := range moverShapes {
			t.Run(name+"/"+kind, func(t *testing.T) {
				s := newStage(ground, c.shape).at(c.at.X, c.at.Y, c.at.Z)
				s.mover.Shape = shape
				s.tick(geom.Vec3{})
				for range 30 {
					s.tick(geom.Vec3{})
					require.Zero(t, s.state.Depth)
				}
				at := s.position()
				free(t, s)
				assert.Less(t, at.Distance(c.at), float32(1.6))
				s.walk(geom.Vec3{}, 30)
				for range 30 {
					at = s.position()
					s.tick(geom.Vec3{})
					require.InDelta(t, 0, at.Distance(s.position()), 1e-6)
				}
			})
		}
	}
}

// settled is how far, in metres, a mover of the default offset may rest from its offset: twice its
// slop, which is offset/16.
const settled = physics.DefaultOffset / 8

// leastGap is the least gap, in metres, between a mover of the default offset and obstacles that do
// not move. The slop of a mover is offset/16. A cast stops at offset − slop, and a mover that
// overlaps at the start is moved out to at least offset − 2·slop. The position and the distance
// query round coordinates below 64 m, by 4 ulps of 2⁻¹⁸ m together.
const leastGap = physics.DefaultOffset*14/16 - 4*0x1p-18

// free requires a gap of at least leastGap between the mover and all obstacles.
func free(t require.TestingT, s *stage) {
	shape := s.mover.Shape
	if shape == nil {
		shape = geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}
	}
	n, ok := s.NearestToShape(physics.Placed{Shape: shape, Transform: s.state.Transform}, 1, physics.Filter{})
	if ok {
		require.GreaterOrEqual(t, n.Distance, float32(leastGap), "at %v from %v %v", s.position(), n.Collider, n.ChildA)
	}
}

func TestMoverAndDoors(t *testing.T) {
	s := newStage(ground)
	door := s.Add(physics.Collider{Shape: slab(0, 0, -1, 0.2, 3, 1)})
	s.at(1.5, 0.02, 0).walk(geom.Vec3{}, 2)
	for i := range 100 { // pushed along
		s.SetTransform(door, geom.At(float32(i)*0.03, 0, 0))
		s.tick(geom.Vec3{})
		require.Zero(t, s.state.Depth)
		require.InDelta(t, 0.02, s.position().Y, 1e-3)
	}
	assert.InDelta(t, 2.97+0.2+0.3+0.02, s.position().X, settled)
}

func TestMoverUp(t *testing.T) {
	// The same walk in a world that is rotated.
	plain := newStage(stairs(0.2, 0.3, 6)...).at(-1, 0.5, 0.3)
	plain.walk(geom.V(3, 0, 0.7), 100)
	for _, q := range []geom.Quat{
		geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/2), geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi),
		geom.QuatAxisAngle(geom.V(1, 2, 3), 1.1), geom.QuatAxisAngle(geom.V(-3, 1, 2), 2.7),
	} {
		shift := geom.V(3, -2, 7)
		s := &stage{Space: physics.NewSpace()}
		for _, shape := range stairs(0.2, 0.3, 6) {
			b := shape.(geom.AABB)
			s.Add(physics.Collider{Shape: geom.Box{Center: b.Center(), HalfExtents: b.HalfExtents()}, Transform: geom.Transform{Position: shift, Rotation: q}})
		}
		s.mover.Up = q.Rotate(geom.V(0, 2, 0))
		start := q.Rotate(geom.V(-1, 0.5, 0.3)).Add(shift)
		s.at(start.X, start.Y, start.Z)
		s.state.Transform.Rotation = q
		s.walk(q.Rotate(geom.V(3, 0, 0.7)), 100)
		assert.InDelta(t, 0, q.Rotate(plain.position()).Add(shift).Distance(s.position()), settled)
		assert.Equal(t, plain.state.Ground, s.state.Ground)
	}
}

func TestMoverDoesNothing(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	at := geom.At(1, 2, 3)
	for name, c := range map[string]struct {
		mover     physics.Mover
		transform geom.Transform
		velocity  geom.Vec3
		surface   geom.Vec3
		dt        float32
	}{
		"dt 0":              {dt: 0, transform: at, velocity: geom.V(1, 0, 0)},
		"dt negative":       {dt: -1, transform: at, velocity: geom.V(1, 0, 0)},
		"dt NaN":            {dt: nan, transform: at, velocity: geom.V(1, 0, 0)},
		"dt infinite":       {dt: inf, transform: at, velocity: geom.V(1, 0, 0)},
		"velocity NaN":      {dt: 1, transform: at, velocity: geom.V(1, nan, 0)},
		"velocity infinite": {dt: 1, transform: at, velocity: geom.V(1, 0, inf)},
		"position NaN":      {dt: 1, transform: geom.At(nan, 0, 0), velocity: geom.V(1, 0, 0)},
		"rotation NaN":      {dt: 1, transform: geom.Transform{Rotation: geom.Quat{W: nan}}, velocity: geom.V(1, 0, 0)},
		"up NaN":            {dt: 1, transform: at, mover: physics.Mover{Up: geom.V(0, nan, 0)}},
		"offset NaN":        {dt: 1, transform: at, mover: physics.Mover{Offset: nan}},
		"step infinite":     {dt: 1, transform: at, mover: physics.Mover{StepHeight: inf}},
		"slope NaN":         {dt: 1, transform: at, mover: physics.Mover{MaxSlope: nan}},
		"surface NaN":       {dt: 1, transform: at, surface: geom.V(nan, 0, 0)},
		"empty shape":       {dt: 1, transform: at, mover: physics.Mover{Shape: geom.Sphere{Radius: -1}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(ground)
			st := physics.MoverState{Transform: c.transform, SurfaceVelocity: c.surface}
			before := st.Transform
			hits := c.mover.Move(s.Space, &st, c.velocity, c.dt, physics.Filter{}, nil)
			assert.Empty(t, hits)
			assert.Equal(t, math.Float32bits(before.Position.X), math.Float32bits(st.Transform.Position.X))
			assert.Equal(t, before.Position.Y, st.Transform.Position.Y)
			assert.Equal(t, physics.InAir, st.Ground)
		})
	}
	assert.PanicsWithValue(t, "physics: Mover.Move: the shape is not a geom.Sphere, Capsule, TaperedCapsule, Cone, Box or AABB given by value, or a *hull.Hull", func() {
		m := physics.Mover{Shape: geom.Plane{Normal: geom.V(0, 1, 0)}}
		m.Move(physics.NewSpace(), &physics.MoverState{}, geom.V(1, 0, 0), 1, physics.Filter{}, nil)
	})
}

func TestMoverFilter(t *testing.T) {
	s := newStage(ground)
	s.Add(physics.Collider{Shape: wall(0, 1, 0), Sensor: true, Static: true})
	ghost := s.Add(physics.Collider{Shape: wall(0, 2, 0), Layer: 4, Static: true})
	own := s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}})
	other := s.Add(physics.Collider{Shape: wall(0, 4, 0), User: 77})
	s.at(0, 0.02, 0)
	f := physics.Filter{Mask: ^physics.Layers(4), Sensors: true, Exclude: []physics.ColliderID{own}}
	for range 200 {
		s.hits = s.cache.Move(&s.mover, s.Space, &s.state, geom.V(5, 0, 0), moverTick, f, s.hits[:0])
	}
	assert.InDelta(t, 4-0.32, s.position().X, settled)
	require.Len(t, s.hits, 1)
	h := s.hits[0]
	assert.Equal(t, other, h.Collider)
	assert.Equal(t, uint64(77), h.User)
	assert.InDelta(t, -1, h.Normal.X, 1e-6)
	assert.InDelta(t, 4, h.Point.X, 1e-5)
	assert.InDelta(t, 5./60, h.Motion.X, settled)

	// A cache serves another filter from the obstacles that it holds. A move without a cache gives
	// the same result.
	f.Predicate = func(id physics.ColliderID) bool { return id != other && id != ghost }
	for range 60 {
		s.hits = s.cache.Move(&s.mover, s.Space, &s.state, geom.V(5, 0, 0), moverTick, f, s.hits[:0])
	}
	assert.Greater(t, s.position().X, float32(8))
}

// randomWorld fills a space with all shapes and a mover that overlaps none of them.
func randomWorld(t *rapid.T, s *stage) {
	f := func(lo, hi float32) float32 { return rapid.Float32Range(lo, hi).Draw(t, "f") }
	v := func(r float32) geom.Vec3 { return geom.V(f(-r, r), f(-r, r), f(-r, r)) }
	s.Add(physics.Collider{Shape: ground, Static: true})
	for range rapid.IntRange(1, 14).Draw(t, "colliders") {
		c := physics.Collider{Static: rapid.Bool().Draw(t, "static")}
		c.Transform = geom.Transform{Position: geom.V(f(-4, 4), f(-0.5, 3), f(-4, 4)), Rotation: geom.Quat{X: f(-1, 1), Y: f(-1, 1), Z: f(-1, 1), W: 1}}
		if rapid.Bool().Draw(t, "scaled") {
			c.Transform.Scale = geom.V(f(0.4, 2), f(0.4, 2), f(0.4, 2))
		}
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			c.Shape = geom.AABBAround(geom.Vec3{}, geom.V(f(0.05, 2), f(0.05, 1), f(0.05, 2)))
		case 1:
			c.Shape = geom.Box{HalfExtents: geom.V(f(0.05, 2), f(0.05, 1), f(0.05, 2))}
		case 2:
			c.Shape = geom.Sphere{Radius: f(0.05, 1)}
		case 3:
			c.Shape = geom.Capsule{A: v(1), B: v(1), Radius: f(0.05, 0.5)}
		case 4:
			vertices, indices := mesh.Icosphere(f(0.3, 1.5), 1)
			c.Shape, _ = mesh.New(vertices, indices)
		case 5:
			vertices, indices := mesh.Torus(f(0.6, 1.5), f(0.1, 0.5), 8, 6)
			c.Shape, _ = mesh.New(vertices, indices)
		default:
			c.Shape = physics.NewCompound(physics.Child{Shape: geom.Box{HalfExtents: geom.V(1, 0.1, 1)}},
				physics.Child{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 0.5, 0)})
		}
		s.Add(c)
	}
	names := []string{"default", "capsule", "sphere", "box", "AABB", "hull"}
	s.mover.Shape = moverShapes[rapid.SampledFrom(names).Draw(t, "shape")]
	s.mover.StepHeight = rapid.SampledFrom([]float32{0, -1, 0.8}).Draw(t, "step")
	s.at(f(-6, 6), 6, f(-6, 6))
}

func TestMoverStaysFree(t *testing.T) {
	testenv.NoRace(t)
	most := 0
	defer func() { t.Logf("at most %d distance queries in one cast for one obstacle", most) }()
	rapid.Check(t, func(t *rapid.T) {
		s := &stage{Space: physics.NewSpace()}
		randomWorld(t, s)
		var wish geom.Vec3
		bare := s.state
		var hits []physics.MoverHit
		for i := range 150 {
			if i%25 == 0 {
				speed := rapid.SampledFrom([]float32{2, 6, 100}).Draw(t, "speed")
				a := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
				wish = geom.V(speed*float32(math.Cos(a)), 0, speed*float32(math.Sin(a)))
				if s.position().Len() > 12 {
					wish = s.position().Mul(-0.3).WithAxis(geom.Y, 0)
				}
				if s.state.Ground == physics.OnGround && i%50 == 25 {
					wish.Y = 5
				}
			}
			v := s.velocity(wish)
			s.tick(wish)
			free(t, s)
			require.Zero(t, s.state.Depth)
			var steps int
			hits, steps = s.mover.MoveCounting(s.Space, &bare, v, moverTick, physics.Filter{}, hits[:0])
			most = max(most, steps)
			require.Less(t, steps, physics.MaxAdvance, "the cast ends before its limit of steps")
			require.Equal(t, s.state, bare, "with a cache and without")
			require.Equal(t, s.hits, hits)
		}
	})
}

// A mover in a closed room of triangles never leaves the room, at any speed.
func TestMoverStaysInARoom(t *testing.T) {
	testenv.Long(t)
	vertices, indices := mesh.Icosphere(5, 3)
	room, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	random := testenv.Rand(5, 6)
	for kind, shape := range moverShapes {
		t.Run(kind, func(t *testing.T) {
			s := newStage(room).at(0, 0, 0)
			s.mover.Shape = shape
			for i := range 400 {
				speed := math.Exp(random.Float64()*16 - 3)
				v := geom.V(float32(random.NormFloat64()*speed), float32(random.NormFloat64()*speed), float32(random.NormFloat64()*speed))
				s.hits = s.cache.Move(&s.mover, s.Space, &s.state, v, moverTick, physics.Filter{}, s.hits[:0])
				require.Less(t, s.position().Len(), float32(5), "move %d by %v", i, v)
				if i%10 == 0 {
					free(t, s)
				}
			}
		})
	}
}

func TestMoveAllocatesNothing(t *testing.T) {
	s := newStage(stairs(0.2, 0.3, 6)...)
	crate := s.Add(physics.Collider{Shape: meshOf(t, []physics.Shape{slab(-1, 0, 2, 1, 0.1, 3)})})
	f := physics.Filter{Exclude: []physics.ColliderID{99}, Predicate: func(physics.ColliderID) bool { return true }}
	hits := make([]physics.MoverHit, 0, 64)
	for name, move := range map[string]func(st *physics.MoverState){
		"cached": func(st *physics.MoverState) {
			hits = s.cache.Move(&s.mover, s.Space, st, geom.V(3, 0, 1), moverTick, f, hits[:0])
		},
		"plain": func(st *physics.MoverState) {
			hits = s.mover.Move(s.Space, st, geom.V(3, 0, 1), moverTick, f, hits[:0])
		},
	} {
		var st physics.MoverState // escapes to the heap, since it is passed to an unknown function
		walk := func() {
			st = physics.MoverState{Transform: geom.At(-1, 0.02, 0)}
			for i := range 100 {
				s.SetTransform(crate, geom.At(0, 0, float32(i)*0.01))
				move(&st)
			}
		}
		walk()
		testenv.AllocatesNothing(t, 3, walk, name)
	}
}

// A cache drops its obstacles as soon as any static collider changes.
func TestMoverCacheSeesChanges(t *testing.T) {
	s := newStage(ground)
	blocked := func() bool { // within a few ticks
		s.at(0, 0.02, 0).walk(geom.V(4, 0, 0), 20)
		return len(s.hits) > 0
	}
	gate := physics.Collider{Shape: slab(0.8, 0, -2, 1, 3, 2), Static: true}
	require.False(t, blocked())
	id := s.Add(gate)
	require.True(t, blocked(), "added")
	s.SetTransform(id, geom.At(0, 0, 5))
	require.False(t, blocked(), "moved away")
	s.SetTransform(id, geom.At(0, 0, 1))
	require.True(t, blocked(), "moved back")
	gate.Static = false
	s.Set(id, gate)
	require.True(t, blocked(), "moving now")
	s.SetTransform(id, geom.At(0, 0, 5))
	require.False(t, blocked(), "moved away while not static")
	gate.Static = true
	s.Set(id, gate)
	require.True(t, blocked(), "static again")
	gate.Sensor = true
	s.Set(id, gate)
	require.False(t, blocked(), "a sensor")
	gate.Sensor = false
	s.Set(id, gate)
	require.True(t, blocked())
	world := s.Space
	s.Space = world.Snapshot()
	require.True(t, blocked(), "in a snapshot")
	world.Remove(id)
	require.True(t, blocked(), "still in the snapshot")
	s.Space = world
	require.False(t, blocked(), "removed")
	world.Clear()
	s.at(0, 0.02, 0).walk(geom.Vec3{}, 2)
	assert.Equal(t, physics.InAir, s.state.Ground, "cleared")
}

// Shift moves a state along with a rebased space.
func TestMoverStateShift(t *testing.T) {
	s := newStage()
	s.Add(physics.Collider{Shape: slab(-5, -1, -5, 5, 0, 5)})
	s.at(1, 0.02, 2).walk(geom.Vec3{}, 2)
	before := s.position()
	origin := geom.DVec3{X: 500, Y: -20, Z: 3}
	s.Rebase(origin)
	s.state.Shift(origin.Mul(-1))
	s.walk(geom.Vec3{}, 5)
	assert.Equal(t, physics.OnGround, s.state.Ground)
	assert.InDelta(t, 0, before.Wide().Sub(origin).Sub(s.position().Wide()).Len(), 1e-4)
}
