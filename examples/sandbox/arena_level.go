package main

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// The level of the arena: meshes made by code, with everything that is hard for a mover: the edges
// between the tiles of a floor, steps, a slope to walk up and one that is too steep, a ceiling that
// slopes down, and a sharp corner.

// Positions, in metres.
const (
	terraceHeight = 2.4
	bridgeZ       = -6 // along which the sliding platform goes from terrace to terrace
)

var (
	floorBounds = geom.AABB{Min: geom.V(-10, -0.75, -8), Max: geom.V(10, 0, 8)}
	liftShaft   = geom.AABB{Min: geom.V(-6, -0.75, -4), Max: geom.V(-4, 0, -2)} // open in the floor
	westTerrace = geom.AABB{Min: geom.V(-10, 0, -8), Max: geom.V(-3, terraceHeight, -4)}
	eastTerrace = geom.AABB{Min: geom.V(4, 0, -8), Max: geom.V(10, terraceHeight, -4)}
	stairs      = geom.AABB{Min: geom.V(-9.4, 0, -4), Max: geom.V(-6.8, terraceHeight, -0.8)}
	slope       = geom.AABB{Min: geom.V(7.2, 0, -4), Max: geom.V(9.4, terraceHeight, 0.2)}    // 30°
	steepSlope  = geom.AABB{Min: geom.V(4.4, 0, -4), Max: geom.V(6.6, terraceHeight, -2.615)} // 60°
	backWall    = geom.AABB{Min: geom.V(-10.4, -0.75, -8.4), Max: geom.V(10.4, 4.6, -8)}
	// Its ceiling comes down northward.
	tunnel = geom.AABB{Min: geom.V(5.6, 0, 2.2), Max: geom.V(9.2, 2.9, 6.4)}
)

const (
	stepHeight = 0.3
	stepDepth  = 0.4
)

// part is a mesh of the level.
type part struct {
	name  string
	color uint32
	mesh  *mesh.Mesh
}

// levelParts returns the meshes of the level. Each has a colour of its own.
func levelParts() (parts []part, err error) {
	for _, p := range []struct {
		name  string
		color uint32
		build func(b *surface)
	}{
		{"floor", 0xC8CBCE, (*surface).floor},
		{"terraces", 0xA9B4BF, func(b *surface) {
			b.box(westTerrace)
			b.box(eastTerrace)
		}},
		{"stairs", 0xC9B48F, func(b *surface) {
			b.stairs(stairs)
			b.steps()
		}},
		{"slope", 0x9DB59A, func(b *surface) { b.ramp(slope) }},
		{"steep-slope", 0xC98F7F, func(b *surface) { b.ramp(steepSlope) }},
		{"walls", 0x8496AA, (*surface).walls},
		{"ledges", 0xB9A7C4, (*surface).ledges},
		{"tunnel", 0x93A6A8, (*surface).tunnel},
	} {
		var b surface
		p.build(&b)
		m, err := mesh.New(b.vertices, b.indices)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{p.name, p.color, m})
	}
	return parts, nil
}

// surface collects triangles. Corners at the same place become one vertex, so that neighbouring
// triangles share it.
type surface struct {
	vertices []geom.Vec3
	indices  []uint32
	known    map[geom.Vec3]uint32
}

func (b *surface) vertex(p geom.Vec3) uint32 {
	if b.known == nil {
		b.known = map[geom.Vec3]uint32{}
	}
	i, ok := b.known[p]
	if !ok {
		i = uint32(len(b.vertices))
		b.known[p] = i
		b.vertices = append(b.vertices, p)
	}
	return i
}

// face adds a convex polygon, counter-clockwise from its front.
func (b *surface) face(corners ...geom.Vec3) {
	for i := 2; i < len(corners); i++ {
		b.indices = append(b.indices, b.vertex(corners[0]), b.vertex(corners[i-1]), b.vertex(corners[i]))
	}
}

// prism adds a convex outline, given counter-clockwise as seen from above, from one height to
// another, without its bottom if that stands on something.
func (b *surface) prism(low, high float32, bottom bool, outline ...[2]float32) {
	at := func(i int, y float32) geom.Vec3 { p := outline[i%len(outline)]; return geom.V(p[0], y, p[1]) }
	var top, under []geom.Vec3
	for i := range outline {
		b.face(at(i, low), at(i+1, low), at(i+1, high), at(i, high))
		top, under = append(top, at(i, high)), append(under, at(i, low))
	}
	b.face(top...)
	if bottom {
		slices.Reverse(under)
		b.face(under...)
	}
}

// box adds a box without its bottom.
func (b *surface) box(a geom.AABB) { b.prism(a.Min.Y, a.Max.Y, false, outlineOf(a)...) }

// outlineOf returns the corners of a box, counter-clockwise as seen from above.
func outlineOf(a geom.AABB) [][2]float32 {
	return [][2]float32{{a.Min.X, a.Max.Z}, {a.Max.X, a.Max.Z}, {a.Max.X, a.Min.Z}, {a.Min.X, a.Min.Z}}
}

