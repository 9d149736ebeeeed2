package narrow

import (
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// body is the reference for a Shape: the hull of points, of copies of an ellipsoid around them, and
// of a ball around all that. It is made from the same numbers as the Shape and shares no code with
// it.
type body struct {
	points  []geom.DVec3
	x, y, z geom.DVec3 // half axes of the ellipsoid
	factors []float64  // of the ellipsoid around each point; nil: all 1
	radius  float64
	plane   geom.DVec3 // of a half-space: the normal
}

// reach returns how far the body extends along n.
func (b *body) reach(n geom.DVec3) float64 {
	if b.plane != (geom.DVec3{}) {
		if b.plane.Sub(n).Len() < 1e-9 {
			return b.points[0].Dot(b.plane)
		}
		return math.Inf(1)
	}
	far := math.Inf(-1)
	out := geom.DVec3{X: b.x.Dot(n), Y: b.y.Dot(n), Z: b.z.Dot(n)}.Len()
	for i, p := range b.points {
		d := p.Dot(n)
		if b.factors != nil {
			d += b.factors[i] * out
		} else {
			d += out
		}
		if d > far { // max would look for NaN and zeros: it takes twice as long
			far = d
		}
	}
	return far + b.radius
}

// length returns the length of the longest edge that the body may have.
func (b *body) length() (most float64) {
	for i, p := range b.points {
		for _, q := range b.points[:i] {
			most = max(most, p.Sub(q).Len())
		}
	}
	return most
}

// gap returns how far two bodies are apart along n; negative where they overlap. The largest gap
// over all directions is the distance of two convex bodies, or if it is negative their depth.
func gap(a, b *body, n geom.DVec3) float64 { return -b.reach(n.Neg()) - a.reach(n) }

// directions is spread evenly over the sphere (Vogel 1979).
var directions = func() (d []geom.DVec3) {
	const n = 400
	for i := range n {
		y := 1 - (2*float64(i)+1)/n
		r := math.Sqrt(1 - y*y)
		sin, cos := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		d = append(d, geom.DVec3{X: r * cos, Y: y, Z: r * sin})
	}
	return d
}()

// largestGap looks for the largest gap in all directions, and then around the best ones in ever
// smaller steps. It finds no more than there is, and in the tests mostly all of it but a few
// millionths.
func largestGap(a, b *body) float64 {
	if a.plane != (geom.DVec3{}) {
		a, b = b, a
	}
	if b.plane != (geom.DVec3{}) {
		return gap(a, b, b.plane.Neg())
	}
	type try struct {
		n geom.DVec3
		g float64
	}
	var tries [6]try // the largest gaps, in descending order
	for i := range tries {
		tries[i].g = math.Inf(-1)
	}
	for _, n := range directions {
		t := try{n, gap(a, b, n)}
		for i := range tries {
			if t.g > tries[i].g {
				t, tries[i] = tries[i], t
			}
		}
	}
	best := math.Inf(-1)
	for _, t := range tries {
		step := 0.05
		for i := 0; i < 120 && step > 1e-8; i++ {
			u := t.n.Cross(geom.DVec3{X: t.n.Y, Y: t.n.Z, Z: -t.n.X}).Normalize()
			v := t.n.Cross(u)
			better := false
			for _, way := range ways {
				n := t.n.AddMul(step*way[0], u).AddMul(step*way[1], v).Normalize()
				if g := gap(a, b, n); g > t.g {
					t, better = try{n, g}, true
				}
			}
			if !better {
				step /= 2
			}
		}
		best = max(best, t.g)
	}
	return best
}

// outside returns how far p is outside of the body, as far as some directions show.
func (b *body) outside(p geom.DVec3) float64 {
	if b.plane != (geom.DVec3{}) {
		return p.Sub(b.points[0]).Dot(b.plane)
	}
	most := math.Inf(-1)
	for i := 0; i < len(directions); i += 3 {
		most = max(most, p.Dot(directions[i])-b.reach(directions[i]))
	}
	return most
}

var ways = func() (w [10][2]float64) {
	for i := range w {
		w[i][1], w[i][0] = math.Sincos(2 * math.Pi * float64(i) / float64(len(w)))
	}
	return w
}()

// randomPose returns a map with a scale around size.
func randomPose(r *rand.Rand, size, spread, aspect float64) geom.Affine {
	e := func() float32 {
		s := size * math.Exp((r.Float64()-0.5)*math.Log(aspect))
		if r.IntN(4) == 0 {
			s = -s
		}
		return float32(s)
	}
	t := geom.Transform{Position: randomVec(r).Mul(float32(spread)), Scale: geom.V(e(), e(), e())}
	switch r.IntN(4) {
	case 0:
	case 1:
		t.Rotation = geom.QuatEuler(float64(r.IntN(4))*math.Pi/2, float64(r.IntN(4))*math.Pi/2, 0)
	default:
		t.Rotation = randomTurn(r)
	}
	return t.Affine()
}

func randomVec(r *rand.Rand) geom.Vec3 {
	return geom.V(float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64()))
}

