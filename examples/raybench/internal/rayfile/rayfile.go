// Package rayfile reads and writes files of rays and of their answers, and compares answers.
// Everything is little-endian and without a header, so that a C program reads a file straight into
// an array:
//
//   - a .rays file has eight float32 a ray: origin, direction, MinT, MaxT;
//   - a .hits file has a float32 and a uint32 a ray, in the same order: T and triangle, or 0 and
//     [Miss].
package rayfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Miss is the triangle of a ray that hits nothing.
const Miss = math.MaxUint32

const (
	rayBytes = 32
	hitBytes = 8
)

// Hit is the answer to one ray. For any hit, T is 0 and Triangle is 0 or [Miss].
type Hit struct {
	T        float32
	Triangle uint32
}

// ReadRays returns the rays of a file. The error names the file and the ray at fault: there is
// none, the last one is cut off, or one can hit nothing, by [geom.Ray.IsValid] or because its range
// is 0…0, as in a file of another kind. A MaxT of 0, which is no limit in a [geom.Ray], is a limit
// in a file.
func ReadRays(name string) ([]geom.Ray, error) {
	words, err := read(name, rayBytes, "rays")
	if err != nil {
		return nil, err
	}
	rays := make([]geom.Ray, len(words)*4/rayBytes)
	for i := range rays {
		var f [rayBytes / 4]float32
		for k := range f {
			f[k] = math.Float32frombits(words[i*len(f)+k])
		}
		r := geom.Ray{Origin: geom.V(f[0], f[1], f[2]), Dir: geom.V(f[3], f[4], f[5]), MinT: f[6], MaxT: f[7]}
		if !r.IsValid() || r.MaxT == 0 {
			return nil, fmt.Errorf("%s: ray %d (byte %d): from %v towards %v, T from %g to %g, can hit nothing",
				name, i, i*rayBytes, r.Origin, r.Dir, r.MinT, r.MaxT)
		}
		rays[i] = r
	}
	return rays, nil
}

// ReadHits returns the answers of a file, which must have one for each ray. The error names the
// file and the record at fault: a T that is negative, NaN or infinite, or a triangle that the mesh
// does not have.
func ReadHits(name string, rays, triangles int) ([]Hit, error) {
	words, err := read(name, hitBytes, "hits")
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(words)*4/hitBytes)
	if len(hits) != rays {
		return nil, fmt.Errorf("%s: %d hits for %d rays", name, len(hits), rays)
	}
	for i := range hits {
		h := Hit{math.Float32frombits(words[2*i]), words[2*i+1]}
		if !(h.T >= 0 && h.T <= math.MaxFloat32) {
			return nil, fmt.Errorf("%s: hit %d (byte %d): T is %g", name, i, i*hitBytes, h.T)
		}
		if h.Triangle != Miss && uint64(h.Triangle) >= uint64(triangles) {
			return nil, fmt.Errorf("%s: hit %d (byte %d): triangle %d of %d", name, i, i*hitBytes, h.Triangle, triangles)
		}
		hits[i] = h
	}
	return hits, nil
}

func read(name string, record int, what string) ([]uint32, error) {
	data, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, err // names the file
	case len(data) == 0:
		return nil, fmt.Errorf("%s: there are no %s", name, what)
	case len(data)%record != 0:
		return nil, fmt.Errorf("%s: byte %d: %d bytes are left, and a record has %d",
			name, len(data)/record*record, len(data)%record, record)
	}
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words, nil
}

// WriteRays writes rays to a file, which it replaces. [ReadRays] returns the same rays, except that
// a MaxT of 0, which is no limit, becomes +Inf. The error names the file.
func WriteRays(name string, rays []geom.Ray) error {
	data := make([]byte, 0, len(rays)*rayBytes)
	for _, r := range rays {
		_, r.MaxT = r.Range()
		for _, x := range [...]float32{r.Origin.X, r.Origin.Y, r.Origin.Z, r.Dir.X, r.Dir.Y, r.Dir.Z, r.MinT, r.MaxT} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	return os.WriteFile(name, data, 0o666)
}

// WriteHits writes answers to a file, which it replaces. The error names the file.
func WriteHits(name string, hits []Hit) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	var record [hitBytes]byte
	for _, h := range hits {
		binary.LittleEndian.PutUint32(record[:], math.Float32bits(h.T))
		binary.LittleEndian.PutUint32(record[4:], h.Triangle)
		_, _ = w.Write(record[:]) // Flush returns the error
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Agreement counts how answers differ from the true ones.
type Agreement struct {
	Lost     int // hits that were missed
	Invented int // misses that were hit
	// Hits on another triangle than the true one, as there may be where several are at the same T.
	Others int
	WorstT float64 // the largest difference of T, in parts of the true T
}

// Compare compares answers with as many true ones. If exact is not set, it compares only whether
// there is a hit.
func Compare(answers, truth []Hit, exact bool) Agreement {
	var a Agreement
	for i, want := range truth {
		got := answers[i]
		switch {
		case got.Triangle == Miss && want.Triangle == Miss:
		case got.Triangle == Miss:
			a.Lost++
		case want.Triangle == Miss:
			a.Invented++
		case exact:
			if got.Triangle != want.Triangle {
				a.Others++
			}
			if got.T != want.T { // where both are 0 the quotient would be NaN
				a.WorstT = max(a.WorstT, math.Abs(float64(got.T)-float64(want.T))/float64(want.T))
			}
		}
	}
	return a
}
