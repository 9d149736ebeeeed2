package wide

import (
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Trees of high quality may split space where medium ones can only part triangles: a triangle on
// both sides of the plane is then in both, each time with the box of its part there (Stich,
// Friedrich and Dietrich 2009). That keeps the boxes of long thin triangles small. A reference is a
// triangle and the box of a part of it.
//
// Boxes of references are rounded outward, by more than the rounding of the overlap tests, so that
// together they hold the whole triangle. The widening of boxes for rays covers the rounding of
// those.

const (
	// buckets is the largest number of intervals along an axis, between which planes are tried.
	buckets = 16
	// Planes are only tried if the overlap of the two sides has more area than these fractions, of
	// the bounds and of the set.
	overlapping     = 1e-5
	overlappingHere = 0.1
	// mostSplit is the largest number of triangles for which spatial splits are done: references
	// are numbered like triangles.
	mostSplit = MaxTriangles / 4
	// spareShare limits the additional references: one per spareShare triangles.
	spareShare = 2
)

// bucket is the interval between two planes: its box, and the numbers of references that begin and
// end there.
type bucket struct {
	box     box
	in, out int32
}

func (b *builder) spatialTree() Tree {
	n := len(b.indices) / 3
	spare := 0
	if n <= mostSplit {
		spare = n / spareShare
	}
	b.reset(n + spare)
	all := b.lay(n)
	all.spare = spare
	b.watch.did(n, readShare)
	b.setMeasure(&all.box, n)
	bounds := all.box.aabb()
	far := bounds.Min.Abs().Max(bounds.Max.Abs())
	b.parter = &spatial{builder: b, slack: 0x1p-44 * float64(max(far.X, far.Y, far.Z))}
	b.subtree(b.newSplitter(), 0, &all, 0)
	t := b.emit(bounds)
	t.findDuplicates(n)
	return t
}

type spatial struct {
	*builder
	slack float64 // by which boxes of references are widened, in metres
}

// split parts a set of references, and may cut some while there is spare capacity. Small sets are
// never cut, so that no leaf has a triangle twice.
func (s *spatial) split(w *splitter, all *set, depth int) (left, right set) {
	left, right = s.best(w, all, depth)
	// Both sides share the spare capacity in proportion to their references.
	count := left.count + right.count
	spare := all.spare - (count - all.count)
	left.spare = int(int64(spare) * int64(left.count) / int64(count))
	if right.spare = spare - left.spare; left.spare > 0 {
		to := right.first + left.spare
		copy(s.prims[to:to+right.count], s.prims[right.first:right.first+right.count])
		right.first = to
	}
	return left, right
}

func (s *spatial) best(w *splitter, all *set, depth int) (left, right set) {
	if !s.mayChoose(all.count, depth) {
		return s.halves(all)
	}
	prims := s.prims[all.first : all.first+all.count+all.spare]
	axis, at := w.place(prims[:all.count], &all.centers)
	cost := inf32
	if at > 0 {
		cost = w.costLeft[axis][at-1] + w.costRight[axis][at]
	}
	if all.spare > 0 && (at == 0 || s.isCluttered(all, &w.left[axis][at-1].box, &w.right[axis][at].box)) {
		if p := s.bestPlane(prims[:all.count], &all.box); p.cost < cost {
			if l, r := s.cutAll(prims, all.count, &p); l > 0 && r > 0 {
				return s.setOf(all.first, l), s.setOf(all.first+l, r)
			}
		}
	}
	if at > 0 {
		return s.part(w, all, axis, at)
	}
	return s.halves(all)
}

// isCluttered reports whether two sides of a set overlap so much that planes should be tried.
func (s *spatial) isCluttered(all *set, left, right *box) bool {
	overlap := *left
	overlap.clip(right)
	return !overlap.isEmpty() && s.measure.area(&overlap) > max(overlapping*s.total, overlappingHere*s.measure.area(&all.box))
}

// sideCost returns the cost of a side with so many references.
func (s *spatial) sideCost(b *box, count int) float32 {
	return float32(s.measure.area(b) * float32(count+leafShare))
}

// plane is a place to cut: before bucket at, along an axis.
type plane struct {
	scale
	axis, at          int
	left, right       int // numbers of references on either side
	leftBox, rightBox box
	cost              float32
}

// scale maps a coordinate to its bucket.
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

// edge returns the start of bucket i.
func (c scale) edge(i int) float32 { return float32(c.low + float64(c.step*float64(i))) }

// better sets p to the best of itself and the planes between the buckets.
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
		if cost := s.sideCost(&all, count) + s.sideCost(&rights[i], counts[i]); cost < p.cost {
			*p = plane{scale: c, axis: axis, at: i, left: count, right: counts[i], leftBox: all, rightBox: rights[i], cost: cost}
		}
	}
}

func emptyBuckets() (list [buckets]bucket) {
	for i := range list {
		list[i].box = emptyBox
	}
	return list
}

// clip intersects a box with another.
func (b *box) clip(c *box) {
	for i := range b {
		b[i] = max(b[i], c[i])
	}
}

func (b *box) isEmpty() bool { return b[0] > ^b[3] || b[1] > ^b[4] || b[2] > ^b[5] }

// bestPlane returns the best plane to cut the space within a box.
func (s *spatial) bestPlane(prims []prim, all *box) plane {
	best := plane{cost: inf32}
	cuts := max(4, min(buckets, len(prims)/4)) // for small sets, fewer are as good and much faster
	for axis := range 3 {
		c := newScale(unkey(all[axis]), unkey(^all[axis+3]), cuts)
		if !(c.edge(0) < c.edge(1) && c.edge(cuts-1) < c.edge(cuts)) {
			continue // too thin to be cut
		}
		list := emptyBuckets()
		for i := range prims {
			if s.watch.tick(i) {
				return plane{cost: inf32}
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

// cut returns the boxes of the two parts of a reference on either side of a plane; empty where
// there is none.
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

// extend grows a box by a point and a margin around it.
func (s *spatial) extend(b *box, p *[3]float64) {
	for i, x := range p {
		// One float32 further than rounding may have reduced it.
		b[i] = min(b[i], keyOf(float32(x-s.slack))-1)
		b[i+3] = min(b[i+3], ^(keyOf(float32(x+s.slack)) + 1))
	}
}

// cutAll cuts references at a plane, unless leaving one whole on either side costs less or there is
// no spare capacity, and moves those on the left to the front.
func (s *spatial) cutAll(prims []prim, count int, p *plane) (left, right int) {
	// Order: those left of the plane, those that it cuts, those to the right.
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
			prims[end] = prim{box: toRight, index: q.index}
			end++
			q.box = toLeft
			i++
		}
	}
	return last, end - last
}

// side decides where a reference that a plane cuts belongs: −1 to the left, 1 to the right, 0 on
// both sides. Left whole, it changes the sides of the plane.
func (s *spatial) side(p *plane, q *prim, leftEmpty, rightEmpty, spare bool) int {
	withLeft, withRight := p.leftBox, p.rightBox
	withLeft.grow(&q.box)
	withRight.grow(&q.box)
	both := s.sideCost(&p.leftBox, p.left) + s.sideCost(&p.rightBox, p.right)
	onlyLeft := s.sideCost(&withLeft, p.left) + s.sideCost(&p.rightBox, p.right-1)
	onlyRight := s.sideCost(&p.leftBox, p.left-1) + s.sideCost(&withRight, p.right)
	if !spare || leftEmpty || rightEmpty {
		both = inf32
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
