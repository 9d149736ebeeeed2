package narrow

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// triangles are the triangles of a mesh that are touched, or near. They are found around a place in
// tables that are made on first use.
type triangles struct {
	faces    []face
	sided    bool       // the middle of the other shape decides on which side it is
	pastRim  bool       // that middle is beyond an open edge: triangles disagree about its side
	middle   geom.DVec3 // of the other shape
	decided  bool       // the sides of all triangles fit together: see Joiner.Join
	same     float64    // in metres: places no further apart are one
	rounding float64    // of coordinates, in metres
	numbers  map[int32]int32

	made   bool
	slots  []int32 // a hash table of corners: 1 + 3·face + corner of the first at a place
	ids    []int32 // of each corner
	start  []int32 // of the faces of each id
	list   []int32
	spokes []spoke // beside the list

	sorted bool
	byX    []int32 // faces by their least x
	widest float64

	near   []nearFace
	taken  []bool
	sides  []int8 // of the faces, thinSide of thin ones: all that spread reads of them
	left   int    // faces that are not taken
	first  int8   // the side of the first that was taken
	turned bool   // triangles that share an edge run along it the same way
	loose  []loose
	stack  []int32

	partial bool // a way out over a corner depends on triangles there that are missing
}

// spoke holds the ids of the corners of a triangle that come after and before one of it.
type spoke struct{ next, prev int32 }

// face is a triangle.
type face struct {
	c      [3]geom.DVec3
	u      geom.DVec3 // unit normal
	edges  Edges
	size   float64 // of the shape, and its volume
	volume float64
	number int32 // in the mesh
	side   int8  // on which the other shape is: 1 in front, −1 behind, 0 unknown
	thin   bool
	joins  bool // it contributes to the way out that is being collected
}

const thinSide = 2 // see triangles.sides

// nearFace is a face with the distance of the other shape's middle from it, and from its plane.
type nearFace struct {
	distance, height float64
	face             int32
}

func (n nearFace) compare(o nearFace) int {
	return cmp.Or(cmp.Compare(n.distance, o.distance), cmp.Compare(n.face, o.face))
}

// reset drops all triangles. If it is not sided, the side of the other shape is unknown.
func (t *triangles) reset(middle geom.DVec3, sided bool) {
	t.decided = false
	t.faces, t.middle, t.sided, t.made, t.sorted, t.partial, t.pastRim, t.taken, t.sides = t.faces[:0], middle, sided, false, false, false, false, t.taken[:0], t.sides[:0]
	clear(t.numbers)
}

// add adds a triangle and returns its index.
func (t *triangles) add(number int32, e *Edges, s *Shape) int32 {
	f := face{c: s.triangle(), u: s.u, edges: *e, size: s.size, volume: s.volume, number: number, side: 1, thin: s.IsThin()}
	switch {
	case !t.sided:
		f.side = 0
	case t.middle.Sub(f.c[0]).Dot(f.u) < 0:
		f.side = -1
	}
	t.faces = append(t.faces, f)
	return int32(len(t.faces) - 1)
}

// addOnce adds a triangle, unless it is there, and returns its index.
func (t *triangles) addOnce(number int32, e *Edges, s *Shape) int32 {
	if t.numbers == nil {
		t.numbers = map[int32]int32{}
	}
	i, ok := t.numbers[number]
	if !ok {
		i = t.add(number, e, s)
		t.numbers[number] = i
	}
	return i
}

// arrange sorts the triangles by number. It returns the new index of each, nil if none changed.
func (t *triangles) arrange() []int32 {
	order := func(a, b face) int { return cmp.Compare(a.number, b.number) }
	if slices.IsSortedFunc(t.faces, order) {
		return nil
	}
	t.stack = t.stack[:0]
	for i := range t.faces {
		t.stack = append(t.stack, int32(i))
	}
	slices.SortFunc(t.stack, func(a, b int32) int { return cmp.Compare(t.faces[a].number, t.faces[b].number) })
	t.list = slices.Grow(t.list[:0], len(t.faces))[:len(t.faces)]
	for to, from := range t.stack {
		t.list[from] = int32(to)
	}
	slices.SortFunc(t.faces, order)
	return t.list
}

