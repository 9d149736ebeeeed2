package wide

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// High trees may cut space where medium ones can only part triangles: a triangle on both sides of the plane then is in both, each
// time with the box of what is left of it there (Stich, Friedrich and Dietrich 2009). That keeps the boxes of long thin triangles
// small. What is cut off is a reference: a triangle and a box.
//
// Boxes of references are rounded outward, by more than the rounding of the tests of volumes, so that together they hold the
// whole triangle. That boxes are widened for rays makes up for the rounding of those.

const (
	// buckets is the number of places along an axis at which a plane is tried.
	buckets = 16
	// Only where two sides overlap by so much, in parts of everything and of both, is it worth looking for a plane.
	overlapping     = 1e-5
	overlappingHere = 0.1
	// mostSplit is the largest number of triangles for which triangles are cut: references must be numbered too.
	mostSplit = MaxTriangles / 4
	// spareShare is how many more references than triangles there may be, one in so many.
	spareShare = 2
)

// bucket is what lies between two planes: its box, and how many references begin there and how many end.
type bucket struct {
	box     box
	in, out int32
}

func (b *builder) spatialTree() Tree {
	n := len(b.indices) / 3
	room := 0
	if n <= mostSplit {
		room = n / spareShare
	}
	b.reset(n + room)
	all := emptyBox
	for i := range n {
		if b.watch.tick(i) {
			return Tree{}
		}
		p := &b.prims[i]
		p.box, p.index = boxOf(b.triangleBox(int32(i))), int32(i)
		p.center = middle(&p.box)
		all.grow(&p.box)
	}
	b.watch.did(n, readShare)
	b.measure(&all)
	bounds := all.aabb()
	far := bounds.Min.Abs().Max(bounds.Max.Abs())
	s := spatial{builder: b, slack: 0x1p-44 * float64(max(far.X, far.Y, far.Z))}
	s.subtree(0, 0, n, room, &all, 0)
	t := b.emit(bounds)
	t.findDoubles(n)
	return t
}

// middle returns the middle of a box. Halved first, as the sum of two coordinates may overflow.
func middle(c *box) (m [3]float32) {
	for axis := range m {
		m[axis] = float32(unkey(c[axis])/2) + float32(unkey(^c[axis+3])/2)
	}
	return m
}

type spatial struct {
	*builder
	slack float64 // by which boxes of references are widened
}

// subtree builds what is below a box, as node i. There is room behind the references for so many more.
func (s *spatial) subtree(i, first, count, room int, all *box, depth int) {
	n := &s.nodes[i]
	*n = binary{box: *all, first: int32(first), count: int32(count)}
	fit := s.fit(s.prims[first : first+count])
	if fit == fitsPacked {
		s.planLeaf(n)
		return
	}
	if count <= curveSize {
		room = 0 // What may become a leaf is never cut, so that it has no triangle twice, and stays in one piece.
	}
	left, right := s.split(s.prims[first:first+count+room], count, all, depth)
	room -= left + right - count
	count = left + right
	if s.watch.below(left, right) {
		return
	}
	// Both sides get of the room what is their part of the references.
	share := int(int64(room) * int64(left) / int64(count))
	second := first + left + share
	copy(s.prims[second:second+right], s.prims[first+left:first+count])
	l, r := i+1, i+2*(left+share)
	n.second = int32(r)
	boxes := [2]box{unionOf(s.prims[first : first+left]), unionOf(s.prims[second : second+right])}
	s.both(count,
		func() { s.subtree(l, first, left, share, &boxes[0], depth+1) },
		func() { s.subtree(r, second, right, room-share, &boxes[1], depth+1) })
	s.planNode(n, &s.nodes[l], &s.nodes[r], fit)
}

// split reorders so many references, and may cut some, as long as all have room. It returns how many are on the left side, which
// come first, and how many on the right.
func (s *spatial) split(prims []prim, count int, all *box, depth int) (left, right int) {
	room := len(prims) - count
	whole := prims[:count]
	if depth+1+levelsFor(count) <= s.depth {
		if count <= curveSize {
			left = s.splitFew(whole)
			return left, count - left
		}
		object := s.objectPlane(whole)
		if room > 0 && (object.left == 0 || s.weight(&object.overlap) > max(overlapping*s.total, overlappingHere*s.weight(all))) {
			if p := s.spatialPlane(whole, all); p.cost < object.cost {
				if left, right = s.cutAll(prims, count, &p); left > 0 && right > 0 {
					return left, right
				}
			}
		}
		if object.left > 0 {
			i, j := 0, count-1
			for i <= j {
				if object.bin(whole[i].center[object.axis]) < object.at {
					i++
				} else {
					whole[i], whole[j] = whole[j], whole[i]
					j--
				}
			}
			return i, count - i
		}
	}
	if !s.watch.stop() {
		halve(whole)
	}
	return count / 2, count - count/2
}

