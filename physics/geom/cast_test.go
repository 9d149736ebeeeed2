package geom

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file holds the harness of the ray tests. A case is one line through a solid, or one point of
// a surface, tried in all variants: reversed, from inside, cut short, scaled and moved. The numbers
// of the cases are small multiples of powers of two, so that the answers are exact and are compared
// exactly, even when the scene is scaled or moved by powers of two.

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))

	infinity = math.Inf(1)
)

type solid interface {
	CastRay(Ray, StartMode) (Hit, bool)
	Crossings(Ray) (enter, exit Hit, ok bool)
	Bounds() AABB
}

type surface interface {
	CastRay(Ray, Cull) (Hit, bool)
	Bounds() AABB
}

var modes = []StartMode{Solid, Exit, Ignore}

// place scales a shape about the origin and then moves it.
func place(shape any, k float32, by Vec3) any {
	p := func(v Vec3) Vec3 { return v.Mul(k).Add(by) }
	switch s := shape.(type) {
	case Sphere:
		return Sphere{p(s.Center), s.Radius * k}
	case AABB:
		return AABB{p(s.Min), p(s.Max)}
	case Box:
		return Box{p(s.Center), s.HalfExtents.Mul(k), s.Rotation}
	case Capsule:
		return Capsule{p(s.A), p(s.B), s.Radius * k}
	case Cone:
		return Cone{p(s.A), p(s.B), s.RadiusA * k, s.RadiusB * k}
	case TaperedCapsule:
		return TaperedCapsule{p(s.A), p(s.B), s.RadiusA * k, s.RadiusB * k}
	case Plane:
		return Plane{s.Normal, s.D*k + s.Normal.Dot(by)}
	case Triangle:
		return Triangle{p(s.A), p(s.B), p(s.C)}
	}
	panic(fmt.Sprintf("place: %T", shape))
}

// everyPlace runs a test on the scene as it is, moved far away, and scaled up and down. The factors
// are powers of two near 1e6 and 1e-4, so that exact answers stay exact.
func everyPlace(t *testing.T, shape any, origin Vec3, test func(t *testing.T, shape any, origin Vec3, k float32)) {
	for _, at := range []struct {
		name string
		k    float32
		by   Vec3
	}{
		{"here", 1, Vec3{}},
		{"at 1e6", 1, V(1<<20, -1<<20, 1<<20)},
		{"times 1e6", 1 << 20, Vec3{}},
		{"times 1e-4", 1. / (1 << 13), Vec3{}},
	} {
		t.Run(at.name, func(t *testing.T) {
			test(t, place(shape, at.k, at.by), origin.Mul(at.k).Add(at.by), at.k)
		})
	}
}

// lineCase is a line through a solid: it starts outside, enters at one T and leaves at another.
type lineCase struct {
	name        string
	shape       solid
	origin, dir Vec3
	enter, exit float32
	// in and out are the outward normals where the line enters and leaves. Zero: any unit vector
	// that faces the right way, for edges and corners.
	in, out Vec3
}

func runLines(t *testing.T, cases []lineCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			everyPlace(t, c.shape, c.origin, func(t *testing.T, shape any, origin Vec3, k float32) {
				d := c
				d.shape, d.origin = shape.(solid), origin
				d.enter, d.exit = c.enter*k, c.exit*k
				d.check(t)
			})
		})
	}
}

func (c lineCase) check(t *testing.T) {
	c.forward(t)
	c.limits(t)
	// Reversed: O->|-----| becomes |-----|<-O.
	back := c
	back.origin, back.dir = c.at(c.enter+c.exit), c.dir.Neg()
	back.in, back.out = c.out, c.in
	back.forward(t)
	back.limits(t)
	// T counts multiples of Dir.
	for _, k := range []float32{0.25, 8} {
		d := c
		d.dir, d.enter, d.exit = c.dir.Mul(k), c.enter/k, c.exit/k
		d.forward(t)
	}
	c.invalid(t)
}

func (c lineCase) at(t float32) Vec3 { return Ray{Origin: c.origin, Dir: c.dir}.At(t) }

