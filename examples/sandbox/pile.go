package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene of a pile: shapes of all kinds hang asleep above a crater, and are woken one after the
// other.

// pileScene is the name of the scene of newPile.
const pileScene = "pile"

const (
	pileSize    = 2000
	pouredAStep = 6
	// The shapes hang in layers, each a disc, in metres.
	cloudHeight, cloudRadius, cloudSpacing = 10, 7.6, 1.15
)

// newPile fills a world with a crater and n shapes above it.
func newPile(w *ecs.World, n int) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 14, 0.5
	s.home = picking.Orbit{
		Target: geom.V(-1, 6.2, 0), Yaw: -0.5, Pitch: 0.46, Distance: 51, MinDistance: 1, MaxDistance: 200,
		Projection: picking.Perspective(fieldOfView, 0.1, 600),
	}
	crater, err := craterField()
	if err != nil {
		return nil, err
	}
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	ground := s.add("crater", geom.Transform{}, physecs.Mesh(s.meshes().Add(crater.Mesh())), glossy(0xB7AE98, 0.1))
	w.Add(ground, ecs.ComponentID[physecs.Static](w))
	m := newSimulation(w, s)
	if err := m.addCloud(n); err != nil {
		return nil, err
	}
	m.addBalls(geom.V(-20.5, 0, 1))
	m.begin(12, 48)
	return s, nil
}

// craterHeight returns the height of the crater: a bowl, a rim, and a slope to below the plain.
func craterHeight(x, z float64) float64 {
	const rim, foot, height, below = 11.5, 18.5, 5, -0.6
	r := math.Hypot(x, z)
	bumps := 0.16*math.Sin(1.1*x+0.4)*math.Cos(0.9*z) + 0.1*math.Sin(2.3*x-1.7*z)
	switch {
	case r < rim:
		return 0.35 + bumps + (height-0.35)*(r/rim)*(r/rim)*(1.9-0.9*r/rim)
	case r < foot:
		return below + (height+bumps-below)*(1-smoothstep((r-rim)/(foot-rim)))
	}
	return below
}

// craterField returns the crater as a height field.
func craterField() (*mesh.Field, error) {
	const half, cells = 19, 96
	o := mesh.FieldOptions{
		Columns: cells + 1, Rows: cells + 1, CellX: 2 * half / float32(cells), CellZ: 2 * half / float32(cells),
		StartX: -half, StartZ: -half, Low: -1, High: 6,
	}
	var heights []float32
	for i := range o.Columns * o.Rows {
		x, z := o.StartX+o.CellX*float32(i%o.Columns), o.StartZ+o.CellZ*float32(i/o.Columns)
		heights = append(heights, float32(craterHeight(float64(x), float64(z))))
	}
	return mesh.NewField(o, heights)
}

// rounds are the solids of revolution of the cloud.
var rounds = [...]struct {
	name  string
	shape physecs.Collider
}{
	{"drum", physecs.Cylinder(0.3, 0.26)}, {"coin", physecs.Cylinder(0.09, 0.42)},
	{"cone", physecs.Cone(0.36, 0.38, 0)}, {"bucket", physecs.Cone(0.28, 0.24, 0.38)},
	{"pear", physecs.TaperedCapsule(0.22, 0.32, 0.17)},
}

// addCloud adds the shapes, to be asleep in the air, and has them woken in turn, the lowest first.
func (m *simulation) addCloud(n int) error {
	var solids []physecs.Collider
	for _, points := range [...][]geom.Vec3{
		{{X: 0.4, Y: 0.4, Z: 0.4}, {X: 0.4, Y: -0.4, Z: -0.4}, {X: -0.4, Y: 0.4, Z: -0.4}, {X: -0.4, Y: -0.4, Z: 0.4}},
		{{X: 0.4}, {X: -0.4}, {Y: 0.5}, {Y: -0.5}, {Z: 0.4}, {Z: -0.4}},
		prism(6, 0.4, 0.2), prism(5, 0.32, 0.36), gemShape(), rockShape(),
	} {
		h, err := hull.New(points)
		if err != nil {
			return err
		}
		solids = append(solids, physecs.Hull(m.scene.meshes().AddHull(h)))
	}
	rng := rand.New(rand.NewPCG(5, 14))
	var places []geom.Vec3
	for layer := 0; len(places) < n; layer++ {
		first := len(places)
		const side = 7 // beyond cloudRadius
		for i := -side; i <= side; i++ {
			for k := -side; k <= side; k++ {
				shift := float32(layer%2) / 2
				p := geom.V((float32(i)+shift)*cloudSpacing, cloudHeight+float32(layer)*cloudSpacing, (float32(k)+shift)*cloudSpacing)
				if p.X*p.X+p.Z*p.Z < cloudRadius*cloudRadius {
					places = append(places, p)
				}
			}
		}
		rng.Shuffle(len(places)-first, func(i, k int) { places[first+i], places[first+k] = places[first+k], places[first+i] })
	}
	between := func(a, b float32) float32 { return a + (b-a)*rng.Float32() }
	cloud := make([]ecs.Entity, n)
	for i := range cloud {
		name, c, size := "", physecs.Collider{}, between(0.7, 1.15)
		switch kind := rng.IntN(10); {
		case kind < 3:
			name, c = "box", physecs.Box(geom.V(between(0.2, 0.42), between(0.2, 0.42), between(0.2, 0.42)))
		case kind < 5:
			name, c = "ball", physecs.Sphere(0.36)
		case kind < 6:
			name, c = "capsule", physecs.Capsule(0.28, 0.21)
		case kind < 8:
			round := &rounds[rng.IntN(len(rounds))]
			name, c = round.name, round.shape
		default:
			name, c = "solid", solids[rng.IntN(len(solids))]
		}
		turn := geom.QuatEuler(rng.Float64()*6, rng.Float64()*6, rng.Float64()*6)
		cloud[i] = m.add(fmt.Sprintf("%s-%d", name, i), geom.Transform{Position: places[i], Rotation: turn, Scale: geom.V(size, size, size)},
			c, calm[rng.IntN(len(calm))], woodDensity)
	}
	m.roll(0.02, cloud...)
	dynamics := ecs.GetResource[physecs.Dynamics](m.world)
	m.before = func(step int) {
		from := min(step*pouredAStep, n)
		for _, e := range cloud[from:min(from+pouredAStep, n)] {
			dynamics.Wake(e)
		}
	}
	return nil
}

// prism returns the corners of a prism.
func prism(corners int, radius, half float32) (points []geom.Vec3) {
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		x, z := radius*float32(cos), radius*float32(sin)
		points = append(points, geom.V(x, half, z), geom.V(x, -half, z))
	}
	return points
}
