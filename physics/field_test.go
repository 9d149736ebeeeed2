package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// fieldSpaces returns two spaces with the same hills, placed alike: as a height field, and as the
// mesh of the same triangles. place is nil in one of three.
func fieldSpaces(t testing.TB, seed uint64) (field, twin *Space, at geom.Transform) {
	rng := testenv.Rand(seed, 30)
	const columns, rows = 40, 33
	heights := make([]float32, columns*rows)
	for i := range heights {
		x, z := float64(i%columns), float64(i/columns)
		heights[i] = float32(2*math.Sin(x/3)*math.Cos(z/4)) + 0.2*rng.Float32()
		if seed%3 == 0 && i%columns > 10 {
			heights[i] = float32(i % columns / 8) // terraces
		}
	}
	f, err := mesh.NewField(mesh.FieldOptions{Columns: columns, Rows: rows, CellX: 0.8, CellZ: 1, StartX: -16, StartZ: -16, Low: -4, High: 8}, heights)
	require.NoError(t, err)
	at = [3]geom.Transform{{}, {Position: geom.V(3, -1, 2), Rotation: geom.QuatAxisAngle(geom.V(0.2, 1, 0.1), 0.7)}, {Position: geom.V(0, 1, 0), Scale: geom.V(-1, 1.5, 0.7)}}[seed%3]
	m := f.Mesh()
	copied, err := mesh.New(m.Vertices(), m.Indices())
	require.NoError(t, err)
	field, twin = NewSpace(), NewSpace()
	field.Add(Collider{Shape: m, Transform: at, Static: true})
	twin.Add(Collider{Shape: copied, Transform: at, Static: true})
	return field, twin, at
}