// forward casts from every start along the line.
//
//	O->  |------|        before: enters
//	     O->----|        on the surface: enters at once
//	     |  O-> |        inside: by the mode
//	     |------O->      on the surface, going out: by the mode
//	     |------|  O->   past: nothing
func (c lineCase) forward(t *testing.T) {
	t.Helper()
	enter, exit, ok := c.shape.Crossings(Ray{Origin: c.origin, Dir: c.dir, MinT: 1e9, MaxT: 1e-9})
	require.True(t, ok, "crossings")
	c.wantAt(t, enter, c.enter, c.in, false)
	c.wantAt(t, exit, c.exit, c.out, true)

	touch := c.enter == c.exit
	for _, mode := range modes {
		h, ok := c.shape.CastRay(NewRay(c.origin, c.dir), mode)
		require.True(t, ok, "before, %v", mode)
		c.wantAt(t, h, c.enter, c.in, false)

		d := c
		d.origin, d.enter, d.exit = c.at(c.enter), 0, c.exit-c.enter
		h, ok = d.shape.CastRay(NewRay(d.origin, d.dir), mode)
		require.True(t, ok, "on the surface going in, %v", mode)
		d.wantAt(t, h, 0, c.in, false)

		if !touch {
			half := (c.exit - c.enter) / 2
			d.origin, d.enter, d.exit = c.at(c.enter+half), -half, half
			d.fromInside(t, mode, "inside")
			d.origin, d.enter, d.exit = c.at(c.exit), c.enter-c.exit, 0
			d.fromInside(t, mode, "on the surface going out")
		}

		_, ok = c.shape.CastRay(NewRay(c.at(2*c.exit+1), c.dir), mode)
		assert.False(t, ok, "past, %v", mode)
	}
}

func (c lineCase) fromInside(t *testing.T, mode StartMode, what string) {
	t.Helper()
	h, ok := c.shape.CastRay(NewRay(c.origin, c.dir), mode)
	require.Equal(t, mode != Ignore, ok, "%s, %v", what, mode)
	switch mode {
	case Solid:
		c.wantStart(t, h, 0)
	case Exit:
		c.wantAt(t, h, c.exit, c.out, true)
	}
}

// limits cuts the range of the ray at the crossings, just before them and just after.
func (c lineCase) limits(t *testing.T) {
	t.Helper()
	before := func(t float32) float32 { return math.Nextafter32(t, -inf) }
	after := func(t float32) float32 { return math.Nextafter32(t, inf) }
	cast := func(lo, hi float32, mode StartMode) (Hit, bool) {
		return c.shape.CastRay(Ray{c.origin, c.dir, lo, hi}, mode)
	}
	touch := c.enter == c.exit
	for _, mode := range modes {
		h, ok := cast(c.enter, c.enter, mode)
		require.True(t, ok, "range is the entry, %v", mode)
		c.wantAt(t, h, c.enter, c.in, false)
		if c.enter > 0 {
			_, ok = cast(0, before(c.enter), mode)
			assert.False(t, ok, "MaxT before the entry, %v", mode)
		}
		_, ok = cast(after(c.exit), 0, mode)
		assert.False(t, ok, "MinT past the exit, %v", mode)
		_, ok = cast(c.exit, c.enter, mode)
		assert.Equal(t, touch, ok, "MinT over MaxT, %v", mode)
		if touch {
			continue
		}
		for _, lo := range []float32{after(c.enter), (c.enter + c.exit) / 2, c.exit} {
			for _, hi := range []float32{0, c.exit} {
				h, ok := cast(lo, hi, mode)
				require.Equal(t, mode != Ignore, ok, "MinT %g inside, MaxT %g, %v", lo, hi, mode)
				switch mode {
				case Solid:
					c.wantStart(t, h, lo)
				case Exit:
					c.wantAt(t, h, c.exit, c.out, true)
				}
			}
		}
		// Both crossings cut off: the range lies within.
		h, ok = cast(after(c.enter), before(c.exit), mode)
		require.Equal(t, mode == Solid, ok, "range inside, %v", mode)
		if ok {
			c.wantStart(t, h, after(c.enter))
		}
	}
}

// invalid casts rays that are not valid: they miss.
func (c lineCase) invalid(t *testing.T) {
	t.Helper()
	for _, r := range spoiled(NewRay(c.origin, c.dir)) {
		for _, mode := range modes {
			h, ok := c.shape.CastRay(r, mode)
			assert.False(t, ok, "%v", r)
			assert.Zero(t, h)
		}
	}
	for _, d := range []Vec3{{}, {nan, 0, 1}, {0, inf, 1}} {
		_, _, ok := c.shape.Crossings(NewRay(c.origin, d))
		assert.False(t, ok)
	}
}

