package mesh

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The neighbours of triangles across their edges. Only contact generation needs them, so they are
// computed on first use.

// edges are the tables of edge convexity and adjacent vertices, and what else is derived from all
// triangles, each nil until its first use.
type edges struct {
	making sync.Mutex
	bends  atomic.Pointer[[][3]int16]
	across atomic.Pointer[[][3]int32]
	closed atomic.Pointer[bool]
	middle atomic.Pointer[geom.Vec3]

	outlined atomic.Bool
	outline  wide.Outline // a value: a mesh that is refitted each frame allocates nothing
}

func (e *edges) forget() {
	e.bends.Store(nil)
	e.across.Store(nil)
	e.closed.Store(nil)
	e.middle.Store(nil)
	e.outlined.Store(false)
}

// EdgeConvexity returns, for each edge of a triangle, from its first corner to its second and on
// around, by how much the surface bends there: the tangent of half the angle by which it turns down
// (positive, a convex edge) or up (negative, a concave edge), seen from the triangle's front.
// [math.MaxFloat32] is an open edge, with no triangle beyond it. An edge whose bend may come from
// the rounding of the vertices has 0. Contact generation uses it to discard contacts at inner edges
// (Bullet's and Jolt's active edges).
//
// Two triangles are neighbours if they have an edge between the same two positions, whatever their
// indices and winding. So are those whose edges lie along each other, within 10⁻⁶ of the largest
// coordinate, in chains from one vertex to another (T-junctions), except that an edge along which
// the surface bends by several angles is open. If more than two triangles meet at an edge, the bend
// is the one nearest to 0 if all others turn to the same side, and 0 if they do not, as nothing can
// then touch the edge from outside of a face. Duplicates of a triangle count once. A degenerate
// triangle is open at its edges, and is flat beyond those of others that have no other neighbour
// there.
//
// Bends are stored in 16 bits, rounded away from 0: by up to 0.004° where the surface is nearly
// flat. The first call computes them for the whole mesh, on whichever goroutine, which takes about
// as long as [New] does on one processor, and 6 bytes per triangle. Call EdgeConvexity while
// loading to have it done then. [Mesh.Refit] drops the table.
//
// Rotation, translation and uniform scale of the mesh change no bend, and a mirror flips the sign
// of all but the open ones. For non-uniform scale, see [Mesh.AdjacentVertices]. Panics if there is
// no such triangle.
func (m *Mesh) EdgeConvexity(triangle int) [3]float32 {
	if uint(triangle) >= uint(m.indices.triangles) {
		m.mustHave("EdgeConvexity", triangle)
		var code [3]int16
		m.bendsOf(&code, triangle, m.fieldAcross(triangle))
		return [3]float32{bendOf(code[0]), bendOf(code[1]), bendOf(code[2])}
	}
	table := m.edges.bends.Load()
	if table == nil {
		table = m.makeBends()
	}
	code := &(*table)[triangle]
	if *code == ([3]int16{}) {
		return [3]float32{} // on a flat floor, as most are
	}
	return [3]float32{bendOf(code[0]), bendOf(code[1]), bendOf(code[2])}
}

// AdjacentVertices returns, for each edge of a triangle as in [Mesh.EdgeConvexity], the vertex of
// the neighbouring triangle opposite the edge, or −1 if the edge is open: the order of
// GL_TRIANGLES_ADJACENCY. It is the index of the first vertex at that position. If the bend is 0
// because triangles turn to both sides, or because the neighbour is degenerate, it is the corner of
// the triangle itself at which the edge begins. At a T-junction it is of the first of several
// neighbours.
//
// With it, edge convexity can be computed after a non-uniform map into the world; the vertex itself
// depends on no map. The first call computes the table for the whole mesh, as for the convexity; it
// takes 12 bytes per triangle. Panics if there is no such triangle.
func (m *Mesh) AdjacentVertices(triangle int) [3]int32 {
	if uint(triangle) >= uint(m.indices.triangles) {
		m.mustHave("AdjacentVertices", triangle)
		return m.fieldAcross(triangle)
	}
	table := m.edges.across.Load()
	if table == nil {
		table = m.makeAcross()
	}
	return (*table)[triangle]
}