// plane is a place to split: before the bucket at, along an axis.
type plane struct {
	scale
	axis, at          int
	left, right       int // how many references are on either side; 0 if there is no place
	leftBox, rightBox box
	overlap           box
	cost              float64 // in triangle tests, times the weight of the whole
}

// scale tells in which bucket a coordinate is.
type scale struct {
	low, step, inverse float64
	count              int
}

func newScale(low, high float32, count int) scale {
	step := (float64(high) - float64(low)) / float64(count)
	return scale{float64(low), step, 1 / step, count}
}

func (c scale) bin(x float32) int {
	return max(0, min(c.count-1, int((float64(x)-c.low)*c.inverse)))
}

// edge returns where bucket i begins.
func (c scale) edge(i int) float32 { return float32(c.low + float64(c.step*float64(i))) }

// better lets p be the best of itself and the places between the buckets.
func (s *spatial) better(p *plane, axis int, c scale, list *[buckets]bucket) {
	var rights [buckets]box
	var counts [buckets]int
	all, count := emptyBox, 0
	for i := buckets - 1; i > 0; i-- {
		all.grow(&list[i].box)
		count += int(list[i].out)
		rights[i], counts[i] = all, count
	}
	all, count = emptyBox, 0
	for i := 1; i < buckets; i++ {
		all.grow(&list[i-1].box)
		count += int(list[i-1].in)
		if count == 0 || counts[i] == 0 {
			continue
		}
		if cost := float64(float64(count)*s.weight(&all)) + float64(float64(counts[i])*s.weight(&rights[i])); cost < p.cost {
			*p = plane{scale: c, axis: axis, at: i, left: count, right: counts[i], leftBox: all, rightBox: rights[i], cost: cost}
		}
	}
}

// objectPlane returns the best place to part the references by the middles of their boxes.
func (s *spatial) objectPlane(prims []prim) plane {
	best := plane{cost: math.Inf(1)}
	centers := emptyBox
	for i := range prims {
		if s.watch.tick(i) {
			return plane{}
		}
		for axis, x := range prims[i].center {
			k := keyOf(x)
			centers[axis], centers[axis+3] = min(centers[axis], k), min(centers[axis+3], ^k)
		}
	}
	for axis := range 3 {
		low, high := unkey(centers[axis]), unkey(^centers[axis+3])
		if !(low < high) {
			continue
		}
		c := newScale(low, high, buckets)
		list := emptyBuckets()
		for i := range prims {
			if s.watch.tick(i) {
				return plane{}
			}
			k := &list[c.bin(prims[i].center[axis])]
			k.box.grow(&prims[i].box)
			k.in++
			k.out++
		}
		s.better(&best, axis, c, &list)
	}
	best.overlap = best.leftBox
	best.overlap.clip(&best.rightBox)
	if best.overlap.isEmpty() {
		best.overlap = box{}
	}
	return best
}

func emptyBuckets() (list [buckets]bucket) {
	for i := range list {
		list[i].box = emptyBox
	}
	return list
}

// clip leaves of a box what is in another one too.
func (b *box) clip(c *box) {
	for i := range b {
		b[i] = max(b[i], c[i])
	}
}

func (b *box) isEmpty() bool { return b[0] > ^b[3] || b[1] > ^b[4] || b[2] > ^b[5] }

// spatialPlane returns the best place to cut the space within a box.
func (s *spatial) spatialPlane(prims []prim, all *box) plane {
	best := plane{cost: math.Inf(1)}
	cuts := max(4, min(buckets, len(prims)/4)) // for a few, fewer are as good and much faster
	for axis := range 3 {
		c := newScale(unkey(all[axis]), unkey(^all[axis+3]), cuts)
		if !(c.edge(0) < c.edge(1) && c.edge(cuts-1) < c.edge(cuts)) {
			continue // too thin to be cut
		}
		list := emptyBuckets()
		for i := range prims {
			if s.watch.tick(i) {
				return plane{cost: math.Inf(1)}
			}
			rest := prims[i]
			first, last := c.bin(unkey(rest.box[axis])), c.bin(unkey(^rest.box[axis+3]))
			list[first].in++
			list[last].out++
			for k := first; k < last; k++ {
				left, right := s.cut(&rest, axis, c.edge(k+1))
				if !left.isEmpty() {
					list[k].box.grow(&left)
				}
				rest.box = right
				if right.isEmpty() {
					break
				}
			}
			if !rest.box.isEmpty() {
				list[last].box.grow(&rest.box)
			}
		}
		s.better(&best, axis, c, &list)
	}
	return best
}

