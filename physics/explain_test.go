package physics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// requireExplained requires that an explanation agrees with the cast and with the twin, and holds
// every collider once.
func requireExplained(t *testing.T, s *Space, r geom.Ray, f Filter) Explanation {
	e := s.Explain(r, f)
	want, ok := s.CastRay(r, f)
	require.Equal(t, ok, e.OK, "%v", r)
	require.Equal(t, want, e.Hit, "%v", r)
	seen := map[ColliderID]bool{}
	closest := 0
	for i := range e.Colliders {
		c := &e.Colliders[i]
		if seen[c.Collider] || s.lookup(c.Collider) == nil {
			require.Fail(t, "twice, or never", "%v", c.Collider)
		}
		seen[c.Collider] = true
		checkExplained(t, s, &e, c, r, f)
		if c.Verdict == VerdictClosest {
			closest++
			require.Equal(t, e.Hit, c.Hit)
		}
	}
	require.Len(t, seen, s.Len())
	require.Equal(t, ok, closest == 1)
	for i, n := range e.Nodes {
		if n.Parent < 0 {
			require.Zero(t, n.Level)
			continue
		}
		above := e.Nodes[n.Parent]
		if n.Parent >= i || n.Level != above.Level+1 || above.Verdict != VerdictVisited || above.Bounds.Union(n.Bounds) != above.Bounds {
			require.Fail(t, "no parent", "%+v in %+v", n, above)
		}
	}
	return e
}

// checkExplained compares the verdict with a cast at the collider alone, without a tree.
func checkExplained(t *testing.T, s *Space, e *Explanation, c *ExplainedCollider, r geom.Ray, f Filter) {
	rec := s.lookup(c.Collider)
	h, hits := rec.first(r, &f)
	hits = hits && f.sees(rec) && f.accepts(rec.id)
	right := false
	switch c.Verdict {
	case VerdictNowhere:
		right = s.IsNowhere(c.Collider)
	case VerdictUnasked:
		right = !r.IsValid() || e.Nodes[c.Node].Verdict != VerdictVisited && (!hits || e.OK && e.Nodes[c.Node].Verdict == VerdictBoxBehind)
	case VerdictBoxMissed:
		right = !hits && e.Nodes[c.Node].Verdict == VerdictVisited
	case VerdictBoxBehind:
		right = e.OK && (!hits || compareHits(&h, &e.Hit) > 0) && e.Nodes[c.Node].Verdict == VerdictVisited
	case VerdictMissed, VerdictRejected:
		right = !hits && (c.RejectedBy != "") == (c.Verdict == VerdictRejected)
	case VerdictFarther:
		right = hits && h == c.Hit && compareHits(&h, &e.Hit) > 0
	case VerdictClosest:
		right = hits && h == c.Hit && h == e.Hit
	}
	if !right {
		require.Fail(t, "wrong verdict", "%v: %v, alone %v %v", c.Collider, c, h, hits)
	}
	if isPlane := rec.where == inPlanes; c.Asked() && isPlane != (c.Node < 0) {
		require.Fail(t, "wrong node", "%v: %d", c.Collider, c.Node)
	}
}

func TestExplainAgreesWithCastRay(t *testing.T) {
	testenv.NoRace(t)
	for _, center := range []geom.Vec3{{}, geom.V(1e5, -2e4, 3e5)} {
		s := newScene(400, center, 1)
		rng := testenv.Rand(7, 8)
		for range 3 {
			s.add(Collider{Shape: ground, Transform: s.transform(4)})
		}
		s.add(Collider{Shape: geom.Sphere{Radius: -1}})
		for i, id := range s.ids {
			c, _ := s.space.Collider(id)
			c.Layer, c.Mask, c.Sensor, c.Static = 1<<rng.IntN(3), Layers(rng.IntN(8)), rng.IntN(6) == 0, i%3 > 0
			s.space.Set(id, c)
		}
		verdicts, fields := map[Verdict]int{}, map[FilterField]int{}
		// At least 250 rays, and as many more as it takes to meet every verdict and field, whatever
		// the seed.
		for i := 0; i < 250 || i < 5000 && (len(verdicts) <= int(VerdictClosest) || len(fields) < 8); i++ {
			r := s.ray(30)
			if i%5 == 0 {
				r.Origin = s.target()
			}
			f := Filter{Start: geom.StartMode(i % 3), Cull: geom.Cull(i / 3 % 3)}
			if i%2 == 0 {
				f.OwnLayer, f.Mask, f.Sensors = Layers(rng.IntN(8)), Layers(rng.IntN(8)), i%4 == 0
				f.Predicate = func(id ColliderID) bool { return id%3 > 0 }
			}
			if h, ok := s.space.CastRay(r, f); ok && i%3 > 0 {
				f.Exclude = []ColliderID{h.Collider, s.ids[rng.IntN(400)]}
			}
			e := requireExplained(t, s.space, r, f)
			for _, n := range e.Nodes {
				verdicts[n.Verdict]++
			}
			for _, c := range e.Colliders {
				verdicts[c.Verdict]++
				fields[c.RejectedBy]++
			}
		}
		assert.Len(t, verdicts, int(VerdictClosest)+1, "every verdict is reached: %v", verdicts)
		assert.Len(t, fields, 8, "and every field: %v", fields)
	}
}

