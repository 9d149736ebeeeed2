// Package ply reads triangles from a PLY file in ASCII, the format of the Stanford 3D Scanning
// Repository: vertices whose first three properties are x, y and z, and then faces of three corners
// each. Faces of four corners and binary numbers are not supported and are errors.
//
// The format is Greg Turk's, of 1994.
package ply

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// ReadFile reads a file by [Decode]. The error names the file.
func ReadFile(name string) (vertices []geom.Vec3, indices []uint32, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err // names the file
	}
	defer file.Close()
	if vertices, indices, err = Decode(file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return vertices, indices, nil
}

// Decode returns the vertices and, three for each triangle, the indices of a file. The error names
// the line at fault and what was expected; it wraps [io.ErrUnexpectedEOF] if lines are missing.
// Memory is allocated for data that is read, not for counts in the header.
func Decode(r io.Reader) (vertices []geom.Vec3, indices []uint32, err error) {
	d := decoder{lines: bufio.NewScanner(r)}
	if err = d.header(); err == nil {
		vertices, err = d.readVertices()
	}
	if err == nil {
		indices, err = d.readFaces(len(vertices))
	}
	if err == nil {
		err = d.end()
	}
	switch {
	case err == nil:
		return vertices, indices, nil
	case errors.Is(err, bufio.ErrTooLong):
		d.line++ // the one that was not read
	}
	return nil, nil, fmt.Errorf("line %d: %w", d.line, err)
}

type decoder struct {
	lines  *bufio.Scanner
	line   int      // the number of the one that was read last
	fields []string // of that
	count  [2]int   // of vertices and faces
	width  int      // numbers that a vertex has
}

var elements = [2]string{"vertex", "face"}

// next reads the words of the next line, passing over empty ones.
func (d *decoder) next() error {
	for d.lines.Scan() {
		d.line++
		if d.fields = strings.Fields(d.lines.Text()); len(d.fields) > 0 {
			return nil
		}
	}
	if err := d.lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

func (d *decoder) header() error {
	for line, want := range [][]string{{"ply"}, {"format", "ascii", "1.0"}} {
		err := d.next()
		if err != nil {
			return fmt.Errorf("no PLY file: %w", err)
		}
		if !slices.Equal(d.fields, want) || d.line != line+1 {
			return fmt.Errorf("%.40q: want %q", strings.Join(d.fields, " "), strings.Join(want, " "))
		}
	}
	var properties [2][]string
	element := -1
	for {
		if err := d.next(); err != nil {
			return fmt.Errorf("header: %w", err)
		}
		switch f := d.fields; {
		case f[0] == "comment" || f[0] == "obj_info":
		case f[0] == "element" && len(f) == 3 && element+1 < len(elements) && f[1] == elements[element+1]:
			element++
			n, err := strconv.ParseUint(f[2], 10, 31)
			if err != nil {
				return fmt.Errorf("element %s: %w", f[1], err)
			}
			d.count[element] = int(n)
		case f[0] == "property" && len(f) >= 3 && element >= 0:
			properties[element] = append(properties[element], strings.Join(f[1:], " "))
		case len(f) == 1 && f[0] == "end_header":
			return d.check(element, properties)
		default:
			return fmt.Errorf("%.40q: only the elements vertex and face, in this order, can be read", strings.Join(f, " "))
		}
	}
}

// check returns an error if the header is not supported.
func (d *decoder) check(element int, properties [2][]string) error {
	if element != 1 {
		return errors.New("the header has no vertices and faces")
	}
	for k, p := range properties[0] {
		kind, name, _ := strings.Cut(p, " ")
		if kind == "list" || k < 3 && name != "xyz"[k:k+1] {
			return fmt.Errorf("property %.40q of a vertex: want numbers, x, y and z first", p)
		}
	}
	d.width = len(properties[0])
	faces := properties[1]
	if d.width < 3 || len(faces) != 1 || !strings.HasPrefix(faces[0], "list ") {
		return fmt.Errorf("%d properties of a vertex and %d of a face: want x, y and z, and one list", d.width, len(faces))
	}
	return nil
}

func (d *decoder) readVertices() ([]geom.Vec3, error) {
	var vertices []geom.Vec3
	for i := range d.count[0] {
		if err := d.next(); err != nil {
			return nil, fmt.Errorf("vertex %d of %d: %w", i, d.count[0], err)
		}
		if len(d.fields) != d.width {
			return nil, fmt.Errorf("vertex %d: %d numbers, and the header says %d", i, len(d.fields), d.width)
		}
		var xyz [3]float32
		for k := range d.fields {
			x, err := strconv.ParseFloat(d.fields[k], 32)
			if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
				err = fmt.Errorf("%s is not finite", d.fields[k])
			}
			if err != nil {
				return nil, fmt.Errorf("vertex %d: %w", i, err)
			}
			if k < len(xyz) {
				xyz[k] = float32(x)
			}
		}
		vertices = append(vertices, geom.V(xyz[0], xyz[1], xyz[2]))
	}
	return vertices, nil
}

func (d *decoder) readFaces(vertices int) ([]uint32, error) {
	var indices []uint32
	for i := range d.count[1] {
		if err := d.next(); err != nil {
			return nil, fmt.Errorf("face %d of %d: %w", i, d.count[1], err)
		}
		if len(d.fields) != 4 || d.fields[0] != "3" {
			return nil, fmt.Errorf("face %d: %.40q: want 3 and the numbers of three vertices", i, strings.Join(d.fields, " "))
		}
		for _, f := range d.fields[1:] {
			index, err := strconv.ParseUint(f, 10, 32)
			if err == nil && index >= uint64(vertices) {
				err = fmt.Errorf("vertex %d of %d", index, vertices)
			}
			if err != nil {
				return nil, fmt.Errorf("face %d: %w", i, err)
			}
			indices = append(indices, uint32(index))
		}
	}
	return indices, nil
}

// end returns an error if anything but empty lines follows.
func (d *decoder) end() error {
	switch err := d.next(); {
	case err == io.ErrUnexpectedEOF:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%.40q follows the last face", strings.Join(d.fields, " "))
}
