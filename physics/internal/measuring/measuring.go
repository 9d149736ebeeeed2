// Package measuring finds, for tests and benchmarks, the large data that lies beside a checkout and
// not in it: meshes, rays and worlds with answers computed by brute force in double precision.
package measuring

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// File returns the path of a file of the measuring data, and skips the test where it is absent.
func File(t testing.TB, name ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
	path := filepath.Join(append([]string{dir, "..", "shared"}, name...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no measuring data beside the project: %s", filepath.Join(name...))
	}
	return path
}

// Words returns the 32-bit words of a file, without its first few bytes.
func Words(t testing.TB, skip int, name ...string) []uint32 {
	t.Helper()
	data, err := os.ReadFile(File(t, name...))
	if err != nil {
		t.Fatal(err)
	}
	data = data[skip:]
	if len(data)%4 != 0 {
		t.Fatalf("%s: %d bytes are no whole words", filepath.Join(name...), len(data))
	}
	list := make([]uint32, len(data)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return list
}

// Vec returns the first three words as a vector.
func Vec(words []uint32) geom.Vec3 {
	f := math.Float32frombits
	return geom.V(f(words[0]), f(words[1]), f(words[2]))
}

// Rays returns the rays of a file: records of origin, direction, MinT and MaxT.
func Rays(t testing.TB, name ...string) []geom.Ray {
	t.Helper()
	words := Words(t, 0, name...)
	rays := make([]geom.Ray, len(words)/8)
	for i := range rays {
		w := words[8*i:]
		rays[i] = geom.Ray{
			Origin: Vec(w), Dir: Vec(w[3:]),
			MinT: math.Float32frombits(w[6]), MaxT: math.Float32frombits(w[7]),
		}
	}
	return rays
}