// makeBends computes the bends, or waits for the goroutine that does.
func (m *Mesh) makeBends() *[][3]int16 {
	m.edges.making.Lock()
	defer m.edges.making.Unlock()
	if table := m.edges.bends.Load(); table != nil {
		return table
	}
	var across [][3]int32
	if made := m.edges.across.Load(); made != nil {
		across = *made
	} else {
		across = m.neighbours()
	}
	table := make([][3]int16, len(across))
	for i := range table {
		m.bendsOf(&table[i], i, across[i])
	}
	m.edges.bends.Store(&table)
	return &table
}

// bendsOf computes the codes of the bends of a triangle.
func (m *Mesh) bendsOf(codes *[3]int16, triangle int, across [3]int32) {
	t := m.Triangle(triangle)
	for k, beyond := range across {
		b := narrow.Open
		if beyond >= 0 {
			b = narrow.BendAt(t, k, m.Vertex(int(beyond)))
		}
		codes[k] = codeOf(float64(b))
	}
}

func (m *Mesh) makeAcross() *[][3]int32 {
	m.edges.making.Lock()
	defer m.edges.making.Unlock()
	table := m.edges.across.Load()
	if table == nil {
		across := m.neighbours()
		table = &across
		m.edges.across.Store(table)
	}
	return table
}

// A bend b is stored as b/(1+|b|), which is between −1 and 1 and as exact near 0 as b, in steps of
// 1/mostCode.
const mostCode = math.MaxInt16

func codeOf(b float64) int16 {
	c := math.Ceil(math.Abs(b) / (1 + math.Abs(b)) * mostCode)
	return int16(math.Copysign(c, b))
}

func bendOf(code int16) float32 {
	rest := mostCode - max(code, -code)
	if rest == 0 {
		return math.Float32frombits(math.Float32bits(math.MaxFloat32) | uint32(uint16(code))&0x8000<<16)
	}
	return float32(code) / float32(rest)
}

// neighbours returns AdjacentVertices of every triangle.
//
// Edges go into the bucket of the lower of their two positions, and are sorted there by the other:
// equal edges become consecutive.
func (m *Mesh) neighbours() [][3]int32 {
	w := weld(m.vertices)
	n := m.NumTriangles()
	corners := func(i int) [3]uint32 {
		a, b, c := m.indices.Corners(i)
		return [3]uint32{w[a], w[b], w[c]}
	}
	across := make([][3]int32, n)
	start := make([]uint32, len(w)+1) // of the next bucket, until the buckets are filled
	for i := range n {
		across[i] = [3]int32{-1, -1, -1}
		if c := corners(i); c[0] != c[1] && c[1] != c[2] && c[2] != c[0] {
			for k := range c {
				start[min(c[k], c[(k+1)%3])+1]++
			}
		}
	}
	for v := range w {
		start[v+1] += start[v]
	}
	sides := make([]uint64, start[len(w)]) // the other position, and below it 3·triangle + edge
	for i := n - 1; i >= 0; i-- {
		if c := corners(i); c[0] != c[1] && c[1] != c[2] && c[2] != c[0] {
			for k := range c {
				a, b := c[k], c[(k+1)%3]
				at := &start[min(a, b)+1]
				*at--
				sides[*at] = uint64(max(a, b))<<32 | uint64(3*i+k)
			}
		}
	}
	f := edgeJoiner{m: m, corners: corners, across: across, thin: make([]bool, n)}
	for i := range f.thin {
		f.thin[i] = isThin(m.Triangle(i))
	}
	for v := range w {
		end := uint32(len(sides))
		if v+2 < len(start) {
			end = start[v+2]
		}
		bucket := sides[start[v+1]:end]
		slices.Sort(bucket)
		for len(bucket) > 0 {
			k := 1
			for k < len(bucket) && bucket[k]>>32 == bucket[0]>>32 {
				k++
			}
			if k > 1 {
				f.join(bucket[:k])
			}
			bucket = bucket[k:]
		}
	}
	f.joinTJunctions()
	return across
}