func randomTurn(r *rand.Rand) geom.Quat {
	return geom.Quat{X: float32(r.NormFloat64()), Y: float32(r.NormFloat64()), Z: float32(r.NormFloat64()), W: float32(r.NormFloat64())}
}

// hulls are what random hulls are taken from.
var hulls = func() (list []*hull.Hull) {
	add := func(p []geom.Vec3) {
		h, err := hull.New(p)
		if err != nil {
			panic(err)
		}
		list = append(list, h)
	}
	cube := make([]geom.Vec3, 8)
	for i := range cube {
		cube[i] = geom.V(float32(i&1*2-1), float32(i&2-1), float32(i>>1&2-1))
	}
	add(cube)
	add([]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: -1, Y: -1, Z: -1}})
	r := testenv.Rand(9, 9)
	for _, n := range []int{6, 12, 40, 100} {
		p := make([]geom.Vec3, n)
		for i := range p {
			p[i] = randomVec(r).Normalize()
		}
		add(p)
	}
	for _, n := range []int{5, 20, 40} {
		var p []geom.Vec3
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			p = append(p, geom.V(float32(cos), -1, float32(sin)), geom.V(float32(cos), 1, float32(sin)))
		}
		add(p)
	}
	return list
}()

// Cones and tapered capsules are two more forms of KindRound.
const (
	kindCone Kind = 100 + iota
	kindTapered
)

var allKinds = []Kind{
	KindSphere, KindCapsule, KindAABB, KindBox, KindTriangle, KindParallelepiped, KindHull, KindRound, kindCone, kindTapered, KindHalfSpace}

func kindName(k Kind) string {
	if k >= kindCone {
		return [...]string{"cone", "tapered"}[k-kindCone]
	}
	return [...]string{"nothing", "sphere", "capsule", "aabb", "box", "triangle", "parallelepiped", "hull", "round", "halfspace"}[k]
}

// isRound reports whether shapes of a kind are curved in two directions, or have a rim.
func isRound(k Kind) bool { return k == KindRound || k >= kindCone }

// cone returns the image of a cone along Y, and tapered that of a tapered capsule.
func cone(half, ra, rb float32, m geom.Affine) (Shape, body) {
	c := geom.Cone{A: geom.V(0, -half, 0), B: geom.V(0, half, 0), RadiusA: ra, RadiusB: rb}
	return Cone(c, m), body{points: []geom.DVec3{mappedPoint(m, c.A.Wide()), mappedPoint(m, c.B.Wide())}, x: m.X.Wide(), z: m.Z.Wide(),
		factors: []float64{float64(ra), float64(rb)}}
}

func tapered(a, b, ra, rb float32, m geom.Affine) (Shape, body) {
	c := geom.TaperedCapsule{A: geom.V(0, a, 0), B: geom.V(0, b, 0), RadiusA: ra, RadiusB: rb}
	return TaperedCapsule(c, m), body{points: []geom.DVec3{mappedPoint(m, c.A.Wide()), mappedPoint(m, c.B.Wide())},
		x: m.X.Wide(), y: m.Y.Wide(), z: m.Z.Wide(), factors: []float64{float64(ra), float64(rb)}}
}

