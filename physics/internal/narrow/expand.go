package narrow

import (
	"math"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// polytopeFace is a triangle of the EPA polytope.
type polytopeFace struct {
	v    [3]uint8
	next [3]uint8 // the face beyond the edge from v[i] to v[i+1]
	dead bool
	done bool // no direction of it has less depth than the minimum: see isDone
	n    geom.DVec3
	d    float64 // how far its plane is from the origin
}

// polytope is the EPA polytope (van den Bergh 2001). It grows from the inside towards the surface
// of the Minkowski difference of two cores, a − b, until the point of that surface nearest to the
// origin is on one of its faces.
type polytope struct {
	v       [maxPoints]vertex // in place: w is relative to the origin of the search
	f       [maxFaces]polytopeFace
	nv, nf  int
	horizon [maxPoints]struct{ u, v, beyond, made uint8 }
	nh      int
	steps   int
	// Of a local minimum, if one was found: its direction and depth, the distance of a face from
	// which on it is done, and the angle around it within which no direction has less depth.
	n             geom.DVec3
	depth, enough float64
	cos, sin      float64
}

// expand finds the penetration depth of two cores that the search found to overlap. sure is false
// if it ends before it has converged: then the direction and depth returned separate the cores, but
// there may be a shorter way.
func expand(g *search) (r relation, sure bool) { return expandFrom(g, &minimum{}) }

// expandFrom is expand from a local minimum, unless its distance is 0.
func expandFrom(g *search, m *minimum) (r relation, sure bool) {
	p := polytopes.Get().(*polytope)
	r, sure = p.expand(g, m)
	polytopes.Put(p)
	return r, sure
}

// isDeeper is true only for cores that are deeper in each other than a limit: the polytope at the
// start of an expansion shows it in most cases.
func isDeeper(a, b *Shape, limit float64) bool {
	g := searchOf(a, b)
	if g.start(0, askOverlap) != overlapping {
		return false
	}
	p := polytopes.Get().(*polytope)
	p.setMinimum(&minimum{}, 0)
	deeper := p.begin(&g) && p.nearest().d > limit
	polytopes.Put(p)
	return deeper
}

// polytopes holds memory that is used again: to clear 17 KB takes a tenth of an expansion. There is
// no pointer in a polytope, as it would move the shapes of a search to the heap.
var polytopes = sync.Pool{New: func() any { return new(polytope) }}

func (p *polytope) expand(g *search, m *minimum) (r relation, sure bool) {
	p.nv, p.nf, p.steps = 0, 0, 0
	size := max(g.a.size, g.b.size)
	p.setMinimum(m, size)
	if !p.begin(g) {
		return p.flat(g), true
	}
	best, isPolished := relation{dist: math.Inf(-1)}, false
	if p.depth > 0 {
		best, isPolished = m.relation, true
		p.insert(g, m.at)
	}
	for {
		t := p.nearest()
		if t.dead || t.done {
			return best, true
		}
		v := p.support(g, t.n)
		// The face is no further from the origin than the surface, and the plane through v has the
		// whole Minkowski difference behind it. The expansion ends when the two bounds meet.
		out := v.w.Dot(t.n)
		if out-t.d <= depthGap*size {
			r := p.relation(g, t, out)
			p.polish(g, &r, t)
			return r, true
		}
		full := p.nv == maxPoints
		if -out > best.dist && out < p.enough {
			best, isPolished = p.guess(g, t, &v, out), false
		}
		if !isPolished && (out-t.d <= polishGap*size || full) {
			if r := p.guess(g, t, &v, out); p.polish(g, &r, t) && r.dist >= best.dist {
				best, isPolished = r, true
			}
		}
		if isPolished && -best.dist-t.d <= curvedGap*size {
			return best, true // no other direction is better by more
		}
		if full || !p.grow(t, v) {
			return best, false
		}
		p.steps++
	}
}

// setMinimum notes a local minimum that was found, unless its distance is 0.
func (p *polytope) setMinimum(m *minimum, size float64) {
	p.depth, p.enough = -m.dist, math.Inf(1)
	if p.depth > 0 {
		p.n, p.enough = m.n, p.depth-float64(curvedGap*size)
		t := min(m.half, 1)
		p.cos, p.sin = (1-float64(t*t))/(1+float64(t*t)), 2*t/(1+float64(t*t))
	}
}

// insert adds the witness point of a minimum.
func (p *polytope) insert(g *search, at vertex) {
	for i := range p.nf {
		if f := &p.f[i]; f.n.Dot(at.w) > f.d+float64(touching*g.a.size) {
			if !p.grow(f, at) {
				p.begin(g)
			}
			return
		}
	}
}

// isDone reports whether all directions of a face are known to be no shorter than the minimum: its
// plane is as far from the origin, or all that is nearer is within the angle around the minimum. On
// the polar dual of the polytope, that angle is that of a cone around the ball that has the minimum
// for its radius there, and the vertex of the face is in the convex hull of both.
func (p *polytope) isDone(f *polytopeFace) bool {
	if f.d >= p.enough {
		return true
	}
	c := f.n.Dot(p.n)
	return c >= p.cos && float64(p.cos*c)+float64(p.sin*math.Sqrt(max(0, 1-float64(c*c)))) <= f.d/p.depth
}

// support returns the point of the difference that lies furthest along n.
func (p *polytope) support(g *search, n geom.DVec3) vertex {
	w, a := g.support(n.Neg())
	return vertex{w.Add(g.at), a}
}

// polish improves the relation of the face t, and reports whether it could: see [search.polish].
func (p *polytope) polish(g *search, r *relation, t *polytopeFace) bool {
	if !g.isCurved() {
		return false
	}
	var from [3]vertex
	for k, i := range t.v {
		from[k] = vertex{p.v[i].w.Sub(g.at), p.v[i].a}
	}
	return g.polish(r, from[:])
}

// relation returns the relation that the face t gives if the surface is at the distance out along
// its normal.
func (p *polytope) relation(g *search, t *polytopeFace, out float64) relation {
	// Of several faces in one plane, nearest returns any: go to the one that has the foot of the
	// perpendicular from the origin.
	n := t.n
	w := p.weights(t)
	for range maxFaces {
		i := 0
		for k := 1; k < 3; k++ {
			if w[k] < w[i] {
				i = k
			}
		}
		beyond := &p.f[t.next[(i+1)%3]]
		if w[i] >= 0 || beyond.d > out+float64(depthGap*max(g.a.size, g.b.size)) {
			break
		}
		if u := p.weights(beyond); !(min(u[0], u[1], u[2]) > w[i]) {
			break
		} else {
			t, w = beyond, u
		}
	}
	for k := range w {
		w[k] = max(0, w[k])
	}
	sum := w[0] + w[1] + w[2]
	var a, d geom.DVec3
	for k := range w {
		v := &p.v[t.v[k]]
		a, d = a.AddMul(w[k]/sum, v.a), d.AddMul(w[k]/sum, v.w)
	}
	return g.answer(n, out, a.AddMul((out-d.Dot(n))/2, n))
}

// weights returns the barycentric weights of the foot of the perpendicular from the origin in the
// plane of a face.
func (p *polytope) weights(t *polytopeFace) [3]float64 {
	a, b, c := p.v[t.v[0]].w, p.v[t.v[1]].w, p.v[t.v[2]].w
	n := b.Sub(a).Cross(c.Sub(a))
	l := n.Dot(n)
	d := t.n.Mul(t.d).Sub(a)
	u, w := n.Dot(d.Cross(c.Sub(a)))/l, n.Dot(b.Sub(a).Cross(d))/l
	return [3]float64{1 - u - w, u, w}
}

// guess returns the relation for a face that is still below the surface. The direction is valid,
// and an ellipsoid has only one support point along it, which is a witness point.
func (p *polytope) guess(g *search, t *polytopeFace, v *vertex, out float64) relation {
	// On the second core, the point is a − w, and out along the normal from there.
	onB := v.a.Sub(v.w).AddMul(out, t.n)
	switch ka, kb := g.a.kind == KindRound, g.b.kind == KindRound; {
	case ka && kb:
		return g.answer(t.n, out, v.a.Add(onB).Mul(0.5))
	case kb:
		return g.answer(t.n, out, onB)
	}
	return g.answer(t.n, out, v.a)
}

// begin makes a tetrahedron around the origin, or next to it, from the final simplex of the search
// and further support points. It returns false if the Minkowski difference is flat.
func (p *polytope) begin(g *search) bool {
	s := &g.s
	for i := range s.n {
		p.v[i] = vertex{s.v[i].w.Add(g.at), s.v[i].a}
	}
	p.nv = s.n
	tiny := touching * max(g.a.size, g.b.size)
	for p.nv < 4 {
		if !p.widen(g, tiny) {
			return false
		}
	}
	a, b, c, d := p.v[0].w, p.v[1].w, p.v[2].w, p.v[3].w
	det := b.Sub(a).Dot(c.Sub(a).Cross(d.Sub(a)))
	if det == 0 {
		return false
	}
	if det > 0 {
		p.v[1], p.v[2] = p.v[2], p.v[1]
	}
	p.face(&p.f[0], 0, 1, 2, [3]uint8{1, 2, 3})
	p.face(&p.f[1], 0, 3, 1, [3]uint8{3, 2, 0})
	p.face(&p.f[2], 1, 3, 2, [3]uint8{1, 3, 0})
	p.face(&p.f[3], 2, 3, 0, [3]uint8{2, 1, 0})
	p.nf = 4
	return true
}

// widen adds a support point that is not in the span of the vertices. It tries directions across
// these.
func (p *polytope) widen(g *search, tiny float64) bool {
	var tries [6]geom.DVec3
	n := 0
	put := func(d geom.DVec3) {
		tries[n], tries[n+1] = d, d.Neg()
		n += 2
	}
	switch p.nv {
	case 1:
		put(geom.DVec3{X: 1})
		put(geom.DVec3{Y: 1})
		put(geom.DVec3{Z: 1})
	case 2:
		e := p.v[1].w.Sub(p.v[0].w)
		x := across(e)
		put(x)
		put(unit(e.Cross(x)))
	case 3:
		m := p.v[1].w.Sub(p.v[0].w).Cross(p.v[2].w.Sub(p.v[0].w)).Normalize()
		if m == (geom.DVec3{}) {
			return false
		}
		put(m)
	}
	best, most := vertex{}, tiny
	for _, d := range tries[:n] {
		v := p.support(g, d)
		if h := math.Abs(p.off(v.w)); h > most {
			best, most = v, h
		}
	}
	if most == tiny {
		return false
	}
	p.v[p.nv] = best
	p.nv++
	return true
}

// off returns the distance of a point from the span of the vertices.
func (p *polytope) off(w geom.DVec3) float64 {
	d := w.Sub(p.v[0].w)
	switch p.nv {
	case 1:
		return d.Len()
	case 2:
		return d.Cross(unit(p.v[1].w.Sub(p.v[0].w))).Len()
	}
	return d.Dot(unit(p.v[1].w.Sub(p.v[0].w).Cross(p.v[2].w.Sub(p.v[0].w))))
}

// flat returns the relation where the Minkowski difference has no inside: the cores are flat and
// lie in one plane, or one of them is a point on the other. The depth is 0, along the normal of the
// difference.
func (p *polytope) flat(g *search) relation {
	pa := g.a.p.Add(g.s.witness())
	line, n := geom.DVec3{}, geom.DVec3{}
	if p.nv > 1 {
		line = p.v[1].w.Sub(p.v[0].w)
	}
	if p.nv > 2 {
		n = line.Cross(p.v[2].w.Sub(p.v[0].w)).Normalize()
	}
	if n == (geom.DVec3{}) {
		n = acrossMost(line, g.motion)
	} else if n.Dot(g.motion) < 0 {
		n = n.Neg()
	}
	return relation{n: n, pa: pa, pb: pa}
}

// face makes a face.
func (p *polytope) face(f *polytopeFace, a, b, c uint8, next [3]uint8) {
	n := p.v[b].w.Sub(p.v[a].w).Cross(p.v[c].w.Sub(p.v[a].w))
	l := n.Len()
	f.v, f.next, f.dead = [3]uint8{a, b, c}, next, false
	if l > 0 {
		f.n = n.Mul(1 / l)
		f.d = f.n.Dot(p.v[a].w)
	} else { // never the nearest, as its corners are in line
		f.n, f.d = geom.DVec3{}, math.Inf(1)
	}
	f.done = p.depth > 0 && p.isDone(f)
}

func (p *polytope) nearest() *polytopeFace {
	best := &p.f[0]
	for i := 1; i < p.nf; i++ {
		if f := &p.f[i]; !f.dead && !f.done && (best.dead || best.done || f.d < best.d) {
			best = f
		}
	}
	return best
}

// grow adds a point beyond the face t: it removes all faces that the point is beyond, and joins the
// edges around the hole to it. It returns false, and the expansion ends, if the memory is full or
// rounding leaves no closed horizon.
func (p *polytope) grow(t *polytopeFace, v vertex) bool {
	at := uint8(p.nv)
	p.v[at] = v
	p.nv++
	p.nh = 0
	t.dead = true
	for k := range 3 {
		p.silhouette(t.next[k], t.v[k], t.v[(k+1)%3], v.w)
	}
	if p.nh < 3 || p.horizon[0].u != p.horizon[p.nh-1].v {
		return false
	}
	slot := 0
	for i := range p.nh {
		if i > 0 && p.horizon[i-1].v != p.horizon[i].u {
			return false
		}
		for slot < p.nf && !p.f[slot].dead {
			slot++
		}
		if slot == maxFaces {
			return false
		}
		p.nf = max(p.nf, slot+1)
		p.horizon[i].made = uint8(slot)
		slot++
	}
	for i := range p.nh {
		r := &p.horizon[i]
		prev, next := p.horizon[(i+p.nh-1)%p.nh].made, p.horizon[(i+1)%p.nh].made
		p.face(&p.f[r.made], r.u, r.v, at, [3]uint8{r.beyond, next, prev})
		b := &p.f[r.beyond]
		for k := range 3 {
			if b.v[k] == r.v && b.v[(k+1)%3] == r.u {
				b.next[k] = r.made
			}
		}
	}
	return true
}

// silhouette visits the face beyond the edge from u to v. If the point w is beyond that face too,
// it is removed and its other edges are followed; otherwise the edge belongs to the horizon.
func (p *polytope) silhouette(f, u, v uint8, w geom.DVec3) {
	t := &p.f[f]
	if t.dead {
		return
	}
	if !(t.n.Dot(w) > t.d) || p.nh == maxPoints {
		if p.nh < maxPoints {
			p.horizon[p.nh].u, p.horizon[p.nh].v, p.horizon[p.nh].beyond = u, v, f
			p.nh++
		}
		return
	}
	t.dead = true
	k := 0
	for t.v[k] != v {
		k++ // the edge is there the other way round: from v to u
	}
	p.silhouette(t.next[(k+1)%3], t.v[(k+1)%3], t.v[(k+2)%3], w)
	p.silhouette(t.next[(k+2)%3], t.v[(k+2)%3], t.v[k], w)
}
