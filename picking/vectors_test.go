package picking

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

// Cases that other libraries assert of their own cameras and frusta, kept beside the project.

type vectorCase struct {
	ID       string
	Kind     string
	Eps      float64
	Disputed bool
	// camera-ray, project, unproject
	Proj       geom.Mat4
	View       geom.Mat4
	ClipZ      string `json:"clip_z"`
	Viewport   [4]float64
	DepthRange [2]float64 `json:"depth_range"`
	YDown      bool       `json:"y_down"`
	Cursor     [2]float64
	Obj, Win   [3]float64
	// frusta
	ViewProj *geom.Mat4
	Planes   [6][4]float64
	P        [3]float64
	Sphere   struct {
		Center [3]float64
		R      float64
	}
	AABB struct{ Min, Max [3]float64 }

	Expect struct {
		Contains, Visible *bool
		Class, Exact      string
		Dir, Win, Obj     *[3]float64
	}
	Ref struct {
		NearPoint [3]float64 `json:"near_point"`
		Dir       [3]float64
	}
}

func vectorCases(t *testing.T, file string) []vectorCase {
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		require.NotEqual(t, dir, filepath.Dir(dir), "go.mod is not found")
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "..", "shared", "vectors", file))
	if os.IsNotExist(err) {
		t.Skip("the vectors are not there")
	}
	require.NoError(t, err)
	var all struct{ Cases []vectorCase }
	require.NoError(t, json.Unmarshal(data, &all))
	return all.Cases
}

func (c *vectorCase) clip() ClipRange {
	for _, clip := range clipRanges {
		if clip.String() == c.ClipZ {
			return clip
		}
	}
	panic("clip_z " + c.ClipZ)
}

// view returns the case's camera, on a viewport of the same size that starts at zero.
func (c *vectorCase) view() View {
	size := Size{int(c.Viewport[2]), int(c.Viewport[3])}
	return View{Camera{Projection: ProjectionOf(c.Proj.Mul(c.View), c.clip())}, FullViewport(size, size)}
}

// place turns a window position of the case into one of the framebuffer.
func (c *vectorCase) place(x, y float64) (float64, float64) {
	x, y = x-c.Viewport[0], y-c.Viewport[1]
	if c.YDown {
		y = c.Viewport[3] - y
	}
	return x, y
}

func (c *vectorCase) frustum() Frustum {
	if c.ViewProj != nil {
		return FrustumOf(*c.ViewProj, c.clip())
	}
	var f Frustum
	for i, p := range c.Planes {
		f[i] = HalfSpace{geom.DVec3{X: p[0], Y: p[1], Z: p[2]}, -p[3]}
	}
	return f
}

func vec(a [3]float64) geom.Vec3 { return geom.V(float32(a[0]), float32(a[1]), float32(a[2])) }

func assertNear(t *testing.T, want, got [3]float64, eps float64, what string) {
	for i := range want {
		assert.InDelta(t, want[i], got[i], eps*max(1, math.Abs(want[i])), what)
	}
}

func wideArray(v geom.Vec3) [3]float64 { return [3]float64{float64(v.X), float64(v.Y), float64(v.Z)} }

func TestVectors(t *testing.T) {
	count := map[string]int{}
	for _, file := range []string{"three-camera.json", "bevy-picking-camera.json", "three-frustum.json", "magnum.json", "monogame.json"} {
		for _, c := range vectorCases(t, file) {
			run, ok := vectorRunners[c.Kind]
			if !ok || c.Disputed {
				continue
			}
			count[c.Kind]++
			t.Run(c.ID, func(t *testing.T) { run(t, &c) })
		}
	}
	assert.Equal(t, map[string]int{
		"camera-ray": 128, "project": 1, "unproject": 1, "frustum-point": 31, "frustum-sphere": 38, "frustum-aabb": 33,
	}, count)
}

var vectorRunners = map[string]func(*testing.T, *vectorCase){
	// Our ray starts on the near plane, as bevy's does; three's starts at the eye, and its direction is the same.
	"camera-ray": func(t *testing.T, c *vectorCase) {
		r := c.view().RayAt(c.place(c.Cursor[0], c.Cursor[1]))
		require.True(t, r.IsValid())
		eps := max(c.Eps, 3e-7) // a ray is single precision
		assertNear(t, c.Ref.NearPoint, wideArray(r.Origin), eps, "near point")
		assertNear(t, c.Ref.Dir, wideArray(r.Dir), eps, "direction")
		assertNear(t, *c.Expect.Dir, wideArray(r.Dir), eps, "direction expected")
	},
	"project": func(t *testing.T, c *vectorCase) {
		v := c.view()
		x, y, depth, _ := v.Project(vec(c.Obj)) // the point is behind the eye
		x, y = v.toFramebuffer(x, y)
		depth = c.DepthRange[0] + depth*(c.DepthRange[1]-c.DepthRange[0])
		assertNear(t, *c.Expect.Win, [3]float64{x + c.Viewport[0], y + c.Viewport[1], depth}, c.Eps, "window")
	},
	"unproject": func(t *testing.T, c *vectorCase) {
		v := c.view()
		x, y := v.toWindow(c.place(c.Win[0], c.Win[1]))
		p, _ := v.Unproject(x, y, (c.Win[2]-c.DepthRange[0])/(c.DepthRange[1]-c.DepthRange[0]))
		assertNear(t, *c.Expect.Obj, wideArray(p), c.Eps, "point")
	},
	"frustum-point": func(t *testing.T, c *vectorCase) {
		f := c.frustum()
		assert.Equal(t, *c.Expect.Contains, f.ContainsPoint(vec(c.P)))
	},
	"frustum-sphere": func(t *testing.T, c *vectorCase) {
		f := c.frustum()
		s := geom.Sphere{Center: vec(c.Sphere.Center), Radius: float32(c.Sphere.R)}
		assertClass(t, c, f.ClassifySphere(s))
		assert.Equal(t, f.ClassifySphere(s) != Outside, f.OverlapsSphere(s))
	},
	"frustum-aabb": func(t *testing.T, c *vectorCase) {
		f := c.frustum()
		b := geom.AABB{Min: vec(c.AABB.Min), Max: vec(c.AABB.Max)}
		assertClass(t, c, f.ClassifyAABB(b))
		switch c.Expect.Exact {
		case "disjoint":
			assert.False(t, f.OverlapsAABBExact(b))
		case "overlap", "box-contains-frustum":
			assert.True(t, f.OverlapsAABBExact(b))
			corners, ok := f.Corners()
			require.True(t, ok)
			contained := true
			for _, p := range corners {
				contained = contained && b.Extend(p.Narrow()) == b
			}
			assert.Equal(t, c.Expect.Exact == "box-contains-frustum", contained)
		}
	},
}

func assertClass(t *testing.T, c *vectorCase, got Class) {
	if c.Expect.Visible != nil {
		assert.Equal(t, *c.Expect.Visible, got != Outside)
	}
	if c.Expect.Class != "" {
		assert.Equal(t, map[string]Class{"inside": Inside, "intersect": Intersecting, "outside": Outside}[c.Expect.Class], got)
	}
}
