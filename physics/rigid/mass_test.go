package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// raw is the integrals over a solid of 1, of x and of x·xᵀ, about the origin.
type raw struct {
	one    float64
	first  geom.DVec3
	second [3][3]float64
}

func (r *raw) add(s float64, o *raw) {
	r.one += s * o.one
	r.first = r.first.AddMul(s, o.first)
	for i := range 3 {
		for j := range 3 {
			r.second[i][j] += s * o.second[i][j]
		}
	}
}

// outer returns x·yᵀ.
func outer(x, y geom.DVec3) (m [3][3]float64) {
	for i, a := range [3]float64{x.X, x.Y, x.Z} {
		for j, b := range [3]float64{y.X, y.Y, y.Z} {
			m[i][j] = a * b
		}
	}
	return m
}

// moved returns the integrals over the solid moved by o: ∫(o+x)·(o+x)ᵀ = o·oᵀ∫1 + o·(∫x)ᵀ +
// (∫x)·oᵀ + ∫x·xᵀ.
func (r raw) moved(o geom.DVec3) raw {
	for _, m := range [][3][3]float64{outer(o, o.Mul(r.one)), outer(o, r.first), outer(r.first, o)} {
		r.add(1, &raw{second: m})
	}
	r.first = r.first.AddMul(r.one, o)
	return r
}

// tensor returns mass, centre and inertia tensor about the centre, for a density.
func (r *raw) tensor(density float64) (mass float64, center geom.DVec3, inertia [3][3]float64) {
	center = r.first.Mul(1 / r.one)
	about := r.moved(center.Neg()).second
	trace := about[0][0] + about[1][1] + about[2][2]
	for i := range 3 {
		for j := range 3 {
			inertia[i][j] = -density * about[i][j]
		}
		inertia[i][i] += density * trace
	}
	return density * r.one, center, inertia
}

// integral integrates over a convex shape, by the distance at which rays leave it that start at a
// point inside. It uses nothing of the shapes: the rays hit what physics places.
type integral struct {
	t      *testing.T
	space  *physics.Space
	inside geom.Vec3
	scale  float64 // the fifth power of a length, of the order of the second moments
	sum    raw
}

// integrate starts with the faces of an octahedron around the point inside.
func integrate(t *testing.T, s physics.Shape, scale geom.Vec3) raw {
	in := integral{t: t, space: physics.NewSpace()}
	id := in.space.Add(physics.Collider{Shape: s, Transform: geom.Transform{Scale: scale}})
	b, ok := in.space.Bounds(id)
	require.True(t, ok)
	in.inside, in.scale = b.Center(), math.Pow(b.HalfExtents().Wide().Len(), 5)
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{-1, 1} {
			for _, z := range []float64{-1, 1} {
				in.over(geom.DVec3{X: x}, geom.DVec3{Y: y}, geom.DVec3{Z: z}, 0)
			}
		}
	}
	return in.sum.moved(in.inside.Wide())
}

// over adds the part of the solid in the cone through a triangle of the octahedron. It divides the
// triangle into four until that changes the result by little: near the edges of a polyhedron that
// takes many steps.
func (in *integral) over(a, b, c geom.DVec3, depth int) {
	whole := in.cone(a, b, c)
	d, e, f := b.Add(c).Mul(0.5), c.Add(a).Mul(0.5), a.Add(b).Mul(0.5)
	var parts raw
	four := [][3]geom.DVec3{{a, e, f}, {b, f, d}, {c, d, e}, {d, e, f}}
	for _, t := range four {
		part := in.cone(t[0], t[1], t[2])
		parts.add(1, &part)
	}
	change := parts
	change.add(-1, &whole)
	worst := 0.0
	for i := range 3 {
		worst = max(worst, math.Abs(change.second[i][i]))
	}
	// The middles of the edges alone miss an edge of the solid that cuts off a corner. A plane has
	// 1/T linear in p.
	bent := 0.0
	for _, m := range [][3]geom.DVec3{{a, b, f}, {b, c, d}, {c, a, e}} {
		x, y, z := in.far(m[0]), in.far(m[1]), in.far(m[2])
		bent = max(bent, math.Abs(1-z*(1/x+1/y)/2))
	}
	worst = max(worst, bent*math.Abs(a.Dot(b.Cross(c)))*in.scale/16)
	// With a hundredth of this limit, the results differ by less than 1e-5.
	if depth > 2 && worst < 2e-7*in.scale || depth == 12 {
		in.sum.add(1, &parts)
		in.sum.add(1./15, &change) // where it is smooth, the error has a sixteenth of the whole's
		return
	}
	for _, t := range four {
		in.over(t[0], t[1], t[2], depth+1)
	}
}

