package inspect

import (
	"image/color"
	"strings"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/lines"
)

// The answer to "/frame".

// box is the bounds of a collider or of a node of the tree, and what it is: of a frame "static",
// "sensor", "asleep" or "", of an explanation a verdict.
type box struct {
	ID       string `json:",omitempty"` // nameOf the collider; none for a node
	Min, Max [3]float32
	Is       string
	Shape    int          `json:",omitempty"` // from 1, of the frame's Shapes; 0 for none
	At       *[12]float32 `json:",omitempty"` // where the shape is: X, Y, Z and the origin
}

// plane is a collider that is a plane, as a point in it and its normal in world space.
type plane struct {
	ID            string // nameOf the collider
	Point, Normal [3]float32
	Is            string // as of a box
}

// planeOf returns the plane of a collider; ok is false for any other shape, and for what is
// nowhere or overflows.
func planeOf(id string, c *physics.Collider, planar bool, is string) (x plane, ok bool) {
	s, isPlane := c.Shape.(geom.Plane)
	m := placeOf(c, planar)
	back, isSomewhere := m.Inverse()
	if !isPlane || s.IsEmpty() || !isSomewhere {
		return x, false
	}
	point, normal := m.Point(s.ClosestPoint(geom.Vec3{})), back.Normal(s.Normal)
	return plane{id, point.Array(), normal.Array(), is}, point.IsFinite() && normal.IsFinite()
}

// placeOf returns where the shape of a collider is, in a planar space or in another.
func placeOf(c *physics.Collider, planar bool) geom.Affine {
	if planar {
		return c.Transform.Flat().Affine()
	}
	return c.Transform.Affine()
}

// nameOf returns the name of a collider without the word: the IDs of messages and of requests.
func nameOf(id physics.ColliderID) string { return strings.TrimPrefix(id.String(), "collider ") }

// boxOf returns the box of finite bounds; ok is false for a plane, which has none, and for what is
// nowhere.
func boxOf(id string, b geom.AABB, is string) (x box, ok bool) {
	return box{ID: id, Min: b.Min.Array(), Max: b.Max.Array(), Is: is}, !b.IsEmpty() && b.Min.IsFinite() && b.Max.IsFinite()
}

type frame struct {
	Tick      int
	Colliders int
	Planar    bool
	Boxes     []box
	Planes    []plane
	Shapes    [][]float32 // lines in the shape's own space, of six numbers each
	Bodies    int
	Asleep    int // colliders of bodies that are asleep
	Contacts  []contactPoint
	Rays      []castRay
	Times     []systemTime
	Looks     []int // ticks of the looks that are kept
	Control   bool
	Paused    bool
	Saves     []int // ticks to which the game can go back
	Left      int   // contacts and rays that are not listed
}

func frameOf(l *Look) *frame {
	s := l.space
	f := &frame{
		Tick: l.tick, Colliders: s.Len(), Planar: s.IsPlanar(), Boxes: make([]box, 0, s.Len()),
		Bodies: l.bodies, Asleep: len(l.asleep), Contacts: l.contacts, Rays: l.rays, Times: l.times, Left: l.left,
	}
	asleep := make(map[physics.ColliderID]bool, len(l.asleep))
	for _, id := range l.asleep {
		asleep[id] = true
	}
	var of shapes
	for id, c := range s.All() {
		is := ""
		switch {
		case c.Sensor:
			is = "sensor"
		case c.Static:
			is = "static"
		case asleep[id]:
			is = "asleep"
		}
		bounds, _ := s.Bounds(id)
		if b, ok := boxOf(nameOf(id), bounds, is); ok {
			b.Shape, b.At = of.place(&c, f.Planar)
			f.Boxes = append(f.Boxes, b)
		} else if p, ok := planeOf(nameOf(id), &c, f.Planar, is); ok {
			f.Planes = append(f.Planes, p)
		}
	}
	f.Shapes = of.list
	return f
}

// maxLines is the greatest number of lines of all shapes of an answer, of some 50 bytes each. The
// page draws what has none as its box.
const maxLines = 40_000

// shapes are the lines of each shape that colliders have, once.
type shapes struct {
	list  [][]float32
	known map[physics.Shape]int // from 1; 0 for none
	lines int
	scrap lines.List
}

// place returns the number of a collider's shape and where it is, or 0.
func (s *shapes) place(c *physics.Collider, planar bool) (n int, at *[12]float32) {
	if !turns(c.Shape) {
		return 0, nil
	}
	n, ok := s.known[c.Shape]
	if !ok {
		n = s.add(c.Shape, planar)
	}
	if n == 0 {
		return 0, nil
	}
	m := placeOf(c, planar)
	if !m.IsFinite() {
		return 0, nil
	}
	return n, &[12]float32{m.X.X, m.X.Y, m.X.Z, m.Y.X, m.Y.Y, m.Y.Z, m.Z.X, m.Z.Y, m.Z.Z, m.Origin.X, m.Origin.Y, m.Origin.Z}
}

// turns reports whether a shape turns as a whole with its transform: an AABB does not.
func turns(s physics.Shape) bool {
	switch s := s.(type) {
	case geom.AABB:
		return false
	case *physics.Compound:
		for i := range s.NumChildren() {
			if _, ok := s.Child(i).Shape.(geom.AABB); ok {
				return false
			}
		}
	}
	return true
}

func (s *shapes) add(shape physics.Shape, planar bool) (n int) {
	if maxLines-s.lines < maxLines/100 {
		return 0 // it is full, and further shapes need not be drawn to be left out
	}
	s.scrap.Clear()
	if planar {
		s.scrap.Outline(shape, geom.Transform{}, color.NRGBA{})
	} else {
		s.scrap.Shape(shape, geom.Transform{}, color.NRGBA{})
	}
	if s.known == nil {
		s.known = map[physics.Shape]int{}
	}
	if k := s.scrap.Len(); k > 0 && s.lines+k <= maxLines {
		s.lines += k
		list := make([]float32, 0, 6*k)
		for _, l := range s.scrap.Segments() {
			list = append(list, l.A.X, l.A.Y, l.A.Z, l.B.X, l.B.Y, l.B.Z)
		}
		s.list = append(s.list, list)
		n = len(s.list)
	}
	s.known[shape] = n
	return n
}