// cut returns the boxes of what of a reference lies on either side of a plane; empty where nothing does.
func (s *spatial) cut(p *prim, axis int, at float32) (left, right box) {
	left, right = emptyBox, emptyBox
	corners := s.indices[3*int(p.index) : 3*int(p.index)+3]
	x := float64(at)
	from := wideOf(s.vertices[corners[2]])
	for _, c := range corners {
		to := wideOf(s.vertices[c])
		if to[axis] <= x {
			s.extend(&left, &to)
		}
		if to[axis] >= x {
			s.extend(&right, &to)
		}
		if from[axis] < x && x < to[axis] || to[axis] < x && x < from[axis] {
			f := (x - from[axis]) / (to[axis] - from[axis])
			var on [3]float64
			for i := range on {
				on[i] = from[i] + float64(f*(to[i]-from[i]))
			}
			on[axis] = x
			s.extend(&left, &on)
			s.extend(&right, &on)
		}
		from = to
	}
	key := keyOf(at)
	left[axis+3] = max(left[axis+3], ^key)
	right[axis] = max(right[axis], key)
	left.clip(&p.box)
	right.clip(&p.box)
	return left, right
}

func wideOf(v geom.Vec3) [3]float64 { return [3]float64{float64(v.X), float64(v.Y), float64(v.Z)} }

// extend lets a box hold a point with a little around it.
func (s *spatial) extend(b *box, p *[3]float64) {
	for i, x := range p {
		// A step further than rounding may have come back.
		b[i] = min(b[i], keyOf(float32(x-s.slack))-1)
		b[i+3] = min(b[i+3], ^(keyOf(float32(x+s.slack)) + 1))
	}
}

// cutAll cuts so many references at a plane, unless that costs more than to leave one whole on either side or there is no room, and
// puts those on the left first.
func (s *spatial) cutAll(prims []prim, count int, p *plane) (left, right int) {
	// First come those left of the plane, then those that it meets, then those to the right.
	first, last := 0, count
	for i := 0; i < last; {
		q := &prims[i]
		switch {
		case p.bin(unkey(^q.box[p.axis+3])) < p.at:
			prims[first], prims[i] = prims[i], prims[first]
			first++
			i++
		case p.bin(unkey(q.box[p.axis])) >= p.at:
			last--
			prims[i], prims[last] = prims[last], prims[i]
		default:
			i++
		}
	}
	at, end := p.edge(p.at), count
	for i := first; i < last; {
		q := &prims[i]
		toLeft, toRight := s.cut(q, p.axis, at)
		switch s.side(p, q, toLeft.isEmpty(), toRight.isEmpty(), end < len(prims)) {
		case -1:
			i++
		case 1:
			last--
			prims[i], prims[last] = prims[last], prims[i]
		default:
			prims[end] = prim{box: toRight, center: middle(&toRight), index: q.index}
			end++
			q.box, q.center = toLeft, middle(&toLeft)
			i++
		}
	}
	return last, end - last
}

// side says where a reference belongs that a plane meets: −1 to the left, 1 to the right, 0 on both sides. Where it is left whole
// the sides of the plane change by it.
func (s *spatial) side(p *plane, q *prim, leftEmpty, rightEmpty, room bool) int {
	withLeft, withRight := p.leftBox, p.rightBox
	withLeft.grow(&q.box)
	withRight.grow(&q.box)
	l, r := s.weight(&p.leftBox), s.weight(&p.rightBox)
	lefts, rights := float64(p.left), float64(p.right)
	both := float64(l*lefts) + float64(r*rights)
	onlyLeft := float64(s.weight(&withLeft)*lefts) + float64(r*(rights-1))
	onlyRight := float64(l*(lefts-1)) + float64(s.weight(&withRight)*rights)
	if !room || leftEmpty || rightEmpty {
		both = math.Inf(1)
	}
	switch {
	case leftEmpty, !rightEmpty && onlyRight < min(both, onlyLeft):
		p.left, p.rightBox = p.left-1, withRight
		return 1
	case rightEmpty, onlyLeft <= both:
		p.right, p.leftBox = p.right-1, withLeft
		return -1
	}
	return 0
}

// splitFew sorts a few references by the axis that is best to part them along, and returns the place.
func (s *spatial) splitFew(prims []prim) (at int) {
	best, along := math.Inf(1), 0
	sort := func(axis int) {
		slices.SortFunc(prims, func(p, q prim) int {
			return cmp.Or(cmp.Compare(p.center[axis], q.center[axis]), cmp.Compare(p.index, q.index))
		})
	}
	for axis := range 3 {
		sort(axis)
		if i, cost := s.bestAlong(prims); cost < best {
			best, at, along = cost, i, axis
		}
	}
	sort(along)
	return at
}