// far returns T of the ray along p where it leaves the solid.
func (in *integral) far(p geom.DVec3) float64 {
	hit, ok := in.space.CastRay(geom.NewRay(in.inside, p.Narrow()), physics.Filter{Start: geom.Exit})
	require.True(in.t, ok)
	return float64(hit.T)
}

// cone integrates over the cone from the point inside through a triangle, by the values at the
// middles of its edges. With the point T·p of the surface, the cone above the area dA holds
// T³/3·h·dA, where h is the distance of the triangle's plane.
func (in *integral) cone(a, b, c geom.DVec3) (sum raw) {
	hdA := math.Abs(a.Dot(b.Cross(c))) / 2 / 3
	for _, p := range [3]geom.DVec3{a.Add(b).Mul(0.5), b.Add(c).Mul(0.5), c.Add(a).Mul(0.5)} {
		r := in.far(p)
		sum.add(hdA*r*r*r, &raw{1. / 3, p.Mul(r / 4), outer(p, p.Mul(r*r/5))})
	}
	return sum
}

// tensorOf returns the inertia tensor of a Mass in its frame.
func tensorOf(m rigid.Mass) (inertia [3][3]float64) {
	for k, axis := range []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		v := m.Axes.Rotate(axis)
		e := [3]float64{float64(v.X), float64(v.Y), float64(v.Z)}
		for i := range 3 {
			for j := range 3 {
				inertia[i][j] += float64([]float32{m.Inertia.X, m.Inertia.Y, m.Inertia.Z}[k]) * e[i] * e[j]
			}
		}
	}
	return inertia
}

// farFrom returns the largest difference of a Mass from raw moments: of the mass as a fraction, of
// the centre as a fraction of the radius of gyration, and of the tensor as a fraction of its trace.
func farFrom(m rigid.Mass, r *raw, density float64) (worst float64) {
	mass, center, want := r.tensor(density)
	got := tensorOf(m)
	trace := want[0][0] + want[1][1] + want[2][2]
	worst = max(math.Abs(float64(m.Mass)/mass-1), m.Center.Wide().Sub(center).Len()/math.Sqrt(trace/mass))
	for i := range 3 {
		for j := range 3 {
			worst = max(worst, math.Abs(got[i][j]-want[i][j])/trace)
		}
	}
	return worst
}

func rock(t testing.TB) *hull.Hull {
	h, err := hull.New([]geom.Vec3{
		{X: -0.5, Y: -0.4, Z: -0.3}, {X: 0.6, Y: -0.5, Z: -0.2}, {X: 0.5, Y: 0.7, Z: -0.4}, {X: -0.3, Y: 0.5, Z: -0.6}, {Y: 0.2, Z: 0.9}, {X: 0.7, Y: 0.1, Z: 0.5},
	})
	require.NoError(t, err)
	return h
}

