package physics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// crowd is a space with movables and the Separator that pushes them.
type crowd struct {
	*Space
	Separator
	movables []Movable
}

func newCrowd(colliders ...Collider) *crowd {
	g := &crowd{Space: NewSpace()}
	for _, c := range colliders {
		g.add(c)
	}
	return g
}

func (g *crowd) add(c Collider) { g.movables = append(g.movables, Movable{Collider: g.Space.Add(c)}) }

// step separates the movables, moves each by its push, and returns the longest push in metres.
func (g *crowd) step() (furthest float32) {
	g.Separate(g.Space, g.movables)
	for _, m := range g.movables {
		if m.Push == (geom.Vec3{}) {
			continue
		}
		furthest = max(furthest, m.Push.Len())
		c, _ := g.Collider(m.Collider)
		c.Transform.Position = c.Transform.Position.Add(m.Push)
		g.SetTransform(m.Collider, c.Transform)
	}
	return furthest
}

func (g *crowd) at(i int) geom.Vec3 {
	c, _ := g.Collider(g.movables[i].Collider)
	return c.Transform.Position
}

// deepest returns the largest depth, in metres, of all pairs that may push each other.
func (g *crowd) deepest() float32 {
	tracker := ContactTracker{}
	tracker.Update(g.Space)
	deepest := float32(0)
	for i := range tracker.All {
		deepest = max(deepest, tracker.All[i].Depth())
	}
	return deepest
}

func ballAt(x, y, z float32) Collider {
	return Collider{Shape: unitSphere, Transform: geom.At(x, y, z)}
}

func TestSeparateTwo(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tt := range []struct {
		name         string
		a, b         Movable
		overlap      float32
		pushA, pushB float32
	}{
		{"alike", Movable{}, Movable{}, 0.2, -0.1, 0.1},
		{"equal weights", Movable{Weight: 7}, Movable{Weight: 7}, 0.2, -0.1, 0.1},
		{"three times the weight", Movable{Weight: 1}, Movable{Weight: 3}, 0.2, -0.15, 0.05},
		{"infinite weight", Movable{Weight: inf}, Movable{Weight: 1}, 0.2, 0, 0.2},
		{"NaN weight", Movable{Weight: nan}, Movable{}, 0.2, 0, 0.2},
		{"negative weight", Movable{}, Movable{Weight: -1}, 0.2, -0.2, 0},
		{"negative MaxPush", Movable{}, Movable{MaxPush: -1}, 0.2, -0.2, 0},
		{"small MaxPush", Movable{MaxPush: 0.05}, Movable{}, 0.2, -0.05, 0.15},
		{"neither", Movable{Weight: nan}, Movable{Weight: inf}, 0.2, 0, 0},
		{"within the slop", Movable{}, Movable{}, 0.0009, 0, 0},
		{"apart", Movable{}, Movable{}, -0.1, 0, 0},
		{"deep overlap", Movable{}, Movable{}, 1.8, -0.9, 0.9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newCrowd(ballAt(0, 0, 0), ballAt(2-tt.overlap, 0, 0))
			tt.a.Collider, tt.b.Collider = g.movables[0].Collider, g.movables[1].Collider
			g.movables = []Movable{tt.a, tt.b}
			g.Separate(g.Space, g.movables)
			for i, want := range []float32{tt.pushA, tt.pushB} {
				push := g.movables[i].Push
				assert.InDelta(t, want, push.X, 0.001)
				assert.Zero(t, push.Y)
				assert.Zero(t, push.Z)
				if want == 0 {
					assert.Zero(t, push)
				}
			}
			reversed := []Movable{tt.b, tt.a}
			new(Separator).Separate(g.Space, reversed)
			slices.Reverse(reversed)
			for i := range reversed {
				assert.Equal(t, g.movables[i].Push, reversed[i].Push, "the order of the movables changes nothing")
			}
		})
	}
}

