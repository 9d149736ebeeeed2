package narrow

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Bounds of shapes, by which most triangles of a mesh that touch the box around a shape in the
// world are left out, eight at a time: a log that leans on hills is near few of them.

// Way is how a shape moves over a mesh that stands still: by a shift and a turn about a place, both
// linear in time. The shift of the pivot counts for all of the shape as well.
type Way struct {
	About, Shift, Turn, Pivot geom.DVec3
}

// boundSlack is what coordinates and contact points in single precision are off, as a share of the
// coordinates.
const boundSlack = 1e-6

// SetBound makes b the bound of a shape with a margin in metres, in the space of a mesh that a map
// takes to the world, which must scale all directions alike. On its way the shape has the margin
// where it is now, moved along with the pivot, and where it ends. The bound misses only triangles
// that the shape does not come within the margin of, as the triangle's plane shows, or one along an
// axis of the shape. So the shape has no contact with the face of such a triangle, nor with an edge
// or a corner of which it misses all triangles: the normal of that contact is between theirs.
// SetBound returns false for a shape that is neither a box nor a hull. Without a way, w is nil.
func (s *Shape) SetBound(b *wide.Bound, m *geom.Affine, margin float64, w *Way) bool {
	points, planes := 8, 6
	switch s.kind {
	case KindAABB, KindBox:
	case KindHull:
		points, planes = s.hull.NumVertices(), min(s.hull.NumFaces(), wide.MaxBoundPlanes)
	default:
		return false
	}
	var f boundFrame
	if margin += float64(boundSlack*(s.size+big(m.Origin.Wide()))) + s.radius; !f.set(m) || margin-margin != 0 {
		return false
	}
	at := f.back(s.p.Sub(f.from)).Narrow()
	center := at.Wide()
	if !f.same {
		center = apply(*m, at)
	}
	b.Reset()
	b.Center, b.Margin, b.Share = at, float32(margin*f.most), boundShare
	if w == nil && s.setSlabs(b, &f, center, margin) {
		return true
	}
	type side struct {
		n     geom.DVec3
		reach float64 // from the center
	}
	var sides [wide.MaxBoundPlanes]side
	for i := range planes {
		n, d := s.face(i)
		if sides[i] = (side{n, d - n.Dot(center)}); w != nil {
			sides[i].reach += max(0, w.Pivot.Dot(n))
		}
	}
	few, far := points <= wide.MaxBoundPoints, 0.0
	for i := 0; i < points && (few || w != nil); i++ {
		p := s.vertex(uint16(i))
		now := p.Sub(center)
		if few {
			far = longer(far, &now)
			b.AddPoint(f.back(now).Narrow(), false)
		}
		if w == nil {
			continue
		}
		then := now.Add(w.Shift).Add(w.Turn.Cross(p.Sub(w.About)))
		for k := range sides[:planes] {
			if t := then.Dot(sides[k].n); t > sides[k].reach {
				sides[k].reach = t
			}
		}
		if few {
			far = longer(far, &then)
			b.AddPoint(f.back(then).Narrow(), true)
		}
	}
	far = math.Sqrt(far)
	if w != nil {
		b.Lead = f.back(w.Pivot).Narrow()
		far += w.Pivot.Len()
	}
	b.Radius = float32(far * f.most)
	for i := range planes {
		n, l := f.normal(sides[i].n)
		b.AddPlane(n.Narrow(), float32((sides[i].reach+margin)/l))
	}
	return true
}

// longer returns the square of the length of a vector, or another one if that is greater.
func longer(square float64, v *geom.DVec3) float64 {
	if d := v.Dot(*v); d > square {
		return d
	}
	return square
}

// setSlabs adds the planes of a box, or of the box around a hull along its own axes. It returns
// false for others. They take a tenth of the time of all faces and points, which pay where the
// margin is large, as it is on a way.
func (s *Shape) setSlabs(b *wide.Bound, f *boundFrame, center geom.DVec3, margin float64) bool {
	half, l := s.half, 1.0
	if s.kind == KindHull {
		l = s.x.Len()
		half = s.hull.Bounds().Max.Wide().Sub(s.f).Mul(l)
	}
	if !s.isBox() && (s.kind != KindHull || !s.even) {
		return false
	}
	for i := range 3 {
		n := s.axis(i).Mul(1 / l)
		off, h := s.p.Sub(center).Dot(n), component(half, i)+margin
		m, by := f.normal(n)
		b.AddPlane(m.Narrow(), float32((h+off)/by))
		b.AddPlane(m.Neg().Narrow(), float32((h-off)/by))
	}
	return true
}

// boundFrame is the space of a mesh.
type boundFrame struct {
	same    bool // as the world
	x, y, z geom.DVec3
	from    geom.DVec3
	u, v, w geom.DVec3 // the rows of the inverse
	most    float64    // it makes no vector longer than by this
}

// set sets it by the map to the world. It returns false if that has no inverse.
func (f *boundFrame) set(m *geom.Affine) bool {
	f.from, f.most = m.Origin.Wide(), 1
	if f.same = *m == (geom.Affine{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}); f.same {
		return true
	}
	f.x, f.y, f.z = m.X.Wide(), m.Y.Wide(), m.Z.Wide()
	u, v, w := f.y.Cross(f.z), f.z.Cross(f.x), f.x.Cross(f.y)
	by := 1 / f.x.Dot(u)
	f.u, f.v, f.w = u.Mul(by), v.Mul(by), w.Mul(by)
	// The root of the largest eigenvalue of the inverse times its transpose (Gershgorin 1931).
	uv, vw, wu := math.Abs(f.u.Dot(f.v)), math.Abs(f.v.Dot(f.w)), math.Abs(f.w.Dot(f.u))
	f.most = float64(math.Sqrt(max(f.u.Dot(f.u)+uv+wu, f.v.Dot(f.v)+uv+vw, f.w.Dot(f.w)+vw+wu)) * (1 + 1e-6))
	return f.most-f.most == 0
}

// back maps a direction from the world.
func (f *boundFrame) back(d geom.DVec3) geom.DVec3 {
	if f.same {
		return d
	}
	return geom.DVec3{X: f.u.Dot(d), Y: f.v.Dot(d), Z: f.w.Dot(d)}
}

// normal maps a unit normal from the world, and returns by how much distances along it are longer
// there.
func (f *boundFrame) normal(n geom.DVec3) (geom.DVec3, float64) {
	if f.same {
		return n, 1
	}
	n = geom.DVec3{X: f.x.Dot(n), Y: f.y.Dot(n), Z: f.z.Dot(n)}
	l := n.Len()
	return n.Mul(1 / l), l
}

// boundShare is what single precision is off beside a bound, as a share of distances from its
// center: some 14 roundings.
const boundShare = 0x1p-19
