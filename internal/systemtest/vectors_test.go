package systemtest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The tests of other libraries, as data: the assertions of three.js, Cesium, bevy, magnum,
// MonoGame, glm and three-mesh-bvh on rays, boxes, cameras and meshes, made of this module. The
// files are part of the measuring data.
//
// The cases are in double precision and the module in single. A number is therefore compared to
// 4e-6 relative or to the case's own tolerance, whichever is wider. A case is counted and not
// asserted if it is marked as one whose answer flips under a change too small for single precision.

// differs names the cases in which a convention of this module differs from the source's by intent,
// and what is asserted instead.
var differs = map[string]func(*vectorAnswer){
	// A sphere of radius 0 is a point, and touching a point is a hit.
	"cesium/rayEllipsoid/1": func(a *vectorAnswer) { *a.Hit, a.T = true, new(2.0) },
	// A line that lies in a plane touches it everywhere, first at its start.
	"magnum/planeLine/3": func(a *vectorAnswer) { *a.Hit, a.T = true, new(0.0) },
}

// vectorCase is one case, with the fields of all kinds. A, B and C are points, boxes or spheres,
// depending on the kind.
type vectorCase struct {
	ID, Kind                 string
	Eps                      float64
	Inside, Cull, Borderline string
	Disputed, Projected      bool
	Why                      string

	Ray       vectorRay
	AABB      vectorAABB
	Box       vectorBox
	Sphere    vectorSphere
	Spheres   []vectorSphere
	Ellipsoid struct{ Center, Radii vec }
	Plane     vectorPlane
	A, B, C   json.RawMessage
	T1, T2    [3]vec
	P, Q      vec
	Motion    vectorMotion
	Target    vectorTarget
	Radius    float64
	Mesh      json.RawMessage // a mesh, or the name of one of the file's
	Instances []struct {
		Mesh   string
		Matrix [16]float64
	}

	Planes     [][4]float64
	ViewProj   *[16]float64
	View, Proj [16]float64
	ClipZ      string `json:"clip_z"`
	Viewport   [4]float64
	YDown      bool `json:"y_down"`
	Cursor     [2]float64
	OriginAt   string `json:"origin_at"`
	Obj, Win   vec

	Expect, Ref vectorAnswer

	meshes map[string]vectorMesh
	raw    json.RawMessage
}

// vectorAnswer is what a case expects. Fields that it leaves open are nil.
type vectorAnswer struct {
	Hit, Contains, Overlap, Visible *bool
	T, Dist, Dist2                  *float64
	TFar                            *float64 `json:"t_far"`
	Point, Origin, Dir, Win, Obj    *vec
	Center                          *vec
	OnRay                           *vec `json:"on_ray"`
	OnSegment                       *vec `json:"on_segment"`
	Bary                            []float64
	Side, Class, Exact              string
	Index, Instance, Tri, Count     *int
}

type (
	vec       [3]float64
	vectorRay struct {
		O, D       vec
		TMin, TMax *float64
	}
	vectorAABB struct{ Min, Max vec }
	vectorBox  struct {
		Center, Half vec
		Quat         [4]float64
	}
	vectorSphere struct {
		Center vec
		R      float64
	}
	vectorPlane struct {
		Normal vec
		D      float64
	}
	vectorMotion struct { // of a shape that is cast
		D    vec
		TMax float64
	}
	vectorTarget struct { // one of these
		AABB   *vectorAABB
		Sphere *vectorSphere
	}
	vectorMesh struct {
		Verts []vec
		Tris  [][3]uint32
	}
)

func (v vec) geom() geom.Vec3 { return geom.V(float32(v[0]), float32(v[1]), float32(v[2])) }
func (b vectorAABB) geom() geom.AABB {
	return geom.AABB{Min: b.Min.geom(), Max: b.Max.geom()}
}
func (b vectorBox) geom() geom.Box {
	q := geom.Quat{X: float32(b.Quat[0]), Y: float32(b.Quat[1]), Z: float32(b.Quat[2]), W: float32(b.Quat[3])}
	return geom.Box{Center: b.Center.geom(), HalfExtents: b.Half.geom(), Rotation: q}
}
func (s vectorSphere) geom() geom.Sphere {
	return geom.Sphere{Center: s.Center.geom(), Radius: float32(s.R)}
}
func (p vectorPlane) geom() geom.Plane {
	return geom.Plane{Normal: p.Normal.geom(), D: float32(-p.D)} // theirs is n·p + d = 0
}
func (r vectorRay) geom() geom.Ray {
	ray := geom.NewRay(r.O.geom(), r.D.geom())
	if r.TMin != nil {
		ray.MinT = float32(*r.TMin)
	}
	if r.TMax != nil {
		ray.MaxT = float32(*r.TMax)
		if ray.MaxT == 0 {
			ray.MaxT = math.SmallestNonzeroFloat32 // 0 would be no limit
		}
	}
	return ray
}

