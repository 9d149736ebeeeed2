package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// around returns the triangles that have a corner at that of a triangle, itself among them, in
// their order. The list is valid until the next call.
func (t *triangles) around(i int32, corner int) []int32 {
	if !t.made {
		if len(t.faces) <= fewTriangles { // each is compared in less time than the tables take
			t.list = t.list[:0]
			for k := range t.faces {
				if t.faces[k].has(t.faces[i].c[corner]) {
					t.list = append(t.list, int32(k))
				}
			}
			return t.list
		}
		t.make()
	}
	id := t.ids[3*int(i)+corner]
	return t.list[t.start[id]:t.start[id+1]]
}

// sharing returns another triangle of a list than one, with a corner at a place; −1 if there is
// none.
func (t *triangles) sharing(list []int32, i int32, at geom.DVec3) int32 {
	for _, k := range list {
		if f := &t.faces[k]; k != i && f.has(at) && !f.thin {
			return k
		}
	}
	return -1
}

// beyond returns another triangle at an edge, −1 if there is none.
func (t *triangles) beyond(i int32, edge int) int32 {
	return t.sharing(t.around(i, edge), i, t.faces[i].c[(edge+1)%3])
}

// has reports whether a place is a corner.
func (f *face) has(at geom.DVec3) bool { return f.c[0] == at || f.c[1] == at || f.c[2] == at }

// make numbers the places of the corners, and lists the triangles at each.
func (t *triangles) make() {
	t.made = true
	size := 16
	for size < 6*len(t.faces) {
		size *= 2
	}
	if len(t.slots) < size {
		t.slots = make([]int32, size)
	} else {
		clear(t.slots[:size])
	}
	t.ids = t.ids[:0]
	t.start = append(t.start[:0], 0)
	for i := range t.faces {
		for _, v := range t.faces[i].c {
			at := hashOf(v) & (size - 1)
			for t.slots[at] != 0 && t.faces[(t.slots[at]-1)/3].c[(t.slots[at]-1)%3] != v {
				at = (at + 1) & (size - 1)
			}
			if t.slots[at] == 0 {
				t.slots[at] = int32(len(t.ids)) + 1
				t.ids = append(t.ids, int32(len(t.start)-1))
				t.start = append(t.start, 0)
			} else {
				t.ids = append(t.ids, t.ids[t.slots[at]-1])
			}
			t.start[t.ids[len(t.ids)-1]+1]++
		}
	}
	for i := 1; i < len(t.start); i++ {
		t.start[i] += t.start[i-1]
	}
	t.list = slices.Grow(t.list[:0], len(t.ids))[:len(t.ids)]
	t.spokes = slices.Grow(t.spokes[:0], len(t.ids))[:len(t.ids)]
	for i := len(t.ids) - 1; i >= 0; i-- {
		last := &t.start[t.ids[i]+1]
		*last--
		t.list[*last] = int32(i / 3)
		first := i / 3 * 3
		t.spokes[*last] = spoke{t.ids[first+(i-first+1)%3], t.ids[first+(i-first+2)%3]}
	}
	// Each entry is now the start of its own list, and the first is 0 as well.
	copy(t.start, t.start[1:])
	t.start[len(t.start)-1] = int32(len(t.list))
}

func hashOf(v geom.DVec3) int {
	x, y, z := math.Float64bits(v.X+0), math.Float64bits(v.Y+0), math.Float64bits(v.Z+0) // −0 is 0
	h := x*0x9e3779b97f4a7c15 ^ y*0xc2b2ae3d27d4eb4f ^ z*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return int(h >> 33)
}

// visitOn visits the triangles on which a place lies, until visit returns true. It returns whether
// that happened.
func (t *triangles) visitOn(at geom.DVec3, visit func(i int32) bool) bool {
	least := func(i int32) float64 { c := &t.faces[i].c; return min(c[0].X, c[1].X, c[2].X) }
	if !t.sorted {
		t.sorted = true
		t.byX, t.widest = t.byX[:0], 0
		for i := range t.faces {
			c := &t.faces[i].c
			t.byX = append(t.byX, int32(i))
			t.widest = max(t.widest, max(c[0].X, c[1].X, c[2].X)-least(int32(i)))
		}
		slices.SortFunc(t.byX, func(a, b int32) int { return cmp.Compare(least(a), least(b)) })
	}
	end, _ := slices.BinarySearchFunc(t.byX, at.X+t.same, func(i int32, x float64) int {
		if least(i) <= x {
			return -1
		}
		return 1
	})
	for k := end - 1; k >= 0; k-- {
		q := &t.faces[t.byX[k]]
		if least(t.byX[k]) < at.X-t.same-t.widest {
			break
		}
		if q.mayHold(at, t.same) && onTriangle(at, q.c[0], q.c[1], q.c[2]).Sub(at).Len() <= t.same && visit(t.byX[k]) {
			return true
		}
	}
	return false
}

// mayHold reports whether a place is in the bounds of a triangle, grown by the slack.
func (f *face) mayHold(at geom.DVec3, slack float64) bool {
	within := func(x, a, b, c float64) bool { return x >= min(a, b, c)-slack && x <= max(a, b, c)+slack }
	return within(at.X, f.c[0].X, f.c[1].X, f.c[2].X) && within(at.Y, f.c[0].Y, f.c[1].Y, f.c[2].Y) && within(at.Z, f.c[0].Z, f.c[1].Z, f.c[2].Z)
}