// shape makes s the triangle.
func (f *face) shape(s *Shape) {
	s.setCorners(f.c[0], f.c[1], f.c[2])
	s.u, s.size, s.volume = f.u, f.size, f.volume
}

// reach returns the support function along n.
func (f *face) reach(n geom.DVec3) float64 { return max(f.c[0].Dot(n), f.c[1].Dot(n), f.c[2].Dot(n)) }

// faces reports whether the normal on the side of the other shape is along n.
func (f *face) faces(n geom.DVec3) bool {
	high := f.u.Dot(n)
	return !f.thin && (float64(high*float64(f.side)) >= sameNormal || f.side == 0 && math.Abs(high) >= sameNormal)
}

// rises reports whether a triangle rises above the plane across a direction at a place of it.
func (t *triangles) rises(f *face, at, n geom.DVec3) bool {
	for i := range f.c {
		d := f.c[i].Sub(at)
		if high := d.Dot(n); high > t.rounding && high > float64(leaning*d.Len())+t.rounding {
			return true
		}
	}
	return false
}

// hasWay reports whether a direction is a way out of the surface at a triangle, for a shape of an
// extent in metres.
func (t *triangles) hasWay(i int32, n geom.DVec3, extent float64) bool {
	f := &t.faces[i]
	if f.thin {
		return true
	}
	s, at := f.edges.stand(&f.c, f.u, n)
	switch s {
	case wrong:
		return false
	case overFace:
		return f.side == 0 || n.Dot(f.u)*float64(f.side) > 0
	}
	return t.standsAt(i, s, at, n, extent)
}

// mayHaveWay is false only for a direction that hasWay excludes by the triangle and the bends at
// its edges alone.
func (t *triangles) mayHaveWay(i int32, n geom.DVec3, extent float64) bool {
	f := &t.faces[i]
	if f.thin {
		return true
	}
	switch s, at := f.edges.stand(&f.c, f.u, n); s {
	case wrong:
		return false
	case overFace:
		return f.side == 0 || n.Dot(f.u)*float64(f.side) > 0
	case overEdge:
		return !t.leadsIn(i, at, n, extent)
	case overCorner:
		for _, e := range [2]int{at, (at + 2) % 3} {
			if !f.edges.isOpen(e) && !f.edges.allows(e, &f.c, f.u, n, roundedTurn) {
				return false
			}
		}
	}
	return true
}

// standsAt reports whether a direction over an edge or a corner is a way out.
func (t *triangles) standsAt(i int32, s stand, at int, n geom.DVec3, extent float64) bool {
	switch s {
	case overEdge:
		return !t.leadsIn(i, at, n, extent)
	case overCorner:
		return t.isSummit(i, at, n, extent)
	}
	return s == overRim
}

// leadsPast reports whether a way out leads the middle of the other shape through the surface: the
// middle is behind the plane across the way. A flat shape may lie behind it as a whole.
func (t *triangles) leadsPast(i int32, n geom.DVec3, extent float64) bool {
	return t.sided && t.faces[i].reach(n)-t.middle.Dot(n) > pastMiddle*extent
}

// leadsIn reports whether a way out over an edge leads to the other side of the surface than that
// on which the other shape is.
func (t *triangles) leadsIn(i int32, edge int, n geom.DVec3, extent float64) bool {
	if !t.decided {
		return t.leadsPast(i, n, extent)
	}
	f := &t.faces[i]
	return !t.pastRim && float64(f.edges[edge])*float64(f.side) < 0
}