func TestSeparateWhatIsNotPushed(t *testing.T) {
	box := Collider{Shape: unitBox, Transform: geom.At(0.5, 0, 0)}
	with := func(change func(c *Collider)) Collider {
		c := ballAt(0, 0, 0)
		change(&c)
		return c
	}
	for name, c := range map[string]Collider{
		"a sensor":          with(func(c *Collider) { c.Sensor = true }),
		"of another layer":  with(func(c *Collider) { c.Layer, c.Mask = 2, 2 }),
		"a NaN position":    with(func(c *Collider) { c.Transform.Position.X = nan }),
		"a plane":           with(func(c *Collider) { c.Shape = ground }),
		"a mesh":            with(func(c *Collider) { c.Shape = testMeshes[0] }),
		"a compound of one": with(func(c *Collider) { c.Shape = NewCompound(Child{Shape: testMeshes[0]}) }),
		"a point":           with(func(c *Collider) { c.Shape = geom.Sphere{} }),
		"an empty compound": with(func(c *Collider) { c.Shape = NewCompound() }),
	} {
		t.Run(name, func(t *testing.T) {
			g := newCrowd(c)
			g.Space.Add(box)
			g.movables[0].Push = geom.V(1, 2, 3)
			g.Separate(g.Space, g.movables)
			assert.Zero(t, g.movables[0].Push)
		})
	}
	g := newCrowd(ballAt(0, 0, 0))
	g.movables[0].Collider = 99
	g.movables[0].Push.X = 1
	g.Separate(g.Space, g.movables)
	assert.Zero(t, g.movables[0].Push, "not in the space")
	g.Separate(NewSpace(), nil)
	// A collider that is listed twice is pushed once.
	g = newCrowd(ballAt(0, 0, 0), ballAt(1, 0, 0))
	g.movables = append(g.movables, g.movables[0])
	g.Separate(g.Space, g.movables)
	assert.NotZero(t, g.movables[0].Push)
	assert.Zero(t, g.movables[2].Push)
}

// A chain of balls is separated. The chain is symmetric, and so are the pushes.
func TestSeparateAChain(t *testing.T) {
	const n = 9
	g := newCrowd()
	for i := range n {
		g.add(ballAt(float32(i-n/2), 0, 0))
	}
	ticks := 0
	for ; g.step() > 0; ticks++ {
		require.Less(t, ticks, 200)
		for i := range n {
			require.InDelta(t, -g.at(n-1-i).X, g.at(i).X, 1e-5)
		}
	}
	assert.LessOrEqual(t, g.deepest(), float32(DefaultSlop))
	assert.Less(t, g.at(0).X, float32(-n/2*2+1))
	t.Log("ticks", ticks)
	// A body at rest keeps its position, bit for bit.
	was := g.at(3)
	for range 20 {
		require.Zero(t, g.step())
	}
	assert.Equal(t, was, g.at(3))
}

// roomOf returns a closed room made of boxes, of one mesh or of planes.
func roomOf(kind string, half, height float32) []Collider {
	switch kind {
	case "planes":
		plane := func(x, y, z, d float32) Collider {
			return Collider{Shape: geom.Plane{Normal: geom.V(x, y, z), D: d}, Static: true}
		}
		return []Collider{plane(1, 0, 0, -half), plane(-1, 0, 0, -half), plane(0, 0, 1, -half), plane(0, 0, -1, -half), plane(0, 1, 0, 0), plane(0, -1, 0, -height)}
	case "mesh":
		var v []geom.Vec3
		for i := range 8 {
			v = append(v, geom.V(half*float32(i&1*2-1), height*float32(i>>1&1), half*float32(i>>2*2-1)))
		}
		quads := [][4]uint32{{0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}}
		var indices []uint32
		for _, q := range quads {
			indices = append(indices, q[0], q[1], q[2], q[0], q[2], q[3])
		}
		return []Collider{{Shape: mustMesh(v, indices), Static: true}}
	}
	const thin = 0.01 // metres; pushes must not move bodies through walls of this thickness
	wall := func(x, y, z, hx, hy, hz float32) Collider {
		return Collider{Shape: geom.AABBAround(geom.V(x, y, z), geom.V(hx, hy, hz)), Static: true}
	}
	h, out := height/2, half+thin
	return []Collider{
		wall(out, h, 0, thin, h, out), wall(-out, h, 0, thin, h, out), wall(0, h, out, out, h, thin), wall(0, h, -out, out, h, thin),
		wall(0, -thin, 0, out, thin, out), wall(0, height+thin, 0, out, thin, out)}
}

