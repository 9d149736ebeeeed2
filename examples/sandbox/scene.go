package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// Scenes: the built-in one, or one from a file.

// scene is a world of named entities on a ground, with its first camera.
type scene struct {
	world  *ecs.World
	ground ecs.Entity
	names  map[ecs.Entity]string // Arche's components hold no strings
	all    []ecs.Entity          // without the ground, in the order in which they were added
	parts  map[*mesh.Mesh]meshio.Part
	count  struct{ colliders, triangles int }
	size   float32 // about how far the things reach from the middle, metres
	mark   float32 // length of the arrows that mark a place, metres
	home   picking.Orbit
	swarm  *swarm // what moves the things; nil in other scenes
	arena  *arena // likewise
	// simulation moves rigid bodies; nil in other scenes.
	simulation *simulation
	car        *car // nil in other scenes

	things    generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	colliders generic.Map[physecs.Collider]
}

func newScene(w *ecs.World) *scene {
	return &scene{
		world:     w,
		names:     map[ecs.Entity]string{},
		parts:     map[*mesh.Mesh]meshio.Part{},
		things:    generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](w),
		colliders: generic.NewMap[physecs.Collider](w),
	}
}

func (s *scene) add(name string, t geom.Transform, c physecs.Collider, m render.Material) ecs.Entity {
	e := s.things.NewWith(&t, &c, &m)
	s.names[e] = name
	s.all = append(s.all, e)
	return e
}

func (s *scene) addGround(height float32, m render.Material) {
	t, c := geom.At(0, height, 0), physecs.Plane(geom.V(0, 1, 0), 0)
	s.ground = s.things.NewWith(&t, &c, &m)
	s.names[s.ground] = "ground"
}

// unit returns the power of ten, in metres, that divides the scene into a few steps.
func (s *scene) unit() float64 { return math.Pow(10, math.Floor(math.Log10(float64(s.size)/1.5))) }

// moves reports whether the scene moves without input.
func (s *scene) moves() bool { return s.swarm != nil || s.arena != nil || s.simulation != nil }

// addUp counts the colliders and triangles, which the card shows.
func (s *scene) addUp() {
	s.count.colliders, s.count.triangles = len(s.all)+1, 0 // and the ground
	for _, e := range s.all {
		if m := s.meshOf(e); m != nil {
			s.count.triangles += m.NumTriangles()
		}
	}
}

func (s *scene) meshes() *physecs.Meshes { return ecs.GetResource[physecs.Meshes](s.world) }

// collider returns the collider of an entity, nil if it has none.
func (s *scene) collider(e ecs.Entity) *physecs.Collider {
	if e.IsZero() || !s.world.Alive(e) {
		return nil
	}
	return s.colliders.Get(e)
}

// meshOf returns the mesh of an entity, nil if its shape is another.
func (s *scene) meshOf(e ecs.Entity) *mesh.Mesh {
	c := s.collider(e)
	if c == nil || c.Kind != physecs.KindMesh {
		return nil
	}
	m, _ := s.meshes().Mesh(c.Mesh)
	return m
}

// named returns the entity of a name, the first if there are several.
func (s *scene) named(name string) (ecs.Entity, bool) {
	for _, e := range s.all {
		if s.names[e] == name {
			return e, true
		}
	}
	if name == s.names[s.ground] {
		return s.ground, true
	}
	return ecs.Entity{}, false
}

// upload sends the meshes to the graphics card with the normals of their files.
func (s *scene) upload(r *render.Renderer) error {
	var errs []error
	for m, p := range s.parts {
		errs = append(errs, r.Upload(m, p))
	}
	return errors.Join(errs...)
}

// load adds a part of a model to the meshes.
func (s *scene) load(l loaded) physecs.MeshID {
	s.parts[l.mesh] = l.part
	return s.meshes().Add(l.mesh)
}

// library caches models, so that a scene is shown again without loading.
type library map[string][]loaded

// loaded is a part of a model and its mesh.
type loaded struct {
	part meshio.Part
	mesh *mesh.Mesh
}