// randomShape draws a shape of a kind around size, some spread from the origin.
func randomShape(r *rand.Rand, k Kind, size, spread, aspect float64) (Shape, body) {
	at, pos := randomPose(r, size, spread, aspect), float32(size)*float32(0.2+r.Float64())
	half := geom.V(at.X.Len(), at.Y.Len(), at.Z.Len())
	switch k {
	case KindSphere:
		s := geom.Sphere{Center: at.Origin, Radius: pos}
		return Sphere(s), body{points: []geom.DVec3{s.Center.Wide()}, radius: float64(s.Radius)}
	case KindCapsule:
		c := geom.Capsule{A: at.Origin, B: at.Point(geom.V(0, 2, 0)), Radius: pos}
		return Capsule(c), body{points: []geom.DVec3{c.A.Wide(), c.B.Wide()}, radius: float64(c.Radius)}
	case KindAABB:
		b := geom.AABBAround(at.Origin, half)
		return AABB(b), body{points: cornersOf(b.Min.Wide(), b.Max.Wide(), func(p geom.DVec3) geom.DVec3 { return p })}
	case KindBox:
		b := geom.Box{Center: at.Origin, HalfExtents: half, Rotation: randomTurn(r)}
		x, y, z := b.Axes()
		h := half.Wide()
		return Box(b), body{points: cornersOf(h.Neg(), h, func(p geom.DVec3) geom.DVec3 {
			return at.Origin.Wide().AddMul(p.X, x).AddMul(p.Y, y).AddMul(p.Z, z)
		})}
	case KindTriangle:
		t := geom.Triangle{A: at.Origin, B: at.Point(geom.V(2, 0, 0)), C: at.Point(geom.V(0.3, 1.5, 0))}
		return Triangle(t), body{points: []geom.DVec3{t.A.Wide(), t.B.Wide(), t.C.Wide()}}
	case KindParallelepiped:
		at.X = at.X.Add(at.Y.Mul(0.5))
		return ShearedBox(geom.Box{HalfExtents: geom.V(1, 1, 1)}, at), body{points: cornersOf(geom.DVec3{X: -1, Y: -1, Z: -1}, geom.DVec3{X: 1, Y: 1, Z: 1},
			func(p geom.DVec3) geom.DVec3 { return mappedPoint(at, p) })}
	case KindHull:
		h := hulls[r.IntN(len(hulls))]
		b := body{}
		for _, v := range h.Vertices() {
			b.points = append(b.points, mappedPoint(at, v.Wide()))
		}
		return Hull(h, at), b
	case KindRound:
		c := geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 0.7}
		if r.IntN(2) == 0 {
			c.A, c.B = geom.Vec3{}, geom.Vec3{}
		}
		b := body{points: []geom.DVec3{mappedPoint(at, c.A.Wide()), mappedPoint(at, c.B.Wide())}}
		q := float64(c.Radius)
		b.x, b.y, b.z = at.X.Wide().Mul(q), at.Y.Wide().Mul(q), at.Z.Wide().Mul(q)
		return ScaledCapsule(c, at), b
	}
	switch radii := [...]float32{0.7, 0.7, 0.2, 0, 0.7}; k {
	case kindCone:
		i := r.IntN(4)
		return cone(1, radii[i], radii[i+1], at)
	case kindTapered:
		i := r.IntN(4)
		return tapered(-1, 1, radii[i], radii[i+1], at)
	}
	n := randomVec(r).Wide().Normalize()
	return HalfSpace(n, at.Origin.Wide()), body{points: []geom.DVec3{at.Origin.Wide()}, plane: n}
}

func mappedPoint(m geom.Affine, p geom.DVec3) geom.DVec3 {
	return m.Origin.Wide().AddMul(p.X, m.X.Wide()).AddMul(p.Y, m.Y.Wide()).AddMul(p.Z, m.Z.Wide())
}

func cornersOf(lo, hi geom.DVec3, to func(geom.DVec3) geom.DVec3) (p []geom.DVec3) {
	for i := range 8 {
		c := lo
		if i&1 != 0 {
			c.X = hi.X
		}
		if i&2 != 0 {
			c.Y = hi.Y
		}
		if i&4 != 0 {
			c.Z = hi.Z
		}
		p = append(p, to(c))
	}
	return p
}