// floor adds tiles of a square metre, each of two triangles, around the shaft of the lift, and the
// sides of the floor.
func (b *surface) floor() {
	lo, hi := floorBounds.Min, floorBounds.Max
	isShaft := func(x, z float32) bool {
		return x >= liftShaft.Min.X && x < liftShaft.Max.X && z >= liftShaft.Min.Z && z < liftShaft.Max.Z
	}
	for x := lo.X; x < hi.X; x++ {
		for z := lo.Z; z < hi.Z; z++ {
			if isShaft(x, z) {
				continue
			}
			c := [4]geom.Vec3{geom.V(x, hi.Y, z+1), geom.V(x+1, hi.Y, z+1), geom.V(x+1, hi.Y, z), geom.V(x, hi.Y, z)}
			k := (int(x) ^ int(z)) & 1 // the diagonals go to and fro
			b.face(c[k], c[1+k], c[2+k], c[(3+k)%4])
		}
	}
	side := func(x0, z0, x1, z1 float32) {
		b.face(geom.V(x0, lo.Y, z0), geom.V(x1, lo.Y, z1), geom.V(x1, hi.Y, z1), geom.V(x0, hi.Y, z0))
	}
	for x := lo.X; x < hi.X; x++ {
		side(x, hi.Z, x+1, hi.Z)
		side(x+1, lo.Z, x, lo.Z)
	}
	for z := lo.Z; z < hi.Z; z++ {
		side(hi.X, z+1, hi.X, z)
		side(lo.X, z, lo.X, z+1)
	}
}

// stairs adds steps that go up northward.
func (b *surface) stairs(a geom.AABB) {
	n := int((a.Max.Y-a.Min.Y)/stepHeight + 0.5)
	for i := range n {
		south, north := a.Max.Z-float32(i)*stepDepth, a.Max.Z-float32(i+1)*stepDepth
		low, high := a.Min.Y+float32(i)*stepHeight, a.Min.Y+float32(i+1)*stepHeight
		b.face(geom.V(a.Min.X, low, south), geom.V(a.Max.X, low, south), geom.V(a.Max.X, high, south), geom.V(a.Min.X, high, south))
		b.face(geom.V(a.Min.X, high, south), geom.V(a.Max.X, high, south), geom.V(a.Max.X, high, north), geom.V(a.Min.X, high, north))
		b.face(geom.V(a.Max.X, a.Min.Y, south), geom.V(a.Max.X, a.Min.Y, north), geom.V(a.Max.X, high, north), geom.V(a.Max.X, high, south))
		b.face(geom.V(a.Min.X, a.Min.Y, north), geom.V(a.Min.X, a.Min.Y, south), geom.V(a.Min.X, high, south), geom.V(a.Min.X, high, north))
	}
}

// steps adds two steps from the ground up to the floor, on its south side.
func (b *surface) steps() {
	b.box(geom.AABB{Min: geom.V(-1.5, -0.75, 8), Max: geom.V(1.5, -0.25, 8.4)})
	b.box(geom.AABB{Min: geom.V(-1.5, -0.75, 8.4), Max: geom.V(1.5, -0.5, 8.8)})
}

// ramp adds a wedge that goes up northward.
func (b *surface) ramp(a geom.AABB) {
	lo, hi := a.Min, a.Max
	b.face(geom.V(lo.X, lo.Y, hi.Z), geom.V(hi.X, lo.Y, hi.Z), geom.V(hi.X, hi.Y, lo.Z), geom.V(lo.X, hi.Y, lo.Z))
	b.face(geom.V(hi.X, lo.Y, hi.Z), geom.V(hi.X, lo.Y, lo.Z), geom.V(hi.X, hi.Y, lo.Z))
	b.face(geom.V(lo.X, lo.Y, lo.Z), geom.V(lo.X, lo.Y, hi.Z), geom.V(lo.X, hi.Y, lo.Z))
}

// walls adds those at the back and in the west, and two that meet in a sharp corner.
func (b *surface) walls() {
	b.box(backWall)
	b.box(geom.AABB{Min: geom.V(-10.4, -0.75, -8), Max: geom.V(-10, 4.6, -1)})
	b.prism(0, 1.5, false, [2]float32{-9.2, 4.9}, [2]float32{-8.9, 5.2}, [2]float32{-5.8, 3.1}, [2]float32{-5.9, 2.7})
	b.prism(0, 1.5, false, [2]float32{-9.2, 1.2}, [2]float32{-5.9, 2.7}, [2]float32{-5.8, 3.1}, [2]float32{-9.3, 1.6})
}

// ledges adds blocks: one that is a step, and two that take a jump.
func (b *surface) ledges() {
	b.box(geom.AABB{Min: geom.V(-4.6, 0, 3.2), Max: geom.V(-3.2, 0.35, 4.8)})
	b.box(geom.AABB{Min: geom.V(-4.6, 0, 1.6), Max: geom.V(-3.2, 0.9, 3.2)})
	b.box(geom.AABB{Min: geom.V(-4.6, 0, 0), Max: geom.V(-3.2, 2, 1.6)})
}

// tunnel adds two walls and a roof on them, whose underside comes down from 2.5 m to 1.3 m.
func (b *surface) tunnel() {
	lo, hi := tunnel.Min, tunnel.Max
	const wall, south, north = 0.3, 2.5, 1.3
	b.box(geom.AABB{Min: lo, Max: geom.V(lo.X+wall, hi.Y, hi.Z)})
	b.box(geom.AABB{Min: geom.V(hi.X-wall, lo.Y, lo.Z), Max: hi})
	l, r := lo.X+wall, hi.X-wall
	b.face(geom.V(l, south, hi.Z), geom.V(l, north, lo.Z), geom.V(r, north, lo.Z), geom.V(r, south, hi.Z)) // underside
	b.face(geom.V(l, hi.Y, hi.Z), geom.V(r, hi.Y, hi.Z), geom.V(r, hi.Y, lo.Z), geom.V(l, hi.Y, lo.Z))
	b.face(geom.V(l, south, hi.Z), geom.V(r, south, hi.Z), geom.V(r, hi.Y, hi.Z), geom.V(l, hi.Y, hi.Z))
	b.face(geom.V(r, north, lo.Z), geom.V(l, north, lo.Z), geom.V(l, hi.Y, lo.Z), geom.V(r, hi.Y, lo.Z))
}
