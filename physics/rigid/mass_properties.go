package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// massProperties is a distribution of mass in double precision: the mass, its centre, and the
// second moments ∫ x·xᵀ dm about the centre. Unlike inertia, second moments map by any affine map
// A, also one that shears, to A·second·Aᵀ. So a few solids in their own space are enough for all
// shapes.
type massProperties struct {
	mass   float64
	center geom.DVec3
	second secondMoments
}

// secondMoments is a symmetric matrix.
type secondMoments struct{ xx, yy, zz, xy, xz, yz float64 }

// addOuter adds s·v·vᵀ.
func (m *secondMoments) addOuter(s float64, v geom.DVec3) {
	w := v.Mul(s)
	m.xx += float64(w.X * v.X)
	m.yy += float64(w.Y * v.Y)
	m.zz += float64(w.Z * v.Z)
	m.xy += float64(w.X * v.Y)
	m.xz += float64(w.X * v.Z)
	m.yz += float64(w.Y * v.Z)
}

// add adds s times the moments n.
func (m *secondMoments) add(s float64, n *secondMoments) {
	m.xx += float64(s * n.xx)
	m.yy += float64(s * n.yy)
	m.zz += float64(s * n.zz)
	m.xy += float64(s * n.xy)
	m.xz += float64(s * n.xz)
	m.yz += float64(s * n.yz)
}

// massPropertiesOf returns the mass properties of a shape that is no compound, of density 1 kg/m³,
// as physics places it in a frame.
func massPropertiesOf(s physics.Shape, f *placed.Frame, planar bool) (massProperties, error) {
	switch s := s.(type) {
	case geom.AABB, geom.Box, geom.Sphere, geom.Capsule, geom.Cone, geom.TaperedCapsule:
	case *hull.Hull:
		if s == nil {
			return massProperties{}, errors.New("a nil *hull.Hull")
		}
	case *mesh.Mesh:
		return massProperties{}, errors.New("a mesh has no inside: a hull, or a compound of hulls, has")
	case geom.Plane:
		return massProperties{}, errors.New("a plane has no inside, and no mass")
	case nil:
		return massProperties{}, errors.New("no shape")
	case *physics.Compound: // one that is not nil has no compounds
		return massProperties{}, errors.New("a nil *physics.Compound")
	default:
		return massProperties{}, fmt.Errorf("a %T is no solid shape", s)
	}
	if b := s.Bounds(); b.IsEmpty() || !b.Min.IsFinite() || !b.Max.IsFinite() {
		return massProperties{}, fmt.Errorf("a %T that is empty or not finite: %+v", s, s)
	}
	var p placed.Subshape
	if !p.Place(s, f) {
		return massProperties{}, fmt.Errorf("a %T that its scale flattens or puts out of the range of float32", s)
	}
	if planar {
		return planarMass(&p), nil
	}
	var m massProperties
	switch p.Kind {
	case placed.KindAABB:
		m = boxMass(p.Bounds.Max.Wide().Sub(p.Bounds.Min.Wide()).Mul(0.5))
		m.center = p.Bounds.Max.Wide().Add(p.Bounds.Min.Wide()).Mul(0.5)
	case placed.KindBox, placed.KindLocalBox:
		b := p.Box()
		m = boxMass(b.HalfExtents.Wide())
		m.put(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine())
	case placed.KindSphere, placed.KindEllipsoid:
		b := p.Sphere()
		m = capsuleMass(b.Center.Wide(), b.Center.Wide(), float64(b.Radius))
	case placed.KindCapsule, placed.KindLocalCapsule:
		c := p.Capsule()
		m = capsuleMass(c.A.Wide(), c.B.Wide(), float64(c.Radius))
	case placed.KindCone:
		m = coneMass(p.Cone())
	case placed.KindTaperedCapsule:
		m = taperedMass(p.TaperedCapsule())
	case placed.KindHull:
		m = hullMass(p.Local.Hull)
	}
	if p.Kind >= placed.KindLocalBox {
		m.put(p.Local.To)
	}
	return m, nil
}

// planarMass returns the mass properties of what a subshape cuts out of the plane z = 0, one metre
// thick. The moments along z are of no account there.
func planarMass(p *placed.Subshape) (m massProperties) {
	switch p.Kind {
	case placed.KindAABB, placed.KindBox, placed.KindLocalBox:
		b := p.Box()
		if p.Kind == placed.KindAABB {
			b = geom.Box{Center: p.Bounds.Center(), HalfExtents: p.Bounds.HalfExtents()}
		}
		half := b.HalfExtents.Wide()
		half.Z = 0.5
		m = boxMass(half)
		m.put(geom.Transform{Position: b.Center, Rotation: b.Rotation}.Affine())
	case placed.KindSphere:
		b := p.Sphere()
		m = stadiumMass(b.Center.Wide(), b.Center.Wide(), float64(b.Radius))
	case placed.KindCapsule:
		c := p.Capsule()
		m = stadiumMass(c.A.Wide(), c.B.Wide(), float64(c.Radius))
	case placed.KindHull:
		m = hullMass(p.Local.Hull)
	}
	if p.Kind >= placed.KindLocalBox {
		m.put(p.Local.To)
		m.scale(1 / math.Abs(float64(p.Local.To.Z.Z))) // which does not make it thicker
	}
	m.center.Z = 0
	return m
}

