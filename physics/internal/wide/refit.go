package wide

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A refit keeps the triangles of a tree in their leaves and rewrites leaves and boxes for moved
// vertices. It writes a second tree, so that the first can be read meanwhile, and reuses its
// memory.

// Corners maps triangles to vertex indices.
type Corners interface {
	Corners(triangle int) (a, b, c uint32)
}

// Refit makes dst the tree over the same triangles with moved vertices, all of them finite; the
// indices are those with which t was built. It allocates only what dst lacks. The old content of
// dst is lost.
//
// Boxes then bound whole triangles, also where [High] had cut some.
func (t *Tree) Refit(dst *Tree, vertices []geom.Vec3, triangles Corners) {
	if t.IsEmpty() {
		*dst = Tree{}
		return
	}
	f := refitter{from: t, vertices: vertices, triangles: triangles, units: dst.units[:0]}
	if cap(f.units) < len(t.units) {
		f.units = aligned(len(t.units))[:0]
	}
	var bounds geom.AABB
	dst.root, bounds = f.put(t.root)
	dst.units, dst.ids, dst.need = f.units, t.ids, t.need
	dst.setBounds(bounds)
	dst.duplicates = t.duplicates
	if t.duplicates != nil && f.moved {
		dst.findDuplicates(t.NumTriangles())
	}
}

type refitter struct {
	from      *Tree
	vertices  []geom.Vec3
	triangles Corners
	units     []unit
	moved     bool // a node or leaf is in another place than in the old tree
}

// put writes the new version of a node or leaf of the old tree, and returns its ref and its box.
// The order is that of a walk, so that both are accessed front to back; the old tree may have been
// read from a file in any order.
func (f *refitter) put(r ref) (at ref, box geom.AABB) {
	switch r.kind() {
	case kindNode:
		at, box = f.node(f.from.node(r))
	case kindPacked:
		at, box = f.packed(f.from.packed(r))
	default:
		at, box = f.loose(f.from.loose(r).leafInfo)
	}
	f.moved = f.moved || at != r
	return at, box
}

// extend appends n units.
func (f *refitter) extend(n int) int {
	at := len(f.units)
	if at+n > cap(f.units) {
		// Leaves were unpacked. That happens at most a few times in the life of a mesh.
		more := aligned(cap(f.units) + cap(f.units)/4 + n)
		copy(more, f.units)
		f.units = more[:at]
	}
	f.units = f.units[:at+n]
	return at
}

func (f *refitter) node(old *node) (ref, geom.AABB) {
	at := newRef(f.extend(nodeUnits), kindNode)
	n, all := *old, geom.EmptyAABB()
	for _, leaves := range [2]bool{true, false} { // leaves come first
		for i, child := range &old.child {
			if child == 0 {
				break
			}
			if child.isLeaf() == leaves {
				var box geom.AABB
				n.child[i], box = f.put(child)
				n.setBounds(i, box)
				all = all.Union(box)
			}
		}
	}
	*f.tree().node(at) = n
	return at, all
}

func (f *refitter) tree() *Tree { return &Tree{units: f.units} }

// packed writes a packed leaf. Its triangles shared positions rather than vertices: vertices at the
// same position may have separated.
func (f *refitter) packed(old *packed) (ref, geom.AABB) {
	at := newRef(f.extend(packedUnits), kindPacked)
	l := f.tree().packed(at)
	*l = *old
	vertices := l.vertices()
	set := uint32(0) // which vertices of the leaf have their new position
	for lane := range l.count() {
		for corner, c := range f.corners(&l.leafInfo, lane) {
			i := l.corner[corner][lane] & (width - 1)
			v := f.vertices[c]
			if set>>i&1 == 0 {
				set |= 1 << i
				l.vertex[0][i], l.vertex[1][i], l.vertex[2][i] = v.X, v.Y, v.Z
			} else if bitsOfVec(l.at(i)) != bitsOfVec(v) {
				return f.parted(l, at)
			}
		}
	}
	return at, f.fill(l, vertices)
}

// fill repeats the last vertex in the lanes beyond it, and returns the box of all.
func (f *refitter) fill(l *packed, vertices int) geom.AABB {
	for axis := range l.vertex {
		for i := vertices; i < width; i++ {
			l.vertex[axis][i] = l.vertex[axis][vertices-1]
		}
	}
	x, y, z := &l.vertex[0], &l.vertex[1], &l.vertex[2]
	return geom.AABB{Min: geom.V(least(x), least(y), least(z)), Max: geom.V(most(x), most(y), most(z))}
}

func least(x *[width]float32) float32 { return min(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]) }
func most(x *[width]float32) float32  { return max(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]) }

// parted packs a leaf again after vertices have separated, or makes it a loose leaf if there are
// too many positions.
func (f *refitter) parted(l *packed, at ref) (ref, geom.AABB) {
	var seen [width]geom.Vec3
	n := 0
	for lane := range width {
		for corner, c := range f.corners(&l.leafInfo, min(lane, l.count()-1)) {
			v := f.vertices[c]
			i := slices.IndexFunc(seen[:n], func(s geom.Vec3) bool { return bitsOfVec(s) == bitsOfVec(v) })
			if i < 0 {
				if n == width {
					f.units = f.units[:at.unit()]
					return f.loose(l.leafInfo)
				}
				i = n
				seen[n] = v
				l.vertex[0][n], l.vertex[1][n], l.vertex[2][n] = v.X, v.Y, v.Z
				n++
			}
			l.corner[corner][lane] = uint8(i)
		}
	}
	l.leafInfo = newLeafInfo(int(l.first), l.count(), n)
	return at, f.fill(l, n)
}

func (f *refitter) loose(info leafInfo) (ref, geom.AABB) {
	at := newRef(f.extend(looseUnits), kindLoose)
	l := f.tree().loose(at)
	l.leafInfo = newLeafInfo(int(info.first), info.count(), 0)
	box := geom.EmptyAABB()
	for lane := range width {
		for corner, c := range f.corners(&info, min(lane, info.count()-1)) {
			v := f.vertices[c]
			l.corner[corner][0][lane], l.corner[corner][1][lane], l.corner[corner][2][lane] = v.X, v.Y, v.Z
			box.Min, box.Max = box.Min.Min(v), box.Max.Max(v)
		}
	}
	return at, box
}

// corners returns the vertex indices of the triangle in a lane.
func (f *refitter) corners(info *leafInfo, lane int) [3]uint32 {
	a, b, c := f.triangles.Corners(int(f.from.ids[int(info.first)+lane]))
	return [3]uint32{a, b, c}
}
