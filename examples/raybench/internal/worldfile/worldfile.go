// Package worldfile reads worlds of many colliders, and the true answers to rays that are cast at
// them. Everything is little-endian, so that a C program reads what follows the head straight into
// an array:
//
//   - a .wld file has the letters WLD1, a uint32 count, and ten float32 a body: kind (0 a box, 1 a
//     sphere), centre, half extents (of a sphere the first is the radius), and velocity a tick;
//   - an .ins file has the letters INS1, a uint32 count, and twelve float32 an instance of a mesh:
//     the three rows of the matrix from the mesh's space to the world's;
//   - a .hits file has no head, and for each ray a float32 T, a uint32 triangle, which is left out
//     for bodies, and a uint32 number of the body or instance, or 0xffffffff for a miss. It may end
//     before the rays do.
package worldfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Body is a box along the axes, or a sphere of radius HalfExtents.X, that moves by Velocity a tick.
// Lengths are metres.
type Body struct {
	Sphere                        bool
	Center, HalfExtents, Velocity geom.Vec3
}

// Miss is the collider of an answer to a ray that hits nothing.
const Miss = -1

// Answer is what a ray hits. Triangle is −1 where the collider is no mesh.
type Answer struct {
	T                  float32
	Collider, Triangle int32
}

// Hits reports whether the ray hits anything.
func (a Answer) Hits() bool { return a.Collider != Miss }

const (
	headBytes      = 8
	bodyFloats     = 10
	instanceFloats = 12
)

// ReadBodies returns the bodies of a .wld file. The error names the file and, where one is at
// fault, the body: a number is NaN or infinite, the kind is unknown, or a half extent is negative.
func ReadBodies(name string) ([]Body, error) {
	numbers, err := readFloats(name, "WLD1", bodyFloats, "body", "bodies")
	if err != nil {
		return nil, err
	}
	bodies := make([]Body, len(numbers)/bodyFloats)
	for i := range bodies {
		f := numbers[bodyFloats*i:]
		b := Body{f[0] == 1, geom.V(f[1], f[2], f[3]), geom.V(f[4], f[5], f[6]), geom.V(f[7], f[8], f[9])}
		at := headBytes + 4*bodyFloats*i
		if f[0] != 0 && f[0] != 1 {
			return nil, fmt.Errorf("%s: body %d (byte %d): kind %g, want 0 for a box or 1 for a sphere", name, i, at, f[0])
		}
		if h := b.HalfExtents; min(h.X, h.Y, h.Z) < 0 {
			return nil, fmt.Errorf("%s: body %d (byte %d): half extents %v", name, i, at, h)
		}
		bodies[i] = b
	}
	return bodies, nil
}

// ReadInstances returns the transforms of an .ins file. The error names the file and, where one is
// at fault, the instance: a number is NaN or infinite, or the matrix is not a product of
// translation, rotation and scale, as a [geom.Transform] requires, or is singular.
func ReadInstances(name string) ([]geom.Transform, error) {
	numbers, err := readFloats(name, "INS1", instanceFloats, "instance", "instances")
	if err != nil {
		return nil, err
	}
	list := make([]geom.Transform, len(numbers)/instanceFloats)
	for i := range list {
		f := numbers[instanceFloats*i:]
		t, ok := transform(geom.V(f[0], f[4], f[8]), geom.V(f[1], f[5], f[9]), geom.V(f[2], f[6], f[10]))
		if !ok {
			return nil, fmt.Errorf("%s: instance %d (byte %d): the matrix is flat or sheared, and must only turn, scale and move",
				name, i, headBytes+4*instanceFloats*i)
		}
		t.Position = geom.V(f[3], f[7], f[11])
		list[i] = t
	}
	return list, nil
}