// isSummit reports whether no triangle around a corner of another rises above the plane across a
// direction there.
func (t *triangles) isSummit(i int32, corner int, n geom.DVec3, extent float64) bool {
	at := t.faces[i].c[corner]
	around := t.around(i, corner)
	for _, k := range around {
		if t.rises(&t.faces[k], at, n) {
			return false
		}
	}
	open := false
	for _, k := range around {
		f := &t.faces[k]
		for e := range f.edges {
			switch {
			case f.thin || f.c[e] != at && f.c[(e+1)%3] != at:
			case f.edges.isOpen(e):
				open = true
			case !f.edges.allows(e, &f.c, f.u, n, leaning) && t.isMissing(around, k, e, at):
				t.partial = true
				return false
			}
		}
	}
	if open {
		for _, k := range around {
			for e := range 3 {
				t.partial = t.partial || t.isMissing(around, k, e, at)
			}
		}
		return !t.isBelow(i, at, n)
	}
	if !t.decided {
		return !t.leadsPast(i, n, extent)
	}
	most := 0.0
	for _, k := range around {
		f := &t.faces[k]
		if high := f.u.Dot(n) * float64(f.side); !f.thin && math.Abs(high) > math.Abs(most) {
			most = high
		}
	}
	return t.pastRim || most >= 0
}

// isMissing reports whether the triangle beyond an edge at a place is not in a list, as the shape
// does not touch it.
func (t *triangles) isMissing(list []int32, i int32, edge int, at geom.DVec3) bool {
	f := &t.faces[i]
	return !f.thin && !f.edges.isOpen(edge) && (f.c[edge] == at || f.c[(edge+1)%3] == at) && t.sharing(list, i, f.otherEnd(edge, at)) < 0 &&
		!slices.ContainsFunc(list, func(k int32) bool { return k != i && t.hasAlong(k, f.c[edge], f.c[next[edge]]) })
}

// hasAlong reports whether an edge of a triangle lies along another one.
func (t *triangles) hasAlong(i int32, a, b geom.DVec3) bool {
	f := &t.faces[i]
	for k := range f.c {
		if _, ok := t.areAlong(a, b, f.c[k], f.c[next[k]]); ok && !f.thin {
			return true
		}
	}
	return false
}

// otherEnd returns the end of an edge that is not at a place.
func (f *face) otherEnd(edge int, at geom.DVec3) geom.DVec3 {
	if f.c[edge] == at {
		edge = (edge + 1) % 3
	}
	return f.c[edge]
}

// isBelow reports whether a triangle other than one rises above the plane across a direction at a
// place that lies on it.
func (t *triangles) isBelow(i int32, at, n geom.DVec3) bool {
	return t.visitOn(at, func(k int32) bool { return k != i && !t.faces[k].thin && t.rises(&t.faces[k], at, n) })
}

// goesOn reports whether a flat surface goes on over an edge, with contacts there too.
func (t *triangles) goesOn(i int32, edge int) bool {
	if t.faces[i].edges[edge] != 0 {
		return false
	}
	k := t.beyond(i, edge)
	return k >= 0 && t.faces[k].joins
}

// isWithin reports whether a flat surface goes on all around an edge or a corner of a triangle.
func (t *triangles) isWithin(i int32, f Feature) bool {
	k := f.Index()
	switch {
	case t.faces[i].thin:
		return false
	case f.IsEdge():
		return t.goesOn(i, k)
	case f.IsVertex():
		return t.goesOn(i, k) && t.goesOn(i, (k+2)%3)
	}
	return false
}

// takeSides decides on which side of each triangle the other shape is. If triangles that share an
// edge disagree, those nearest to the middle of the shape decide for all that are connected with
// them: a crate on a block that overhangs its side is behind the plane of that side, and yet
// outside.
func (t *triangles) takeSides() {
	front, back := false, false
	for i := range t.faces {
		f := &t.faces[i]
		front, back = front || !f.thin && f.side > 0, back || !f.thin && f.side < 0
	}
	if !front || !back {
		return
	}
	t.near = t.near[:0]
	for i := range t.faces {
		if f := &t.faces[i]; !f.thin {
			at := onTriangle(t.middle, f.c[0], f.c[1], f.c[2])
			t.near = append(t.near, nearFace{t.middle.Sub(at).Len(), math.Abs(t.middle.Sub(f.c[0]).Dot(f.u)), int32(i)})
		}
	}
	first := slices.MinFunc(t.near, nearFace.compare)
	t.pastRim = t.isOnRim(first.face)
	t.taken = append(t.taken[:0], make([]bool, len(t.faces))...)
	if t.left = len(t.near); t.spread(t.seed(t.near, &first)) == 0 {
		return
	}
	slices.SortFunc(t.near, nearFace.compare)
	for i := range t.near {
		n := &t.near[i]
		if t.taken[n.face] {
			continue
		}
		end := i + 1
		for end < len(t.near) && t.near[end].distance <= float64(n.distance*(1+asNearMiddle)) {
			end++
		}
		if t.spread(t.seed(t.near[i:end], n)) == 0 {
			return
		}
	}
}