// An explanation traverses the tree as a cast does: it calls the predicate with all colliders that
// CastRay calls it with.
func TestExplainVisitsWhatACastVisits(t *testing.T) {
	s := newScene(300, geom.Vec3{}, 1)
	for range 100 {
		r := s.ray(30)
		asked := map[ColliderID]bool{}
		s.space.CastRay(r, Filter{Predicate: func(id ColliderID) bool {
			asked[id] = true
			return true
		}})
		for _, c := range s.space.Explain(r, Filter{}).Colliders {
			require.True(t, !asked[c.Collider] || c.Asked(), "%v: %v", c.Collider, &c)
		}
	}
}

func TestExplainNamesTheField(t *testing.T) {
	const a, b Layers = 2, 4
	for _, tt := range []struct {
		name     string
		collider Collider
		filter   Filter
		ray      geom.Ray
		verdict  Verdict
		field    FilterField
	}{
		{"seen", Collider{}, Filter{}, down(0, 0), VerdictClosest, ""},
		{"sensor", Collider{Sensor: true}, Filter{}, down(0, 0), VerdictRejected, FieldSensors},
		{"sensor asked for", Collider{Sensor: true}, Filter{Sensors: true}, down(0, 0), VerdictClosest, ""},
		{"on no layer of the mask", Collider{Layer: a}, Filter{Mask: b}, down(0, 0), VerdictRejected, FieldMask},
		{"query on no layer that it looks at", Collider{Mask: a}, Filter{OwnLayer: b}, down(0, 0), VerdictRejected, FieldOwnLayer},
		{"excluded", Collider{}, Filter{Exclude: []ColliderID{newID(0, 1)}}, down(0, 0), VerdictRejected, FieldExclude},
		{"predicate", Collider{}, Filter{Predicate: func(ColliderID) bool { return false }}, down(0, 0), VerdictRejected, FieldPredicate},
		{"predicate agrees", Collider{}, Filter{Predicate: func(ColliderID) bool { return true }}, down(0, 0), VerdictClosest, ""},
		{"missed before the predicate is called", Collider{}, Filter{Predicate: func(ColliderID) bool { panic("asked") }}, down(0.9, 0.9), VerdictMissed, ""},
		{"two reasons", Collider{Sensor: true, Layer: a}, Filter{Mask: b}, down(0, 0), VerdictRejected, FieldSensors},
		{"within", Collider{}, Filter{Start: geom.Ignore}, geom.NewRay(geom.V(0, 0, 0), geom.V(0, 1, 0)), VerdictRejected, FieldStart},
		{"within, to the end", Collider{}, Filter{Start: geom.Exit},
			geom.Ray{Dir: geom.V(0, 1, 0), MaxT: 0.5}, VerdictRejected, FieldStart},
		{"back of a mesh", Collider{Shape: groundMesh}, Filter{Cull: geom.CullBack}, geom.NewRay(geom.V(0, -1, 0.1), geom.V(0, 1, 0)), VerdictRejected, FieldCull},
		{"front of a plane", Collider{Shape: ground}, Filter{Cull: geom.CullFront}, down(0, 0), VerdictRejected, FieldCull},
		{"missed", Collider{}, Filter{}, down(0.9, 0.9), VerdictMissed, ""},
		{"box missed", Collider{}, Filter{}, down(3, 0), VerdictBoxMissed, ""},
		{"box beyond the end", Collider{}, Filter{}, geom.Ray{Origin: geom.V(0, 10, 0), Dir: geom.V(0, -1, 0), MaxT: 5}, VerdictBoxMissed, ""},
		{"box missed before the filter is tested", Collider{Sensor: true}, Filter{}, down(3, 0), VerdictBoxMissed, ""},
		{"nowhere", Collider{Shape: geom.Sphere{Radius: -1}}, Filter{}, down(0, 0), VerdictNowhere, ""},
		{"invalid ray", Collider{}, Filter{}, geom.Ray{}, VerdictUnasked, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSpace()
			if tt.collider.Shape == nil {
				tt.collider.Shape = unitSphere
			}
			id := s.Add(tt.collider)
			e := s.Explain(tt.ray, tt.filter)
			require.Len(t, e.Colliders, 1)
			c := e.Colliders[0]
			assert.Equal(t, id, c.Collider)
			assert.Equal(t, tt.verdict, c.Verdict, "%v", &c)
			assert.Equal(t, tt.field, c.RejectedBy)
			assert.Equal(t, tt.verdict == VerdictClosest, e.OK)
			assert.NotEmpty(t, e.String())
			if tt.field != "" {
				assert.Contains(t, e.String(), "rejected by "+string(tt.field))
			}
		})
	}
}

