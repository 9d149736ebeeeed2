//go:build cgo

package systemtest

import (
	"math"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// line is the set of points that are seen at one place: from + t·dir, where t is the distance along
// the view's axis.
type line struct{ from, dir geom.DVec3 }

// line returns the line through a place of the framebuffer: the intersection of the plane of all
// points that are seen at the same x with that of the same y.
func (o *truth) line(x, y float64) line {
	v := o.view
	x = 2*(x-float64(v.X))/float64(v.Width) - 1
	y = 2*(y-float64(v.Y))/float64(v.Height) - 1
	plane := func(row int, at float64) (n geom.DVec3, c float64) {
		m := &o.rows
		return geom.DVec3{X: m[row] - at*m[3], Y: m[4+row] - at*m[7], Z: m[8+row] - at*m[11]}, m[12+row] - at*m[15]
	}
	n0, c0 := plane(0, x)
	n1, c1 := plane(1, y)
	d := n0.Cross(n1)
	p := n1.Cross(d).Mul(-c0).Add(d.Cross(n0).Mul(-c1)).Mul(1 / d.Dot(d))
	d = d.Mul(-1 / d.Z)
	p = p.Add(d.Mul(p.Z))
	world := func(v geom.DVec3) geom.DVec3 { return o.x.Mul(v.X).Add(o.y.Mul(v.Y)).Add(o.z.Mul(v.Z)) }
	return line{world(p), world(d)}
}

// span returns the interval of a line within a convex shape, and false if it is empty.
func (p *part) span(l line) (enter, exit float64, ok bool) {
	f, d := p.to.back(l.from.Sub(p.to.o)), p.to.back(l.dir)
	switch p.kind {
	case physecs.KindBox:
		return slabs(f, d, p.half)
	case physecs.KindSphere:
		return ball(f, d, p.radius)
	case physecs.KindHull:
		return behind(f, d, p.faces)
	case physecs.KindCone, physecs.KindTaperedCapsule:
		return p.search(f, d)
	}
	// A capsule is the convex union of two spheres and a cylinder: its interval reaches from the
	// first start to the last end of the three.
	up := geom.DVec3{Y: p.half.Y}
	enter, exit = math.Inf(1), math.Inf(-1)
	join := func(a, b float64, in bool) {
		if in {
			enter, exit = math.Min(enter, a), math.Max(exit, b)
		}
	}
	join(ball(f.Sub(up), d, p.radius))
	join(ball(f.Add(up), d, p.radius))
	if a, b, in := ball(geom.DVec3{X: f.X, Z: f.Z}, geom.DVec3{X: d.X, Z: d.Z}, p.radius); in {
		endless := math.Inf(1)
		lo, hi, in := slabs(f, d, geom.DVec3{X: endless, Y: p.half.Y, Z: endless})
		a, b = math.Max(a, lo), math.Min(b, hi)
		join(a, b, in && a <= b)
	}
	return enter, exit, enter <= exit
}

// search returns the interval of a line within a cone or a tapered capsule, by search: how far a
// point is outside is a convex function.
func (p *part) search(f, d geom.DVec3) (enter, exit float64, ok bool) {
	h, bottom, top := p.half.Y, p.radius, p.half.X
	least := func(lo, hi float64, f func(float64) float64) float64 {
		for range 100 {
			if m, n := lo+(hi-lo)/3, hi-(hi-lo)/3; f(m) < f(n) {
				hi = n
			} else {
				lo = m
			}
		}
		return (lo + hi) / 2
	}
	outside := func(t float64) float64 {
		q := f.Add(d.Mul(t))
		if p.kind == physecs.KindCone {
			return math.Max(math.Abs(q.Y)-h, math.Hypot(q.X, q.Z)-bottom-(top-bottom)*(q.Y+h)/(2*h))
		}
		ball := func(y float64) float64 {
			return math.Sqrt(q.X*q.X+(q.Y-y)*(q.Y-y)+q.Z*q.Z) - bottom - (top-bottom)*(y+h)/(2*h)
		}
		return math.Min(ball(least(-h, h, ball)), math.Min(ball(-h), ball(h)))
	}
	dd := d.Dot(d)
	middle, reach := -f.Dot(d)/dd, (h+bottom+top)/math.Sqrt(dd)
	if f.Add(d.Mul(middle)).Len() > h+bottom+top {
		return 0, 0, false
	}
	in := least(middle-reach, middle+reach, outside)
	if outside(in) > 0 {
		return 0, 0, false
	}
	zero := func(out float64) float64 {
		in := in
		for range 60 {
			if m := (in + out) / 2; outside(m) > 0 {
				out = m
			} else {
				in = m
			}
		}
		return in
	}
	return zero(middle - reach), zero(middle + reach), true
}

func slabs(f, d, half geom.DVec3) (enter, exit float64, ok bool) {
	enter, exit = math.Inf(-1), math.Inf(1)
	for _, s := range [...][3]float64{{f.X, d.X, half.X}, {f.Y, d.Y, half.Y}, {f.Z, d.Z, half.Z}} {
		if s[1] == 0 {
			if math.Abs(s[0]) > s[2] {
				return 0, 0, false
			}
			continue
		}
		a, b := (-s[2]-s[0])/s[1], (s[2]-s[0])/s[1]
		enter, exit = math.Max(enter, math.Min(a, b)), math.Min(exit, math.Max(a, b))
	}
	return enter, exit, enter <= exit
}

// behind returns the interval of a line behind the planes of all faces.
func behind(f, d geom.DVec3, faces [][]geom.DVec3) (enter, exit float64, ok bool) {
	enter, exit = math.Inf(-1), math.Inf(1)
	for _, face := range faces {
		var n geom.DVec3 // by all corners, since rounding may move those of a face out of its plane
		for i := range face {
			n = n.Add(face[i].Sub(face[0]).Cross(face[(i+1)%len(face)].Sub(face[0])))
		}
		gap, rate := n.Dot(face[0].Sub(f)), n.Dot(d)
		switch {
		case rate < 0:
			enter = math.Max(enter, gap/rate)
		case rate > 0:
			exit = math.Min(exit, gap/rate)
		case gap < 0:
			return 0, 0, false
		}
	}
	return enter, exit, enter <= exit
}

func ball(f, d geom.DVec3, radius float64) (enter, exit float64, ok bool) {
	dd := d.Dot(d)
	if dd == 0 {
		return 0, 0, false
	}
	middle := -f.Dot(d) / dd
	n := f.Add(d.Mul(middle))
	h := (radius*radius - n.Dot(n)) / dd
	if h < 0 {
		return 0, 0, false
	}
	h = math.Sqrt(h)
	return middle - h, middle + h, true
}

// meet returns where a line meets the visible surface of a part: the first face between the near
// and the far plane that is not culled. tris are the triangles of a mesh that are tested.
func (o *truth) meet(p *part, tris []int, l line) (t float64, ok bool) {
	seen := func(t float64) bool { return t >= o.near && t <= o.far }
	switch p.kind {
	case physecs.KindPlane:
		f, d := p.to.back(l.from.Sub(p.to.o)), p.to.back(l.dir)
		rate := p.normal.Dot(d)
		t = (p.d - p.normal.Dot(f)) / rate
		return t, rate != 0 && !o.cull.Culls(rate > 0) && seen(t)
	case physecs.KindMesh:
		best := math.Inf(1)
		for _, i := range tris {
			if t, back, ok := meetTriangle(p.tris[i], l); ok && !o.cull.Culls(back) && seen(t) {
				best = math.Min(best, t)
			}
		}
		return best, !math.IsInf(best, 1)
	}
	t, _, ok = p.span(l)
	return t, ok && seen(t)
}

func meetTriangle(tri [3]geom.DVec3, l line) (t float64, back, ok bool) {
	a, b, c := tri[0].Sub(l.from), tri[1].Sub(l.from), tri[2].Sub(l.from)
	// The signed volumes that the line spans with the edges: none is positive if it enters at the
	// front, none is negative if it enters at the back.
	ab, bc, ca := l.dir.Dot(a.Cross(b)), l.dir.Dot(b.Cross(c)), l.dir.Dot(c.Cross(a))
	if (ab > 0 || bc > 0 || ca > 0) && (ab < 0 || bc < 0 || ca < 0) {
		return 0, false, false
	}
	n := b.Sub(a).Cross(c.Sub(a))
	rate := n.Dot(l.dir)
	return n.Dot(a) / rate, rate > 0, rate != 0
}
