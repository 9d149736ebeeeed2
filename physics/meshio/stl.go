package meshio

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A binary STL is a header of 80 bytes, the number of triangles, and 50 bytes for each triangle.
const (
	stlCount    = 80
	stlHeader   = 84
	stlTriangle = 50
)

// DecodeSTL reads an STL, text or binary. Corners at exactly the same position become one vertex.
//
// A file is binary if its size matches its triangle count, whatever it begins with: many binary
// files begin with the word "solid". Each solid of a text becomes a part with its name; a binary
// file is one part without a name. The normals of facets are ignored: corners in counter-clockwise
// order determine them, and many writers leave them zero or NaN.
//
// An error about the content is an [*Error] with the line or the byte.
func DecodeSTL(r io.Reader) (*Model, error) { return Limits{}.DecodeSTL(r) }

// DecodeSTL is [DecodeSTL] within the limits.
func (l Limits) DecodeSTL(r io.Reader) (*Model, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, err
	}
	claimed := int64(-1) // the size according to the triangle count
	if len(data) >= stlHeader {
		claimed = stlHeader + stlTriangle*int64(binary.LittleEndian.Uint32(data[stlCount:]))
	}
	if claimed != int64(len(data)) && isTextSTL(data) {
		b := l.budget()
		b.read = int64(len(data))
		return decodeTextSTL(data, &b)
	}
	switch {
	case claimed < 0:
		return nil, atByte(int64(len(data)), "the file ends within the %d bytes that an STL begins with", stlHeader)
	case claimed > int64(len(data)):
		return nil, atByte(stlCount, "claims %d triangles, which take %d bytes, but the file has %d",
			(claimed-stlHeader)/stlTriangle, claimed, len(data))
	case claimed == stlHeader:
		return nil, atByte(stlCount, "the file has no triangles")
	}
	return decodeBinarySTL(data[:claimed])
}

// isTextSTL reports whether data begins with the word "solid" and has no zero byte in the first
// 1024 bytes. A damaged binary file has zero bytes in its padded header and coordinates.
func isTextSTL(data []byte) bool {
	word, _ := cutWord(skipBOM(data))
	return bytes.EqualFold(word, []byte("solid")) && !bytes.Contains(data[:min(len(data), 1024)], []byte{0})
}

func decodeBinarySTL(data []byte) (*Model, error) {
	var w welder
	indices := make([]uint32, 0, (len(data)-stlHeader)/stlTriangle*3)
	for at := stlHeader; at < len(data); at += stlTriangle {
		// The normal is 12 bytes, and so is each corner.
		for corner := at + 12; corner < at+48; corner += 12 {
			v := readVec3(data[corner:])
			if !v.IsFinite() {
				return nil, atByte(int64(corner), "triangle %d: the corner %v is not finite", len(indices)/3, v)
			}
			indices = append(indices, w.add(v))
		}
	}
	return &Model{Parts: []Part{{Vertices: w.vertices, Indices: indices}}}, nil
}

func readVec3(b []byte) geom.Vec3 {
	return geom.Vec3{X: readFloat32(b), Y: readFloat32(b[4:]), Z: readFloat32(b[8:])}
}

func readFloat32(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

func decodeTextSTL(data []byte, b *budget) (*Model, error) {
	s := stlScanner{rest: skipBOM(data), line: 1}
	model := &Model{}
	for {
		word := s.word()
		if len(word) == 0 {
			break
		}
		if err := s.want("solid", word); err != nil {
			return nil, err
		}
		part, err := s.solid()
		if err != nil {
			return nil, err
		}
		if len(part.Indices) > 0 {
			if err := b.spend(partBytes); err != nil {
				return nil, atLine(s.line, "%w", err)
			}
			model.Parts = append(model.Parts, part)
		}
	}
	if len(model.Parts) == 0 {
		return nil, atLine(s.line, "the file ends without a facet")
	}
	return model, nil
}

// stlScanner splits a text STL into words. line is the line of the last word.
type stlScanner struct {
	rest []byte
	line int
}

func (s *stlScanner) word() []byte {
	start := 0
	for start < len(s.rest) && isSpace(s.rest[start]) {
		if s.rest[start] == '\n' {
			s.line++
		}
		start++
	}
	word, rest := cutWord(s.rest[start:])
	s.rest = rest
	return word
}

// want returns an error unless word is the keyword that the grammar requires here.
func (s *stlScanner) want(keyword string, word []byte) error {
	switch {
	case bytes.EqualFold(word, []byte(keyword)):
		return nil
	case len(word) == 0:
		return atLine(s.line, "the file ends where %q is expected", keyword)
	}
	return atLine(s.line, "%q where %q is expected", clipped(word), keyword)
}

// solid reads a solid, from after the word "solid" to the end of the line of "endsolid".
func (s *stlScanner) solid() (Part, error) {
	name, _ := cutLine(s.rest)
	s.rest = s.rest[len(name):]
	part := Part{Name: string(bytes.TrimSpace(name))}
	var w welder
	for {
		word := s.word()
		if bytes.EqualFold(word, []byte("endsolid")) {
			line, _ := cutLine(s.rest)
			s.rest = s.rest[len(line):]
			part.Vertices = w.vertices
			return part, nil
		}
		if len(word) == 0 {
			return part, atLine(s.line, "the file ends within a solid")
		}
		if err := s.facet(word, &w, &part); err != nil {
			return part, err
		}
	}
}

func (s *stlScanner) facet(word []byte, w *welder, part *Part) error {
	if err := s.want("facet", word); err != nil {
		return err
	}
	if err := s.want("normal", s.word()); err != nil {
		return err
	}
	for range 3 {
		if word := s.word(); bytes.EqualFold(word, []byte("outer")) {
			return atLine(s.line, "a normal has three coordinates")
		}
	}
	for _, keyword := range [...]string{"outer", "loop"} {
		if err := s.want(keyword, s.word()); err != nil {
			return err
		}
	}
	for range 3 {
		if err := s.want("vertex", s.word()); err != nil {
			return err
		}
		var xyz [3]float32
		for i := range xyz {
			word := s.word()
			if len(word) == 0 {
				return atLine(s.line, "the file ends within a vertex")
			}
			x, err := parseCoordinate(word)
			if err != nil {
				return atLine(s.line, "%q %w", clipped(word), err)
			}
			xyz[i] = x
		}
		part.Indices = append(part.Indices, w.add(geom.VecOf(xyz)))
	}
	for _, keyword := range [...]string{"endloop", "endfacet"} {
		if err := s.want(keyword, s.word()); err != nil {
			return err
		}
	}
	return nil
}
