package meshio

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// DecodeOBJ reads a Wavefront OBJ.
//
// Each group (g) of each object (o) becomes a part, named "object", "group" or "object/group", in
// the order of their first faces. A group that occurs again continues its part, and a file without
// groups and objects is one part without a name. Triangles keep the order of the faces.
//
// Polygons are triangulated; the triangles of a concave polygon stay inside it. One whose ears take
// more than 3,000 comparisons a corner to find is an error. Indices may be negative, counting back
// from the last vertex so far; a face can refer only to vertices before it. A part has normals if
// each corner of its faces has one. Texture coordinates, lines, points, curves, smoothing groups,
// materials and unknown keywords are skipped.
//
// An error about the content is an [*Error] with the line.
func DecodeOBJ(r io.Reader) (*Model, error) { return Limits{}.DecodeOBJ(r) }

// DecodeOBJ is [DecodeOBJ] within the limits.
func (l Limits) DecodeOBJ(r io.Reader) (*Model, error) {
	text, err := readAll(r)
	if err != nil {
		return nil, err
	}
	d := objDecoder{parts: map[[2]string]*objPart{}, budget: l.budget()}
	d.budget.read = int64(len(text))
	last := 1
	for line, words := range logicalLines(skipBOM(text)) {
		last = line
		if err := d.statement(words); err != nil {
			return nil, &Error{Line: line, Err: err}
		}
	}
	if len(d.order) == 0 {
		return nil, atLine(last, "the file ends without a face")
	}
	model := &Model{Parts: make([]Part, len(d.order))}
	for i, p := range d.order {
		if p.bare {
			p.Normals = nil
		}
		model.Parts[i] = p.Part
	}
	return model, nil
}

type objDecoder struct {
	vertices, normals []geom.Vec3
	object, group     string
	parts             map[[2]string]*objPart // by object and group
	order             []*objPart
	budget            budget
	current           *objPart // nil if the name has changed since the last face

	// Scratch memory for a face.
	corners []objCorner
	points  []geom.Vec3
	cutter  triangulator
}

// objPart is a part under construction. A vertex with two normals becomes two vertices.
type objPart struct {
	Part
	index map[objCorner]uint32
	bare  bool // a corner has no normal
}

// objCorner is a corner of a face: indices into the file's lists, from 0; normal is −1 if there is
// none.
type objCorner struct{ vertex, normal int }

func (d *objDecoder) statement(line []byte) (err error) {
	word, rest := cutWord(line)
	switch string(word) {
	case "v":
		d.vertices, err = appendTriple(d.vertices, "vertex", rest)
	case "vn":
		d.normals, err = appendTriple(d.normals, "normal", rest)
	case "f":
		err = d.face(rest)
	case "o":
		d.object, d.group, d.current = string(bytes.TrimSpace(rest)), "", nil
	case "g":
		d.group, d.current = string(bytes.TrimSpace(rest)), nil
	}
	return err
}

// appendTriple parses three coordinates and ignores the rest of the line, a weight or a colour.
func appendTriple(list []geom.Vec3, what string, rest []byte) ([]geom.Vec3, error) {
	var xyz [3]float32
	for i := range xyz {
		var word []byte
		if word, rest = cutOBJWord(rest); len(word) == 0 {
			return list, fmt.Errorf("a %s has three coordinates, this one has %d", what, i)
		}
		x, err := parseCoordinate(word)
		if err != nil {
			return list, fmt.Errorf("%s %d: %q %w", what, len(list)+1, clipped(word), err)
		}
		xyz[i] = x
	}
	return append(list, geom.VecOf(xyz)), nil
}

// cutOBJWord is like cutWord, but the line ends at a comment.
func cutOBJWord(line []byte) (word, rest []byte) {
	word, rest = cutWord(line)
	if bytes.HasPrefix(word, []byte{'#'}) {
		return nil, nil
	}
	return word, rest
}

func (d *objDecoder) face(rest []byte) error {
	d.corners, d.points = d.corners[:0], d.points[:0]
	for {
		var word []byte
		if word, rest = cutOBJWord(rest); len(word) == 0 {
			break
		}
		c, err := d.corner(word)
		if err != nil {
			return fmt.Errorf("corner %q: %w", clipped(word), err)
		}
		d.corners = append(d.corners, c)
		d.points = append(d.points, d.vertices[c.vertex])
	}
	if len(d.corners) < 3 {
		return fmt.Errorf("a face has three corners or more, this one has %d", len(d.corners))
	}
	triangles, steps := d.cutter.cut(d.points, d.budget.stepsLeft())
	if d.budget.steps += steps; d.budget.stepsLeft() < 0 {
		return fmt.Errorf("concave faces up to this one, of %d corners, take more than %d steps to divide, the limit of meshio.Limits",
			len(d.corners), d.budget.stepLimit())
	}
	p, err := d.part()
	if err != nil {
		return err
	}
	for _, t := range triangles {
		for _, i := range t {
			p.add(d, d.corners[i])
		}
	}
	return nil
}

// corner parses v, v/vt, v//vn or v/vt/vn. The vt must be a number and is otherwise ignored.
func (d *objDecoder) corner(word []byte) (c objCorner, err error) {
	v, rest, _ := bytes.Cut(word, []byte{'/'})
	vt, vn, hasNormal := bytes.Cut(rest, []byte{'/'})
	if c.vertex, err = objIndex(v, "vertex", len(d.vertices)); err != nil {
		return c, err
	}
	if len(vt) > 0 {
		if _, err := strconv.Atoi(string(vt)); err != nil {
			return c, fmt.Errorf("%q is not an index", clipped(vt))
		}
	}
	c.normal = -1
	if hasNormal {
		c.normal, err = objIndex(vn, "normal", len(d.normals))
	}
	return c, err
}

// objIndex converts an index of the file, from 1 or negative from the end, to an index into a list
// of n.
func objIndex(word []byte, what string, n int) (int, error) {
	i, err := strconv.Atoi(string(word))
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not an index", clipped(word))
	case i > 0 && i <= n:
		return i - 1, nil
	case i < 0 && i >= -n:
		return n + i, nil
	}
	return 0, fmt.Errorf("%s %d is out of range, there are %d so far", what, i, n)
}

// part returns the part of the current object and group.
func (d *objDecoder) part() (*objPart, error) {
	if d.current != nil {
		return d.current, nil
	}
	key := [2]string{d.object, d.group}
	p := d.parts[key]
	if p == nil {
		if err := d.budget.spend(partBytes + 2*int64(len(d.object)+len(d.group))); err != nil {
			return nil, err
		}
		name := d.object + "/" + d.group
		if d.object == "" || d.group == "" {
			name = d.object + d.group
		}
		p = &objPart{Part: Part{Name: name}, index: map[objCorner]uint32{}}
		d.parts[key] = p
		d.order = append(d.order, p)
	}
	d.current = p
	return p, nil
}

func (p *objPart) add(d *objDecoder, c objCorner) {
	i, ok := p.index[c]
	if !ok {
		i = uint32(len(p.Vertices))
		p.index[c] = i
		p.Vertices = append(p.Vertices, d.vertices[c.vertex])
		if c.normal < 0 {
			p.bare = true
		}
		if !p.bare {
			p.Normals = append(p.Normals, d.normals[c.normal].Normalize())
		}
	}
	p.Indices = append(p.Indices, i)
}
