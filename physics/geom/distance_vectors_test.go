package geom_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vectorCase is a case that another library asserts in its own tests. Of the fields each kind has its own.
type vectorCase struct {
	ID, Kind, Borderline string
	Disputed             bool
	Eps                  float64
	Radius               float64
	P, Q                 *[3]float64
	A, B, C, AABB, Box   json.RawMessage
	Sphere, Plane        json.RawMessage
	T1, T2               [3][3]float64
	Ray                  struct {
		O, D       [3]float64
		TMin, TMax *float64
	}
	Ref struct {
		Contains, Overlap   *bool
		Dist, Dist2, Margin *float64
		Point               *[3]float64
	}
}

func vec(a [3]float64) geom.Vec3 {
	return geom.V(float32(a[0]), float32(a[1]), float32(a[2]))
}

func (c *vectorCase) point(raw json.RawMessage) geom.Vec3 {
	var a [3]float64
	must(json.Unmarshal(raw, &a))
	return vec(a)
}

func readAABB(raw json.RawMessage) geom.AABB {
	var s struct{ Min, Max [3]float64 }
	must(json.Unmarshal(raw, &s))
	return geom.AABB{Min: vec(s.Min), Max: vec(s.Max)}
}

func readBox(raw json.RawMessage) geom.Box {
	var s struct {
		Center, Half [3]float64
		Quat         [4]float32
	}
	must(json.Unmarshal(raw, &s))
	return geom.Box{Center: vec(s.Center), HalfExtents: vec(s.Half),
		Rotation: geom.Quat{X: s.Quat[0], Y: s.Quat[1], Z: s.Quat[2], W: s.Quat[3]}}
}

func readSphere(raw json.RawMessage) geom.Sphere {
	var s struct {
		Center [3]float64
		R      float32
	}
	must(json.Unmarshal(raw, &s))
	return geom.Sphere{Center: vec(s.Center), Radius: s.R}
}

// readPlane turns the sign, for a plane of the files is n·p + d = 0.
func readPlane(raw json.RawMessage) geom.Plane {
	var s struct {
		Normal [3]float64
		D      float32
	}
	must(json.Unmarshal(raw, &s))
	return geom.Plane{Normal: vec(s.Normal), D: -s.D}
}

func (c *vectorCase) triangle() geom.Triangle {
	return geom.Triangle{A: c.point(c.A), B: c.point(c.B), C: c.point(c.C)}
}