// transform decomposes the matrix with three columns, and reports whether it can be.
func transform(x, y, z geom.Vec3) (geom.Transform, bool) {
	// The cosine of the angle between two columns: single precision leaves a thousandth of that.
	const skew = 1e-4
	const same = 1e-5 // lengths differ by less than this part of them, so they were meant to be one
	a, b, c := length(x), length(y), length(z)
	if !(min(a, b, c) > 0 && max(a, b, c) <= math.MaxFloat32) {
		return geom.Transform{}, false
	}
	if max(math.Abs(dot(x, y))/(a*b), math.Abs(dot(y, z))/(b*c), math.Abs(dot(z, x))/(c*a)) > skew {
		return geom.Transform{}, false
	}
	if mean := (a + b + c) / 3; max(a, b, c)-min(a, b, c) < same*mean {
		a, b, c = mean, mean, mean
	}
	t := geom.Transform{Rotation: geom.QuatLook(z.Neg(), y), Scale: geom.V(float32(a), float32(b), float32(c))}
	if t.Rotation.Rotate(geom.V(1, 0, 0)).Dot(x) < 0 { // it mirrors
		t.Scale.X = -t.Scale.X
	}
	return t, true
}

func dot(v, w geom.Vec3) float64 {
	return float64(float64(v.X)*float64(w.X)) + float64(float64(v.Y)*float64(w.Y)) + float64(float64(v.Z)*float64(w.Z))
}

func length(v geom.Vec3) float64 { return math.Sqrt(dot(v, v)) }

// ReadAnswers returns the answers of a .hits file to at most rays rays, in a world of the given
// number of colliders. They name a triangle if triangles, the size of the colliders' mesh, is not
// 0. The error names the file and the answer at fault: its T is negative, NaN or infinite, or its
// collider or triangle does not exist.
func ReadAnswers(name string, rays, colliders, triangles int) ([]Answer, error) {
	const miss = math.MaxUint32
	record := 8
	if triangles > 0 {
		record = 12
	}
	data, err := os.ReadFile(name)
	switch n := len(data); {
	case err != nil:
		return nil, err // names the file
	case n == 0:
		return nil, fmt.Errorf("%s: there are no answers", name)
	case n%record != 0:
		return nil, fmt.Errorf("%s: byte %d: %d bytes are left, and a record has %d", name, n/record*record, n%record, record)
	case n/record > rays:
		return nil, fmt.Errorf("%s: %d answers for %d rays", name, n/record, rays)
	}
	answers := make([]Answer, len(data)/record)
	for i := range answers {
		at := i * record
		t := math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))
		collider := binary.LittleEndian.Uint32(data[at+record-4:])
		a := Answer{t, Miss, -1}
		if !(t >= 0 && t <= math.MaxFloat32) {
			return nil, fmt.Errorf("%s: answer %d (byte %d): T is %g", name, i, at, t)
		}
		if collider != miss {
			if uint64(collider) >= uint64(colliders) {
				return nil, fmt.Errorf("%s: answer %d (byte %d): collider %d of %d", name, i, at, collider, colliders)
			}
			a.Collider = int32(collider)
			if triangles > 0 {
				triangle := binary.LittleEndian.Uint32(data[at+4:])
				if uint64(triangle) >= uint64(triangles) {
					return nil, fmt.Errorf("%s: answer %d (byte %d): triangle %d of %d", name, i, at, triangle, triangles)
				}
				a.Triangle = int32(triangle)
			}
		}
		answers[i] = a
	}
	return answers, nil
}

// readFloats returns the numbers that follow the head of a file. It is an error if the number of
// records differs from the head's, or a number is NaN or infinite.
func readFloats(name, magic string, record int, one, many string) ([]float32, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err // names the file
	}
	if len(data) < headBytes || string(data[:4]) != magic {
		return nil, fmt.Errorf("%s: no file of %s: want %s and their number at the start", name, many, magic)
	}
	count, body := uint64(binary.LittleEndian.Uint32(data[4:])), data[headBytes:]
	if count == 0 {
		return nil, fmt.Errorf("%s: there are no %s", name, many)
	}
	if want := count * uint64(record) * 4; uint64(len(body)) != want {
		return nil, fmt.Errorf("%s: %d bytes follow the head, and %d %s take %d", name, len(body), count, many, want)
	}
	numbers := make([]float32, len(body)/4)
	for i := range numbers {
		f := math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
		if f-f != 0 {
			return nil, fmt.Errorf("%s: %s %d (byte %d): %g is no number to place it by", name, one, i/record, headBytes+4*i, f)
		}
		numbers[i] = f
	}
	return numbers, nil
}
