package wide

import (
	"math/bits"
)

// How the builder splits small sets: at the best of all places along the three axes. Near the
// leaves, the number of triangles predicts the cost badly: a leaf costs the same however full it
// is. So the cost of a side here is the number of leaves it may need, and it needs one if its
// triangles and their corners fit.

// smallSize is the largest number of triangles whose corners have a bit each in 64.
const smallSize = 21

type smallSet struct {
	prims   [smallSize]prim
	corners [smallSize]uint64 // of each triangle, a bit for each position
	order   [3][places]uint8  // the triangles by their centres along each axis
	keys    [3][places]int32
}

// leavesFor is the approximate number of packed leaves that hold triangles over so many positions,
// if not one: they share some.
var leavesFor = func() (list [65]float32) {
	for n := range list {
		list[n] = max(2, float32(n-2)/5)
	}
	return list
}()

// leaves returns the approximate number of packed leaves that some triangles need.
func leaves(n int, corners uint64) float32 {
	places := bits.OnesCount64(corners)
	switch {
	case n > width || places > width && places <= 12:
		return leavesFor[places]
	case places <= width:
		return 1
	}
	return 1.5 // a loose one
}

// smallSubtree is subtree for at most smallSize triangles.
func (b *builder) smallSubtree(w *splitter, i int, s *set, depth int) (end int, cost costs) {
	f := &w.small
	n := s.count
	prims := b.prims[s.first : s.first+n]
	copy(f.prims[:], prims)
	all := b.mark(f, n)
	f.sort(n)
	t := smallBuilder{b, w, s.first, i}
	cost = t.subtree(0, n, &s.box, all, depth)
	for k := range prims {
		prims[k] = f.prims[f.order[0][k]]
	}
	return t.end, cost
}

// mark assigns a bit to each position of a corner, and to each triangle the bits of its corners. It
// returns all bits.
func (b *builder) mark(f *smallSet, n int) uint64 {
	// Of a table of the places seen, no more than half full.
	const size = 128
	var table [size]struct{ place, bit uint32 } // of bits plus one
	count := uint32(0)
	for i := range n {
		at := 3 * int(f.prims[i].index)
		mask := uint64(0)
		for _, c := range b.indices[at : at+3] {
			v := b.weld[c]
			for k := v * 0x9e3779b1 >> 25; ; k++ {
				s := &table[k%size]
				if s.bit == 0 {
					count++
					s.place, s.bit = v, count
				}
				if s.place == v {
					mask |= 1 << ((s.bit - 1) & 63)
					break
				}
			}
		}
		f.corners[i] = mask
	}
	return 1<<count - 1
}

// sort orders the triangles along each axis; of nearly equal ones, the first comes first.
func (f *smallSet) sort(n int) {
	if assembly && useSIMD {
		sortSIMD(f, n)
		return
	}
	const slots = 31
	for axis := range 3 {
		keys := &f.keys[axis]
		for i := range n {
			k := keyOf(f.prims[i].center(axis))&^slots | int32(i)
			j := i
			for ; j > 0 && keys[j-1] > k; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
		for i := range n {
			f.order[axis][i] = uint8(keys[i] & slots)
		}
	}
}

// smallBuilder builds the binary tree over a small set.
type smallBuilder struct {
	b     *builder
	w     *splitter
	first int // of the triangles
	end   int // of the nodes so far
}

// subtree builds the subtree of the triangles in smallSet.order from first on.
func (t *smallBuilder) subtree(first, count int, all *box, corners uint64, depth int) costs {
	n := &t.b.nodes[t.end]
	t.end++
	*n = binary{box: *all, first: int32(t.first + first), count: int32(count)}
	f := fitsNone
	if count <= width {
		f = fitsLoose
		if bits.OnesCount64(corners) <= width {
			return t.b.planLeaf(n)
		}
	}
	at, left, right, leftCorners, rightCorners := t.split(first, count, all, depth)
	l := t.subtree(first, at, &left, leftCorners, depth+1)
	n.second = int32(t.end)
	r := t.subtree(first+at, count-at, &right, rightCorners, depth+1)
	return t.b.planNode(n, &l, &r, f)
}

// split chooses where to split the triangles in smallSet.order from first on, and reorders them.
func (t *smallBuilder) split(first, count int, all *box, depth int) (at int, left, right box, leftCorners, rightCorners uint64) {
	w, f := t.w, &t.w.small
	axis := 0
	if depth+1+levelsFor(count) <= t.b.depth {
		for a := range 3 {
			corners := uint64(0)
			order := f.order[a][first : first+count]
			for i, k := range order {
				corners |= f.corners[k]
				w.costLeft[a][i] = leaves(i+1, corners)
			}
			corners = 0
			for i := count - 1; i >= 0; i-- {
				corners |= f.corners[order[i]]
				w.costRight[a][i] = leaves(count-i, corners)
			}
		}
		w.scanSmall(first, count)
		if axis, at = w.choose(); at > 0 {
			left, right = w.left[axis][at-1].box, w.right[axis][at].box
		}
	}
	if at == 0 { // also if no cost is finite, at coordinates near the limit of float32
		at = count / 2
		left, right = emptyBox, emptyBox
		for i, k := range f.order[axis][first : first+count] {
			if i < at {
				left.grow(&f.prims[k].box)
			} else {
				right.grow(&f.prims[k].box)
			}
		}
	}
	lefts := uint32(0)
	for i, k := range f.order[axis][first : first+count] {
		if i < at {
			leftCorners |= f.corners[k]
			lefts |= 1 << k
		} else {
			rightCorners |= f.corners[k]
		}
	}
	for a := range 3 {
		if a == axis {
			continue
		}
		order := f.order[a][first : first+count]
		var later [smallSize]uint8
		l, r := 0, 0
		for _, k := range order {
			goes := int(lefts >> k & 1)
			order[l], later[r] = k, k
			l += goes
			r += 1 - goes
		}
		copy(order[l:], later[:r])
	}
	return
}

// scanSmall unites the boxes of triangles, in their order along each axis, from both ends, and
// multiplies costs by areas.
func (w *splitter) scanSmall(first, count int) {
	w.n = count
	if assembly && useSIMD {
		scanSmallSIMD(w, first)
		return
	}
	for axis := range 3 {
		order := w.small.order[axis][first : first+count]
		w.scanAxis(axis, func(i int) *box { return &w.small.prims[order[i]].box })
	}
}
