package meshio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// DecodeOBJ reads a Wavefront OBJ.
//
// Each group (g) of each object (o) becomes a part, named "object", "group" or "object/group", in
// the order of their first faces. A group that occurs again continues its part, and a file without
// groups and objects is one part without a name. Triangles keep the order of the faces.
//
// Polygons are triangulated; the triangles of a concave polygon stay inside it. Those that take
// too many comparisons are an error: see [Limits]. Indices may be negative, counting back from the
// last vertex so far; a face can refer only to vertices before it. A part has normals, and
// texture coordinates, if each corner of its faces has one. V is counted from the top, as in [UV]:
// it is 1 less that of the file. A part has colours if each of its vertices has three numbers after
// its coordinates, which are taken for sRGB. A normal, a texture coordinate or a colour that does
// not exist, or that is no finite number, is none, and no error. Lines, points, curves, smoothing
// groups, materials and unknown keywords are skipped.
//
// An error about the content is an [*Error] with the line.
func DecodeOBJ(r io.Reader) (*Model, error) { return Limits{}.DecodeOBJ(r) }

// DecodeOBJ is [DecodeOBJ] within the limits.
func (l Limits) DecodeOBJ(r io.Reader) (*Model, error) {
	text, err := readAll(r)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, atLine(1, "the text is UTF-16, want UTF-8")
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
		if p.unmapped {
			p.UVs = nil
		}
		if p.colorless {
			p.Colors = nil
		}
		model.Parts[i] = p.Part
	}
	return model, nil
}

type objDecoder struct {
	vertices, normals []geom.Vec3
	uvs               []UV
	colors            []Color // of the first vertices; A is 0 where there is none
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
	// A corner has no normal, no texture coordinate or no colour.
	bare, unmapped, colorless bool
}

// objCorner is a corner of a face: indices into the file's lists, from 0; normal and uv are −1 if
// there is none. They are int32 because a corner is the key of a map, where it takes the most of
// the memory.
type objCorner struct{ vertex, normal, uv int32 }

func (d *objDecoder) statement(line []byte) (err error) {
	word, rest := cutWord(line)
	switch string(word) {
	case "v":
		err = d.vertex(rest)
	case "vn":
		d.normal(rest)
	case "vt":
		d.uv(rest)
	case "f":
		err = d.face(rest)
	case "o":
		d.object, d.group, d.current = string(bytes.TrimSpace(rest)), "", nil
	case "g":
		d.group, d.current = string(bytes.TrimSpace(rest)), nil
	}
	return err
}

// readNumbers parses words until the line ends or dst is full, and returns how many: 0 if one of
// them is no finite number.
func readNumbers(dst []float32, line []byte) int {
	for n := range dst {
		word, rest := cutOBJWord(line)
		if len(word) == 0 {
			return n
		}
		var err error
		if dst[n], err = parseCoordinate(word); err != nil {
			return 0
		}
		line = rest
	}
	return len(dst)
}

// vertex parses a vertex: x y z, or x y z w, each with or without a colour r g b.
func (d *objDecoder) vertex(line []byte) error {
	var xyz [3]float32
	for i := range xyz {
		var word []byte
		if word, line = cutOBJWord(line); len(word) == 0 {
			return fmt.Errorf("a vertex has three coordinates, this one has %d", i)
		}
		x, err := parseCoordinate(word)
		if err != nil {
			return fmt.Errorf("vertex %d: %q %w", len(d.vertices)+1, clipped(word), err)
		}
		xyz[i] = x
	}
	d.vertices = append(d.vertices, geom.VecOf(xyz))
	var more [4]float32
	n := readNumbers(more[:], line)
	if n < 3 {
		return nil
	}
	for len(d.colors) < len(d.vertices)-1 {
		d.colors = append(d.colors, Color{})
	}
	d.colors = append(d.colors, Color{light(more[n-3]), light(more[n-2]), light(more[n-1]), 1})
	return nil
}