func TestMassIsThatOfTheSolidThatRaysHit(t *testing.T) {
	testenv.Long(t)
	turn := geom.Quat{X: 0.3, Y: -0.2, Z: 0.5, W: 0.8}
	box := geom.Box{Center: geom.V(0.3, -0.2, 0.1), HalfExtents: geom.V(0.5, 0.3, 0.4), Rotation: turn}
	ball := geom.Sphere{Center: geom.V(-0.4, 0.3, 0.2), Radius: 0.7}
	pill := geom.Capsule{A: geom.V(-0.2, 0.1, 0.3), B: geom.V(0.4, 0.6, -0.1), Radius: 0.4}
	tin := geom.Cylinder(pill.A, pill.B, 0.4)
	spike := geom.Cone{A: pill.A, B: pill.B, RadiusB: 0.6}
	stump := geom.Cone{A: pill.A, B: pill.B, RadiusA: 0.2, RadiusB: 0.5}
	pear := geom.TaperedCapsule{A: pill.A, B: pill.B, RadiusA: 0.2, RadiusB: 0.5}
	one := geom.V(1, 1, 1)
	skew := geom.V(1.5, -0.8, 1.2)
	child := func(s physics.Shape) physics.Shape { // sheared under skew
		at := geom.Transform{Position: geom.V(0.2, 0.1, -0.3), Rotation: turn, Scale: geom.V(0.8, 1.1, -1.3)}
		return physics.NewCompound(physics.Child{Shape: s, Transform: at})
	}
	const density = 700
	for name, c := range map[string]struct {
		shape physics.Shape
		scale geom.Vec3
	}{
		"AABB":                 {geom.AABB{Min: geom.V(-0.2, 0.1, -0.5), Max: geom.V(0.4, 0.5, 0.3)}, skew},
		"AABB of a compound":   {child(geom.AABB{Min: geom.V(-0.2, 0.1, -0.5), Max: geom.V(0.4, 0.5, 0.3)}), skew},
		"box":                  {box, one},
		"box, sheared":         {box, skew},
		"box of a compound":    {child(box), skew},
		"sphere":               {ball, geom.V(2, -2, 2)},
		"ellipsoid":            {ball, skew},
		"ellipsoid, sheared":   {child(ball), skew},
		"capsule":              {pill, geom.V(-1.5, 1.5, 1.5)},
		"capsule of no length": {geom.Capsule{A: pill.A, B: pill.A, Radius: 0.4}, skew},
		"capsule, scaled":      {pill, skew},
		"capsule, sheared":     {child(pill), skew},
		"cylinder":             {tin, geom.V(-1.5, 1.5, 1.5)},
		"cylinder, scaled":     {tin, skew},
		"cone":                 {spike, one},
		"frustum, sheared":     {child(stump), skew},
		"tapered capsule":      {pear, geom.V(2, -2, 2)},
		"tapered, scaled":      {pear, skew},
		"tapered, contained":   {geom.TaperedCapsule{A: pill.A, B: pill.B, RadiusA: 0.3, RadiusB: 1.5}, one},
		"hull":                 {rock(t), one},
		"hull, scaled":         {rock(t), skew},
		"hull, sheared":        {child(rock(t)), skew},
	} {
		m, err := rigid.MassOf(c.shape, c.scale, density)
		require.NoError(t, err, name)
		truth := integrate(t, c.shape, c.scale)
		assert.Less(t, farFrom(m, &truth, density), 1e-5, name)
	}
}

