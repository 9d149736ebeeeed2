package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// kinds are the shapes that are paired, each about a metre across. Their names are part of the
// saved files.
var kinds = []struct {
	name  string
	shape physics.Shape
	solid physics.Shape // measures the depth in place of the shape; nil: the shape itself
}{
	{"sphere", geom.Sphere{Radius: 0.5}, nil},
	{"capsule", geom.Capsule{A: geom.V(0, -0.4, 0), B: geom.V(0, 0.4, 0), Radius: 0.3}, nil},
	{"box", geom.Box{HalfExtents: geom.V(0.5, 0.4, 0.6)}, nil},
	{"hull", dodecahedron(0.5), nil},
	{aabb, geom.AABB{Min: geom.V(-0.5, -0.4, -0.6), Max: geom.V(0.5, 0.4, 0.6)}, nil},
	{plane, geom.Plane{Normal: geom.V(0, 1, 0)}, nil},
	{"compound", cross(), nil},
	{"mesh", ball(), filled(ball())},
	{"cylinder", geom.Cylinder(geom.V(0, -0.5, 0), geom.V(0, 0.5, 0), 0.4), nil},
	{"cone", geom.Cone{A: geom.V(0, -0.5, 0), B: geom.V(0, 0.5, 0), RadiusA: 0.5}, nil},
	{field, hills.Mesh(), nil},
}

// The shapes that are placed in a way of their own: an AABB does not turn, and a plane and a height
// field have a front.
const (
	aabb  = "AABB"
	plane = "plane"
	field = "field"
)

func hasFront(kind int) bool { return kinds[kind].name == plane || kinds[kind].name == field }

// hills is a height field of 8 m by 8 m in cells of 25 cm, with hills of 15 cm.
var hills = func() *mesh.Field {
	const n, cell = 33, 0.25
	heights := make([]float32, 0, n*n)
	for row := range n {
		for column := range n {
			heights = append(heights, float32(0.15*math.Sin(float64(column)/2)*math.Cos(float64(row)/3)))
		}
	}
	const start = -cell * (n - 1) / 2
	f, err := mesh.NewField(mesh.FieldOptions{Columns: n, Rows: n, CellX: cell, CellZ: cell, StartX: start, StartZ: start}, heights)
	if err != nil {
		panic(err)
	}
	return f
}()

// dodecahedron returns the hull of its twenty corners, with the given circumradius.
func dodecahedron(radius float64) *hull.Hull {
	const golden = 1.6180339887498949
	var corners []geom.Vec3
	scale := float32(radius / math.Sqrt(3))
	for i := range 8 {
		s := func(bit int) float32 { return float32(1-2*(i>>bit&1)) * scale }
		corners = append(corners, geom.V(s(0), s(1), s(2)))
	}
	for i := range 4 {
		a, b := float32(1-2*(i&1))*scale/golden, float32(1-2*(i>>1))*scale*golden
		corners = append(corners, geom.V(0, a, b), geom.V(a, b, 0), geom.V(b, 0, a))
	}
	return hullOf(corners)
}

func hullOf(points []geom.Vec3) *hull.Hull {
	h, err := hull.New(points)
	if err != nil {
		panic(err)
	}
	return h
}

// cross returns a compound of three bars that cross in the middle.
func cross() *physics.Compound {
	bar := func(x, y, z float32) physics.Child {
		return physics.Child{Shape: geom.Box{HalfExtents: geom.V(x, y, z)}}
	}
	return physics.NewCompound(bar(0.5, 0.15, 0.15), bar(0.15, 0.5, 0.15), bar(0.15, 0.15, 0.5))
}

// ball returns a mesh of 320 triangles.
func ball() *mesh.Mesh {
	m, err := mesh.New(mesh.Icosphere(0.5, 2))
	if err != nil {
		panic(err)
	}
	return m
}

// filled returns the solid that a convex mesh bounds. The mesh itself is a hollow surface, whose
// depth is that of one of its triangles.
func filled(m *mesh.Mesh) *hull.Hull { return hullOf(m.Vertices()) }

// states are the distances of the two shapes, in metres; negative: penetration depth.
var states = []struct {
	name string
	gap  float64
}{{"apart", 0.2}, {"near", 0.005}, {"deep", -0.05}}

// margin is the largest gap, in metres, at which contacts are reported.
const margin = 0.01

// poses is the number of pairs of each kind and state.
const poses = 256

// pose is two placed shapes.
type pose struct {
	kindA, kindB, state int
	a, b                geom.Transform
}

