// Package hitscan_test tests the way from an entity to a selection without a window, and the order
// of imports. The other tests of several packages together are in internal/systemtest.
package hitscan_test

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// TestFromCursorToSelection hovers and selects without a window: an entity of every shape, under
// every kind of camera and viewport, is hovered where its centre is projected to, selected by a
// click, and no longer hovered when it has moved away.
func TestFromCursorToSelection(t *testing.T) {
	window := picking.Size{Width: 640, Height: 480}
	retina := picking.Size{Width: 1280, Height: 960}
	whole := picking.FullViewport(window, window)
	for name, view := range map[string]physecs.View{
		"perspective":     {Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100)}, Viewport: whole},
		"no far plane":    {Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, inf)}, Viewport: whole},
		"reversed depth":  {Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100).WithReversedDepth()}, Viewport: whole},
		"orthographic":    {Camera: picking.Camera{Projection: picking.Orthographic(8, 0.1, 100)}, Viewport: whole},
		"off centre":      {Camera: picking.Camera{Projection: picking.PerspectiveOffCenter(-0.1, 0.04, -0.05, 0.06, 0.1, 100)}, Viewport: whole},
		"dense pixels":    {Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100)}, Viewport: picking.FullViewport(window, retina)},
		"half the window": {Camera: picking.Camera{Projection: picking.Perspective(1, 0.1, 100)}, Viewport: picking.Viewport{X: 640, Y: 100, Width: 640, Height: 700, Window: window, Framebuffer: retina}},
	} {
		for _, kind := range []physecs.Kind{
			physecs.KindAABB, physecs.KindBox, physecs.KindSphere, physecs.KindCapsule, physecs.KindPlane, physecs.KindMesh, physecs.KindCompound,
			physecs.KindHull,
		} {
			t.Run(name+"/"+kind.String(), func(t *testing.T) { fromCursorToSelection(t, view, kind) })
		}
	}
}

func fromCursorToSelection(t *testing.T, view physecs.View, kind physecs.Kind) {
	world := ecs.NewWorld()
	var systems physecs.Simulation
	systems.Initialize(&world)
	collider := colliderOf(t, kind, ecs.GetResource[physecs.Meshes](&world))

	eye, place := geom.V(3, 4, 12), geom.V(0.3, 0.2, -0.5)
	view.LookAt(eye, geom.V(0, 0, 0), geom.V(0, 1, 0))
	*ecs.GetResource[physecs.View](&world) = view

	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	behind := place.Add(place.Sub(eye)) // in the same direction from the camera, twice as far
	other := things.NewWith(&physecs.Transform{Position: behind}, new(physecs.Sphere(1)))
	// Turned towards the eye, so that a plane is seen from its front.
	thing := things.NewWith(&physecs.Transform{
		Position: place, Rotation: geom.QuatLook(eye.Sub(place).Neg(), geom.V(0, 1, 0)), Scale: geom.V(1.5, 0.75, 1),
	}, &collider)

	pointer, hover := ecs.GetResource[physecs.Pointer](&world), ecs.GetResource[physecs.Hover](&world)
	selection := ecs.GetResource[physecs.Selection](&world)
	x, y, _, ok := view.Project(place)
	require.True(t, ok)
	step := func(down ...picking.Button) {
		pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...)}
		systems.Update(&world)
	}

	step()
	require.True(t, hover.OK)
	require.Equal(t, thing, hover.Entity)
	line := hover.Ray.At(hover.T)
	assert.InDelta(t, 0, line.Distance(hover.Point), 1e-4, "the point is on the ray")
	assert.LessOrEqual(t, hover.Normal.Dot(hover.Ray.Dir), float32(0), "the normal faces the eye")
	assert.Zero(t, selection.Len())

	step(picking.Left)
	assert.Zero(t, selection.Len())
	step()
	require.Equal(t, []ecs.Entity{thing}, selection.List())

	tr, _ := things.Get(thing)
	// Behind the camera, where a plane is not seen either.
	aside := view.Rotation.Rotate(geom.V(0, 0, 1))
	tr.Position = eye.Add(aside.Mul(5))
	step()
	require.Equal(t, other, hover.Entity, "what was hidden is hovered instead")
	assert.Equal(t, []ecs.Entity{thing}, selection.List(), "and the selection stays")

	tr, _ = things.Get(other)
	tr.Position = tr.Position.Add(geom.V(0, 500, 0))
	step()
	require.False(t, hover.OK)
	step(picking.Left)
	step()
	require.Zero(t, selection.Len(), "a click on nothing clears the selection")
}