func TestMassOfSeveral(t *testing.T) {
	turn := geom.Quat{X: 0.3, Y: -0.2, Z: 0.5, W: 0.8}
	scale := geom.V(1.5, -0.8, 1.2)
	children := []physics.Child{
		{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.Transform{Position: geom.V(2, 0.3, 0), Scale: geom.V(1, 1, 0.5)}},
		{Shape: geom.Box{HalfExtents: geom.V(0.5, 1, 0.2)}, Transform: geom.Transform{Position: geom.V(1, -0.3, 0.2), Rotation: turn}},
		{Shape: rock(t), Transform: geom.Transform{Position: geom.V(-1, 0, 0.5), Rotation: turn.Inverse()}},
		{Shape: geom.Box{HalfExtents: geom.V(5, 5, 0)}}, // no volume
	}
	var truth raw
	for _, c := range children[:3] {
		m, err := rigid.MassOf(physics.NewCompound(c), scale, 1)
		require.NoError(t, err)
		one := rawOf(m)
		truth.add(1, &one)
	}
	m, err := rigid.MassOf(physics.NewCompound(children...), scale, 1)
	require.NoError(t, err)
	assert.Less(t, farFrom(m, &truth, 1), rounding)

	// The same as colliders of a body, none of which is sheared.
	parts, sum := make([]rigid.Mass, 3), raw{}
	for i, c := range children[:3] {
		at := c.Transform
		if parts[i], err = rigid.MassOf(c.Shape, at.Scale, 1); err != nil {
			t.Fatal(err)
		}
		parts[i] = parts[i].At(at.Position, at.Rotation)
		one := rawOf(parts[i])
		sum.add(1, &one)
	}
	assert.Less(t, farFrom(rigid.Combine(parts...), &sum, 1), rounding)
	m, err = rigid.MassOf(physics.NewCompound(children...), geom.Vec3{}, 1)
	require.NoError(t, err)
	assert.Less(t, farFrom(m, &sum, 1), rounding)
	assert.Zero(t, rigid.Combine())
	assert.Equal(t, parts[0], rigid.Combine(rigid.Mass{}, parts[0]))
}

// rounding is what a Mass may be off by because it is in single precision: eight roundings of the
// quaternion, of the three moments and of what they are computed from.
const rounding = 8 * 0x1p-24

// rawOf returns the moments of a Mass about the origin.
func rawOf(m rigid.Mass) raw {
	i := tensorOf(m)
	r := raw{one: float64(m.Mass)}
	trace := (i[0][0] + i[1][1] + i[2][2]) / 2
	for j := range 3 {
		for k := range 3 {
			r.second[j][k] = -i[j][k]
		}
		r.second[j][j] += trace
	}
	return r.moved(m.Center.Wide())
}

