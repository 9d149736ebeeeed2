package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestPairTracker(t *testing.T) {
	s := NewSpace()
	ball := Collider{Shape: geom.Sphere{Radius: 1}}
	at := func(x float32) Collider { ball.Transform = geom.At(x, 0, 0); return ball }
	a, b, c := s.Add(at(0)), s.Add(at(2)), s.Add(at(10)) // a and b touch
	ground := s.Add(Collider{Shape: geom.Plane{Normal: geom.V(0, 1, 0), D: -5}, Static: true})

	var p PairTracker
	p.Update(s)
	assert.Equal(t, []Pair{{a, b}}, p.Pairs)
	assert.Equal(t, []Pair{{a, b}}, p.Began)
	assert.Empty(t, p.Ended)

	require.True(t, s.SetTransform(a, geom.At(9, -4, 0)))
	p.Update(s)
	assert.Equal(t, []Pair{{a, ground}}, p.Pairs)
	assert.Equal(t, []Pair{{a, ground}}, p.Began)
	assert.Equal(t, []Pair{{a, b}}, p.Ended)

	require.True(t, s.SetTransform(a, geom.At(9, -1, 0)))
	p.Update(s)
	assert.Equal(t, []Pair{{a, c}}, p.Began)
	assert.Equal(t, []Pair{{a, ground}}, p.Ended)

	p.Update(s)
	assert.Equal(t, []Pair{{a, c}}, p.Pairs)
	assert.Empty(t, p.Began)
	assert.Empty(t, p.Ended)

	require.True(t, s.Remove(c))
	p.Update(s)
	assert.Empty(t, p.Pairs)
	assert.Equal(t, []Pair{{a, c}}, p.Ended)
}