// Every query of a space answers with a height field as with the mesh of the same triangles, to the
// bit.
func TestFieldAnswersAsItsMesh(t *testing.T) {
	testenv.NoRace(t)
	found := map[string]int{}
	for seed := range uint64(6) {
		field, twin, at := fieldSpaces(t, seed)
		rng := testenv.Rand(seed, 31)
		count := func(what string, ok bool) {
			if ok {
				found[what]++
			}
		}
		shapes := []Shape{
			geom.Box{HalfExtents: geom.V(0.6, 0.3, 1)}, geom.Sphere{Radius: 0.7}, geom.Capsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), Radius: 0.3},
			geom.Cone{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.5}, geom.TaperedCapsule{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.5, RadiusB: 0.2},
			geom.AABBAround(geom.Vec3{}, geom.V(0.4, 0.8, 0.4)), solidMeshes()[0].mesh,
			NewCompound(Child{Shape: geom.Sphere{Radius: 0.4}}, Child{Shape: geom.Box{HalfExtents: geom.V(1, 0.1, 0.1)}, Transform: geom.At(0.5, 0, 0)}),
		}
		one, other := any(nil), any(nil)
		for _, c := range field.All() {
			one = c.Shape
		}
		for _, c := range twin.All() {
			other = c.Shape
		}
		for range 70 {
			p := at.Point(geom.V(rng.Float32()*34-17, rng.Float32()*8-4, rng.Float32()*34-17))
			to := at.Point(geom.V(rng.Float32()*34-17, rng.Float32()*8-4, rng.Float32()*34-17))
			turn := geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32(), Z: rng.Float32() - 0.5, W: 1}.Normalize()
			r, f := geom.NewRay(p, to.Sub(p)), Filter{Cull: geom.Cull(rng.IntN(3))}

			want, ok := twin.CastRay(r, f)
			got, hit := field.CastRay(r, f)
			require.Equal(t, ok, hit)
			require.Equal(t, want, got)
			require.Equal(t, twin.CastRayAll(nil, r, f), field.CastRayAll(nil, r, f))
			require.Equal(t, ok, field.CastRayAny(r, f))
			require.Equal(t, twin.CastRays(nil, []geom.Ray{r}, f), field.CastRays(nil, []geom.Ray{r}, f))
			require.Equal(t, twin.Crossings(nil, r, f), field.Crossings(nil, r, f))
			count("rays", ok)

			require.Equal(t, twin.OverlapPoint(nil, p, f), field.OverlapPoint(nil, p, f))
			require.Equal(t, twin.OverlapSphere(nil, geom.Sphere{Center: p, Radius: 1}, f), field.OverlapSphere(nil, geom.Sphere{Center: p, Radius: 1}, f))
			box := geom.Box{Center: p, HalfExtents: geom.V(1, 0.3, 0.3), Rotation: turn}
			require.Equal(t, twin.OverlapBox(nil, box, f), field.OverlapBox(nil, box, f))
			nearest, ok := twin.Nearest(p, 3, f)
			close, hit := field.Nearest(p, 3, f)
			require.Equal(t, ok, hit)
			require.Equal(t, nearest, close)
			count("nearest", ok)

			sword := Swing{Shape: geom.Capsule{B: geom.V(3, 0, 0), Radius: 0.1}, Transform: geom.Transform{Position: p, Rotation: turn},
				Pivot: p, Turn: geom.V(0, 0, 3*rng.Float32()-1.5), Motion: to.Sub(p).Mul(0.2)}
			struck, ok := twin.CastSwing(sword, f)
			strikes, hit := field.CastSwing(sword, f)
			require.Equal(t, ok, hit)
			require.Equal(t, struck, strikes)
			count("swings", ok)

			// A frustum: a box whose sides lean.
			var view geom.Frustum
			for i, n := range [6]geom.DVec3{{X: 1}, {X: -1, Y: 0.3}, {Y: 1}, {Y: -1}, {Z: 1, X: 0.2}, {Z: -1}} {
				n = n.Normalize()
				view[i] = geom.HalfSpace{Normal: n, D: n.Dot(p.Wide()) - 0.5 - 20*float64(rng.IntN(2))*rng.Float64()}
			}
			require.Equal(t, twin.OverlapFrustum(nil, &view, f), field.OverlapFrustum(nil, &view, f))
			require.Equal(t, twin.ContainedInFrustum(nil, &view, f), field.ContainedInFrustum(nil, &view, f))
			count("frustums", len(field.OverlapFrustum(nil, &view, f)) > 0)

			for _, s := range shapes {
				q := Placed{Shape: s, Transform: geom.Transform{Position: p, Rotation: turn}}
				a, b := Placed{Shape: one.(Shape), Transform: at}, Placed{Shape: other.(Shape), Transform: at}
				require.Equal(t, Overlaps(q, b), Overlaps(q, a))
				count("overlaps", Overlaps(q, a))
				near, ok := ClosestPoints(q, b, 2)
				points, hit := ClosestPoints(q, a, 2)
				require.Equal(t, ok, hit)
				require.Equal(t, near, points)
				depth, ok := Penetrate(b, q)
				way, hit := Penetrate(a, q)
				require.Equal(t, ok, hit)
				require.Equal(t, depth, way)
				manifolds := Collide(nil, b, q, 0.05)
				require.Equal(t, manifolds, Collide(nil, a, q, 0.05))
				count("contacts", len(manifolds) > 0)
				if _, isMesh := s.(*mesh.Mesh); isMesh {
					continue
				}
				if _, isCompound := s.(*Compound); isCompound {
					continue
				}
				cast := ShapeCast{Shape: s, Transform: q.Transform, Motion: to.Sub(p), MaxT: 1, Start: ShapeStartMode(rng.IntN(3))}
				impact, ok := twin.CastShape(cast, f)
				first, hit := field.CastShape(cast, f)
				require.Equal(t, ok, hit)
				require.Equal(t, impact, first)
				require.Equal(t, twin.CastShapeAll(nil, cast, f), field.CastShapeAll(nil, cast, f))
				require.Equal(t, ok, field.CastShapeAny(cast, f))
				count("casts", ok)
			}
		}

		// A mover walks, falls and slides.
		m := Mover{}
		a, b := MoverState{Transform: geom.Transform{Position: at.Point(geom.V(0, 6, 0))}}, MoverState{Transform: geom.Transform{Position: at.Point(geom.V(0, 6, 0))}}
		for i := range 120 {
			v := geom.V(float32(i%50)/20, -3, 1.5)
			require.Equal(t, m.Move(twin, &b, v, 1.0/30, Filter{}, nil), m.Move(field, &a, v, 1.0/30, Filter{}, nil))
			require.Equal(t, b, a)
			count("walks", a.Ground != MoverState{}.Ground)
		}

		// A crowd is pushed out.
		var pushes [2][]Movable
		for k, s := range [2]*Space{twin, field} {
			rng := testenv.Rand(seed, 32)
			for i := range 20 {
				p := at.Point(geom.V(rng.Float32()*20-10, rng.Float32()*2, rng.Float32()*20-10))
				pushes[k] = append(pushes[k], Movable{Collider: s.Add(Collider{Shape: shapes[i%5], Transform: geom.Transform{Position: p}})})
			}
			var sep Separator
			sep.Separate(s, pushes[k])
			for _, p := range pushes[k] {
				count("pushes", p.Push != geom.Vec3{})
			}
		}
		require.Equal(t, pushes[0], pushes[1])
	}
	for what, least := range map[string]int{"rays": 100, "nearest": 100, "frustums": 100, "swings": 60, "overlaps": 300, "contacts": 300, "casts": 400, "walks": 200, "pushes": 20} {
		testenv.Drawn(t, found[what], least, what)
	}
}

// A snapshot answers with the heights that its field had.
func TestSnapshotsKeepTheHeightsOfFields(t *testing.T) {
	f, err := mesh.NewField(mesh.FieldOptions{Columns: 200, Rows: 150, CellX: 1, CellZ: 1}, make([]float32, 200*150))
	require.NoError(t, err)
	s := NewSpace()
	id := s.Add(Collider{Shape: f.Mesh(), Static: true})
	height := func(s *Space, x, z float32) float32 {
		hit, ok := s.CastRay(geom.NewRay(geom.V(x, 100, z), geom.V(0, -1, 0)), Filter{})
		require.True(t, ok)
		return hit.Point.Y
	}
	var states []*Space
	for i := range 20 {
		states = append(states, s.Snapshot())
		require.NoError(t, f.SetHeights(10*i, 60, 9, []float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2}))
		s.Set(id, Collider{Shape: f.Mesh(), Static: true})
	}
	states = append(states, s)
	for i, state := range states {
		for k := range 20 {
			want := float32(0)
			if k < i {
				want = 2
			}
			assert.Equal(t, want, height(state, float32(10*k+4), 61), "state %d, edit %d", i, k)
		}
	}
	s.Restore(states[3])
	assert.Equal(t, float32(2), height(s, 24, 61))
	assert.Equal(t, float32(0), height(s, 34, 61))
}