func TestSeparateACrowdInARoom(t *testing.T) {
	testenv.Long(t)
	capsule := geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3}
	for _, tt := range []struct {
		walls string
		flat  bool
		n     int
		part  float32 // of the room's length and width in which all start
	}{
		{"boxes", true, 1000, 2}, {"mesh", true, 1000, 2},
		{"boxes", true, 120, 1}, {"mesh", true, 120, 1}, {"planes", true, 120, 1}, {"boxes", false, 120, 1}, {"mesh", false, 120, 1},
	} {
		n := testenv.Fewer(tt.n, 120)
		name := fmt.Sprint(n, " in ", tt.walls)
		if tt.flat {
			name += ", flat"
		}
		t.Run(name, func(t *testing.T) {
			rng := testenv.Rand(1, 2)
			half := float32(math.Sqrt(float64(n)*0.36*1.4)) / 2
			g := newCrowd()
			if tt.flat {
				g.Up = geom.V(0, 2, 0)
			}
			for range n {
				side := half - 0.31
				// All start in one corner, or anywhere in the room.
				g.add(Collider{Shape: capsule, Transform: geom.At(side*(1-tt.part*rng.Float32()), 0, side*(1-tt.part*rng.Float32()))})
			}
			height := float32(1.8)
			if !tt.flat {
				height = 4
			}
			for _, c := range roomOf(tt.walls, half, height) {
				g.Space.Add(c)
			}
			ticks := 0
			for ; g.step() > 0; ticks++ {
				require.Less(t, ticks, 1500, "deepest %v", g.deepest())
				for i := range g.movables {
					p := g.at(i)
					require.LessOrEqual(t, max(p.X, -p.X, p.Z, -p.Z), half-0.3+2*DefaultSlop, "tick %d", ticks)
					require.GreaterOrEqual(t, p.Y, float32(-2*DefaultSlop))
					if tt.flat {
						require.Zero(t, p.Y)
					}
				}
			}
			t.Log("ticks", ticks)
			// A step without a push has found no depth above the slop. The tracker computes the
			// same depths, so there is no rounding between them.
			assert.LessOrEqual(t, g.deepest(), float32(DefaultSlop))
			require.Zero(t, g.step())
		})
	}
}

// In any space, no movable is pushed further than its limit, into an obstacle or past an obstacle.
// The order of the movables does not change the pushes.
func TestSeparateAnything(t *testing.T) { rapid.Check(t, separateAnything) }

func FuzzSeparator(f *testing.F) { f.Fuzz(rapid.MakeFuzz(separateAnything)) }

func separateAnything(t *rapid.T) {
	s := NewSpace()
	var movables []Movable
	var stands []ColliderID
	for range rapid.IntRange(1, 12).Draw(t, "colliders") {
		c := drawCollider(t)
		c.Transform.Position = c.Transform.Position.Mul(0.25)
		if rapid.IntRange(0, 3).Draw(t, "layers") > 0 {
			c.Layer, c.Mask = 0, 0
		}
		id := s.Add(c)
		if rapid.IntRange(0, 2).Draw(t, "stands") == 0 {
			stands = append(stands, id)
			continue
		}
		movables = append(movables, Movable{
			Collider: id,
			Weight:   rapid.SampledFrom([]float32{0, 1, 2, 100, nan, -1, float32(math.Inf(1))}).Draw(t, "weight"),
			MaxPush:  rapid.SampledFrom([]float32{0, 0, 0.1, -1, nan}).Draw(t, "push"),
		})
	}
	p := &Separator{
		Iterations: rapid.IntRange(-1, 6).Draw(t, "iterations"),
		Slop:       rapid.SampledFrom([]float32{0, 0.01, nan, -1}).Draw(t, "slop"),
		Up:         rapid.SampledFrom([]geom.Vec3{{}, {Y: 1}, {X: 1, Y: 2}, {Y: nan}}).Draw(t, "up"),
	}
	p.Separate(s, movables)
	require.True(t, slices.IsSortedFunc(p.bodies.all, func(a, b body) int { return cmp.Compare(a.id, b.id) }))
	shuffled := rapid.Permutation(movables).Draw(t, "order")
	p.Separate(s, shuffled)
	pushes := map[ColliderID]geom.Vec3{}
	for _, m := range movables {
		pushes[m.Collider] = m.Push
	}
	slop := float32(DefaultSlop)
	if p.Slop > 0 {
		slop = p.Slop
	}
	for _, m := range shuffled {
		require.Equal(t, pushes[m.Collider], m.Push)
		if m.Push == (geom.Vec3{}) {
			continue
		}
		require.True(t, m.Push.IsFinite())
		require.True(t, m.Weight >= 0)
		r := s.lookup(m.Collider)
		// A push is shortened to a length and then rounded to single precision, three times in all.
		const rounded = 1 + 4*0x1p-24
		require.LessOrEqual(t, m.Push.Len(), r.reach()*rounded)
		if m.MaxPush != 0 {
			require.LessOrEqual(t, m.Push.Len(), m.MaxPush*rounded)
		}
		if p.flat {
			require.InDelta(t, 0, m.Push.Wide().Dot(p.up), 1e-6)
			continue // a push along the plane may lead into rising ground
		}
		c, _ := s.Collider(m.Collider)
		moved := c
		moved.Transform.Position = moved.Transform.Position.Add(m.Push)
		depth := func(c Collider, o Collider) float32 {
			deepest := float32(0)
			for _, x := range Collide(nil, Placed{c.Shape, c.Transform}, Placed{o.Shape, o.Transform}, 0) {
				deepest = max(deepest, x.Depth())
			}
			return deepest
		}
		for _, id := range stands {
			o, _ := s.Collider(id)
			if !o.Sensor && layersMeet(c, o) && !(c.Static && o.Static) {
				// The Separator places the body at the same rounded position before it accepts a
				// push, so the bounds need no tolerance.
				if end := depth(moved, o); end > slop {
					require.LessOrEqual(t, end, depth(c, o), "deeper in %v", o)
				}
			}
		}
	}
}

