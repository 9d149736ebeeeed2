package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// A crowd walks on a mesh. The part of the mesh below its feet is ground, whose contacts do not
// count.
// A grid finds it: the triangles around all bodies of a cell are looked at once, and those around
// each body only if some of the cell's are no ground. That changes no push.

// cellReach is the side of a cell as a multiple of the mean limit of pushes. Less: a cell has few
// bodies. More: more bodies share a cell with a wall, and look at their own triangles as well.
const cellReach = 12

// cellChunk is how many cells a worker claims at a time.
const cellChunk = 16

// grounds is the grid: the cells in which there is a body near a mesh.
type grounds struct {
	cells []cell
	table []int32 // by hash: 1 + the place in cells, or 0
}

// cell is the bodies of one cell of the grid that are near a mesh.
type cell struct {
	key    cellKey
	bounds geom.AABB // around all places where they may be pushed
	bodies int32
	ground bool // see [Separator.isGround]
}

type cellKey struct{ record, x, y, z int32 }

// begin drops all cells, and makes room for so many.
func (g *grounds) begin(most int) {
	size := 16
	for size < 2*most {
		size *= 2
	}
	g.cells, g.table = g.cells[:0], zeros(g.table, size)
}

// add adds a body to a cell, and returns 1 + the place of the cell.
func (g *grounds) add(k cellKey, bounds geom.AABB) int32 {
	h := uint32(k.record)*0x9e3779b1 ^ uint32(k.x)*0x85ebca6b ^ uint32(k.y)*0xc2b2ae35 ^ uint32(k.z)*0x27d4eb2f
	for i := h ^ h>>15; ; i++ {
		at := &g.table[i&uint32(len(g.table)-1)]
		if *at == 0 {
			g.cells = append(g.cells, cell{key: k, bounds: geom.EmptyAABB()})
			*at = int32(len(g.cells))
		}
		if c := &g.cells[*at-1]; c.key == k {
			c.bounds, c.bodies = c.bounds.Union(bounds), c.bodies+1
			return *at
		}
	}
}

// findGround decides which of the obstacles near each body are ground.
func (p *Separator) findGround() {
	if !p.flat {
		return
	}
	chunks, b, g := p.chunks(), &p.bodies, &p.grounds
	most := 0
	for i := range chunks {
		most += len(chunks[i].obstacles)
	}
	g.begin(most)
	side := cellReach * b.limits / float64(len(b.all))
	along := func(v float32) int32 { return int32(math.Floor(float64(v) / side)) }
	for i := range chunks {
		for k := range chunks[i].obstacles {
			if x := &chunks[i].obstacles[k]; isOneMesh(&p.space.records[x.other]) {
				at := b.bounds[x.body].Center()
				x.cell = g.add(cellKey{x.other, along(at.X), along(at.Y), along(at.Z)}, b.bounds[x.body].Grow(p.reach(x.body)))
			}
		}
	}
	n := len(g.cells)
	p.loop.Run(p, par.Workers(n, cellChunk), n, cellChunk, (*Separator).findCells)
	p.run((*Separator).findGrounds)
}

// findCells looks at the triangles around some cells.
func (p *Separator) findCells(_, from, to int) {
	w := takeScratch()
	defer w.give()
	for i := range p.grounds.cells[from:to] {
		if c := &p.grounds.cells[from+i]; c.bodies > 1 {
			var box [1]placed.Subshape
			c.ground = box[0].PlaceSimple(c.bounds, &geom.Transform{}) && p.isGround(w, box[:], &p.space.records[c.key.record], 0)
		}
	}
}

// findGrounds looks at the triangles around each of some bodies, unless its cell is ground.
func (p *Separator) findGrounds(_, from, to int) {
	w := takeScratch()
	defer w.give()
	c := &p.nearby[from/bodyChunk]
	for i := range c.obstacles {
		if x := &c.obstacles[i]; x.cell > 0 {
			r := &p.space.records[p.bodies.all[x.body].record]
			x.ground = p.grounds.cells[x.cell-1].ground || p.isGround(w, r.subshapes(), &p.space.records[x.other], p.reach(x.body))
		}
	}
}

func isOneMesh(r *record) bool {
	subshapes := r.subshapes()
	return len(subshapes) == 1 && subshapes[0].Kind == placed.KindMesh
}

// leastGround is the least squared cosine between Up and the normals of triangles that isGround
// takes for ground: of 42°. Contacts are ground up to 45°, and a contact of an edge is between the
// normals of both sides; the rest is for what rounding makes of small triangles.
const leastGround = 0.55

// isGround reports whether a collider that is one mesh has nothing but ground within a reach, in
// metres, of a shape, so that none of their contacts counts and need not be found: all triangles
// are flatter than the steepest ground, face one side, and have no rim, at whose edge a contact may
// be level.
func (p *Separator) isGround(w *scratch, parts []placed.Subshape, o *record, reach float32) bool {
	mesh := &o.subshapes()[0]
	s := surfaceOf(mesh.Local)
	side := 0.0
	for i := range parts {
		w.parts = placed.PartsNear(w.parts[:0], mesh, &parts[i], reach)
		w.takeTriangles(&s)
		for i, k := range w.parts {
			t := &w.triangles[i]
			a := t.A.Wide()
			n := t.B.Wide().Sub(a).Cross(t.C.Wide().Sub(a))
			along := n.Dot(p.up)
			if !(along*along > leastGround*n.Dot(n)) || along*side < 0 {
				return false
			}
			side = along
			var e narrow.Edges
			if s.edges(&e, i, k.A()); e.HasRim() {
				return false
			}
		}
	}
	return true
}

// isAllGround reports whether all obstacles are ground.
func isAllGround(obstacles []obstaclePair) bool {
	return !slices.ContainsFunc(obstacles, func(x obstaclePair) bool { return !x.ground })
}
