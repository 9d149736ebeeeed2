package physics_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// The measuring data that lies beside the project holds large worlds, with answers that were
// computed by brute force in double precision. They are tested on one goroutine, so the race
// detector would only be slow.

// body is one of the boxes and spheres of boxes100k.
type body struct {
	shape              physics.Shape
	half, at, velocity geom.Vec3
}

func bodies(t testing.TB) []body {
	w := measuring.Words(t, 8, "worlds/boxes100k.wld")
	list := make([]body, 0, len(w)/10)
	for ; len(w) > 0; w = w[10:] {
		b := body{at: measuring.Vec(w[1:]), half: measuring.Vec(w[4:]), velocity: measuring.Vec(w[7:])}
		b.shape = geom.AABBAround(geom.Vec3{}, b.half)
		if w[0] == math.Float32bits(1) {
			b.shape = geom.Sphere{Radius: b.half.X}
		}
		list = append(list, b)
	}
	return list
}

const miss = math.MaxUint32

func TestWorldOfBoxes(t *testing.T) {
	testenv.NoRace(t)
	s := physics.NewSpace()
	list := bodies(t)
	require.Len(t, list, 100_000)
	for i, b := range list {
		s.Add(physics.Collider{Shape: b.shape, Transform: geom.Transform{Position: b.at}, User: uint64(i)})
	}
	rays, answers := measuring.Rays(t, "worlds/boxes100k.rays"), measuring.Words(t, 0, "worlds/boxes100k.hits")
	hits := 0
	for i := range len(answers) / 2 {
		wantT, body := math.Float32frombits(answers[2*i]), answers[2*i+1]
		hit, ok := s.CastRay(rays[i], physics.Filter{})
		require.Equal(t, body != miss, ok, "ray %d", i)
		if ok {
			hits++
			require.Equal(t, uint64(body), hit.User, "ray %d", i)
			require.InDelta(t, wantT, hit.T, 1e-5*float64(1+wantT), "ray %d", i)
		}
	}
	testenv.Drawn(t, hits, 10_000)
	require.NoError(t, s.Validate())
}

// TestWorldInMotion moves everything for 60 ticks, and counts the pairs of bounds that overlap
// then.
func TestWorldInMotion(t *testing.T) {
	testenv.NoRace(t)
	s := physics.NewSpace()
	list := bodies(t)
	ids := make([]physics.ColliderID, len(list))
	for i, b := range list {
		bounds := geom.AABBAround(geom.Vec3{}, b.half)
		ids[i] = s.Add(physics.Collider{Shape: bounds, Transform: geom.Transform{Position: b.at}})
	}
	for tick := 1; tick <= 60; tick++ {
		for i := range list {
			list[i].at = list[i].at.Add(list[i].velocity)
			if tick%10 == 0 {
				s.SetTransform(ids[i], geom.Transform{Position: list[i].at})
			}
		}
	}
	require.NoError(t, s.Validate())
	pairs := 0
	var found []physics.ColliderID
	for _, id := range ids {
		b, _ := s.Bounds(id)
		found = s.OverlapAABB(found[:0], b, physics.Filter{})
		for _, other := range found {
			if other < id {
				pairs++
			}
		}
	}
	assert.Equal(t, 10_168, pairs)
}

func TestWorldOfBunnies(t *testing.T) {
	testenv.NoRace(t)
	model, err := meshio.ReadFile(testenv.Data(t, "meshes/bunny.obj"))
	require.NoError(t, err)
	bunny, err := model.Mesh()
	require.NoError(t, err)
	s := physics.NewSpace()
	ins := measuring.Words(t, 8, "worlds/bunnies10k.ins")
	for i := range len(ins) / 12 {
		row := [3]geom.Vec3{measuring.Vec(ins[12*i:]), measuring.Vec(ins[12*i+4:]), measuring.Vec(ins[12*i+8:])}
		f := func(r int) float32 { return math.Float32frombits(ins[12*i+4*r+3]) }
		y, z := geom.V(row[0].Y, row[1].Y, row[2].Y), geom.V(row[0].Z, row[1].Z, row[2].Z)
		s.Add(physics.Collider{Shape: bunny, User: uint64(i), Transform: geom.Transform{
			Position: geom.V(f(0), f(1), f(2)),
			Rotation: geom.QuatLook(z.Neg(), y), // the matrices are turns with an even scale
			Scale:    geom.V(y.Len(), y.Len(), y.Len()),
		}})
	}
	require.Equal(t, 10_000, s.Len())
	rays, answers := measuring.Rays(t, "worlds/bunnies10k.rays"), measuring.Words(t, 0, "worlds/bunnies10k.hits")
	const every = 16 // rays that are cast, one of so many
	hits, differ := 0, 0
	for i := 0; i < len(answers)/3; i += every {
		wantT, triangle, instance := math.Float32frombits(answers[3*i]), answers[3*i+1], answers[3*i+2]
		hit, ok := s.CastRay(rays[i], physics.Filter{})
		switch {
		case ok != (instance != miss):
			differ++
		case ok:
			hits++
			// The transforms were decomposed and composed again, so a ray at a rim or an edge may
			// be decided otherwise.
			if uint64(instance) != hit.User || uint32(hit.Triangle) != triangle {
				differ++
			}
			if uint64(instance) == hit.User && math.Abs(float64(hit.T-wantT)) > 1e-3 {
				differ++
			}
		}
	}
	t.Logf("%d hits, %d others", hits, differ)
	testenv.Drawn(t, hits, 3000)
	assert.Less(t, differ, 20)
}