// light converts a channel of an sRGB colour to linear light (IEC 61966-2-1).
func light(x float32) float32 {
	if x <= 0.04045 {
		return float32(x / 12.92)
	}
	return float32(math.Pow((float64(x)+0.055)/1.055, 2.4))
}

// normal parses a normal. One that is damaged is NaN.
func (d *objDecoder) normal(line []byte) {
	var xyz [3]float32
	if readNumbers(xyz[:], line) < len(xyz) {
		xyz[0] = float32(math.NaN())
	}
	d.normals = append(d.normals, geom.VecOf(xyz))
}

// uv parses a texture coordinate: u, and v unless it is 0. A third coordinate is ignored. One that
// is damaged is NaN.
func (d *objDecoder) uv(line []byte) {
	uv := [2]float32{}
	if readNumbers(uv[:], line) == 0 {
		uv[0] = float32(math.NaN())
	}
	d.uvs = append(d.uvs, UV{uv[0], 1 - uv[1]})
}

// cutOBJWord is like cutWord, but the line ends at a comment.
func cutOBJWord(line []byte) (word, rest []byte) {
	word, rest = cutWord(line)
	if bytes.HasPrefix(word, []byte{'#'}) {
		return nil, nil
	}
	return word, rest
}

// longFace is the length of a face's line from which on its corners are counted first, in bytes.
const longFace = 4096

func (d *objDecoder) face(rest []byte) error {
	d.corners, d.points = d.corners[:0], d.points[:0]
	if len(rest) > longFace { // lists that grow would take several times their length in all
		n := 0
		for word, left := cutOBJWord(rest); len(word) > 0; word, left = cutOBJWord(left) {
			n++
		}
		d.corners, d.points = emptied(d.corners, n), emptied(d.points, n)
	}
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

// corner parses v, v/vt, v//vn or v/vt/vn. The vt and vn must be numbers, and may be out of range.
func (d *objDecoder) corner(word []byte) (c objCorner, err error) {
	v, rest, _ := bytes.Cut(word, []byte{'/'})
	vt, vn, _ := bytes.Cut(rest, []byte{'/'})
	if c.vertex, err = objIndex(v, "vertex", len(d.vertices)); err != nil {
		return c, err
	}
	if c.uv, err = optionalIndex(vt, "texture coordinate", len(d.uvs)); err != nil {
		return c, err
	}
	if c.uv >= 0 && d.uvs[c.uv].isDamaged() {
		c.uv = -1
	}
	if c.normal, err = optionalIndex(vn, "normal", len(d.normals)); c.normal >= 0 && !d.normals[c.normal].IsFinite() {
		c.normal = -1
	}
	return c, err
}

// optionalIndex is [objIndex], but −1 for an index that is missing or out of range.
func optionalIndex(word []byte, what string, n int) (int32, error) {
	if len(word) == 0 {
		return -1, nil
	}
	i, err := objIndex(word, what, n)
	if errors.Is(err, errOutOfRange) {
		return -1, nil
	}
	return i, err
}

var errOutOfRange = errors.New("out of range")

// objIndex converts an index of the file, from 1 or negative from the end, to an index into a list
// of n; −1 with an error.
func objIndex(word []byte, what string, n int) (int32, error) {
	i, err := strconv.Atoi(string(word))
	switch {
	case err != nil:
		return -1, fmt.Errorf("%q is not an index", clipped(word))
	case i > 0 && i <= n && i <= math.MaxInt32:
		return int32(i - 1), nil
	case i < 0 && i >= -n && n+i < math.MaxInt32:
		return int32(n + i), nil
	}
	return -1, fmt.Errorf("%s %d is %w, there are %d so far", what, i, errOutOfRange, n)
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
		if p.unmapped = p.unmapped || c.uv < 0; !p.unmapped {
			p.UVs = append(p.UVs, d.uvs[c.uv])
		}
		p.colorless = p.colorless || int(c.vertex) >= len(d.colors) || d.colors[c.vertex].A == 0
		if !p.colorless {
			p.Colors = append(p.Colors, d.colors[c.vertex])
		}
	}
	p.Indices = append(p.Indices, i)
}
