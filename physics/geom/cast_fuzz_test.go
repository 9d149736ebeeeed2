package geom

import (
	"encoding/binary"
	"math"
	"testing"
)

// The fuzz tests cast arbitrary bits at shapes of arbitrary bits: nothing may panic, and every hit
// must pass checkHit.

// numbers reads float32 values from bytes; 0 after the end.
type numbers struct{ data []byte }

func (n *numbers) next() float32 {
	if len(n.data) < 4 {
		return 0
	}
	x := math.Float32frombits(binary.LittleEndian.Uint32(n.data))
	n.data = n.data[4:]
	return x
}

func (n *numbers) vec() Vec3 { return Vec3{n.next(), n.next(), n.next()} }

func (n *numbers) ray() Ray { return Ray{n.vec(), n.vec(), n.next(), n.next()} }

func seed(f *testing.F, shape ...float32) {
	rays := [][]float32{
		{0, 0, 0, 1, 0, 0, 0, 0}, {-4, 0.5, 0.25, 1, 0, 0, 0, 0}, {-4, 1, 1, 2, 0.5, 0, 1, 9}, {1e6, 1e6, 1e6, -1, -1, -1, 0, 0},
		{0, 0, 0, 1e-38, 0, 1e-45, 0, 0}, {3e38, 0, 0, -3e38, 0, 0, 0, inf}, {nan, 0, 0, 1, 0, 0, 0, 0}, {0, 9, 0, 0, -1, 0, -1, -1},
	}
	for _, r := range rays {
		var data []byte
		for _, x := range append(r, shape...) {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		f.Add(data)
	}
}

func fuzzSolid(f *testing.F, read func(n *numbers) solid) {
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &numbers{data}
		r := n.ray()
		s := read(n)
		for _, mode := range modes {
			h, ok := s.CastRay(r, mode)
			if !ok && h != (Hit{}) {
				t.Fatalf("a miss with %+v", h)
			}
			if ok {
				checkHit(t, r, h)
			}
		}
		if enter, exit, ok := s.Crossings(r); ok {
			line := Ray{r.Origin, r.Dir, 0, 0}
			for _, h := range []Hit{enter, exit} {
				h.T = max(h.T, 0)
				checkHit(t, line, h)
			}
			if enter.T > exit.T || s.Bounds().IsEmpty() {
				t.Fatalf("%v: %+v, %+v", s, enter, exit)
			}
		}
	})
}

func fuzzSurface(f *testing.F, read func(n *numbers) surface) {
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &numbers{data}
		r := n.ray()
		s := read(n)
		for _, cull := range []Cull{CullNone, CullBack, CullFront} {
			h, ok := s.CastRay(r, cull)
			if !ok && h != (Hit{}) {
				t.Fatalf("a miss with %+v", h)
			}
			if ok {
				checkHit(t, r, h)
				if cull.Culls(h.BackFace) || s.Bounds().IsEmpty() {
					t.Fatalf("%v: %+v", s, h)
				}
			}
		}
	})
}

func FuzzSphereCastRay(f *testing.F) {
	seed(f, 0, 0, 0, 1)
	seed(f, 1e6, 1e6, 1e6, 1e-4)
	fuzzSolid(f, func(n *numbers) solid { return Sphere{n.vec(), n.next()} })
}

func FuzzAABBCastRay(f *testing.F) {
	seed(f, -1, -1, -1, 1, 1, 1)
	seed(f, -inf, -inf, -inf, inf, 0, inf)
	fuzzSolid(f, func(n *numbers) solid { return AABB{n.vec(), n.vec()} })
}

func FuzzAABBSlabs(f *testing.F) {
	seed(f, -1, -1, -1, 1, 1, 1)
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &numbers{data}
		r := n.ray()
		b := AABB{n.vec(), n.vec()}
		s := b.Slabs(r)
		for i := range s.Near {
			if math.IsNaN(s.Near[i]) || math.IsNaN(s.Far[i]) || s.Hit && (s.Near[i] > s.TNear || s.Far[i] < s.TFar) {
				t.Fatalf("%+v", s)
			}
		}
		if _, ok := b.CastRay(r, Solid); ok && !s.Hit {
			t.Fatalf("a hit that Slabs does not explain: %+v", s)
		}
	})
}

func FuzzBoxCastRay(f *testing.F) {
	seed(f, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1)
	seed(f, 1, 2, 3, 1, 0, 1, 0.1, 0.2, 0.3, 0.4)
	fuzzSolid(f, func(n *numbers) solid {
		return Box{n.vec(), n.vec(), Quat{n.next(), n.next(), n.next(), n.next()}}
	})
}

func FuzzCapsuleCastRay(f *testing.F) {
	seed(f, 0, -1, 0, 0, 1, 0, 1)
	seed(f, 1, 1, 1, 1, 1, 1, 0)
	fuzzSolid(f, func(n *numbers) solid { return Capsule{n.vec(), n.vec(), n.next()} })
}

func FuzzConeCastRay(f *testing.F) {
	seed(f, 0, -1, 0, 0, 1, 0, 1, 0)
	seed(f, 1, 1, 1, 1, 2, 1, 3, 3)
	fuzzSolid(f, func(n *numbers) solid { return Cone{n.vec(), n.vec(), n.next(), n.next()} })
}

func FuzzTaperedCapsuleCastRay(f *testing.F) {
	seed(f, 0, -1, 0, 0, 1, 0, 1, 0.5)
	seed(f, 1, 1, 1, 1, 1, 2, 3, 1)
	fuzzSolid(f, func(n *numbers) solid { return TaperedCapsule{n.vec(), n.vec(), n.next(), n.next()} })
}

func FuzzPlaneCastRay(f *testing.F) {
	seed(f, 0, 1, 0, 2)
	fuzzSurface(f, func(n *numbers) surface { return Plane{n.vec(), n.next()} })
}

func FuzzTriangleCastRay(f *testing.F) {
	seed(f, 0, 0, 0, 4, 0, 0, 0, 4, 0)
	seed(f, 0, 0, 0, 1e19, 0, 0, 0, 1e19, 0)
	fuzzSurface(f, func(n *numbers) surface { return Triangle{n.vec(), n.vec(), n.vec()} })
}