// The formulas of text books, and the axes as given: a game that asks for the inertia of a box
// along the axes gets it in the order of the axes.
func TestMassByFormula(t *testing.T) {
	near := func(want, got float32) { t.Helper(); assert.InEpsilon(t, want, got, rounding) }
	check := func(s physics.Shape, scale geom.Vec3, mass float64, inertia geom.DVec3) {
		t.Helper()
		m, err := rigid.MassOf(s, scale, 10)
		require.NoError(t, err)
		near(float32(mass), m.Mass)
		near(float32(inertia.X), m.Inertia.X)
		near(float32(inertia.Y), m.Inertia.Y)
		near(float32(inertia.Z), m.Inertia.Z)
		assert.Equal(t, geom.QuatIdentity(), m.Axes, "%+v", s)
	}
	box := func(m, x, y, z float64) geom.DVec3 { // of whole edges
		return geom.DVec3{X: y*y + z*z, Y: z*z + x*x, Z: x*x + y*y}.Mul(m / 12)
	}
	check(geom.Box{HalfExtents: geom.V(1, 2, 3)}, geom.Vec3{}, 480, box(480, 2, 4, 6))
	check(geom.Box{HalfExtents: geom.V(1, 2, 3)}, geom.V(-1, 2, 0.5), 480, box(480, 2, 8, 3))
	check(geom.AABBAround(geom.V(1000, 0, 0), geom.V(3, 2, 1)), geom.Vec3{}, 480, box(480, 6, 4, 2))
	ball := 40. / 3 * math.Pi
	check(geom.Sphere{Center: geom.V(3, 4, 5), Radius: 1}, geom.Vec3{}, ball, geom.DVec3{X: 0.4, Y: 0.4, Z: 0.4}.Mul(ball))
	check(geom.Sphere{Radius: 1}, geom.V(1, 2, 3), 6*ball, geom.DVec3{X: 13, Y: 10, Z: 5}.Mul(6*ball/5))
	tube := 20 * math.Pi // of height 2 and radius 1; the half spheres have their centres at 1 + 3/8
	check(geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 1, 0), Radius: 1}, geom.Vec3{}, tube+ball, geom.DVec3{
		X: tube*(4./12+1./4) + ball*(0.4+1+0.75), Y: tube/2 + ball*0.4, Z: tube*(4./12+1./4) + ball*(0.4+1+0.75),
	})

	// A cylinder, and a cone whose centre of mass is a quarter of its height over its base.
	check(geom.Cylinder(geom.V(0, -1, 0), geom.V(0, 1, 0), 1), geom.Vec3{}, tube, geom.DVec3{X: 7. / 12, Y: 0.5, Z: 7. / 12}.Mul(tube))
	check(geom.Cone{B: geom.V(0, 2, 0), RadiusA: 1}, geom.Vec3{}, tube/3, geom.DVec3{X: 0.3, Y: 0.3, Z: 0.3}.Mul(tube/3))
	spike, err := rigid.MassOf(geom.Cone{B: geom.V(0, 2, 0), RadiusA: 1}, geom.Vec3{}, 1)
	require.NoError(t, err)
	assert.Equal(t, geom.V(0, 0.5, 0), spike.Center)

	// A cube has the same moments about all axes, and keeps its own frame however it is turned.
	cube, err := rigid.MassOf(geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.Quat{X: 0.3, Y: -0.2, Z: 0.5, W: 0.8}}, geom.Vec3{}, 1)
	require.NoError(t, err)
	near(16./3, cube.Inertia.X)
	near(16./3, cube.Inertia.Y)
	near(16./3, cube.Inertia.Z)

	// A thread: the moment about it is a millionth of the others, and has as many digits.
	const thin = 1e-3
	thread, err := rigid.MassOf(geom.Box{HalfExtents: geom.V(thin, 1, thin), Rotation: geom.Quat{X: 0.3, Y: -0.2, Z: 0.5, W: 0.8}}, geom.Vec3{}, 1)
	require.NoError(t, err)
	least := min(thread.Inertia.X, thread.Inertia.Y, thread.Inertia.Z)
	near(8*thin*thin/12*8*thin*thin, least)

	// A mass far from the origin loses digits of its centre alone.
	home, err := rigid.MassOf(rock(t), geom.Vec3{}, 1)
	require.NoError(t, err)
	far, err := rigid.MassOf(physics.NewCompound(physics.Child{Shape: rock(t), Transform: geom.At(1e6, -1e6, 1e6)}), geom.Vec3{}, 1)
	require.NoError(t, err)
	near(home.Mass, far.Mass)
	near(home.Inertia.X, far.Inertia.X)
	near(home.Inertia.Y, far.Inertia.Y)
	near(home.Inertia.Z, far.Inertia.Z)

	heavy := home.WithMass(7)
	near(home.Inertia.X*(7/home.Mass), heavy.Inertia.X)
	assert.Equal(t, rigid.Mass{Mass: 7, Center: home.Center, Inertia: heavy.Inertia, Axes: home.Axes}, heavy)
	assert.PanicsWithValue(t, "rigid: Mass.WithMass: a distribution of 0 kg", func() { rigid.Mass{}.WithMass(7) })
}

