package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// stars finds the parts of a Joiner around a place. Its tables are made on first use after reset.
type stars struct {
	made  bool
	slots []int32 // a hash table of corners: 1 + 3·part + corner of the first at a place
	ids   []int32 // of each corner
	start []int32 // of the parts of each id
	list  []int32

	sorted bool
	byX    []int32 // parts by their least x
	widest float64

	near  []nearPart
	taken []bool
	left  int // parts that are not taken
	stack []int32
}

// nearPart is a part with the distance of the shape's middle from it, and from its plane.
type nearPart struct {
	distance, height float64
	part, triangle   int32
}

func (n nearPart) compare(o nearPart) int {
	return cmp.Or(cmp.Compare(n.distance, o.distance), cmp.Compare(n.triangle, o.triangle))
}

func (s *stars) reset() { s.made, s.sorted = false, false }

func (s *stars) take(part int32) {
	s.taken[part] = true
	s.left--
}

// around returns the parts that have a corner at that of a part, in the order in which they were
// added.
func (s *stars) around(j *Joiner, p *part, corner int) []int32 {
	if !s.made {
		s.make(j)
	}
	id := s.ids[3*int(p.index)+corner]
	return s.list[s.start[id]:s.start[id+1]]
}

// make numbers the places of the corners, and lists the parts at each.
func (s *stars) make(j *Joiner) {
	s.made = true
	size := 16
	for size < 6*len(j.parts) {
		size *= 2
	}
	if len(s.slots) < size {
		s.slots = make([]int32, size)
	} else {
		clear(s.slots[:size])
	}
	s.ids = s.ids[:0]
	s.start = append(s.start[:0], 0)
	for i := range j.parts {
		for _, v := range j.parts[i].c {
			at := hashOf(v) & (size - 1)
			for s.slots[at] != 0 && j.parts[(s.slots[at]-1)/3].c[(s.slots[at]-1)%3] != v {
				at = (at + 1) & (size - 1)
			}
			if s.slots[at] == 0 {
				s.slots[at] = int32(len(s.ids)) + 1
				s.ids = append(s.ids, int32(len(s.start)-1))
				s.start = append(s.start, 0)
			} else {
				s.ids = append(s.ids, s.ids[s.slots[at]-1])
			}
			s.start[s.ids[len(s.ids)-1]+1]++
		}
	}
	for i := 1; i < len(s.start); i++ {
		s.start[i] += s.start[i-1]
	}
	s.list = slices.Grow(s.list[:0], len(s.ids))[:len(s.ids)]
	for i := len(s.ids) - 1; i >= 0; i-- {
		last := &s.start[s.ids[i]+1]
		*last--
		s.list[*last] = int32(i / 3)
	}
	// Each entry is now the start of its own list, and the first is 0 as well.
	copy(s.start, s.start[1:])
	s.start[len(s.start)-1] = int32(len(s.list))
}

func hashOf(v geom.DVec3) int {
	x, y, z := math.Float64bits(v.X+0), math.Float64bits(v.Y+0), math.Float64bits(v.Z+0) // −0 is 0
	h := x*0x9e3779b97f4a7c15 ^ y*0xc2b2ae3d27d4eb4f ^ z*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int(h >> 33)
}

// visitOn visits the parts on which a place lies, until visit returns true. It returns whether that
// happened.
func (s *stars) visitOn(j *Joiner, at geom.DVec3, visit func(q *part) bool) bool {
	least := func(i int32) float64 { c := &j.parts[i].c; return min(c[0].X, c[1].X, c[2].X) }
	if !s.sorted {
		s.sorted = true
		s.byX, s.widest = s.byX[:0], 0
		for i := range j.parts {
			c := &j.parts[i].c
			s.byX = append(s.byX, int32(i))
			s.widest = max(s.widest, max(c[0].X, c[1].X, c[2].X)-least(int32(i)))
		}
		slices.SortFunc(s.byX, func(a, b int32) int { return cmp.Compare(least(a), least(b)) })
	}
	end, _ := slices.BinarySearchFunc(s.byX, at.X+j.same, func(i int32, x float64) int {
		if least(i) <= x {
			return -1
		}
		return 1
	})
	for k := end - 1; k >= 0; k-- {
		q := &j.parts[s.byX[k]]
		if least(s.byX[k]) < at.X-j.same-s.widest {
			break
		}
		if q.mayHold(at, j.same) && onTriangle(at, q.c[0], q.c[1], q.c[2]).Sub(at).Len() <= j.same && visit(q) {
			return true
		}
	}
	return false
}

// mayHold reports whether a place is in the bounds of a triangle, grown by the slack.
func (p *part) mayHold(at geom.DVec3, slack float64) bool {
	within := func(x, a, b, c float64) bool { return x >= min(a, b, c)-slack && x <= max(a, b, c)+slack }
	return within(at.X, p.c[0].X, p.c[1].X, p.c[2].X) && within(at.Y, p.c[0].Y, p.c[1].Y, p.c[2].Y) && within(at.Z, p.c[0].Z, p.c[1].Z, p.c[2].Z)
}