// A push towards a thin wall ends in front of the wall.
func TestSeparateDoesNotPushThroughWalls(t *testing.T) {
	for _, kind := range []string{"boxes", "mesh", "planes"} {
		t.Run(kind, func(t *testing.T) {
			for i := range 40 {
				// A ball is close to the wall or overlaps it. A heavy ball pushes it towards the
				// wall.
				at := float32(i)*0.02 + 3.05
				g := newCrowd(
					Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(at, 2, 0)},
					Collider{Shape: unitSphere, Transform: geom.At(at-0.1, 2, 0)})
				g.movables[1].Weight = 1e6
				for _, c := range roomOf(kind, 4, 4) {
					g.Space.Add(c)
				}
				before := g.at(0).X
				for range 50 {
					g.step()
					require.Less(t, g.at(0).X, float32(4))
				}
				require.LessOrEqual(t, g.at(0).X, max(3.5+2*DefaultSlop, before), "from %v", before)
			}
		})
	}
}

// A push as long as the reach of a thin, wide plate could move the plate past a wall beside it.
func TestSeparateDoesNotPushAPlatePastAWall(t *testing.T) {
	tilt := geom.QuatAxisAngle(geom.V(0, 0, 1), math.Pi/4)
	normal := tilt.Rotate(geom.V(0, 1, 0))
	wall := mustMesh([]geom.Vec3{{X: -9, Z: -9}, {X: 9, Z: -9}, {X: 9, Z: 9}, {X: -9, Z: 9}}, []uint32{0, 2, 1, 0, 3, 2})
	g := newCrowd(
		Collider{Shape: geom.Box{HalfExtents: geom.V(1, 0.02, 1)}, Transform: geom.Transform{Rotation: tilt}},
		Collider{Shape: unitSphere, Transform: geom.Transform{Position: normal.Mul(-0.5)}})
	g.movables[1].Weight = 1e6
	g.step()
	require.Greater(t, g.at(0).Dot(normal), float32(0.2), "without a wall the push is long")
	g.SetTransform(g.movables[0].Collider, geom.Transform{Rotation: tilt})
	g.Space.Add(Collider{Shape: wall, Transform: geom.Transform{Position: normal.Mul(0.05), Rotation: tilt}, Static: true})
	for range 20 {
		g.step()
		require.Less(t, g.at(0).Dot(normal), float32(0.04))
	}
}

// A ball between two walls that are too close for it is not pushed out of one wall deeper into the
// other.
func TestSeparateInANarrowPlace(t *testing.T) {
	for _, x := range []float32{0, 0.01, -0.02} {
		g := newCrowd(Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(x, 0, 0)})
		for _, wall := range []float32{-1.45, 1.45} {
			g.Space.Add(Collider{Shape: unitAABB, Transform: geom.At(wall, 0, 0), Static: true})
		}
		for range 10 {
			g.step()
			require.LessOrEqual(t, float32(math.Abs(float64(g.at(0).X))), float32(math.Abs(float64(x)))+1e-6)
		}
	}
}

