package geom

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestHeights(t *testing.T) {
	floor := Plane{Normal: V(0, 2, 0), D: 2} // y = 1; heights are in multiples of 0.5 m
	for name, c := range map[string]struct {
		plane       Plane
		origin, dir Vec3
		want        Heights
	}{
		"from above":   {floor, V(3, 5, 0), V(1, -2, 0), Heights{Start: 8, Rate: -4, T: 2, Point: V(5, 1, 0), Hit: true}},
		"from below":   {floor, V(0, 0, 7), V(0, 0.5, 0), Heights{Start: -2, Rate: 1, T: 2, Point: V(0, 1, 7), BackFace: true, Hit: true}},
		"away from it": {floor, V(0, 5, 0), V(0, 4, 0), Heights{Start: 8, Rate: 8, T: -1, Point: V(0, 1, 0), BackFace: true, Hit: true}},
		"on it":        {floor, V(4, 1, 4), V(0, -1, 0), Heights{Rate: -2, Point: V(4, 1, 4), Hit: true}},
		"parallel":     {floor, V(0, 5, 0), V(1, 0, 0), Heights{Start: 8, T: inf64, Parallel: true}},
		"in it":        {floor, V(0, 1, 0), V(1, 0, 0), Heights{Parallel: true, Point: V(0, 1, 0), Hit: true}},
		"no plane":     {Plane{}, V(0, 1, 0), V(1, 0, 0), Heights{T: inf64, Parallel: true}},
		"no ray":       {floor, V(0, 1, 0), V(0, 0, 0), Heights{T: inf64, Parallel: true}},
		"NaN":          {floor, V(0, nan, 0), V(0, 1, 0), Heights{T: inf64, Parallel: true}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, c.plane.Heights(NewRay(c.origin, c.dir))) })
	}
}

var inf64 = math.Inf(1)

func TestRoots(t *testing.T) {
	none := Roots{TNear: inf64, TFar: -inf64}
	ball := Sphere{V(0, 1, 0), 2}
	for name, c := range map[string]struct {
		sphere      Sphere
		origin, dir Vec3
		want        Roots
	}{
		"through the centre": {ball, V(-5, 1, 0), V(2, 0, 0),
			Roots{A: 4, B: -10, C: 21, Discriminant: 16, TNear: 1.5, TFar: 3.5, TClosest: 2.5, Closest: V(0, 1, 0), Hit: true}},
		"tangent": {ball, V(-4, 3, 0), V(1, 0, 0),
			Roots{A: 1, B: -4, C: 16, TNear: 4, TFar: 4, TClosest: 4, Closest: V(0, 3, 0), Distance: 2, Hit: true}},
		"past it": {ball, V(-4, 4, 0), V(1, 0, 0),
			Roots{A: 1, B: -4, C: 21, Discriminant: -5, TNear: inf64, TFar: -inf64, TClosest: 4, Closest: V(0, 4, 0), Distance: 3}},
		"from within": {ball, V(0, 1, 0), V(0, 0, 1),
			Roots{A: 1, C: -4, Discriminant: 4, TNear: -2, TFar: 2, Closest: V(0, 1, 0), Hit: true}},
		"a point": {Sphere{V(3, 0, 0), 0}, V(0, 0, 0), V(1, 0, 0),
			Roots{A: 1, B: -3, C: 9, TNear: 3, TFar: 3, TClosest: 3, Closest: V(3, 0, 0), Hit: true}},
		"no sphere": {Sphere{V(0, 0, 0), -1}, V(0, 0, 0), V(1, 0, 0), none},
		"no ray":    {ball, V(0, 0, 0), V(0, 0, 0), none},
		"infinite":  {ball, V(0, 0, 0), V(inf, 0, 0), none},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, c.sphere.Roots(NewRay(c.origin, c.dir))) })
	}
}

func TestWeights(t *testing.T) {
	tri := Triangle{V(0, 0, 0), V(4, 0, 0), V(0, 4, 0)}
	edgeOn := Weights{T: inf64, Parallel: true}
	down := V(0, 0, -2)
	for name, c := range map[string]struct {
		triangle    Triangle
		origin, dir Vec3
		want        Weights
	}{
		"inside":           {tri, V(1, 2, 4), down, Weights{T: 2, A: 0.25, B: 0.25, C: 0.5, Point: V(1, 2, 0), Hit: true}},
		"from behind":      {tri, V(1, 2, -4), down.Neg(), Weights{T: 2, A: 0.25, B: 0.25, C: 0.5, Point: V(1, 2, 0), BackFace: true, Hit: true}},
		"rate of 1":        {Triangle{V(0, 0, 0), V(1, 0, 0), V(0, 1, 0)}, V(0.25, 0.5, -4), V(0, 0, 1), Weights{T: 4, A: 0.25, B: 0.25, C: 0.5, Point: V(0.25, 0.5, 0), BackFace: true, Hit: true}},
		"at a corner":      {tri, V(4, 0, 4), down, Weights{T: 2, B: 1, Point: V(4, 0, 0), Hit: true}},
		"at the start":     {tri, V(0, 0, 0), down, Weights{A: 1, Hit: true}},
		"on the edge BC":   {tri, V(3, 1, 4), down, Weights{T: 2, B: 0.75, C: 0.25, Point: V(3, 1, 0), Hit: true}},
		"beyond edge BC":   {tri, V(4, 4, 4), down, Weights{T: 2, A: -1, B: 1, C: 1, Point: V(4, 4, 0)}},
		"beyond edge CA":   {tri, V(-2, 2, 4), down, Weights{T: 2, A: 1, B: -0.5, C: 0.5, Point: V(-2, 2, 0)}},
		"beyond two":       {tri, V(-2, -2, 4), down, Weights{T: 2, A: 2, B: -0.5, C: -0.5, Point: V(-2, -2, 0)}},
		"behind the start": {tri, V(1, 2, -4), down, Weights{T: -2, A: 0.25, B: 0.25, C: 0.5, Point: V(1, 2, 0), Hit: true}},
		"parallel":         {tri, V(1, 2, 4), V(1, 0, 0), edgeOn},
		"in its plane":     {tri, V(-1, 1, 0), V(1, 0, 0), edgeOn},
		"flattened":        {Triangle{V(0, 0, 0), V(1, 1, 1), V(2, 2, 2)}, V(1, 1, 4), down, edgeOn},
		"no triangle":      {Triangle{A: V(nan, 0, 0)}, V(1, 1, 4), down, edgeOn},
		"no ray":           {tri, V(1, 1, 4), V(0, 0, 0), edgeOn},
	} {
		t.Run(name, func(t *testing.T) {
			w := c.triangle.Weights(NewRay(c.origin, c.dir))
			assert.Equal(t, c.want, w)
			for _, x := range []float64{w.T, w.B, w.C} {
				assert.False(t, x == 0 && math.Signbit(x), "−0")
			}
		})
	}
}

