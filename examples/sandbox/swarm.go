package main

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene in which everything moves: streams of small objects in a volume with walls. This file
// only writes Transforms; SyncSystem finds the changes.

// swarmSize is the default number of flying entities.
const swarmSize = 10_000

// The volume in which they fly, in metres.
var swarmVolume = geom.AABB{Min: geom.V(-15, 0.6, -10), Max: geom.V(15, 12.6, 10)}

// flight is the component of a flying entity.
type flight struct {
	velocity geom.Vec3
	reach    float32 // from the middle to where the walls are felt, metres
	school   uint8
	lag      float32 // seconds behind the head of its stream
	side     float32 // metres from the middle of the stream
	angle    float32 // around it, radians
	touches  int32   // pairs that it is part of
	glow     float32 // 0 to 1, following touches so slowly that the eye can
}

// school is a stream: the path of its head, and the look of its entities.
type school struct {
	rate, phase [3]float64 // of the head's swings along x, y and z; radians a second, radians
	colors      [2]color.NRGBA
}

var schools = [...]school{
	{[3]float64{0.23, 0.31, 0.17}, [3]float64{0.0, 0.4, 1.2}, [2]color.NRGBA{render.RGB(0x2E8C9E), render.RGB(0x5FB3B8)}},
	{[3]float64{0.19, 0.37, 0.29}, [3]float64{2.1, 2.6, 0.3}, [2]color.NRGBA{render.RGB(0xE9B949), render.RGB(0xF2D68C)}},
	{[3]float64{0.27, 0.23, 0.21}, [3]float64{4.0, 1.1, 3.3}, [2]color.NRGBA{render.RGB(0x5C6FB0), render.RGB(0x8C9AD0)}},
	{[3]float64{0.21, 0.29, 0.25}, [3]float64{5.2, 3.9, 2.2}, [2]color.NRGBA{render.RGB(0x7FA35E), render.RGB(0xA9C385)}},
}

// touchColor is the colour of entities whose bounds overlap another's.
var touchColor = render.RGB(0xF2502F)

const (
	streamSeconds = 26  // from the head of a stream to its end
	streamRadius  = 1.7 // metres, in its middle
	swirl         = 0.7 // radians a second about the middle of the stream
	pull          = 3.0 // 1/s², towards a thing's place in the stream
	drag          = 2.4 // 1/s, towards the stream's own speed
	glowRate      = 9.0 // 1/s
)

// swarm moves the things of a scene.
type swarm struct {
	world  *ecs.World
	flying generic.Filter3[physecs.Transform, flight, render.Material]
	places generic.Map[physecs.Transform]
	flight generic.Map[flight]
	time   float64 // seconds
	pairs  physics.PairTracker
	trails map[ecs.Entity][]geom.Vec3 // where the selected things have been, the latest place last
}

