package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// kinds are the shapes that are set against each other, each about a metre across. Other programs know them by name.
var kinds = []struct {
	name  string
	shape physics.Shape
}{
	{"sphere", geom.Sphere{Radius: 0.5}},
	{"capsule", geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.3}},
	{"box", geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.6)}},
	{"hull", dodecahedron()},
}

// dodecahedron returns the hull of its twenty corners, half a metre from the middle.
func dodecahedron() *hull.Hull {
	const golden = 1.6180339887498949
	var corners []geom.Vec3
	scale := float32(0.5 / math.Sqrt(3))
	for i := range 8 {
		s := func(bit int) float32 { return float32(1-2*(i>>bit&1)) * scale }
		corners = append(corners, geom.V(s(0), s(1), s(2)))
	}
	for i := range 4 {
		a, b := float32(1-2*(i&1))*scale/golden, float32(1-2*(i>>1))*scale*golden
		corners = append(corners, geom.V(0, a, b), geom.V(a, b, 0), geom.V(b, 0, a))
	}
	h, err := hull.New(corners)
	if err != nil {
		panic(err)
	}
	return h
}

// states are how two shapes stand: by how much they are apart, in metres, or in each other if negative.
var states = []struct {
	name string
	gap  float64
}{{"apart", 0.2}, {"near", 0.005}, {"deep", -0.05}}

// margin is how far apart contacts are looked for.
const margin = 0.01

// poses is how many pairs of each kind and state there are.
const poses = 256

// pose is two shapes and where they are.
type pose struct {
	kindA, kindB, state int
	a, b                geom.Transform
}

// makePoses returns every pair of shapes in every state, turned at random, the same each time.
func makePoses() []pose {
	r := rand.New(rand.NewPCG(1, 2))
	turn := func() geom.Quat {
		return geom.QuatEuler(r.Float64()*2*math.Pi, r.Float64()*2*math.Pi, r.Float64()*2*math.Pi)
	}
	var all []pose
	for i := range kinds {
		for j := i; j < len(kinds); j++ {
			for s := range states {
				for range poses {
					p := pose{i, j, s, geom.Transform{Rotation: turn()}, geom.Transform{Rotation: turn()}}
					p.part(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize(), states[s].gap)
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// part moves the second shape along a direction until the two are as far apart as asked.
func (p *pose) part(dir geom.Vec3, gap float64) {
	lo, hi := 0.0, 3.0
	for range 40 {
		mid := (lo + hi) / 2
		p.b.Position = dir.Mul(float32(mid))
		if p.gap() < gap {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// gap returns how far the two shapes are apart; negative if they overlap.
func (p *pose) gap() float64 {
	a, b := physics.Placed{Shape: kinds[p.kindA].shape, Transform: p.a}, physics.Placed{Shape: kinds[p.kindB].shape, Transform: p.b}
	if d, ok := physics.Penetrate(a, b); ok {
		return -float64(d.Depth)
	}
	c, _ := physics.ClosestPoints(a, b, float32(math.Inf(1)))
	return float64(c.Distance)
}

func (p *pose) name() string {
	return kinds[p.kindA].name + "-" + kinds[p.kindB].name + "-" + states[p.state].name
}

// savePoses writes a line for each: the names of both kinds and of the state, and of both shapes the position and the
// rotation as a quaternion x, y, z, w.
func savePoses(w io.Writer, all []pose) error {
	out := bufio.NewWriter(w)
	for i := range all {
		p := &all[i]
		fmt.Fprint(out, kinds[p.kindA].name, " ", kinds[p.kindB].name, " ", states[p.state].name)
		for _, t := range []geom.Transform{p.a, p.b} {
			q := t.Rotation
			fmt.Fprint(out, " ", t.Position.X, " ", t.Position.Y, " ", t.Position.Z, " ", q.X, " ", q.Y, " ", q.Z, " ", q.W)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// measurePairs prints what Space.Collide takes for a pair of colliders, and how many contacts a pair has.
func measurePairs(w io.Writer, all []pose, o options) {
	space := physics.NewSpace()
	ids := make([][2]physics.ColliderID, len(all))
	for i, p := range all {
		ids[i] = [2]physics.ColliderID{
			space.Add(physics.Collider{Shape: kinds[p.kindA].shape, Transform: p.a}),
			space.Add(physics.Collider{Shape: kinds[p.kindB].shape, Transform: p.b}),
		}
	}
	var manifolds []physics.Manifold
	for from := 0; from < len(all); from += poses {
		contacts := 0
		took := measure(o.runs, func() {
			contacts = 0
			for _, id := range ids[from : from+poses] {
				manifolds = space.Collide(manifolds[:0], id[0], id[1], margin)
				for i := range manifolds {
					contacts += int(manifolds[i].N)
				}
			}
		})
		fmt.Fprintf(w, "%s %.1f ns %.2f contacts\n", all[from].name(), took/poses, float64(contacts)/poses)
	}
}