// isColored reports whether the file gives the part a texture, or a colour other than white.
func (l *loaded) isColored() bool {
	m := l.part.Material
	return l.part.Colors != nil || m != nil && (m.Texture != nil || m.Color.R != 1 || m.Color.G != 1 || m.Color.B != 1)
}

// parts returns the parts of the model of a name, which read loads at the first call. The error
// names the model and the part.
func (l library) parts(name string, read func() (*meshio.Model, error)) ([]loaded, error) {
	if parts, ok := l[name]; ok {
		return parts, nil
	}
	if one, ok := built(name); ok {
		l[name] = []loaded{one}
		return l[name], nil
	}
	model, err := read()
	if err != nil {
		return nil, err
	}
	var parts []loaded
	for i, p := range model.Parts {
		if p.Normals == nil {
			p = p.Smooth(crease)
		}
		m, err := p.Mesh()
		if err != nil {
			return nil, fmt.Errorf("%s: part %d (%q): %w", name, i, p.Name, err)
		}
		parts = append(parts, loaded{p, m})
	}
	l[name] = parts
	return parts, nil
}

// From top to bottom: narrow enough not to bend what is at the edge.
const fieldOfView = 36 * math.Pi / 180

// newDemo fills a world with the built-in scene: a bunny among boxes and spheres. Panics if
// physecs.Meshes is missing.
func newDemo(w *ecs.World, l library) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 4, 0.44
	s.home = picking.Orbit{
		Target: geom.V(-0.3, 1.08, 0), Yaw: -0.36, Pitch: 0.25, Distance: 8.9, MinDistance: 0.4, MaxDistance: 80,
		Projection: picking.Perspective(fieldOfView, 0.05, 400),
	}
	models := map[string]physecs.MeshID{}
	for _, m := range []struct {
		name string
		read func() (*meshio.Model, error)
	}{{"bunny", loadBunny}, {"dragon", loadDragon}} {
		parts, err := l.parts(m.name, m.read)
		if err != nil {
			return nil, err
		}
		models[m.name] = s.load(parts[0])
	}
	ring, err := mesh.New(mesh.Torus(0.42, 0.15, 96, 40))
	if err != nil {
		return nil, err
	}

	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	turned := func(x, y, z float32, yaw, pitch, roll float64, scale float32) geom.Transform {
		return geom.Transform{
			Position: geom.V(x, y, z), Rotation: geom.QuatEuler(yaw, pitch, roll), Scale: geom.V(scale, scale, scale),
		}
	}
	s.add("bunny", turned(0, 0, 0, 0.55, 0, 0, 1.75), physecs.Mesh(models["bunny"]), glossy(0xE2D6C6, 0.3))
	s.add("dragon", turned(-1.75, 0, -2.1, 0.75, 0, 0, 1.9), physecs.Mesh(models["dragon"]), glossy(0x84A698, 0.6))

	s.add("crate", turned(2.0, 0.55, -0.8, 0.25, 0, 0, 1), physecs.Box(geom.V(0.55, 0.55, 0.55)), glossy(0xC4886A, 0.2))
	s.add("brick", turned(1.93, 1.28, -0.76, 0.75, 0, 0, 1), physecs.Box(geom.V(0.34, 0.18, 0.24)), glossy(0xD3B277, 0.2))
	s.add("ball", geom.At(-1.5, 0.42, 0.85), physecs.Sphere(0.42), glossy(0xC97468, 0.8))
	s.add("marble", geom.At(-0.72, 0.2, 1.35), physecs.Sphere(0.2), glossy(0x5F93A8, 0.9))
	s.add("pebble", geom.Transform{Position: geom.V(0.85, 0.16, 1.3), Rotation: geom.QuatEuler(0.5, 0, 0),
		Scale: geom.V(1.5, 0.7, 1)}, physecs.Sphere(0.23), glossy(0x949BA5, 0.4))
	s.add("ring", turned(2.2, 0.15, 0.75, 0, 0, 0, 1), physecs.Mesh(s.meshes().Add(ring)), glossy(0xCFA5B0, 0.7))
	s.add("capsule", turned(3.15, 0.92, -0.2, 0, 0, 0, 1), physecs.Capsule(0.62, 0.3), glossy(0x9A92BA, 0.5))
	s.add("block", geom.At(-2.9, 0.3, 0.0), physecs.AABB(geom.V(0.4, 0.3, 0.4)), glossy(0x7590B3, 0.2))
	s.add("table", turned(0.95, 0, -3.0, -0.2, 0, 0, 1), physecs.Compound(s.meshes().AddCompound(table())), glossy(0xAE8F70, 0.25))
	s.add("globe", geom.At(1.05, 1.31, -3.0), physecs.Sphere(0.36), glossy(0x79ABA4, 0.8))
	return s, nil
}