// newSwarm fills a world with a swarm of n things, above a ground. Panics if physecs.Meshes is
// missing.
func newSwarm(w *ecs.World, n int) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 12, 0.3
	s.home = picking.Orbit{
		Target: geom.V(-1, 6.5, 0), Yaw: -0.45, Pitch: 0.17, Distance: 38, MinDistance: 0.4, MaxDistance: 160,
		Projection: picking.Perspective(fieldOfView, 0.1, 600),
	}
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	kite, err := mesh.New(kiteShape())
	if err != nil {
		return nil, err
	}
	ring, err := mesh.New(mesh.Torus(1, 0.32, 8, 4))
	if err != nil {
		return nil, err
	}
	kites, rings := physecs.Mesh(s.meshes().Add(kite)), physecs.Mesh(s.meshes().Add(ring))
	capsule := physecs.Capsule(0.1, 0.055)
	capsule.Rotation = geom.QuatAxisAngle(geom.V(1, 0, 0), math.Pi/2) // it flies along its axis

	s.swarm = &swarm{
		world: w, places: generic.NewMap[physecs.Transform](w), flight: generic.NewMap[flight](w),
		flying: *generic.NewFilter3[physecs.Transform, flight, render.Material](), trails: map[ecs.Entity][]geom.Vec3{},
	}
	things := generic.NewMap4[physecs.Transform, physecs.Collider, render.Material, flight](w)
	rng := rand.New(rand.NewPCG(7, 11))
	for i := range n {
		f := flight{school: uint8(i % len(schools))}
		nth := i / len(schools)
		out, around := spread(nth)
		along := float64(nth) / float64(n/len(schools))
		f.lag, f.angle = float32(along*streamSeconds), float32(around*2*math.Pi)
		// Densest behind the head, sparse at the end.
		f.side = float32(streamRadius * math.Sqrt(out) * (0.25 + 1.9*math.Sqrt(along)*(1-along)))
		size := float32(0.7 + 0.5*rng.Float64())
		name, c, scale := "", physecs.Collider{}, geom.V(size, size, size)
		switch kind := rng.IntN(20); {
		case i < len(schools): // one leads each stream
			name, c = "leader", kites
			f.lag, f.side = -0.6, 0
			scale = geom.V(5, 5, 5)
		case kind < 7:
			name, c = "box", physecs.Box(geom.V(0.07, 0.05, 0.13))
		case kind < 12:
			name, c = "ball", physecs.Sphere(0.085)
		case kind < 16:
			name, c = "capsule", capsule
		case kind < 19:
			name, c = "kite", kites
		default:
			name, c, scale = "ring", rings, scale.Mul(0.13)
		}
		f.reach = 0.16 * size // its longest axis, or about
		place, velocity := f.goal(0)
		f.velocity = velocity.Narrow()
		t := physecs.Transform{Position: place.Narrow(), Rotation: heading(f.velocity), Scale: scale}
		m := glossy(0, 0.4)
		m.Color = f.color()
		e := things.NewWith(&t, &c, &m, &f)
		s.names[e] = fmt.Sprintf("%s-%d", name, i)
		s.all = append(s.all, e)
	}
	return s, nil
}

// spread returns the nth of a row of places in the unit square such that successive ones are far
// apart, so that the entities of a stream do not overlap until something pushes them together
// (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
func spread(n int) (x, y float64) {
	const g = 1.32471795724474602596 // g³ = g + 1
	part := func(step float64) float64 { _, f := math.Modf(0.5 + float64(n)*step); return f }
	return part(1 / g), part(1 / (g * g))
}

// kiteShape returns a body with a nose, a tail and two wings, of eight triangles, that looks along
// −Z.
func kiteShape() (vertices []geom.Vec3, indices []uint32) {
	return []geom.Vec3{
			geom.V(0, 0, -0.2), geom.V(0, 0, 0.1), // nose, tail
			geom.V(-0.15, 0, 0.13), geom.V(0.15, 0, 0.13), // wings
			geom.V(0, 0.05, 0.02), geom.V(0, -0.03, 0.02),
		}, []uint32{
			0, 2, 4, 0, 4, 3, 4, 2, 1, 4, 1, 3,
			0, 5, 2, 0, 3, 5, 5, 1, 2, 5, 3, 1,
		}
}

// heading returns the rotation of a thing that flies in a direction.
func heading(velocity geom.Vec3) geom.Quat { return geom.QuatLook(velocity, geom.V(0, 1, 0)) }

// goal returns the target position and velocity of an entity at a time.
func (f *flight) goal(time float64) (place, velocity geom.DVec3) {
	s := &schools[f.school]
	center, half := swarmVolume.Center().Wide(), swarmVolume.HalfExtents().Wide()
	t := time - float64(f.lag)
	swing := func(i int, reach float64) (at, speed float64) {
		sin, cos := math.Sincos(s.rate[i]*t + s.phase[i])
		return reach * sin, reach * s.rate[i] * cos
	}
	place.X, velocity.X = swing(0, half.X*0.93)
	place.Y, velocity.Y = swing(1, half.Y*0.83)
	place.Z, velocity.Z = swing(2, half.Z*0.9)
	forward := velocity.Normalize()
	right := forward.Cross(geom.DVec3{Y: 1}).Normalize()
	sin, cos := math.Sincos(float64(f.angle) + swirl*time)
	side := float64(f.side)
	place = place.Add(center).AddMul(side*cos, right).AddMul(side*sin, right.Cross(forward))
	return place, velocity
}

