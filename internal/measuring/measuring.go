// Package measuring has what tests and benchmarks cast: random rays, and the binary files of the
// measuring data ([testenv.Data]) with rays, worlds, and answers computed by brute force in double
// precision.
package measuring

import (
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Words returns the 32-bit words of a file, without its first skip bytes.
func Words(t testing.TB, skip int, name string) []uint32 {
	t.Helper()
	data, err := os.ReadFile(testenv.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	data = data[skip:]
	if len(data)%4 != 0 {
		t.Fatalf("%s: %d bytes, not a multiple of 4", name, len(data))
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
func Rays(t testing.TB, name string) []geom.Ray {
	t.Helper()
	words := Words(t, 0, name)
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
