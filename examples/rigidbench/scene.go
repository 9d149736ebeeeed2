package main

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// scene is what every engine is given: dynamic bodies, the ground, and joints.
type scene struct {
	name    string
	steps   int     // that are measured unless -steps says otherwise
	density float32 // of the bodies, kg/m³
	bodies  []bodyOf
	joints  []jointOf
	hull    []geom.Vec3 // the points of bodies of the kind prism
	walls   []geom.AABB // of a box that turns about Z, centred at the origin
	verts   []geom.Vec3 // of a terrain; without one and without walls the ground is a box
	idx     []uint32
	build   func(*world) error // of a stage, which has none of the above
}

// kind is the shape of a body. The numbers are those of the files.
type kind int

const (
	box kind = iota
	ball
	capsule // along Y
	prism   // a hull
)

// bodyOf is a dynamic body.
type bodyOf struct {
	kind kind
	// half is the half extents of a box; X is the radius of a ball or capsule, and Y half the
	// length of the capsule's axis.
	half, position geom.Vec3
	rotation       geom.Quat
	// fixed is a body that does not move, and lone one that collides with nothing.
	fixed, lone bool
}

// jointOf is a joint of two bodies: a ball with a cone and a twist, unless all three limits are 0,
// or a hinge. Points and the axis, of the twist or the hinge, are in the frames of the bodies.
// Angles are in radians.
type jointOf struct {
	a, b            int
	hinge           bool
	inA, inB, axis  geom.Vec3 // the axis in the frame of a
	low, high, cone float32
}

// readScene reads a scene from a file, compressed if its name ends with .gz. What is compressed may
// have at most so many bytes; 0: four times those of the file and a megabyte.
func readScene(name string, most int64) (*scene, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := &io.LimitedReader{R: file, N: math.MaxInt64}
	if strings.HasSuffix(name, ".gz") {
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		text.N = cmp.Or(most, 4*info.Size()+1<<20)
		if text.R, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	s, err := decodeScene(text)
	if err != nil && text.N == 0 {
		err = errors.New("too large when it is unpacked; -unpacked takes more")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.name, _, _ = strings.Cut(filepath.Base(name), ".")
	return s, nil
}

func decodeScene(r io.Reader) (*scene, error) {
	var file struct {
		Steps, Tumbler        int
		Density               float32
		Bodies, Joints, Walls [][]float32
		Hull, Verts           []float32
		Idx                   []uint32
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		return nil, err
	}
	s := &scene{steps: file.Steps, density: file.Density, idx: file.Idx}
	if s.steps < 1 || len(file.Bodies) == 0 {
		return nil, errors.New("no steps, or no bodies")
	}
	for i, b := range file.Bodies {
		if len(b) != 12 || b[0] < 0 || b[0] > float32(prism) {
			return nil, fmt.Errorf("body %d: %v: want a kind from 0 to 3 and 11 numbers more", i, b)
		}
		s.bodies = append(s.bodies, bodyOf{
			kind: kind(b[0]), half: geom.V(b[1], b[2], b[3]), position: geom.V(b[4], b[5], b[6]),
			rotation: geom.Quat{X: b[7], Y: b[8], Z: b[9], W: b[10]},
		})
	}
	for i, j := range file.Joints {
		n := float32(len(s.bodies))
		if len(j) != 15 || !(j[0] >= 0 && j[0] < n && j[1] >= 0 && j[1] < n) || j[2] != 0 && j[2] != 1 {
			return nil, fmt.Errorf("joint %d: %v: want two bodies, 0 for a ball or 1 for a hinge, and 12 numbers more", i, j)
		}
		s.joints = append(s.joints, jointOf{
			int(j[0]), int(j[1]), j[2] == 1, geom.V(j[3], j[4], j[5]), geom.V(j[6], j[7], j[8]), geom.V(j[9], j[10], j[11]), j[12], j[13], j[14],
		})
	}
	s.hull, s.verts = points(file.Hull), points(file.Verts)
	if file.Tumbler == 0 { // every file has the tumbler's walls
		file.Walls = nil
	}
	for i, w := range file.Walls {
		if len(w) != 6 {
			return nil, fmt.Errorf("wall %d: %v: want half extents and position", i, w)
		}
		s.walls = append(s.walls, geom.AABBAround(geom.V(w[3], w[4], w[5]), geom.V(w[0], w[1], w[2])))
	}
	return s, nil
}

// points returns numbers as points, without the rest of less than three.
func points(x []float32) (all []geom.Vec3) {
	for ; len(x) > 2; x = x[3:] {
		all = append(all, geom.V(x[0], x[1], x[2]))
	}
	return all
}