// isOnRim reports whether the point of a triangle that is nearest to the middle of the other shape
// is on an open edge.
func (t *triangles) isOnRim(i int32) bool {
	f := &t.faces[i]
	for e := range f.c {
		if f.edges.isOpen(e) && t.isNearest(f, e) {
			return true
		}
	}
	return false
}

// isNearest reports whether the point of a triangle that is nearest to the middle of the other
// shape is on an edge.
func (t *triangles) isNearest(f *face, edge int) bool {
	at := onTriangle(t.middle, f.c[0], f.c[1], f.c[2])
	a, along := f.c[edge], f.c[next[edge]].Sub(f.c[edge])
	return along.Cross(at.Sub(a)).Len() <= float64(t.rounding*along.Len())
}

// takeSide decides on the side of a triangle, and of all that are connected with it, by a way out
// over one of its edges, or over a corner around which no triangle rises: the directions over what
// turns down are in front.
func (t *triangles) takeSide(i int32, n geom.DVec3, extent float64) {
	f := &t.faces[i]
	if len(t.taken) != len(t.faces) {
		t.taken = append(t.taken[:0], make([]bool, len(t.faces))...)
	}
	if f.thin || t.taken[i] {
		return
	}
	back := false
	switch s, at := f.edges.stand(&f.c, f.u, n); {
	case s == overEdge && f.edges[at] != 0:
		back = f.edges[at] < 0
	case s == overCorner && math.Abs(f.u.Dot(n)) > uprightFace && t.isSummit(i, at, n, extent):
		back = f.u.Dot(n) < 0
	default:
		return
	}
	if f.side = 1; back {
		f.side = -1
	}
	t.spread(i)
}

// seed returns the triangle that decides on the side, of those as near to the middle as one: that
// which the middle is furthest above. If the middle is nearest to an edge of the first one that is
// convex as seen from the other side, the triangle beyond counts too: what is over one face of a
// convex corner is outside, however far it is behind the others. Of others that go on there in
// triangles that are missing, it is on the same side as of the first, unless they go on flat and it
// is before their front: the two sides of a wall need not be joined.
func (t *triangles) seed(list []nearFace, nearest *nearFace) int32 {
	limit := float64(nearest.distance * (1 + asNearMiddle))
	best := nearest
	for k := range list {
		if n := &list[k]; n.distance <= limit && !t.taken[n.face] && n.height > best.height {
			best = n
		}
	}
	f := &t.faces[best.face]
	first := t.left == len(t.near)
	for e, b := range f.edges {
		if f.edges.isOpen(e) || !t.isNearest(f, e) {
			continue
		}
		if !first {
			if !t.pastRim && !t.turned && (b != 0 || f.side < 0) {
				f.side = t.first
			}
			break
		}
		if side := float64(f.side); side*float64(b) < 0 {
			over := f.over(e)
			if beyond := f.u.Mul(over.cos).AddMul(over.sin, over.out); t.middle.Sub(f.c[e]).Dot(beyond)*side < 0 {
				f.side = -f.side
				break
			}
		}
	}
	if first {
		t.first, t.turned = f.side, false
	}
	return best.face
}

