package narrow

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// castShape is a body as this package has it and as the tests do, which share nothing with it: a
// hull of corners, a ball that is mapped and one that is not.
type castShape struct {
	kind    string
	body    Shape
	corners []geom.DVec3
	x, y, z geom.DVec3 // of the ball, if any
	factors []float64  // of the ball at each corner; nil: all 1
	margin  float64
}

// top returns how far the castShape reaches along a unit vector.
func (s *castShape) top(v geom.DVec3) float64 {
	most := math.Inf(-1)
	ball := geom.DVec3{X: s.x.Dot(v), Y: s.y.Dot(v), Z: s.z.Dot(v)}.Len()
	for i, c := range s.corners {
		if s.factors != nil {
			most = max(most, c.Dot(v)+s.factors[i]*ball)
		} else {
			most = max(most, c.Dot(v)+ball)
		}
	}
	return most + s.margin
}

// size returns a bound for what there is of the castShape, its placedBy left out.
func (s *castShape) size() float64 { return s.body.extent + s.margin }

var castKinds = []string{
	"point", "sphere", "capsule", "needle", "aabb", "box", "flat box", "parallelepiped", "triangle", "sliver", "hull", "round hull",
	"ellipsoid", "stretched capsule", "cone", "cylinder", "tapered capsule",
}

func vec(rng *rand.Rand) geom.DVec3 {
	return geom.DVec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
}

// castRandom returns a castShape of a kind around a placedBy, some size in size.
func castRandom(rng *rand.Rand, kind string, at geom.Vec3, size float32) castShape {
	v := func() geom.Vec3 { return vec(rng).Mul(float64(size)).Narrow() }
	positive := func() float32 { return size * (0.05 + rng.Float32()) }
	turn := geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32() - 0.5, Z: rng.Float32() - 0.5, W: rng.Float32() - 0.5}
	if rng.IntN(4) == 0 {
		turn = geom.Quat{}
	}
	affine := geom.Transform{Position: at, Rotation: turn,
		Scale: geom.V(0.1+rng.Float32(), -0.1-rng.Float32(), 0.3+rng.Float32())}.Affine()
	affine.X = affine.X.Add(affine.Y.Mul(rng.Float32())) // a shear
	s := castShape{kind: kind}
	switch kind {
	case "point", "sphere":
		b := geom.Sphere{Center: at, Radius: positive()}
		if kind == "point" {
			b.Radius = 0
		}
		s.body = Sphere(b)
		s.corners, s.margin = []geom.DVec3{at.Wide()}, float64(b.Radius)
	case "capsule", "needle":
		b := geom.Capsule{A: at, B: at.Add(v()), Radius: positive()}
		if kind == "needle" {
			b.Radius = 0
		}
		s.body = Capsule(b)
		s.corners, s.margin = []geom.DVec3{b.A.Wide(), b.B.Wide()}, float64(b.Radius)
	case "aabb":
		b := geom.AABBAround(at, geom.V(positive(), positive(), positive()))
		s.body = AABB(b)
		for i := range 8 {
			s.corners = append(s.corners, geom.DVec3{
				X: float64([2]float32{b.Min.X, b.Max.X}[i&1]), Y: float64([2]float32{b.Min.Y, b.Max.Y}[i>>1&1]), Z: float64([2]float32{b.Min.Z, b.Max.Z}[i>>2])})
		}
	case "box", "flat box":
		b := geom.Box{Center: at, HalfExtents: geom.V(positive(), positive(), positive()), Rotation: turn}
		if kind == "flat box" {
			b.HalfExtents.Y = 0
		}
		s.body = Box(b)
		x, y, z := b.Axes()
		s.setBox(at.Wide(), x.Mul(float64(b.HalfExtents.X)), y.Mul(float64(b.HalfExtents.Y)), z.Mul(float64(b.HalfExtents.Z)))
	case "parallelepiped":
		h := geom.V(positive(), positive(), positive())
		s.body = ShearedBox(geom.Box{HalfExtents: h}, affine)
		s.setBox(at.Wide(), affine.X.Wide().Mul(float64(h.X)), affine.Y.Wide().Mul(float64(h.Y)), affine.Z.Wide().Mul(float64(h.Z)))
	case "triangle", "sliver":
		t := geom.Triangle{A: at, B: at.Add(v()), C: at.Add(v())}
		if kind == "sliver" {
			t.C = t.A.Lerp(t.B, rng.Float32()).Add(v().Mul(1e-4))
		}
		s.body = Triangle(t)
		s.corners = []geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}
	case "hull", "round hull":
		list := make([]geom.Vec3, 4+rng.IntN(20))
		for i := range list {
			list[i] = v()
			w := list[i].Wide()
			s.corners = append(s.corners, affine.Origin.Wide().
				AddMul(w.X, affine.X.Wide()).AddMul(w.Y, affine.Y.Wide()).AddMul(w.Z, affine.Z.Wide()))
		}
		if kind == "round hull" {
			s.margin = float64(positive())
		}
		s.body = Cloud(list, affine, float32(s.margin))
	case "ellipsoid", "stretched capsule":
		b := geom.Capsule{Radius: positive()}
		if kind != "ellipsoid" {
			b.B = v()
		}
		s.body = ScaledCapsule(b, affine)
		w := b.B.Wide()
		s.corners = []geom.DVec3{affine.Origin.Wide(), affine.Origin.Wide().
			AddMul(w.X, affine.X.Wide()).AddMul(w.Y, affine.Y.Wide()).AddMul(w.Z, affine.Z.Wide())}
		s.x, s.y, s.z = affine.X.Wide().Mul(float64(b.Radius)), affine.Y.Wide().Mul(float64(b.Radius)), affine.Z.Wide().Mul(float64(b.Radius))
	}
	if kind == "cone" || kind == "cylinder" || kind == "tapered capsule" {
		half, ra, rb := float32(1), positive()/size, positive()/size
		for _, v := range [3]*geom.Vec3{&affine.X, &affine.Y, &affine.Z} {
			*v = v.Mul(size)
		}
		var b body
		switch kind {
		case "cone":
			s.body, b = cone(half, ra, 0, affine)
		case "cylinder":
			s.body, b = cone(half, ra, ra, affine)
		default:
			s.body, b = tapered(-half, half, ra, rb, affine)
		}
		s.corners, s.factors, s.x, s.y, s.z = b.points, b.factors, b.x, b.y, b.z
	}
	return s
}

func (s *castShape) setBox(center, x, y, z geom.DVec3) {
	for i := range 8 {
		s.corners = append(s.corners, center.
			AddMul(float64(2*(i&1)-1), x).AddMul(float64(2*(i>>1&1)-1), y).AddMul(float64(2*(i>>2)-1), z))
	}
}