func TestMassOfWhatHasNone(t *testing.T) {
	m, err := mesh.New([]geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2})
	require.NoError(t, err)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	ball, one := geom.Sphere{Radius: 1}, geom.V(1, 1, 1)
	for want, c := range map[string]struct {
		shape   physics.Shape
		scale   geom.Vec3
		density float32
	}{
		"a mesh has no inside: a hull, or a compound of hulls, has": {m, one, 1},
		"a plane has no inside, and no mass":                        {geom.YPlane(0), one, 1},
		"child 1: a plane has no inside, and no mass":               {physics.NewCompound(physics.Child{Shape: ball}, physics.Child{Shape: geom.YPlane(0)}), one, 1},
		"no shape":                         {nil, one, 1},
		"a nil *hull.Hull":                 {(*hull.Hull)(nil), one, 1},
		"a nil *physics.Compound":          {(*physics.Compound)(nil), one, 1},
		"a *geom.Sphere is no solid shape": {&ball, one, 1},
		"a geom.Sphere that is empty or not finite: {Center:(0, 0, 0) Radius:-1}":                  {geom.Sphere{Radius: -1}, one, 1},
		"a geom.Sphere that is empty or not finite: {Center:(0, 0, 0) Radius:NaN}":                 {geom.Sphere{Radius: nan}, one, 1},
		"a geom.AABB that is empty or not finite: {Min:(-Inf, -Inf, -Inf) Max:(+Inf, +Inf, +Inf)}": {geom.AABB{Min: geom.V(-inf, -inf, -inf), Max: geom.V(inf, inf, inf)}, one, 1},
		"a geom.Sphere that its scale flattens or puts out of the range of float32":                {geom.Sphere{Radius: 1e30}, geom.V(1e30, 1e30, 1e30), 1},
		"a geom.Box without volume at scale (1, 1, 1)":                                             {geom.Box{HalfExtents: geom.V(1, 0, 1)}, geom.Vec3{}, 1},
		"a *physics.Compound without volume at scale (1, 1, 1)":                                    {physics.NewCompound(), one, 1},
		"scale (NaN, 1, 1) is not finite":                                                          {ball, geom.V(nan, 1, 1), 1},
		"density 0 kg/m³: want a positive, finite one":                                             {ball, one, 0},
		"density NaN kg/m³: want a positive, finite one":                                           {ball, one, nan},
		"density +Inf kg/m³: want a positive, finite one":                                          {ball, one, inf},
		"4.1887907e-16 kg with moments of inertia (0, 0, 0) kg·m²: out of the range of float32":    {geom.Sphere{Radius: 1e-18}, one, 1e38},
		"+Inf kg with moments of inertia (+Inf, +Inf, +Inf) kg·m²: out of the range of float32":    {geom.Sphere{Radius: 1e13}, one, 1},
	} {
		_, err := rigid.MassOf(c.shape, c.scale, c.density)
		assert.EqualError(t, err, "rigid: MassOf: "+want)
	}
}

const goldenMass = 0x528a8465c6c0708b

func TestMassSameBits(t *testing.T) {
	n, h := golden.Numbers(5), golden.New()
	for range 300 {
		var children []physics.Child
		for range 1 + n.Int(3) {
			at := geom.Transform{Position: n.Vec(2), Rotation: n.Quat(), Scale: geom.V(1.5+n.Float(1), -1.5+n.Float(1), 1.5+n.Float(1))}
			var s physics.Shape = geom.Sphere{Center: n.Vec(1), Radius: 1.5 + n.Float(1)}
			switch n.Int(6) {
			case 0:
				s = geom.Box{Center: n.Vec(1), HalfExtents: geom.V(1, 1, 1).Add(n.Vec(0.9)), Rotation: n.Quat()}
			case 1:
				s = geom.Capsule{A: n.Vec(1), B: n.Vec(1), Radius: 1.5 + n.Float(1)}
			case 2:
				s = rock(t)
			case 3:
				s = geom.Cone{A: n.Vec(1), B: n.Vec(1), RadiusA: 1.5 + n.Float(1), RadiusB: 1.5 + n.Float(1)}
			case 4:
				s = geom.TaperedCapsule{A: n.Vec(1), B: n.Vec(1), RadiusA: 1.5 + n.Float(1), RadiusB: 1.5 + n.Float(1)}
			}
			children = append(children, physics.Child{Shape: s, Transform: at})
		}
		m, err := rigid.MassOf(physics.NewCompound(children...), geom.V(1, 2, -0.5).Add(n.Vec(0.3)), 1000)
		require.NoError(t, err)
		m = rigid.Combine(m, m.WithMass(3).At(n.Vec(1), n.Quat()))
		h.Float(m.Mass, m.Axes.X, m.Axes.Y, m.Axes.Z, m.Axes.W)
		h.Vec(m.Center, m.Inertia)
		h.Found++
	}
	h.Check(t, "masses", goldenMass)
}