func glossy(rgb uint32, gloss float32) render.Material {
	return render.Material{Color: render.RGB(rgb), Gloss: gloss}
}

// table is a plate on four legs, as one shape.
func table() *physics.Compound {
	const height, half, thick = 0.95, 0.85, 0.05
	children := []physics.Child{{
		Shape: geom.Box{HalfExtents: geom.V(half, thick, half*0.75)}, Transform: geom.At(0, height-thick, 0),
	}}
	for _, x := range [...]float32{-1, 1} {
		for _, z := range [...]float32{-1, 1} {
			foot := geom.V(x*(half-0.12), 0.07, z*(half*0.75-0.12))
			children = append(children, physics.Child{
				Shape: geom.Capsule{A: foot, B: geom.V(foot.X, height-2*thick, foot.Z), Radius: 0.07},
			})
		}
	}
	return physics.NewCompound(children...)
}

// unique returns a name, with a number appended if it is in use, and marks it as used.
func unique(name string, used map[string]int) string {
	if used[name]++; used[name] > 1 {
		return fmt.Sprintf("%s %d", name, used[name])
	}
	return name
}

// calm are the colours of the parts of a file that have none, in turn.
var calm = [...]uint32{0xE3D5C0, 0x7FA99B, 0xCB8466, 0x7A95B8, 0xD9B56A, 0x9A8FBF, 0xC77F86, 0x6FA3A8}

// crease is the angle in radians above which an edge of a model without normals looks sharp.
const crease = 0.7

// newFromFile fills a world with the parts of a file, on a ground, with the camera where all of
// them are seen. upZ means that the file's Z axis points upward, as is usual for STL. The error
// names the file and the place in it.
func newFromFile(w *ecs.World, l library, file string, upZ bool) (*scene, error) {
	parts, err := l.parts(file, func() (*meshio.Model, error) { return meshio.ReadFile(file) })
	if err != nil {
		return nil, err
	}
	s := newScene(w)
	var t geom.Transform
	if upZ {
		t.Rotation = geom.QuatEuler(0, -math.Pi/2, 0)
	}
	bounds := geom.EmptyAABB()
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	used := map[string]int{}
	for i, p := range parts {
		name := p.part.Name
		if name == "" {
			name = base
		}
		rgb := calm[i%len(calm)]
		if p.isColored() {
			rgb = 0xFFFFFF
		}
		s.add(unique(name, used), t, physecs.Mesh(s.load(p)), glossy(rgb, 0.35))
		bounds = bounds.Union(t.Affine().Bounds(p.mesh.Bounds()))
	}
	if len(s.all) == 0 {
		return nil, fmt.Errorf("%s: there is nothing in it to be seen", file)
	}
	// Beyond this, squares of lengths are no float32 numbers any more.
	const largest = 1e15
	if s.size = max(bounds.HalfExtents().Len(), 1e-4); !(s.size <= largest) {
		return nil, fmt.Errorf("%s: reaches from %v to %v, and what is wider than %g m cannot be shown", file, bounds.Min, bounds.Max, largest)
	}
	s.mark = s.size * 0.11
	// Slightly below the lowest point, to avoid z-fighting of a flat bottom with the ground.
	s.addGround(bounds.Min.Y-s.size*1e-4, render.Material{Color: render.RGB(0xC6C9CC), Gloss: 0.15})
	size := float64(s.size)
	s.home = picking.Orbit{
		Yaw: -0.5, Pitch: 0.35, MinDistance: size * 0.05, MaxDistance: size * 30,
		Projection: picking.Perspective(fieldOfView, size*0.01, size*120),
	}
	s.home.Frame(bounds, 1.4)
	return s, nil
}