// spread takes the side of a triangle for all that are connected with it, and returns how many are
// left.
func (t *triangles) spread(seed int32) int {
	if !t.made {
		t.make()
	}
	if len(t.sides) == 0 {
		for i := range t.faces {
			side := t.faces[i].side
			if t.faces[i].thin {
				side = thinSide
			}
			t.sides = append(t.sides, side)
		}
	}
	t.stack, t.loose = t.stack[:0], t.loose[:0]
	t.take(seed, t.faces[seed].side)
	for len(t.stack) > 0 || t.spreadAlong() {
		i := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		side := t.sides[i]
		c := [4]int32{t.ids[3*i], t.ids[3*i+1], t.ids[3*i+2], t.ids[3*i]}
		for k := range 3 {
			next, turned, n, a, b := int32(-1), side, 0, c[k], c[k+1]
			list := t.list[t.start[a]:t.start[a+1]]
			for at, s := range t.spokes[t.start[a]:t.start[a+1]] {
				// Both have the edge, from a to b or back.
				if s.next != b && s.prev != b || list[at] == i || t.sides[list[at]] == thinSide {
					continue
				}
				if next, turned, n = list[at], side, n+1; s.next == b {
					turned = -side
				}
			}
			switch {
			case n == 1 && !t.taken[next]:
				t.turned = t.turned || turned != side
				t.take(next, turned)
			case n == 0 && t.left > 0 && !t.faces[i].edges.isOpen(k):
				t.loose = append(t.loose, loose{i, int32(k)})
			}
		}
	}
	return t.left
}

// take takes a side for a triangle.
func (t *triangles) take(i int32, side int8) {
	t.faces[i].side, t.sides[i] = side, side
	t.taken[i] = true
	t.left--
	t.stack = append(t.stack, i)
}

// loose is an edge that is not open, beyond which no triangle has both of its corners: the triangle
// there is missing, or the edge is at a T-junction.
type loose struct{ face, edge int32 }

// spreadAlong takes the side of a triangle that has an edge along a loose one, and returns false if
// there is none.
func (t *triangles) spreadAlong() bool {
	if t.left == 0 || len(t.loose) == 0 {
		return false
	}
	for i := range t.faces {
		if t.taken[i] || t.sides[i] == thinSide {
			continue
		}
		f := &t.faces[i]
		for k := range f.c {
			if f.edges.isOpen(k) {
				continue
			}
			a, b := f.c[k], f.c[next[k]]
			for _, l := range t.loose {
				g := &t.faces[l.face]
				if same, ok := t.areAlong(a, b, g.c[l.edge], g.c[next[l.edge]]); ok {
					side := t.sides[l.face]
					if same {
						side = -side
					}
					t.take(int32(i), side)
					return true
				}
			}
		}
	}
	return false
}

// areAlong reports whether two edges lie along each other, and if so whether they run the same way.
func (t *triangles) areAlong(a, b, c, d geom.DVec3) (same, ok bool) {
	along := b.Sub(a)
	l, x, y := along.Len(), c.Sub(a), d.Sub(a)
	if c.Sub(d).Len() > l { // rounding turns the shorter one further
		return t.areAlong(c, d, a, b)
	}
	off := float64(4 * t.rounding * l)
	from, to := x.Dot(along), y.Dot(along)
	if min(max(from, to), float64(l*l))-max(min(from, to), 0) <= off || x.Cross(along).Len() > off || y.Cross(along).Len() > off {
		return false, false
	}
	return to > from, true
}

// edgeOn returns the direction that bounds those over an edge: the normal of the triangle beyond,
// or outward of an open edge.
func (t *triangles) edgeOn(i int32, edge int) geom.DVec3 {
	f := &t.faces[i]
	out := f.c[(edge+1)%3].Sub(f.c[edge]).Cross(f.u).Normalize()
	if f.edges.isOpen(edge) {
		return out
	}
	if k := t.beyond(i, edge); k >= 0 {
		return t.faces[k].u.Mul(float64(t.faces[k].side))
	}
	cos, sin := f.edges.turn(edge)
	return f.u.Mul(cos).AddMul(sin, out).Mul(float64(f.side))
}