// edgeJoiner joins triangles that meet at an edge.
type edgeJoiner struct {
	m       *Mesh
	corners func(triangle int) [3]uint32
	across  [][3]int32
	thin    []bool
	apexes  []uint32 // scratch: the corners opposite the edge, of triangles that are not degenerate
	size    float64  // the largest coordinate, for joinTJunctions
}

// maxApexes is the largest number of corners opposite one edge that are compared, each with each.
// An edge with more is flat for all its triangles; no real surface has one.
const maxApexes = 64

// join sets the vertices beyond an edge, for all triangles at it.
func (f *edgeJoiner) join(sides []uint64) {
	f.apexes = f.apexes[:0]
	for _, s := range sides {
		if i, apex := f.opposite(s); !f.thin[i] {
			f.apexes = append(f.apexes, apex)
		}
	}
	slices.Sort(f.apexes)
	f.apexes = slices.Compact(f.apexes)
	closed := len(f.apexes) > 1 || len(f.apexes) == 1 && slices.ContainsFunc(sides, func(s uint64) bool {
		_, apex := f.opposite(s)
		return apex != f.apexes[0]
	})
	if !closed {
		return // copies of one triangle, or only degenerate triangles
	}
	for _, s := range sides {
		i, apex := f.opposite(s)
		if !f.thin[i] {
			f.across[i][uint32(s)%3] = f.beyond(i, int(uint32(s)%3), apex)
		}
	}
}

// opposite returns the triangle of a side, and its corner opposite the edge.
func (f *edgeJoiner) opposite(side uint64) (triangle int, apex uint32) {
	i, k := int(uint32(side)/3), int(uint32(side)%3)
	return i, f.corners(i)[(k+2)%3]
}

// beyond returns the vertex beyond an edge of a triangle.
func (f *edgeJoiner) beyond(i, edge int, apex uint32) int32 {
	own := int32(f.corners(i)[edge])
	if len(f.apexes) > maxApexes {
		return own
	}
	if len(f.apexes) == 2 { // the common case
		if f.apexes[0] == apex {
			return int32(f.apexes[1])
		}
		return int32(f.apexes[0])
	}
	t, best, up, down := f.m.Triangle(i), own, false, false
	least := math.Inf(1)
	for _, a := range f.apexes {
		if a == apex {
			continue
		}
		b := float64(narrow.BendAt(t, edge, f.m.vertices[a]))
		if math.Abs(b) != float64(narrow.Open) { // a triangle folded back turns to either side
			up, down = up || b < 0, down || b > 0
		}
		if math.Abs(b) < least {
			best, least = int32(a), math.Abs(b)
		}
	}
	if up && down && least > 0 {
		return own
	}
	return best
}

// isThin reports whether a triangle is no higher over its longest side than the rounding of its
// corners, so that its normal is an accident.
func isThin(t geom.Triangle) bool {
	s := narrow.Triangle(t)
	return s.IsThin()
}

// weld returns for each vertex the first one at the same position.
func weld(vertices []geom.Vec3) []uint32 {
	size := 16
	for size < 2*len(vertices) {
		size *= 2
	}
	slots := make([]uint32, size) // vertex + 1
	first := make([]uint32, len(vertices))
	for i, v := range vertices {
		// −0 is 0.
		x, y, z := math.Float32bits(v.X+0), math.Float32bits(v.Y+0), math.Float32bits(v.Z+0)
		at := int(wide.HashOf([3]uint32{x, y, z})) & (size - 1)
		for slots[at] != 0 && vertices[slots[at]-1] != v {
			at = (at + 1) & (size - 1)
		}
		if slots[at] == 0 {
			slots[at] = uint32(i) + 1
		}
		first[i] = slots[at] - 1
	}
	return first
}
