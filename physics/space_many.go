package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// placing is the parallel part of [Space.SetTransforms].
type placing struct {
	loop       par.Loop[*placing]
	space      *Space
	ids        []ColliderID
	transforms []geom.Transform
	left       [][]int32 // by worker, colliders that do not stay where they are in the tree
}

// placeBatch is how many colliders a worker claims at a time.
const placeBatch = 256

// SetTransforms moves many colliders, on all processors. The result is that of
// [Space.SetTransform] of each, in order. It returns how many of the IDs are those of colliders.
// Panics if there are not as many transforms as IDs.
func (s *Space) SetTransforms(ids []ColliderID, transforms []geom.Transform) (set int) {
	if len(ids) != len(transforms) {
		panic("physics: Space.SetTransforms: there must be as many transforms as IDs")
	}
	if s.placing == nil {
		s.placing = new(placing)
	}
	for len(ids) > 0 {
		s.changing("SetTransforms")
		n, found := s.touchMany(ids)
		s.placing.run(s, ids[:n], transforms[:n])
		ids, transforms, set = ids[n:], transforms[n:], set+found
	}
	return set
}

// touchMany notes that colliders change, up to one that comes a second time, and returns the number
// of IDs before that, and how many of them are those of colliders.
func (s *Space) touchMany(ids []ColliderID) (n, found int) {
	for n, id := range ids {
		if s.lookup(id) == nil {
			continue
		}
		if s.each[id.index()] == s.version {
			return n, found
		}
		s.touch(id.index())
		found++
	}
	return len(ids), found
}

func (p *placing) run(s *Space, ids []ColliderID, transforms []geom.Transform) {
	p.space, p.ids, p.transforms = s, ids, transforms
	workers := par.Workers(len(ids), placeBatch)
	for len(p.left) < workers {
		p.left = append(p.left, nil)
	}
	p.loop.Run(p, workers, len(ids), placeBatch, (*placing).some)
	p.space, p.ids, p.transforms = nil, nil, nil
	s.boxes.Moved()
	s.unsettle()
	left := p.left[0]
	for i := 1; i < len(p.left); i++ {
		left = append(left, p.left[i]...)
		p.left[i] = p.left[i][:0]
	}
	slices.Sort(left)
	for _, i := range left {
		s.link(int(i))
	}
	p.left[0] = left[:0]
}

func (p *placing) some(worker, from, to int) {
	s := p.space
	var f placed.Frame // the parts of a body turn as one
	for k, id := range p.ids[from:to] {
		r := s.lookup(id)
		if r == nil {
			continue
		}
		i, t := id.index(), &p.transforms[from+k]
		if s.planar && !isFlat(t) {
			flat := t.Flat()
			t = &flat
		}
		s.give(i, t)
		r.place(s.details[i].shape, t, &f)
		// That of an empty box is infinite.
		const bounded = 1e30
		if box := r.loose(); r.where != inBoxes || !(r.slack < bounded || isBounded(box)) || !s.boxes.TrySet(uint32(i), box, r.static) {
			p.left[worker] = append(p.left[worker], int32(i))
		}
	}
}

// isFlat reports whether a transform is what Flat makes of it. It may be for more than it reports.
func isFlat(t *geom.Transform) bool {
	q, s := &t.Rotation, &t.Scale
	return math.Float32bits(t.Position.Z) == 0 && q.X == 0 && q.Y == 0 && s.X == s.Z
}