func colliderOf(t *testing.T, kind physecs.Kind, meshes *physecs.Meshes) physecs.Collider {
	switch kind {
	case physecs.KindAABB:
		return physecs.AABB(geom.V(0.5, 0.6, 0.7))
	case physecs.KindBox:
		return physecs.Box(geom.V(0.5, 0.6, 0.7))
	case physecs.KindSphere:
		return physecs.Sphere(0.7)
	case physecs.KindCapsule:
		return physecs.Capsule(0.6, 0.4)
	case physecs.KindPlane:
		return physecs.Plane(geom.V(0, 0, 1), 0)
	case physecs.KindMesh:
		m, err := mesh.New(
			[]geom.Vec3{{X: -1, Y: -1}, {X: 1.2, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1.1}}, []uint32{0, 1, 2, 0, 2, 3})
		require.NoError(t, err)
		return physecs.Mesh(meshes.Add(m))
	case physecs.KindHull:
		h, err := hull.New([]geom.Vec3{{X: -1, Y: -1}, {X: 1.2, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1.1}, {Z: 1}})
		require.NoError(t, err)
		return physecs.Hull(meshes.AddHull(h))
	}
	return physecs.Compound(meshes.AddCompound(physics.NewCompound(
		physics.Child{Shape: geom.Sphere{Radius: 0.4}, Transform: geom.At(0, 3, 0)},
		physics.Child{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}},
	)))
}

// listed is a package in the output of `go list`.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	CgoFiles   []string
}

var inf = math.Inf(1)

const module = "github.com/hitscan-go/hitscan"

// ranks is the order of the packages: each imports only those before it, and those in its own
// folder.
var ranks = []string{
	"internal/enum", "internal/par", "internal/wire", "physics/geom", "physics/hull", "physics/internal", "physics/mesh", "physics/skin", "physics/meshio", "physics/internal/placed", "physics", "physics/rigid", "physics/lines", "picking", "ecs",
	"render", "internal", "examples",
}

// allowed lists the modules besides Arche that a folder may depend on, except packages that draw.
var allowed = map[string][]string{
	"physics/meshio": {"github.com/qmuntal/gltf"},
	// Tools of the tests.
	"internal": {"github.com/jezek/xgb", "pgregory.net/rapid", "github.com/stretchr/testify", "go.yaml.in/yaml/v3"},
	"examples": {"github.com/qmuntal/gltf"},
}

// rankOf returns the place in ranks of a package of the module.
func rankOf(path string) int {
	best := -1
	for i, folder := range ranks {
		if p := module + "/" + folder; path == p || strings.HasPrefix(path, p+"/") {
			if best < 0 || len(folder) > len(ranks[best]) {
				best = i
			}
		}
	}
	return best
}

func isOurs(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// TestImports asserts the rule of imports from what the go command says.
func TestImports(t *testing.T) {
	packages := list(t)
	for path, p := range packages {
		if !isOurs(path) || path == module {
			continue
		}
		rank := rankOf(path)
		if !assert.GreaterOrEqual(t, rank, 0, "%s has no place in the order of packages", path) {
			continue
		}
		for _, dep := range p.Imports {
			if isOurs(dep) {
				assert.LessOrEqual(t, rankOf(dep), rank, "%s imports %s, which comes after it", path, dep)
			}
		}
		if ranks[rank] == "render" || slices.Contains(p.Deps, module+"/render") {
			continue
		}
		// Neither render nor a package that depends on it.
		for _, dep := range p.Deps {
			d := packages[dep]
			if d == nil || d.Standard || isOurs(dep) {
				continue
			}
			assert.Empty(t, d.CgoFiles, "%s depends on %s, which uses cgo", path, dep)
			may := append([]string{"github.com/mlange-42/arche"}, allowed[ranks[rank]]...)
			assert.True(t, slices.ContainsFunc(may, func(m string) bool { return strings.HasPrefix(dep, m+"/") || dep == m }),
				"%s depends on %s", path, dep)
		}
		assert.Empty(t, p.CgoFiles, "%s uses cgo", path)
	}
	for _, must := range []string{"physics/geom", "physics/mesh", "physics", "physics/rigid", "physics/lines", "picking", "ecs", "examples/quickstart", "examples/falling"} {
		assert.Contains(t, packages, module+"/"+must)
	}
}

// list returns the module's packages and all they depend on, from the go command. Cgo is on,
// because go list leaves out files that use it otherwise.
func list(t *testing.T) map[string]*listed {
	testenv.Program(t, "go")
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,CgoFiles", "./...")
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	packages := map[string]*listed{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &listed{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return packages
		} else {
			require.NoError(t, err)
		}
		packages[p.ImportPath] = p
	}
}

// TestRankOf shows that TestImports can fail.
func TestRankOf(t *testing.T) {
	assert.Less(t, rankOf(module+"/physics/geom"), rankOf(module+"/physics/mesh"))
	assert.Less(t, rankOf(module+"/physics/mesh"), rankOf(module+"/physics"))
	assert.Less(t, rankOf(module+"/physics/internal/broad"), rankOf(module+"/physics/mesh"))
	assert.Less(t, rankOf(module+"/physics"), rankOf(module+"/physics/rigid"))
	assert.Less(t, rankOf(module+"/physics/rigid"), rankOf(module+"/picking"))
	assert.Less(t, rankOf(module+"/ecs"), rankOf(module+"/render/glyphs"))
	assert.Less(t, rankOf(module+"/internal/par"), rankOf(module+"/physics/internal/wide"))
	assert.Equal(t, -1, rankOf(module+"/physicsx"))
	assert.Equal(t, -1, rankOf(module))
}