func (c *vectorCase) ray() geom.Ray {
	r := geom.NewRay(vec(c.Ray.O), vec(c.Ray.D))
	if c.Ray.TMin != nil {
		r.MinT = float32(*c.Ray.TMin)
	}
	if c.Ray.TMax != nil {
		r.MaxT = float32(*c.Ray.TMax)
	}
	return r
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// vectorKinds runs a case of each kind through this package and returns a point, a number or a truth.
var vectorKinds = map[string]func(c *vectorCase) any{
	"closest-point-aabb":     func(c *vectorCase) any { return readAABB(c.AABB).ClosestPoint(vec(*c.P)) },
	"closest-point-line":     func(c *vectorCase) any { return geom.ClosestPointOnLine(c.point(c.A), c.point(c.B), vec(*c.P)) },
	"closest-point-plane":    func(c *vectorCase) any { return readPlane(c.Plane).ClosestPoint(vec(*c.P)) },
	"closest-point-ray":      func(c *vectorCase) any { return c.ray().ClosestPoint(vec(*c.P)) },
	"closest-point-segment":  func(c *vectorCase) any { return geom.ClosestPointOnSegment(c.point(c.A), c.point(c.B), vec(*c.P)) },
	"closest-point-sphere":   func(c *vectorCase) any { return readSphere(c.Sphere).ClosestPoint(vec(*c.P)) },
	"closest-point-triangle": func(c *vectorCase) any { return c.triangle().ClosestPoint(vec(*c.P)) },
	"contains-aabb":          func(c *vectorCase) any { return readAABB(c.AABB).Contains(vec(*c.P)) },
	"contains-aabb-aabb":     func(c *vectorCase) any { return readAABB(c.A).ContainsAABB(readAABB(c.B)) },
	"contains-box":           func(c *vectorCase) any { return readBox(c.Box).Contains(vec(*c.P)) },
	"contains-sphere":        func(c *vectorCase) any { return readSphere(c.Sphere).Contains(vec(*c.P)) },
	"contains-sphere-sphere": func(c *vectorCase) any { return readSphere(c.A).ContainsSphere(readSphere(c.B)) },
	"contains-triangle":      func(c *vectorCase) any { return c.triangle().Contains(vec(*c.P)) },
	"distance-point-aabb":    func(c *vectorCase) any { return readAABB(c.AABB).Distance(vec(*c.P)) },
	"distance-point-line":    func(c *vectorCase) any { return geom.DistanceToLine(c.point(c.A), c.point(c.B), vec(*c.P)) },
	"distance-point-plane":   func(c *vectorCase) any { return readPlane(c.Plane).SignedDistance(vec(*c.P)) },
	"distance-point-point":   func(c *vectorCase) any { return vec(*c.P).Distance(vec(*c.Q)) },
	"distance-point-segment": func(c *vectorCase) any { return geom.DistanceToSegment(c.point(c.A), c.point(c.B), vec(*c.P)) },
	"distance-point-sphere":  func(c *vectorCase) any { return readSphere(c.Sphere).SignedDistance(vec(*c.P)) },
	"distance-sphere-plane": func(c *vectorCase) any {
		s := readSphere(c.Sphere)
		return readPlane(c.Plane).SignedDistance(s.Center) - s.Radius
	},
	"distance2-point-box":        func(c *vectorCase) any { return readBox(c.Box).Distance(vec(*c.P)) },
	"distance2-point-sphere":     func(c *vectorCase) any { return readSphere(c.Sphere).Distance(vec(*c.P)) },
	"closest-points-ray-segment": func(c *vectorCase) any { return c.ray().DistanceToSegment(c.point(c.A), c.point(c.B)) },
	"overlap-aabb-aabb":          func(c *vectorCase) any { return overlaps(readAABB(c.A), readAABB(c.B)) },
	"overlap-aabb-plane":         func(c *vectorCase) any { return overlaps(readAABB(c.AABB), readPlane(c.Plane)) },
	"overlap-box-plane":          func(c *vectorCase) any { return overlaps(readBox(c.Box), readPlane(c.Plane)) },
	"overlap-sphere-aabb":        func(c *vectorCase) any { return overlaps(readSphere(c.Sphere), readAABB(c.AABB)) },
	"overlap-sphere-box":         func(c *vectorCase) any { return overlaps(readSphere(c.Sphere), readBox(c.Box)) },
	"overlap-sphere-plane":       func(c *vectorCase) any { return overlaps(readSphere(c.Sphere), readPlane(c.Plane)) },
	"overlap-sphere-sphere":      func(c *vectorCase) any { return overlaps(readSphere(c.A), readSphere(c.B)) },
	"overlap-triangle-aabb":      func(c *vectorCase) any { return overlaps(c.triangle(), readAABB(c.AABB)) },
	"overlap-triangle-triangle": func(c *vectorCase) any {
		t := func(a [3][3]float64) geom.Triangle { return geom.Triangle{A: vec(a[0]), B: vec(a[1]), C: vec(a[2])} }
		return overlaps(t(c.T1), t(c.T2))
	},
	"overlap-ray-point-within": func(c *vectorCase) any { return float64(c.ray().Distance(vec(*c.P))) <= c.Radius },
	"overlap-ray-segment-within": func(c *vectorCase) any {
		return float64(c.ray().DistanceToSegment(c.point(c.A), c.point(c.B))) <= c.Radius
	},
}

// What other libraries assert of points, distances and overlaps, as far as single precision can hold the numbers.
func TestVolumesAgainstOtherLibraries(t *testing.T) {
	root, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		require.NotEqual(t, root, filepath.Dir(root), "no go.mod above this folder")
		root = filepath.Dir(root)
	}
	files, err := filepath.Glob(filepath.Join(root, "..", "shared", "vectors", "*.json"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the cases of other libraries are not beside the project")
	}
	ran, undecidable, seen := 0, 0, map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		var file struct{ Cases []json.RawMessage }
		require.NoError(t, json.Unmarshal(text, &file))
		for _, raw := range file.Cases {
			var kind struct{ Kind string }
			require.NoError(t, json.Unmarshal(raw, &kind))
			run, ok := vectorKinds[kind.Kind]
			if !ok {
				continue
			}
			var c vectorCase
			require.NoError(t, json.Unmarshal(raw, &c), string(raw))
			seen[c.Kind]++
			ran++
			if !checkVector(t, &c, run(&c)) {
				undecidable++
			}
		}
	}
	t.Logf("%d cases, of which %d touch by less than single precision", ran, undecidable)
	assert.Len(t, seen, len(vectorKinds), "every kind occurs")
	assert.Less(t, undecidable, ran/10)
}

// checkVector compares a result with the reference. It returns false where rounding the case to single precision may
// rightly have turned the answer.
func checkVector(t *testing.T, c *vectorCase, got any) bool {
	eps := math.Max(c.Eps, 1e-6)
	switch got := got.(type) {
	case geom.Vec3:
		assertVec(t, vec(*c.Ref.Point), got, eps)
	case float32:
		want, have := c.Ref.Dist, float64(got)
		if want == nil {
			want, have = c.Ref.Dist2, have*have
		}
		assert.InDelta(t, *want, have, eps*math.Max(1, math.Abs(*want)), c.ID)
	case bool:
		want := c.Ref.Contains
		if want == nil {
			want = c.Ref.Overlap
		}
		if got != *want && c.Ref.Margin != nil && math.Abs(*c.Ref.Margin) < 1e-6 {
			t.Logf("%s: %v, the reference says %v by a margin of %g", c.ID, got, *want, *c.Ref.Margin)
			return false
		}
		assert.Equal(t, *want, got, "%s %s", c.ID, c.Borderline)
	}
	return true
}
