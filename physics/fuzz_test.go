package physics

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// source reads numbers from fuzzed bytes; zeros where they end.
type source []byte

func (s *source) byte() byte {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

// float returns a small whole number mostly, and any bits at all otherwise.
func (s *source) float() float32 {
	if b := s.byte(); b < 200 {
		return float32(int(b)-100) / 16
	}
	var bits [4]byte
	for i := range bits {
		bits[i] = s.byte()
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(bits[:]))
}

func (s *source) vec() geom.Vec3 { return geom.V(s.float(), s.float(), s.float()) }

func (s *source) transform() geom.Transform {
	t := geom.Transform{Position: s.vec()}
	flags := s.byte()
	if flags&1 != 0 {
		t.Scale = s.vec()
	}
	if flags&2 != 0 {
		t.Rotation = geom.Quat{X: s.float(), Y: s.float(), Z: s.float(), W: s.float()}
	}
	return t
}

func (s *source) shape() Shape {
	switch s.byte() % 9 {
	case 0:
		return geom.AABB{Min: s.vec(), Max: s.vec()}
	case 1:
		return geom.Box{Center: s.vec(), HalfExtents: s.vec()}
	case 2:
		return geom.Sphere{Center: s.vec(), Radius: s.float()}
	case 3:
		return geom.Capsule{A: s.vec(), B: s.vec(), Radius: s.float()}
	case 4:
		return geom.Plane{Normal: s.vec(), D: s.float()}
	case 7:
		return geom.Cone{A: s.vec(), B: s.vec(), RadiusA: s.float(), RadiusB: s.float()}
	case 8:
		return geom.TaperedCapsule{A: s.vec(), B: s.vec(), RadiusA: s.float(), RadiusB: s.float()}
	case 6:
		return testHulls[int(s.byte())%len(testHulls)]
	}
	return testMeshes[int(s.byte())%len(testMeshes)]
}

// FuzzSpace builds a space from any bits and queries it: nothing may panic, the tree must stay
// valid, and all casts must agree.
func FuzzSpace(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 100, 100, 100, 116, 100, 100, 100, 0, 100, 200, 100, 100, 84, 100})
	f.Add([]byte{6, 2, 100, 100, 100, 1, 110, 90, 100, 1, 6, 3, 100, 100, 100, 0, 100, 0, 116, 100, 100, 84, 100})
	f.Add([]byte{5, 0, 100, 100, 100, 1, 250, 0, 0, 128, 127, 100, 100, 100, 150, 100, 100, 84})
	f.Add([]byte{4, 100, 116, 100, 100, 7, 8, 9, 0, 1, 100, 100, 100, 116, 0, 116, 5, 5, 5, 2, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := source(data)
		s := NewSpace()
		var ids []ColliderID
		for len(in) > 0 && len(ids) < 20 {
			c := Collider{Shape: in.shape(), Transform: in.transform()}
			if in.byte()%4 == 0 {
				c.Shape = NewCompound(Child{in.shape(), in.transform()}, Child{c.Shape, in.transform()})
			}
			ids = append(ids, s.Add(c))
			if in.byte()%4 == 0 {
				s.SetTransform(ids[int(in.byte())%len(ids)], in.transform())
			}
			if in.byte()%8 == 0 {
				s.Remove(ids[int(in.byte())%len(ids)])
			}
			require.NoError(t, s.Validate())
		}
		in = source(data)
		r := geom.Ray{Origin: in.vec(), Dir: in.vec(), MinT: in.float(), MaxT: in.float()}
		all := s.CastRayAll(nil, r, Filter{})
		hit, ok := s.CastRay(r, Filter{})
		require.Equal(t, len(all) > 0, ok)
		require.Equal(t, ok, s.CastRayAny(r, Filter{}))
		if ok {
			require.Equal(t, all[0].Collider, hit.Collider)
			require.Equal(t, all[0].T, hit.T)
		}
		i := 0
		for h := range s.Hits(r, Filter{}) {
			require.Equal(t, all[i].Collider, h.Collider)
			require.Equal(t, all[i].T, h.T)
			i++
		}
		require.Equal(t, len(all), i)

		s.OverlapAABB(nil, geom.AABB{Min: in.vec(), Max: in.vec()}, Filter{})
		s.OverlapSphere(nil, geom.Sphere{Center: in.vec(), Radius: in.float()}, Filter{})
		s.OverlapBox(nil, geom.Box{Center: in.vec(), HalfExtents: in.vec()}, Filter{})
		p := in.vec()
		inside := s.OverlapPoint(nil, p, Filter{})
		if n, ok := s.Nearest(p, infinity, Filter{}); ok && p.IsFinite() && len(inside) > 0 {
			b, _ := s.Bounds(inside[0])
			if size := max(placed.Largest(p), placed.Largest(b.Min), placed.Largest(b.Max)); placed.Finite(size) {
				require.LessOrEqual(t, n.Distance, 1e-5*size)
			}
		}
	})
}