// spoiled returns rays that are not valid: zero, NaN and infinite ones.
func spoiled(r Ray) []Ray {
	var bad []Ray
	for _, x := range []float32{nan, inf, -inf} {
		for _, a := range []Axis{X, Y, Z} {
			bad = append(bad,
				Ray{r.Origin.WithAxis(a, x), r.Dir, 0, 0},
				Ray{r.Origin, r.Dir.WithAxis(a, x), 0, 0})
		}
	}
	return append(bad,
		Ray{Origin: r.Origin},
		Ray{r.Origin, r.Dir, nan, 0}, Ray{r.Origin, r.Dir, 0, nan}, Ray{r.Origin, r.Dir, inf, 0},
		Ray{r.Origin, r.Dir, 0, -1}, Ray{r.Origin, r.Dir, 0, -inf})
}

func (c lineCase) wantAt(t *testing.T, h Hit, at float32, outward Vec3, back bool) {
	t.Helper()
	want := outward
	if back {
		want = outward.Neg()
	}
	assert.Equal(t, at, h.T, "T")
	assert.Equal(t, c.at(at), h.Point, "point")
	assert.Equal(t, back, h.BackFace, "back face")
	assert.False(t, h.Inside, "inside")
	assert.Equal(t, int32(-1), h.Triangle)
	assert.InDelta(t, 1, h.Normal.Len(), 1e-6, "unit normal")
	assert.LessOrEqual(t, h.Normal.Dot(c.dir), 1e-6*c.dir.Len(), "the normal %v faces the ray", h.Normal)
	if outward != (Vec3{}) {
		near(t, want, h.Normal, 1e-6, "normal")
	}
	assert.False(t, math.Signbit(float64(h.T)) && h.T == 0, "no −0")
}

func (c lineCase) wantStart(t *testing.T, h Hit, at float32) {
	t.Helper()
	assert.Equal(t, at, h.T, "T")
	assert.Equal(t, c.at(at), h.Point, "point")
	assert.True(t, h.Inside, "inside")
	assert.False(t, h.BackFace, "back face")
	near(t, c.dir.Normalize().Neg(), h.Normal, 1e-6, "normal")
}

func near(t *testing.T, want, got Vec3, eps float32, what string) {
	t.Helper()
	if d := want.Sub(got).Abs(); !(max(d.X, d.Y, d.Z) <= eps) {
		assert.Fail(t, what, "want %v, got %v", want, got)
	}
}

// pointCase is a point at which a line hits a surface from its front.
type pointCase struct {
	name        string
	shape       surface
	origin, dir Vec3
	t           float32
	normal      Vec3
	u, v        float32
}

func runPoints(t *testing.T, triangle int32, cases []pointCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			everyPlace(t, c.shape, c.origin, func(t *testing.T, shape any, origin Vec3, k float32) {
				d := c
				d.shape, d.origin, d.t = shape.(surface), origin, c.t*k
				d.check(t, triangle)
			})
		})
	}
}

// check casts at the surface from the front, from the back and from the point itself.
//
//	O->  |            front
//	     |  <-O       back
//	     O->  <-O     from the surface itself
func (c pointCase) check(t *testing.T, triangle int32) {
	t.Helper()
	p := NewRay(c.origin, c.dir).At(c.t)
	behind := NewRay(c.origin, c.dir).At(2 * c.t)
	for _, cull := range []Cull{CullNone, CullBack, CullFront} {
		for _, from := range []struct {
			name   string
			origin Vec3
			t      float32
			back   bool
		}{
			{"front", c.origin, c.t, false}, {"back", behind, c.t, true},
			{"at the front", p, 0, false}, {"at the back", p, 0, true},
		} {
			dir, normal := c.dir, c.normal
			if from.back {
				dir, normal = dir.Neg(), normal.Neg()
			}
			want := Hit{T: from.t, Point: p, Normal: normal, U: c.u, V: c.v, Triangle: triangle, BackFace: from.back}
			h, ok := c.shape.CastRay(NewRay(from.origin, dir), cull)
			if !assert.Equal(t, !cull.Culls(from.back), ok, "%s, %v", from.name, cull) || !ok {
				continue
			}
			near(t, want.Normal, h.Normal, 1e-6, from.name)
			h.Normal = want.Normal
			assert.Equal(t, want, h, from.name)

			for _, k := range []float32{0.25, 8} {
				h, ok := c.shape.CastRay(NewRay(from.origin, dir.Mul(k)), cull)
				assert.True(t, ok)
				assert.Equal(t, from.t/k, h.T)
			}
			_, ok = c.shape.CastRay(Ray{from.origin, dir, from.t, from.t}, cull)
			assert.Equal(t, from.t > 0, ok && from.t > 0, "the range is the hit")
			_, ok = c.shape.CastRay(Ray{from.origin, dir, math.Nextafter32(from.t, inf), 0}, cull)
			assert.False(t, ok, "MinT past the hit")
			if from.t > 0 {
				_, ok = c.shape.CastRay(Ray{from.origin, dir, 0, math.Nextafter32(from.t, 0)}, cull)
				assert.False(t, ok, "MaxT before the hit")
			}
			for _, r := range spoiled(NewRay(from.origin, dir)) {
				h, ok := c.shape.CastRay(r, cull)
				assert.False(t, ok, "%v", r)
				assert.Zero(t, h)
			}
		}
		_, ok := c.shape.CastRay(NewRay(behind, c.dir), cull)
		assert.False(t, ok, "past")
	}
}

