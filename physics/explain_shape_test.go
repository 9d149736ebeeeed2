package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestExplainShape(t *testing.T) {
	space := NewSpace()
	add := func(c Collider) ColliderID { return space.Add(c) }
	near := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 3, 0)})
	far := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, -3, 0)})
	beside := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(5, 0, 0)})
	sensor := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 5, 0), Sensor: true})
	masked := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 6, 0), Layer: 2})
	refused := add(Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(0, 7, 0)})
	torn := add(Collider{Shape: geom.Sphere{Radius: -1}})
	cast := ShapeCast{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(0, 10, 0), Motion: geom.V(0, -1, 0)}
	f := Filter{Mask: ^Layers(2), Predicate: func(id ColliderID) bool { return id != refused }}
	e := space.ExplainShape(cast, f)
	hit, ok := space.CastShape(cast, f)
	assert.Equal(t, ok, e.OK)
	assert.Equal(t, hit, e.Hit)
	want := map[ColliderID]Verdict{near: VerdictClosest, far: VerdictFarther, beside: VerdictMissed, sensor: VerdictRejected,
		masked: VerdictRejected, refused: VerdictRejected, torn: VerdictNowhere}
	require.Len(t, e.Colliders, len(want))
	for _, c := range e.Colliders {
		assert.Equal(t, want[c.Collider], c.Verdict, "%v", c.Collider)
	}
	assert.Equal(t, FieldSensors, e.Colliders[3].RejectedBy)
	assert.Equal(t, FieldMask, e.Colliders[4].RejectedBy)
	assert.Equal(t, FieldPredicate, e.Colliders[5].RejectedBy)
	assert.Contains(t, e.String(), "closest at T 5.5, (0, 4, 0)\n")
	assert.NotContains(t, e.String(), "not converged")
	cast.Motion.X = float32(math.Inf(-1))
	for _, c := range space.ExplainShape(cast, f).Colliders {
		assert.Contains(t, []Verdict{VerdictUnasked, VerdictNowhere}, c.Verdict)
	}
}

// Of two ellipsoids that are nearly spheres about one centre, no 128 planes prove the least depth,
// and all answers say so.
func TestInexact(t *testing.T) {
	r := testenv.Rand(81, 82)
	space := NewSpace()
	f := func() float32 { return 1 + 1e-3*r.Float32() }
	inexact := 0
	for range 20 {
		a := Placed{Shape: geom.Sphere{Radius: 1}, Transform: geom.Transform{Scale: geom.V(f(), f(), f())}}
		b := Placed{Shape: geom.Sphere{Radius: 1}, Transform: geom.Transform{Position: geom.V(1e-5, 0, 0), Scale: geom.V(f(), f(), f())}}
		p, ok := Penetrate(a, b)
		require.True(t, ok)
		id := space.Add(Collider{Shape: b.Shape, Transform: b.Transform})
		e := space.ExplainShape(ShapeCast{Shape: a.Shape, Transform: a.Transform, Motion: geom.V(1, 0, 0)}, Filter{})
		require.True(t, e.OK)
		if p.Inexact && e.Hit.Inexact {
			assert.Contains(t, e.String(), "not converged")
			inexact++
		}
		space.Remove(id)
	}
	assert.Positive(t, inexact)
	p, ok := Penetrate(Placed{Shape: geom.Sphere{Radius: 1}}, Placed{Shape: geom.Sphere{Radius: 1}})
	assert.True(t, ok && !p.Inexact)
}