// makePoses returns every pair of shapes in every state, turned at random, made in the first call.
// Pairs of planes and height fields are left out. Those with a height field come last, so that all
// others are as they were before there was one.
var makePoses = sync.OnceValue(func() []pose {
	r := rand.New(rand.NewPCG(1, 2))
	turn := func(kind int) geom.Quat {
		q := geom.QuatEuler(r.Float64()*2*math.Pi, r.Float64()*2*math.Pi, r.Float64()*2*math.Pi)
		if kinds[kind].name == aabb {
			return geom.QuatIdentity()
		}
		return q
	}
	var all []pose
	add := func(i, j int) {
		for s := range states {
			for range poses {
				p := pose{i, j, s, geom.Transform{Rotation: turn(i)}, geom.Transform{Rotation: turn(j)}}
				dir := geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5).Normalize()
				up := geom.V(0, 1, 0) // the other shape is in front
				if hasFront(i) {
					dir = p.a.Rotation.Rotate(up)
				} else if hasFront(j) {
					dir = p.b.Rotation.Rotate(up).Neg()
				}
				p.part(dir, states[s].gap)
				all = append(all, p)
			}
		}
	}
	last := len(kinds) - 1 // the height field
	for i := range last {
		for j := i; j < last; j++ {
			if !hasFront(i) || !hasFront(j) {
				add(i, j)
			}
		}
	}
	for i := range last {
		if !hasFront(i) {
			add(i, last)
		}
	}
	return all
})

// part moves the second shape along a direction until the two are the given distance apart.
func (p *pose) part(dir geom.Vec3, gap float64) {
	lo, hi := 0.0, 3.0
	for range 24 {
		mid := (lo + hi) / 2
		p.b.Position = dir.Mul(float32(mid))
		if p.gap() < gap {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// gap returns the distance of the two shapes; minus the penetration depth if they overlap.
func (p *pose) gap() float64 {
	solid := func(kind int, at geom.Transform) physics.Placed {
		if s := kinds[kind].solid; s != nil {
			return physics.Placed{Shape: s, Transform: at}
		}
		return physics.Placed{Shape: kinds[kind].shape, Transform: at}
	}
	a, b := solid(p.kindA, p.a), solid(p.kindB, p.b)
	if d, ok := physics.Penetrate(a, b); ok {
		return -float64(d.Depth)
	}
	c, _ := physics.ClosestPoints(a, b, float32(math.Inf(1)))
	return float64(c.Distance)
}

func (p *pose) name() string {
	return kinds[p.kindA].name + "-" + kinds[p.kindB].name + "-" + states[p.state].name
}

// savePoses writes a line for each pose: the names of both kinds and of the state, then the
// position and the rotation (a quaternion x, y, z, w) of both shapes.
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

// saveBall writes the mesh of kinds as OBJ.
func saveBall(w io.Writer) error {
	out := bufio.NewWriter(w)
	m := ball()
	for _, v := range m.Vertices() {
		fmt.Fprintln(out, "v", v.X, v.Y, v.Z)
	}
	for t := range slices.Chunk(m.Indices(), 3) {
		fmt.Fprintln(out, "f", t[0]+1, t[1]+1, t[2]+1)
	}
	return out.Flush()
}

// saveField writes the height field of kinds: the numbers of columns and rows and the size of a
// cell, then the heights, a row a line.
func saveField(w io.Writer) error {
	out := bufio.NewWriter(w)
	o := hills.Options()
	fmt.Fprintln(out, o.Columns, o.Rows, o.CellX)
	for row := range o.Rows {
		for column := range o.Columns {
			fmt.Fprint(out, hills.Height(column, row), " ")
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// measurePairs prints the time of Space.Collide for a pair of colliders, the mean number of
// contacts, and the fraction of pairs with contacts.
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
		contacts, touching := 0, 0
		took := measure(o.runs, func() {
			contacts, touching = 0, 0
			for _, id := range ids[from : from+poses] {
				manifolds = space.Collide(manifolds[:0], id[0], id[1], margin)
				for i := range manifolds {
					contacts += int(manifolds[i].N)
				}
				if len(manifolds) > 0 {
					touching++
				}
			}
		})
		name := all[from].name()
		fmt.Fprintf(w, "%s %.1f ns %.2f contacts\n", name, took/poses, float64(contacts)/poses)
		fmt.Fprintf(w, "touching-%s %.4f\n", name, float64(touching)/poses)
	}
}