// The explanation agrees with the cast.
func TestExplainedAsCast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRay().Draw(t, "ray")
		r.MaxT = rapid.SampledFrom([]float32{0, 0.5, 4}).Draw(t, "limit")
		lo, hi := r.Range()
		// A hit at MaxT counts, and its T is rounded to single precision.
		inRange := func(at float64) bool { return at >= float64(lo) && float32(at) <= hi }

		p := Plane{direction().Draw(t, "normal"), coordinate(8).Draw(t, "d")}
		h := p.Heights(r)
		hit, ok := p.CastRay(r, CullNone)
		require.Equal(t, ok, h.Hit && inRange(h.T), "%+v", h)
		if ok {
			require.Equal(t, hit.T, float32(h.T))
			require.Equal(t, hit.Point, h.Point)
			require.Equal(t, hit.BackFace, h.BackFace)
		}

		s := Sphere{point(8).Draw(t, "centre"), rapid.Map(coordinate(4), abs).Draw(t, "radius")}
		if rapid.Bool().Draw(t, "aimed") {
			r.Dir = s.Center.Add(point(2).Draw(t, "beside")).Sub(r.Origin)
		}
		q := s.Roots(r)
		hit, ok = s.CastRay(r, Ignore)
		require.Equal(t, ok, q.Hit && inRange(q.TNear), "%+v", q)
		if ok {
			require.Equal(t, hit.T, float32(q.TNear))
		}
		_, ok = s.CastRay(r, Solid)
		require.Equal(t, ok, q.Hit && q.TFar >= float64(lo) && float32(q.TNear) <= hi)
		require.Equal(t, q.Hit, q.Discriminant >= 0 && r.Dir != Vec3{})
		if q.Hit {
			// Each summand, each coefficient and Radius² have fewer than eight roundings of 2⁻⁵³,
			// and so has the squared distance of Origin, which is C + Radius².
			value := func(at float64) (v, rounding float64) {
				x, y := q.A*at*at, 2*q.B*at
				rr := float64(s.Radius) * float64(s.Radius)
				return x + y + q.C, 32 * 0x1p-53 * (math.Abs(x) + math.Abs(y) + math.Abs(q.C) + 2*rr)
			}
			for _, at := range [2]float64{q.TNear, q.TFar} {
				v, rounding := value(at)
				require.InDelta(t, 0, v, rounding)
				// A root is beyond TClosest only by an error that the roots' distance does not
				// exceed.
				past := max(0, at-q.TClosest)
				if at == q.TFar {
					past = max(0, q.TClosest-at)
				}
				require.LessOrEqual(t, q.A*past*past, 2*rounding)
			}
			require.LessOrEqual(t, q.Distance, float64(s.Radius)*(1+8*0x1p-53))
		}

		tri := Triangle{point(8).Draw(t, "a"), point(8).Draw(t, "b"), point(8).Draw(t, "c")}
		if rapid.Bool().Draw(t, "at the triangle") {
			r.Dir = tri.A.Add(tri.B).Add(tri.C).Mul(1. / 3).Sub(r.Origin)
		}
		w := tri.Weights(r)
		require.Equal(t, min(w.A, w.B, w.C) >= 0 && !w.Parallel, w.Hit, "%+v", w)
		hit, ok = tri.CastRay(r, CullNone)
		if !w.Parallel {
			requireWeights(t, tri, r, [3]float64{w.A, w.B, w.C}, w.T, w.BackFace, hit, ok)
		}
	})
}

// For any bits there is no panic and no NaN, and every hit is explained.
func FuzzExplain(f *testing.F) {
	seed(f, 0, 1, 0, 2, 4, 0, 0, 0, 4, 0, 0)
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &numbers{data}
		r := n.ray()
		v, w, x := n.vec(), n.vec(), n.vec()
		h := Plane{v, w.X}.Heights(r)
		if _, ok := (Plane{v, w.X}).CastRay(r, CullNone); math.IsNaN(h.T) || ok && !h.Hit {
			t.Fatalf("%+v", h)
		}
		q := Sphere{v, w.X}.Roots(r)
		if _, ok := (Sphere{v, w.X}).CastRay(r, Solid); math.IsNaN(q.TNear) || math.IsNaN(q.TFar) || math.IsNaN(q.TClosest) || ok && !q.Hit {
			t.Fatalf("%+v", q)
		}
		k := Triangle{v, w, x}.Weights(r)
		if math.IsNaN(k.T) || math.IsNaN(k.A) || math.IsNaN(k.B) || math.IsNaN(k.C) || k.Hit && k.Parallel {
			t.Fatalf("%+v", k)
		}
	})
}