// stadiumMass returns the mass properties of the points of the plane within a radius of a segment,
// one metre thick: of a rectangle, and of two half discs whose centres of mass are 4/3π of the
// radius beyond its ends.
func stadiumMass(a, b geom.DVec3, radius float64) massProperties {
	axis := b.Sub(a).Mul(0.5)
	hh, rr := axis.Dot(axis), float64(radius*radius)
	h := math.Sqrt(hh)
	middle, ends := float64(4*h*radius), float64(math.Pi*rr)
	m := massProperties{mass: middle + ends, center: a.Add(b).Mul(0.5)}
	across := float64(middle*rr/3) + float64(ends*rr/4)
	m.second = secondMoments{xx: across, yy: across, zz: m.mass / 12}
	if h > 0 {
		along := float64(middle*hh/3) + float64(ends*(hh+float64(8/(3*math.Pi)*h*radius)+float64(rr/4)))
		m.second.addOuter((along-across)/hh, axis)
	}
	return m
}

// boxMass returns the mass properties of a box around the origin, along the axes.
func boxMass(half geom.DVec3) massProperties {
	v := float64(8 * half.X * half.Y * half.Z)
	return massProperties{mass: v, second: secondMoments{
		xx: v * half.X * half.X / 3, yy: v * half.Y * half.Y / 3, zz: v * half.Z * half.Z / 3,
	}}
}

// capsuleMass returns the mass properties of a capsule with the ends a and b, a sphere if they are
// equal: that of a cylinder, and of two half spheres whose centres of mass are 3/8 of the radius
// beyond its ends.
func capsuleMass(a, b geom.DVec3, radius float64) massProperties {
	axis := b.Sub(a).Mul(0.5)
	hh, rr := axis.Dot(axis), float64(radius*radius)
	h := math.Sqrt(hh)
	tube, ball := float64(2*math.Pi*rr*h), float64(math.Pi*4/3*rr*radius)
	m := massProperties{mass: tube + ball, center: a.Add(b).Mul(0.5)}
	across := float64(tube*rr/4) + float64(ball*rr/5)
	m.second = secondMoments{xx: across, yy: across, zz: across}
	if h > 0 {
		along := float64(tube*hh/3) + float64(ball*(hh+float64(0.75*h*radius)+float64(rr/5)))
		m.second.addOuter((along-across)/hh, axis)
	}
	return m
}

// hullMass returns the mass properties of a hull: the sum over the tetrahedra between an inner
// point and the triangles of the faces. The second moments of a tetrahedron of volume v with one
// corner at the origin are v/20·(aaᵀ + bbᵀ + ccᵀ + ddᵀ), with d = a+b+c (Tonon 2004, "Explicit
// exact formulas for the 3-D tetrahedron inertia tensor").
func hullMass(h *hull.Hull) massProperties {
	o := h.CenterOfMass().Wide()
	var m massProperties
	for f := range h.NumFaces() {
		corners := h.Face(f)
		a := h.Vertex(int(corners[0])).Sub(o)
		for i := 2; i < len(corners); i++ {
			b, c := h.Vertex(int(corners[i-1])).Sub(o), h.Vertex(int(corners[i])).Sub(o)
			v, d := a.Dot(b.Cross(c))/6, a.Add(b).Add(c)
			m.mass += v
			m.center = m.center.AddMul(v/4, d)
			for _, corner := range [...]geom.DVec3{a, b, c, d} {
				m.second.addOuter(v/20, corner)
			}
		}
	}
	m.center = m.center.Mul(1 / m.mass)
	m.second.addOuter(-m.mass, m.center)
	m.center = m.center.Add(o)
	return m
}

// scale multiplies the density by a factor.
func (m *massProperties) scale(factor float64) {
	s := m.second
	m.mass, m.second = float64(m.mass*factor), secondMoments{}
	m.second.add(factor, &s)
}

// put makes m the mass properties of its image under an affine map. The density stays the same.
func (m *massProperties) put(to geom.Affine) {
	x, y, z := to.X.Wide(), to.Y.Wide(), to.Z.Wide()
	m.scale(math.Abs(to.Det()))
	s := m.second
	m.center = to.Origin.Wide().AddMul(m.center.X, x).AddMul(m.center.Y, y).AddMul(m.center.Z, z)
	// The columns of to·second, times their columns of toᵀ.
	a := x.Mul(s.xx).AddMul(s.xy, y).AddMul(s.xz, z)
	b := x.Mul(s.xy).AddMul(s.yy, y).AddMul(s.yz, z)
	c := x.Mul(s.xz).AddMul(s.yz, y).AddMul(s.zz, z)
	row := func(a, x, b, y, c, z float64) float64 { return float64(a*x) + float64(b*y) + float64(c*z) }
	m.second = secondMoments{
		xx: row(a.X, x.X, b.X, y.X, c.X, z.X),
		yy: row(a.Y, x.Y, b.Y, y.Y, c.Y, z.Y),
		zz: row(a.Z, x.Z, b.Z, y.Z, c.Z, z.Z),
		xy: row(a.X, x.Y, b.X, y.Y, c.X, z.Y),
		xz: row(a.X, x.Z, b.X, y.Z, c.X, z.Z),
		yz: row(a.Y, x.Z, b.Y, y.Z, c.Y, z.Z),
	}
}