// color returns the colour of an entity, by its stream, its place in it and its overlaps.
func (f *flight) color() color.NRGBA {
	c := &schools[f.school].colors
	return blend(blend(c[0], c[1], f.angle/(2*math.Pi)), touchColor, f.glow)
}

func blend(a, b color.NRGBA, t float32) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float32(x) + (float32(y)-float32(x))*t + 0.5) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// fly moves everything by a time in seconds.
func (s *swarm) fly(dt float64) {
	s.time += dt
	step, fade := float32(dt), float32(1-math.Exp(-glowRate*dt))
	query := s.flying.Query(s.world)
	for query.Next() {
		t, f, m := query.Get()
		place, velocity := f.goal(s.time)
		force := place.Narrow().Sub(t.Position).Mul(pull).Add(velocity.Narrow().Sub(f.velocity).Mul(drag))
		f.velocity = f.velocity.Add(force.Mul(step))
		t.Position = t.Position.Add(f.velocity.Mul(step))
		f.bounce(&t.Position)
		t.Rotation = heading(f.velocity)

		goal := float32(0)
		if f.touches > 0 {
			goal = 1
		}
		f.glow += (goal - f.glow) * fade
		m.Color = f.color()
	}
}

// bounce reflects entities that have passed a wall.
func (f *flight) bounce(p *geom.Vec3) {
	lo, hi := &swarmVolume.Min, &swarmVolume.Max
	for _, axis := range [...]struct {
		at, speed *float32
		lo, hi    float32
	}{
		{&p.X, &f.velocity.X, lo.X, hi.X}, {&p.Y, &f.velocity.Y, lo.Y, hi.Y}, {&p.Z, &f.velocity.Z, lo.Z, hi.Z},
	} {
		switch lo, hi := axis.lo+f.reach, axis.hi-f.reach; {
		case *axis.at < lo:
			*axis.at, *axis.speed = lo, float32(math.Abs(float64(*axis.speed)))
		case *axis.at > hi:
			*axis.at, *axis.speed = hi, -float32(math.Abs(float64(*axis.speed)))
		}
	}
}

// trailLength is the number of ticks for which a trail lasts.
const trailLength = 90

// follow records the positions of the selected entities.
func (s *swarm) follow(selection *physecs.Selection) {
	for e := range s.trails {
		if !selection.Contains(e) {
			delete(s.trails, e)
		}
	}
	for _, e := range selection.List() {
		if s.flight.Has(e) {
			t := append(s.trails[e], s.places.Get(e).Position)
			s.trails[e] = t[max(len(t)-trailLength, 0):]
		}
	}
}

var wallColor = render.WithAlpha(render.RGB(0x5B6B7B), 0.5)

// draw draws the walls and the trails.
func (s *swarm) draw(l *render.Lines, trail color.NRGBA) {
	l.Width = 1.5
	l.AABB(swarmVolume, wallColor)
	l.Width = 2.5
	for _, places := range s.trails {
		for i := 1; i < len(places); i++ {
			age := float32(len(places)-i) / trailLength
			l.Segment(places[i-1], places[i], render.WithAlpha(trail, 0.9*(1-age)))
		}
	}
}

// touch finds the pairs of this tick and counts them for each entity.
func (s *swarm) touch(space *physecs.Space) {
	s.pairs.Update(space.Physics())
	count := func(pairs []physics.Pair, by int32) {
		for _, p := range pairs {
			for _, id := range [...]physics.ColliderID{p.A, p.B} {
				if e, ok := space.Entity(id); ok && s.flight.Has(e) { // the ground does not fly
					s.flight.Get(e).touches += by
				}
			}
		}
	}
	count(s.pairs.Began, 1)
	count(s.pairs.Ended, -1)
}
