package inspect

import (
	"strings"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The answer to "/frame".

// box is the bounds of a collider or of a node of the tree, and what it is: of a frame "static",
// "sensor", "asleep" or "", of an explanation a verdict.
type box struct {
	ID       string `json:",omitempty"` // nameOf the collider; none for a node
	Min, Max [3]float32
	Is       string
}

// nameOf returns the name of a collider without the word: the IDs of messages and of requests.
func nameOf(id physics.ColliderID) string { return strings.TrimPrefix(id.String(), "collider ") }

// boxOf returns the box of finite bounds; ok is false for a plane, which has none, and for what is
// nowhere.
func boxOf(id string, b geom.AABB, is string) (x box, ok bool) {
	return box{id, b.Min.Array(), b.Max.Array(), is}, !b.IsEmpty() && b.Min.IsFinite() && b.Max.IsFinite()
}

type frame struct {
	Tick      int
	Colliders int
	Planar    bool
	Boxes     []box
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
			f.Boxes = append(f.Boxes, b)
		}
	}
	return f
}