// Overlaps that arise from a push are resolved as are those at the start.
func TestSeparateLooksAgain(t *testing.T) {
	row := func(iterations int) *crowd {
		g := newCrowd(ballAt(0, 0, 0), ballAt(1, 0, 0), ballAt(3.1, 0, 0))
		g.Iterations = iterations
		g.step()
		return g
	}
	assert.Equal(t, float32(3.1), row(1).at(2).X)
	assert.Greater(t, row(4).at(2).X, float32(3.2))
	// A push ends at the wall within one call.
	for _, iterations := range []int{1, 4} {
		g := newCrowd(ballAt(0, 0, 0), ballAt(0.5, 0, 0))
		g.movables[0].Weight = 1e6
		g.Iterations = iterations
		g.Space.Add(Collider{Shape: unitAABB, Transform: geom.At(2.8, 0, 0), Static: true})
		g.step()
		assert.InDelta(t, 0.8, g.at(1).X, 0.002)
	}
}

// With Up set, bodies on top of each other are pushed only in the plane perpendicular to Up.
func TestSeparateFlat(t *testing.T) {
	g := newCrowd(ballAt(0, 0, 0), ballAt(0, 1.9, 0), ballAt(9, 0, 0), ballAt(9, 0, 0))
	g.Up = geom.V(0, 1, 0)
	for i := 0; g.step() > 0; i++ {
		require.Less(t, i, 200)
	}
	assert.LessOrEqual(t, g.deepest(), float32(DefaultSlop))
	for i, y := range []float32{0, 1.9, 0, 0} {
		assert.Equal(t, y, g.at(i).Y)
	}
	// With Up set, the ground pushes no body, at any depth.
	g = newCrowd(ballAt(0, 0.7, 0))
	g.Space.Add(Collider{Shape: ground})
	g.Up = geom.V(0, 1, 0)
	assert.Zero(t, g.step())
	g.Up = geom.Vec3{}
	assert.InDelta(t, 0.3, g.step(), 0.001)
}

func TestSeparateIgnores(t *testing.T) {
	g := newCrowd(ballAt(0, 0, 0), ballAt(1, 0, 0))
	wall := g.Space.Add(ballAt(0, 1, 0))
	floor := g.Space.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: -0.5}})
	var asked []ColliderID
	g.Ignores = func(movable, other ColliderID) bool {
		assert.Contains(t, []ColliderID{g.movables[0].Collider, g.movables[1].Collider}, movable)
		asked = append(asked, other)
		return movable == g.movables[0].Collider || other == floor
	}
	for range 20 {
		g.step()
	}
	assert.Contains(t, asked, wall)
	assert.Contains(t, asked, floor)
	assert.NotContains(t, asked, g.movables[0].Collider)
	assert.Zero(t, g.at(0).Y, "only the other movable pushes this one")
	assert.Less(t, g.at(0).X, float32(-0.1))
	assert.Less(t, g.at(1).Y, float32(-0.05), "the wall pushes this one into the floor")

	g.Ignores = func(ColliderID, ColliderID) bool { panic("no") }
	assert.PanicsWithValue(t, "no", func() { g.step() })
	g.Ignores, g.movables = nil, g.movables[:1]
	assert.NotPanics(t, func() { g.step() }, "the other is an obstacle now")
}

func TestSeparateAllocatesNothing(t *testing.T) {
	testenv.NoRace(t)
	g := benchCrowd(300)
	for range 3 {
		g.Separate(g.Space, g.movables)
	}
	testenv.AllocatesNothing(t, 20, func() { g.Separate(g.Space, g.movables) })
	assert.Condition(t, func() bool {
		return slices.ContainsFunc(g.movables, func(m Movable) bool { return m.Push != geom.Vec3{} })
	})
}

// benchCrowd returns a crowd on terrain, some of which overlap.
func benchCrowd(n int) *crowd {
	rng := testenv.Rand(3, 4)
	side := int(math.Sqrt(float64(n))) + 4
	g := newCrowd()
	g.Up = geom.V(0, 1, 0)
	for range n {
		g.add(Collider{
			Shape:     geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.3},
			Transform: geom.At(2+rng.Float32()*float32(side-4), 0.1, 2+rng.Float32()*float32(side-4))})
	}
	g.Space.Add(Collider{Shape: terrain(side), Static: true})
	return g
}

func BenchmarkSeparate(b *testing.B) {
	for name, steps := range map[string]int{"a crowd": 0, "the tick after": 1, "at rest": math.MaxInt} {
		b.Run(name, func(b *testing.B) {
			g := benchCrowd(5000)
			for range steps {
				if g.step() == 0 {
					break
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				g.Separate(g.Space, g.movables)
			}
		})
	}
}