// missCase is a ray that misses a solid, in every mode.
type missCase struct {
	name        string
	shape       solid
	origin, dir Vec3
}

func runMisses(t *testing.T, cases []missCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			everyPlace(t, c.shape, c.origin, func(t *testing.T, shape any, origin Vec3, _ float32) {
				for _, dir := range []Vec3{c.dir, c.dir.Neg()} {
					for _, mode := range modes {
						_, ok := shape.(solid).CastRay(NewRay(origin, dir), mode)
						assert.False(t, ok, "%v, %v", dir, mode)
					}
					_, _, ok := shape.(solid).Crossings(NewRay(origin, dir))
					assert.False(t, ok, "crossings")
				}
			})
		})
	}
}

func TestResolve(t *testing.T) {
	// The span is [2, 6]; the range is lo…hi.
	for _, c := range []struct {
		lo, hi float32
		mode   StartMode
		t      float64
		at     crossing
		ok     bool
	}{
		{0, 0, Solid, 2, entering, true},
		{0, 2, Ignore, 2, entering, true},
		{0, 1, Solid, 0, 0, false},
		{2, 2, Exit, 2, entering, true},
		{3, 0, Solid, 3, starting, true},
		{3, 0, Exit, 6, leaving, true},
		{3, 6, Exit, 6, leaving, true},
		{3, 5, Exit, 0, 0, false},
		{3, 5, Solid, 3, starting, true},
		{3, 0, Ignore, 0, 0, false},
		{6, 0, Solid, 6, starting, true},
		{6, 6, Exit, 6, leaving, true},
		{7, 0, Solid, 0, 0, false},
	} {
		at, side, ok := span{2, 6}.resolve(Ray{MinT: c.lo, MaxT: c.hi}, c.mode)
		require.Equal(t, c.ok, ok, "%+v", c)
		if ok {
			assert.Equal(t, c.t, at, "%+v", c)
			assert.Equal(t, c.at, side, "%+v", c)
		}
	}
	for _, s := range []span{nowhere, {math.NaN(), 1}, {0, math.NaN()}, {2, 1}} {
		for _, mode := range modes {
			_, _, ok := s.resolve(Ray{}, mode)
			assert.False(t, ok, "%v", s)
		}
	}
}

// checkHit asserts the invariants of every hit.
func checkHit(t interface{ Fatalf(string, ...any) }, r Ray, h Hit) {
	if h2, ok := t.(interface{ Helper() }); ok {
		h2.Helper()
	}
	lo, hi := r.Range()
	switch {
	case !(h.T >= lo && h.T <= hi) || h.T > math.MaxFloat32 || h.T == 0 && math.Signbit(float64(h.T)):
		t.Fatalf("%v: T of %+v", r, h)
	case !h.Point.IsFinite():
		t.Fatalf("%v: point of %+v", r, h)
	case !(math.Abs(float64(h.Normal.Len())-1) < 1e-6):
		t.Fatalf("%v: normal of %+v is not unit", r, h)
	case h.U != h.U || h.V != h.V:
		t.Fatalf("%v: NaN in %+v", r, h)
	case h.Inside && (h.T != lo || h.BackFace):
		t.Fatalf("%v: start of %+v", r, h)
	}
}