// add adds other mass. The moments are kept about the common centre, not about the origin, so
// that no digits are lost far from it (Chan, Golub and LeVeque 1983, "Algorithms for computing the
// sample variance").
func (m *massProperties) add(o *massProperties) {
	if !(o.mass > 0) {
		return
	}
	sum, between := m.mass+o.mass, o.center.Sub(m.center)
	m.second.add(1, &o.second)
	m.second.addOuter(m.mass*(o.mass/sum), between)
	m.center = m.center.AddMul(o.mass/sum, between)
	m.mass = sum
}

// narrow returns m in single precision, about its principal axes.
func (m *massProperties) narrow() Mass {
	along, axes := m.second.principal()
	return Mass{
		Mass: float32(m.mass), Center: m.center.Narrow(), Axes: axes,
		Inertia: geom.DVec3{X: along.Y + along.Z, Y: along.Z + along.X, Z: along.X + along.Y}.Narrow(),
	}
}

// wide returns the mass properties of a Mass.
func (m *Mass) wide() massProperties {
	w := massProperties{mass: float64(m.Mass), center: m.Center.Wide()}
	i := m.Inertia.Wide()
	turn := geom.Transform{Rotation: m.Axes}.Affine()
	w.second.addOuter((i.Y+i.Z-i.X)/2, turn.X.Wide())
	w.second.addOuter((i.Z+i.X-i.Y)/2, turn.Y.Wide())
	w.second.addOuter((i.X+i.Y-i.Z)/2, turn.Z.Wide())
	return w
}

const (
	// offDiagonal is the size of an entry beside the diagonal, as a fraction of the trace, that
	// counts as zero: some hundred times the rounding error of a sum. Larger: the moments lose
	// digits. Smaller: a cube gets axes that rounding errors choose.
	offDiagonal = 0x1p-44
	// jacobiSweeps is the most often that all entries are made zero; each time squares the rest,
	// and five are the most that random matrices took.
	jacobiSweeps = 16
)

// principal returns the eigenvalues of the matrix, and the rotation from its eigenvectors to its
// axes, by Jacobi's method (Golub and Van Loan 2013, section 8.5). A diagonal matrix keeps its
// axes. All steps are exact or rounded once, so the bits are the same everywhere.
func (m *secondMoments) principal() (along geom.DVec3, axes geom.Quat) {
	a := [3][3]float64{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}
	small := offDiagonal * (math.Abs(m.xx) + math.Abs(m.yy) + math.Abs(m.zz))
	v, w := [3]float64{}, 1.0 // the quaternion of the rotation so far
	for range jacobiSweeps {
		turned := false
		for r := range 3 {
			p, q := (r+1)%3, (r+2)%3
			if math.Abs(a[p][q]) <= small {
				continue
			}
			turned = true
			// t is the tangent, of at most 45°, of the rotation about axis r that makes the entry
			// zero.
			cot := (a[q][q] - a[p][p]) / (2 * a[p][q])
			t := math.Copysign(1/(math.Abs(cot)+math.Sqrt(float64(cot*cot)+1)), cot)
			c := 1 / math.Sqrt(float64(t*t)+1)
			s := float64(t * c)
			a[p][p] -= float64(t * a[p][q])
			a[q][q] += float64(t * a[p][q])
			a[p][q], a[q][p] = 0, 0
			rp, rq := a[r][p], a[r][q]
			a[r][p] = float64(c*rp) - float64(s*rq)
			a[r][q] = float64(s*rp) + float64(c*rq)
			a[p][r], a[q][r] = a[r][p], a[r][q]
			// By half the angle, clockwise.
			ch := math.Sqrt((1 + c) / 2)
			sh := -s / (2 * ch)
			vp, vq, vr := v[p], v[q], v[r]
			v[p] = float64(ch*vp) + float64(sh*vq)
			v[q] = float64(ch*vq) - float64(sh*vp)
			v[r] = float64(ch*vr) + float64(sh*w)
			w = float64(ch*w) - float64(sh*vr)
		}
		if !turned {
			break
		}
	}
	return geom.DVec3{X: a[0][0], Y: a[1][1], Z: a[2][2]},
		geom.Quat{X: float32(v[0]), Y: float32(v[1]), Z: float32(v[2]), W: float32(w)}
}