func TestExplainFilterIsFilter(t *testing.T) {
	rng := testenv.Rand(9, 9)
	bits := func() Layers { return Layers(rng.IntN(4)) }
	for range 1000 {
		r := record{layer: 1 + bits(), mask: bits(), sensor: rng.IntN(2) == 0, id: newID(rng.IntN(3), 1)}
		f := Filter{OwnLayer: bits(), Mask: bits(), Sensors: rng.IntN(2) == 0, Exclude: []ColliderID{newID(1, 1)}}
		require.Equal(t, f.sees(&r), f.rejects(&r) == "", "%+v %+v", f, r)
	}
}

func TestExplainString(t *testing.T) {
	s := NewSpace()
	for i := range 40 {
		s.Add(Collider{Shape: unitSphere, Transform: geom.At(0, float32(-3*i), 0)})
	}
	e := s.Explain(down(0, 0), Filter{Exclude: []ColliderID{newID(0, 1)}})
	text := e.String()
	assert.True(t, strings.HasPrefix(text, fmt.Sprintf("ray %v\nhits collider 1.1 at T 12, (0, -2, 0)\n", e.Ray)), text)
	assert.Contains(t, text, "\ncollider 0.1: rejected by Exclude\ncollider 1.1: closest, at T 12\n")
	assert.Contains(t, text, "behind what was hit")
	assert.Contains(t, s.Explain(geom.Ray{}, Filter{}).String(), "invalid")
	assert.Contains(t, s.Explain(down(9, 9), Filter{}).String(), "hits nothing\n")
	assert.Contains(t, NewSpace().Explain(down(9, 9), Filter{}).String(), "colliders: none\n")
	for v := range VerdictClosest + 2 {
		assert.Equal(t, v > VerdictClosest, v.String() == "unknown")
	}
}

// FuzzExplain explains any ray in any space: the verdict on each collider agrees with a cast at
// that collider alone.
func FuzzExplain(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 100, 100, 100, 116, 100, 100, 100, 0, 100, 200, 100, 100, 84, 100})
	f.Add([]byte{6, 2, 100, 100, 100, 1, 110, 90, 100, 1, 6, 3, 100, 100, 100, 0, 100, 0, 116, 100, 100, 84, 100})
	f.Add([]byte{4, 100, 116, 100, 100, 7, 8, 9, 0, 1, 100, 100, 100, 116, 0, 116, 5, 5, 5, 2, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := source(data)
		s := NewSpace()
		for len(in) > 0 && s.Len() < 20 {
			c := Collider{Shape: in.shape(), Transform: in.transform()}
			flags := in.byte()
			c.Sensor, c.Static, c.Layer, c.Mask = flags&1 > 0, flags&2 > 0, Layers(flags>>2&3), Layers(flags>>4&3)
			if flags>>6 == 0 {
				c.Shape = NewCompound(Child{in.shape(), in.transform()}, Child{c.Shape, in.transform()})
			}
			s.Add(c)
		}
		in = source(data)
		r := geom.Ray{Origin: in.vec(), Dir: in.vec(), MinT: in.float(), MaxT: in.float()}
		flags := in.byte()
		e := requireExplained(t, s, r, Filter{
			Start: geom.StartMode(flags % 3), Cull: geom.Cull(flags / 3 % 3), Sensors: flags&64 > 0, Mask: Layers(flags >> 4 & 3),
		})
		require.NotEmpty(t, e.String())
	})
}