// as decodes a field whose type depends on the kind.
func as[T any](t *testing.T, raw json.RawMessage) T {
	var v T
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}

func (c *vectorCase) point(t *testing.T, raw json.RawMessage) geom.Vec3 {
	return as[vec](t, raw).geom()
}

func (c *vectorCase) triangle(t *testing.T) geom.Triangle {
	return geom.Triangle{A: c.point(t, c.A), B: c.point(t, c.B), C: c.point(t, c.C)}
}

func (c *vectorCase) insideMode(t *testing.T) geom.StartMode {
	mode, ok := map[string]geom.StartMode{"solid": geom.Solid, "exit": geom.Exit, "ignore": geom.Ignore}[c.Inside]
	require.True(t, ok, "inside: %q", c.Inside)
	return mode
}

func (c *vectorCase) cull(t *testing.T) geom.Cull {
	cull, ok := map[string]geom.Cull{
		"": geom.CullNone, "none": geom.CullNone, "back": geom.CullBack, "front": geom.CullFront,
	}[c.Cull]
	require.True(t, ok, "cull: %q", c.Cull)
	return cull
}

// isSingle reports whether rounding to single precision changes no number of the input, so that
// shapes that touch still touch.
func (c *vectorCase) isSingle() bool {
	var fields map[string]any
	if json.Unmarshal(c.raw, &fields) != nil {
		return false
	}
	// Matrices are in double precision in this module too.
	for _, field := range []string{"expect", "ref", "eps", "viewproj"} {
		delete(fields, field)
	}
	return isSingle(fields)
}

func isSingle(v any) bool {
	switch v := v.(type) {
	case float64:
		return float64(float32(v)) == v
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !isSingle(e) })
	case map[string]any:
		for _, e := range v {
			if !isSingle(e) {
				return false
			}
		}
	}
	return true
}

// near asserts that a number is the expected one, if the case has one.
func (c *vectorCase) near(t *testing.T, want *float64, got float64, what string) {
	t.Helper()
	if want == nil {
		return
	}
	tolerance := max(c.Eps, 4e-6) * max(1, math.Abs(*want), math.Abs(got))
	require.LessOrEqual(t, math.Abs(*want-got), tolerance, "%s: want %v, got %v", what, *want, got)
}

func (c *vectorCase) nearVec(t *testing.T, want *vec, got geom.Vec3, what string) {
	t.Helper()
	if want == nil {
		return
	}
	w := got.Wide()
	g := vec{w.X, w.Y, w.Z}
	largest, off := 1.0, 0.0
	for i := range g {
		largest = max(largest, math.Abs(want[i]), math.Abs(g[i]))
		off = max(off, math.Abs(want[i]-g[i]))
	}
	require.LessOrEqual(t, off, max(c.Eps, 4e-6)*largest, "%s: want %v, got %v", what, *want, got)
}

func (c *vectorCase) same(t *testing.T, want *bool, got bool, what string) {
	t.Helper()
	if want != nil {
		require.Equal(t, *want, got, what)
	}
}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Data(t, "vectors"), "*.json"))
	require.NoError(t, err)
	counts := map[string]int{}
	var passed, total int
	left := map[string][]string{} // not asserted, by reason
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var content struct {
			Meshes map[string]vectorMesh
			Cases  []json.RawMessage
		}
		require.NoError(t, json.Unmarshal(data, &content), file)
		for _, raw := range content.Cases {
			c := &vectorCase{meshes: content.Meshes, raw: raw}
			require.NoError(t, json.Unmarshal(raw, c), file)
			total++
			counts[c.Kind]++
			if reason := c.reasonToLeave(); reason != "" {
				left[reason] = append(left[reason], c.ID)
				continue
			}
			kind, ok := vectorKinds[c.Kind]
			require.True(t, ok, "%s: kind %q is not served", c.ID, c.Kind)
			want := c.Expect
			if differ, ok := differs[c.ID]; ok {
				differ(&want)
			}
			if t.Run(strings.ReplaceAll(c.ID, "/", "."), func(t *testing.T) { kind(t, c, want) }) {
				passed++
			}
		}
	}
	for id := range differs {
		require.True(t, slices.ContainsFunc(files, func(f string) bool {
			data, _ := os.ReadFile(f)
			return strings.Contains(string(data), fmt.Sprintf("%q", id))
		}), "differs names %s, which is no case", id)
	}
	t.Logf("%d cases: %d asserted (%d of them to differ, by intent)", total, passed, len(differs))
	for reason, ids := range left {
		t.Logf("%d not asserted, %s: %s", len(ids), reason, strings.Join(ids, ", "))
	}
	require.Equal(t, 1200, total)
}

// reasonToLeave returns why a case is not asserted, "" if it is.
func (c *vectorCase) reasonToLeave() string {
	switch {
	case c.Disputed:
		return "source and reference disagree"
	case c.Borderline == "f32":
		return "not decidable in single precision"
	case c.Borderline != "" && !c.isSingle():
		return "touching in double precision only"
	}
	return ""
}
