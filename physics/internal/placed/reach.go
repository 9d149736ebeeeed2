package placed

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Reach returns the greatest p·n of the points p of a subshape, as [pad] allows for rounding; +Inf
// of kinds that it has no closed form for.
func (p *Subshape) Reach(n geom.DVec3) float64 {
	at := p.prim.a.Wide().Dot(n)
	switch p.Kind {
	case KindBox:
		l := turnBack(p.prim.q, n)
		h := p.prim.b.Wide()
		return at + math.Abs(float64(l.X*h.X)) + math.Abs(float64(l.Y*h.Y)) + math.Abs(float64(l.Z*h.Z))
	case KindSphere:
		return at + float64(float64(p.prim.q.X)*n.Len())
	case KindCapsule:
		return max(at, p.prim.b.Wide().Dot(n)) + float64(float64(p.prim.q.X)*n.Len())
	case KindHull:
		m, h := &p.Local.To, p.Local.Hull
		l := geom.DVec3{X: m.X.Wide().Dot(n), Y: m.Y.Wide().Dot(n), Z: m.Z.Wide().Dot(n)}
		return m.Origin.Wide().Dot(n) + h.Vertex(h.Support(l, 0)).Dot(l)
	}
	return math.Inf(1)
}

// turnBack returns a vector rotated by the inverse of a quaternion, which is unit to single
// precision.
func turnBack(q geom.Quat, v geom.DVec3) geom.DVec3 {
	u := geom.DVec3{X: -float64(q.X), Y: -float64(q.Y), Z: -float64(q.Z)}
	t := u.Cross(v)
	t = t.Add(t)
	return v.AddMul(float64(q.W), t).Add(u.Cross(t))
}
