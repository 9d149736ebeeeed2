package main

import (
	"fmt"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// spherePage is a ray and a sphere, in the plane through the sphere's centre and the ray: a
// quadratic with two roots.
type spherePage struct {
	segment
	center, rim geom.Vec3 // rim is a point of the surface
}

func (p *spherePage) name() string { return "4  Sphere" }

func (p *spherePage) reset() {
	*p = spherePage{segment: segment{a: geom.V(-4.75, 1.75, 0), b: geom.V(4, -0.5, 0)}, center: geom.V(0.5, -0.5, 0), rim: geom.V(1.75, -2, 0)}
}

func (p *spherePage) hint() string {
	return "Drag the ray's ends A and B, the centre C and the point R of the surface. Lead the ray past the sphere to see the " +
		"discriminant turn negative. Shift frees what is dragged from the grid."
}

func (p *spherePage) sphere() geom.Sphere {
	return geom.Sphere{Center: p.center, Radius: p.rim.Distance(p.center)}
}

func (p *spherePage) handles() []handle {
	return append([]handle{
		{"R", p.rim, func(to geom.Vec3) { p.rim = to }},
		{"C", p.center, func(to geom.Vec3) {
			p.rim = p.rim.Add(to.Sub(p.center)) // the surface goes with it
			p.center = to
		}},
	}, p.segment.handles()...)
}

func (p *spherePage) explain() report {
	sphere, ray := p.sphere(), p.ray()
	q := sphere.Roots(ray)
	_, hit := sphere.CastRay(ray, geom.Solid)
	rep := report{hit: hit, why: whySphere(sphere, ray, q), head: []string{"root", "near", "far"}}
	near, far := "none", "none"
	if q.Hit {
		near, far = number(q.TNear), number(q.TFar)
	}
	rep.rows = []row{{"T", []string{near, far}, amber}}
	rep.more = []fact{{"Origin", place(ray.Origin, true)}, {"Dir", place(ray.Dir, true)}, {"MaxT", limit(ray)}, {"Radius", number(float64(sphere.Radius))}, {},
		{"M = A − C", place(ray.Origin.Sub(sphere.Center), true)}, {"a = Dir · Dir", number(q.A)}, {"b = Dir · M", number(q.B)}, {"c = M · M − r²", number(q.C)},
		{"b² − a c", number(q.Discriminant)}, {"Roots", "(−b ± √(b² − a c)) / a"}, {},
		{"Closest at T", number(q.TClosest)}, {"Point", place(q.Closest, true)}, {"Distance", number(q.Distance)}, {}}
	rep.more = append(rep.more, modes(func(m geom.StartMode) (geom.Hit, bool) { return sphere.CastRay(ray, m) })...)
	return rep
}

// whySphere returns a sentence on why a ray hits or misses a sphere.
func whySphere(s geom.Sphere, r geom.Ray, q geom.Roots) string {
	tMin, _ := r.Range()
	switch {
	case r.Dir == (geom.Vec3{}):
		return noDirection
	case !q.Hit:
		return fmt.Sprintf("The discriminant %s is negative: the line passes the centre at %s, which is more than the radius %s.",
			number(q.Discriminant), number(q.Distance), number(float64(s.Radius)))
	}
	if why := outside(r, q.TNear, q.TFar, "The sphere", "near", "far"); why != "" {
		return why
	}
	switch {
	case q.TNear < float64(tMin):
		return fmt.Sprintf("The ray starts inside: near %s < %s ≤ far %s.", number(q.TNear), short(tMin), number(q.TFar))
	case q.TNear == q.TFar:
		return "The discriminant is zero: the ray touches the sphere, and both roots are one."
	}
	return fmt.Sprintf("The discriminant %s is positive: the line enters at the near root and leaves at the far one.", number(q.Discriminant))
}

func (p *spherePage) draw(c *canvas) {
	sphere, ray := p.sphere(), p.ray()
	q := sphere.Roots(ray)
	c.grid()
	c.disc(sphere, sky)
	c.dashed(p.center, p.rim, sky, 0.9)
	c.text(p.center.Lerp(p.rim, 0.55), "radius "+number(float64(sphere.Radius)), sky)
	c.ray(ray)
	if q.Hit {
		c.stretch(ray, q.TNear, q.TFar)
		c.crossing(ray, q.TNear, "near", amber, true)
		c.crossing(ray, q.TFar, "far", amber, false)
	}
	if ray.IsValid() {
		c.dashed(p.center, q.Closest, violet, 1)
		c.crossing(ray, q.TClosest, "closest", violet, true)
		c.text(p.center.Lerp(q.Closest, 0.5), "distance "+number(q.Distance), violet)
	}
	if h, ok := sphere.CastRay(ray, geom.Solid); ok {
		c.hit(h)
	}

	value := func(t float64) float64 { return q.A*t*t + 2*q.B*t + q.C }
	// The range shows all values inside of the sphere, and some outside.
	top := 1.6 * max(float64(sphere.Radius*sphere.Radius), value(q.TClosest), 0.5)
	if !ray.IsValid() {
		value = nil
	}
	c.curve(ray, c.fit(q.TNear, q.TFar, q.TClosest), "a T² + 2 b T + c", sky, value, top)
	if value != nil {
		c.mark(q.TClosest, value(q.TClosest), "closest "+number(q.TClosest), violet, below)
	}
	if q.Hit {
		c.mark(q.TNear, 0, "near "+number(q.TNear), amber, left)
		c.mark(q.TFar, 0, "far "+number(q.TFar), amber, right)
	}
}
