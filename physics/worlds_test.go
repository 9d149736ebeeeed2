package physics_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// The measuring data that lies beside the project holds large worlds, with answers that were computed by brute force in
// double precision.

func shared(t testing.TB, name ...string) string {
	if physics.RaceDetector {
		t.Skip("large, and on one goroutine only")
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod above the test")
		dir = parent
	}
	path := filepath.Join(append([]string{dir, "..", "shared"}, name...)...)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no measuring data beside the project: %s", filepath.Join(name...))
	}
	return path
}

// words reads a file of 32-bit words, without its first few bytes.
func words(t testing.TB, skip int, name ...string) []uint32 {
	data, err := os.ReadFile(shared(t, name...))
	require.NoError(t, err)
	data = data[skip:]
	require.Zero(t, len(data)%4)
	list := make([]uint32, len(data)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return list
}

func vec(words []uint32) geom.Vec3 {
	f := math.Float32frombits
	return geom.V(f(words[0]), f(words[1]), f(words[2]))
}

func rayOf(words []uint32) geom.Ray {
	f := math.Float32frombits
	return geom.Ray{Origin: vec(words), Dir: vec(words[3:]), MinT: f(words[6]), MaxT: f(words[7])}
}

// body is one of the boxes and spheres of boxes100k.
type body struct {
	shape              physics.Shape
	half, at, velocity geom.Vec3
}

func bodies(t testing.TB) []body {
	w := words(t, 8, "worlds", "boxes100k.wld")
	list := make([]body, 0, len(w)/10)
	for ; len(w) > 0; w = w[10:] {
		b := body{at: vec(w[1:]), half: vec(w[4:]), velocity: vec(w[7:])}
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
	s := physics.NewSpace()
	list := bodies(t)
	require.Len(t, list, 100_000)
	for i, b := range list {
		s.Add(physics.Collider{Shape: b.shape, Transform: geom.Transform{Position: b.at}, User: uint64(i)})
	}
	rays, answers := words(t, 0, "worlds", "boxes100k.rays"), words(t, 0, "worlds", "boxes100k.hits")
	hits := 0
	for i := range len(answers) / 2 {
		wantT, body := math.Float32frombits(answers[2*i]), answers[2*i+1]
		hit, ok := s.CastRay(rayOf(rays[8*i:]), physics.Filter{})
		require.Equal(t, body != miss, ok, "ray %d", i)
		if ok {
			hits++
			require.Equal(t, uint64(body), hit.User, "ray %d", i)
			require.InDelta(t, wantT, hit.T, 1e-5*float64(1+wantT), "ray %d", i)
		}
	}
	assert.Greater(t, hits, 10_000)
	require.NoError(t, s.Validate())
}

// TestWorldInMotion moves everything for 60 ticks, and counts the pairs of bounds that overlap then.
func TestWorldInMotion(t *testing.T) {
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
	model, err := meshio.ReadFile(shared(t, "meshes", "bunny.obj"))
	require.NoError(t, err)
	bunny, err := model.Mesh()
	require.NoError(t, err)
	s := physics.NewSpace()
	ins := words(t, 8, "worlds", "bunnies10k.ins")
	for i := range len(ins) / 12 {
		row := [3]geom.Vec3{vec(ins[12*i:]), vec(ins[12*i+4:]), vec(ins[12*i+8:])}
		f := func(r int) float32 { return math.Float32frombits(ins[12*i+4*r+3]) }
		y, z := geom.V(row[0].Y, row[1].Y, row[2].Y), geom.V(row[0].Z, row[1].Z, row[2].Z)
		s.Add(physics.Collider{Shape: bunny, User: uint64(i), Transform: geom.Transform{
			Position: geom.V(f(0), f(1), f(2)),
			Rotation: geom.QuatLook(z.Neg(), y), // the matrices are turns with an even scale
			Scale:    geom.V(y.Len(), y.Len(), y.Len()),
		}})
	}
	require.Equal(t, 10_000, s.Len())
	rays, answers := words(t, 0, "worlds", "bunnies10k.rays"), words(t, 0, "worlds", "bunnies10k.hits")
	const every = 16 // rays that are cast, one of so many
	hits, differ := 0, 0
	for i := 0; i < len(answers)/3; i += every {
		wantT, triangle, instance := math.Float32frombits(answers[3*i]), answers[3*i+1], answers[3*i+2]
		hit, ok := s.CastRay(rayOf(rays[8*i:]), physics.Filter{})
		switch {
		case ok != (instance != miss):
			differ++
		case ok:
			hits++
			// The transforms had to be taken apart and put together again, so a ray at a rim or an edge may go astray.
			if uint64(instance) != hit.User || uint32(hit.Triangle) != triangle {
				differ++
			}
			if uint64(instance) == hit.User && math.Abs(float64(hit.T-wantT)) > 1e-3 {
				differ++
			}
		}
	}
	t.Logf("%d hits, %d others", hits, differ)
	assert.Greater(t, hits, 3000)
	assert.Less(t, differ, 20)
}
