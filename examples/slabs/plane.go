package main

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// planePage is a ray and a plane, seen edge-on: the height above the plane is linear in T.
type planePage struct {
	segment
	on, tip geom.Vec3 // a point of the plane, and where the arrow of its normal ends
}

func (p *planePage) name() string { return "3  Plane" }

func (p *planePage) reset() {
	*p = planePage{segment: segment{a: geom.V(-4.5, 2.25, 0), b: geom.V(3.25, -1.5, 0)}, on: geom.V(-2.5, -1.25, 0), tip: geom.V(-2.75, 0.25, 0)}
}

func (p *planePage) hint() string {
	return "Drag the ray's ends A and B, the plane's point P and the tip N of its normal. Turn the normal over to see the ray " +
		"come from behind. Shift frees what is dragged from the grid."
}

// plane returns the plane with a unit normal, so that heights are in metres; false while N is on P.
func (p *planePage) plane() geom.Plane {
	return geom.PlaneThrough(p.on, p.tip.Sub(p.on).Normalize())
}

func (p *planePage) handles() []handle {
	return append([]handle{
		{"N", p.tip, func(to geom.Vec3) { p.tip = to }},
		{"P", p.on, func(to geom.Vec3) {
			p.tip = p.tip.Add(to.Sub(p.on)) // the normal goes with it
			p.on = to
		}},
	}, p.segment.handles()...)
}

func (p *planePage) explain() report {
	plane, ray := p.plane(), p.ray()
	h := plane.Heights(ray)
	_, hit := plane.CastRay(ray, geom.CullNone)
	rep := report{hit: hit, why: whyPlane(plane, ray, h), head: []string{"height above the plane", ""}}
	rep.rows = []row{
		{"Start, at T = 0", []string{number(h.Start)}, sky},
		{"Rate, for each T", []string{number(h.Rate)}, sky},
		{"T = −Start / Rate", []string{number(h.T)}, amber},
	}
	point, side := "none", "none"
	if h.Hit {
		point, side = place(h.Point, true), "the front"
		if h.BackFace {
			side = "the back"
		}
	}
	rep.more = []fact{{"Origin", place(ray.Origin, true)}, {"Dir", place(ray.Dir, true)}, {"MaxT", limit(ray)}, {},
		{"Normal", place(plane.Normal, true)}, {"D", number(float64(plane.D))}, {"Start", "Normal · Origin − D"}, {"Rate", "Normal · Dir"}, {},
		{"Point at T", point}, {"Met from", side}}
	for _, cull := range [...]geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront} {
		value := "miss"
		if hit, ok := plane.CastRay(ray, cull); ok {
			value = "T " + number(float64(hit.T))
		}
		rep.more = append(rep.more, fact{cull.String(), value})
	}
	return rep
}

// whyPlane returns a sentence on why a ray hits or misses a plane.
func whyPlane(plane geom.Plane, r geom.Ray, h geom.Heights) string {
	switch {
	case r.Dir == (geom.Vec3{}):
		return noDirection
	case plane.IsEmpty():
		return "N is on P: a normal without a direction makes no plane."
	case h.Parallel && h.Hit:
		return "The ray lies in the plane: its height is zero all along, and it hits where it starts."
	case h.Parallel:
		return fmt.Sprintf("The ray is parallel to the plane: its height is %s all along, and never zero.", number(h.Start))
	}
	if why := outside(r, h.T, h.T, "The plane", "T", "T"); why != "" {
		return why
	}
	return fmt.Sprintf("The height is zero at T %s, which is within the ray's range.", number(h.T))
}

func (p *planePage) draw(c *canvas) {
	plane, ray := p.plane(), p.ray()
	h := plane.Heights(ray)
	c.grid()
	if !plane.IsEmpty() {
		along := geom.V(-plane.Normal.Y, plane.Normal.X, 0)
		c.half(p.on, along, plane.Normal, sky)
		c.line(p.on, along, 2.5, sky)
		// The line ends at the handle, which would hide an arrow head.
		c.arrow(p.on, p.tip.Sub(plane.Normal.Mul(12/c.flat.scale)), sky)
	}
	c.ray(ray)
	for _, end := range [...]geom.Vec3{p.a, p.b} {
		foot := plane.ClosestPoint(end)
		if foot.IsFinite() {
			c.dashed(foot, end, sky, 0.9)
			c.text(foot.Lerp(end, 0.5), "height "+number(float64(plane.SignedDistance(end))), sky)
		}
	}
	if h.Hit {
		c.crossing(ray, h.T, "", amber, true)
	}
	if hit, ok := plane.CastRay(ray, geom.CullNone); ok {
		c.hit(hit)
	}

	height := func(t float64) float64 { return h.Start + h.Rate*t }
	top := 1.3 * max(math.Abs(height(0)), math.Abs(height(1)), 0.5)
	if !ray.IsValid() || plane.IsEmpty() {
		height = nil
	}
	c.curve(ray, c.fit(h.T), "Height above the plane", sky, height, top)
	if height == nil {
		return
	}
	beside := rightAbove // clear of the curve
	if h.Rate >= 0 {
		beside = right
	}
	c.mark(0, height(0), "A "+number(height(0)), sky, beside)
	c.mark(1, height(1), "B "+number(height(1)), sky, beside)
	if h.Hit && !h.Parallel {
		c.mark(h.T, 0, "T "+number(h.T), amber, above)
	}
}
