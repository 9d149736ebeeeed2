package physics

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// collideMesh appends the manifolds between two subshapes, at least one a mesh.
// Triangles of a mesh share a manifold if they touch the other subshape in the same direction. Two
// meshes come in one order, so that the answer does not depend on which is a.
func (w *scratch) collideMesh(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	if a.Kind != placed.KindMesh || b.Kind == placed.KindMesh && comesBefore(b, a) {
		from := len(dst)
		dst = w.collideSurface(dst, b, a, margin)
		for i := from; i < len(dst); i++ {
			dst[i].flip()
		}
		return dst
	}
	return w.collideSurface(dst, a, b, margin)
}

// comesBefore orders meshes: closed ones last, then the larger ones first by the extent of their
// bounds, as the centroid of the second decides on which side of the first it is, and that of an
// open mesh may be beside it; then by their number of triangles and by their bounds.
func comesBefore(p, o *placed.Subshape) bool {
	m, n, v, w := p.Local.Mesh, o.Local.Mesh, p.Bounds, o.Bounds
	d, e := v.Max.Sub(v.Min), w.Max.Sub(w.Min)
	if c := m.IsClosed(); c != n.IsClosed() {
		return !c
	}
	return cmp.Or(cmp.Compare(max(e.X, e.Y, e.Z), max(d.X, d.Y, d.Z)), cmp.Compare(n.NumTriangles(), m.NumTriangles()), cmp.Compare(v.Min.X, w.Min.X), cmp.Compare(v.Min.Y, w.Min.Y), cmp.Compare(v.Min.Z, w.Min.Z),
		cmp.Compare(v.Max.X, w.Max.X), cmp.Compare(v.Max.Y, w.Max.Y), cmp.Compare(v.Max.Z, w.Max.Z)) < 0
}

// collideSurface appends the manifolds between a mesh and any other subshape.
func (w *scratch) collideSurface(dst []Manifold, a, b *placed.Subshape, margin float32) []Manifold {
	if !w.join(a, b, margin, 0) {
		return dst
	}
	if reach := w.joiner.Lacks(); reach > float64(margin) && (b.Kind == placed.KindMesh || w.gains(a, b, reach)) {
		w.join(a, b, margin, reach)
	}
	for i := range w.joined {
		j := &w.joined[i]
		dst = slices.Grow(dst, 1)[:len(dst)+1]
		m := &dst[len(dst)-1]
		*m = Manifold{Normal: j.Normal.Narrow(), N: int32(j.N), ChildA: a.Child, ChildB: b.Child}
		for i := range j.N {
			k := placed.PartsOf(j.Points[i].Triangle, placed.Whole)
			if b.Kind == placed.KindMesh {
				k = w.parts[j.Points[i].Triangle]
			}
			m.Points[i].set(&j.Points[i].ContactPoint, k)
		}
	}
	return dst
}

// gains reports whether join may find other manifolds with a reach, in metres, than it has found
// with none. The second subshape is no mesh.
func (w *scratch) gains(a, b *placed.Subshape, reach float64) bool {
	if !w.joiner.LookedAround() {
		return true
	}
	w.parts = placed.PartsNear(w.parts[:0], a, b, float32(reach))
	for _, k := range w.parts {
		if !w.joiner.Has(k.A()) {
			k.Shapes(&w.x, &w.y, a, b)
			if w.joiner.IsWithin(&w.x, &w.y, reach) {
				return true
			}
		}
	}
	return false
}

// join finds the manifolds between a mesh and any other subshape, from the triangles within a reach
// in metres. It returns false if there is no triangle near.
func (w *scratch) join(a, b *placed.Subshape, margin float32, reach float64) bool {
	same := b.Kind != placed.KindMesh && b.Kind != placed.KindPlane // for all triangles
	x, y := &w.x, &w.y
	var s surface
	var middle geom.DVec3
	if same {
		if !placed.MayTouch(a, b, max(margin, float32(reach))) {
			return false
		}
		if w.takeNear(&s, a, b, margin, reach); len(w.parts) == 0 {
			return false
		}
		middle = y.Center()
	} else {
		w.parts = placed.PartsNear(w.parts[:0], a, b, max(margin, float32(reach)))
		w.sortParts(b.Kind != placed.KindMesh)
		if len(w.parts) == 0 {
			return false
		}
		s = surfaceOf(a.Local)
		if middle = b.Bounds.Center().Wide(); b.Kind == placed.KindMesh {
			middle = centroid(b) // the middle of the bounds may be outside of it
		} else { // a triangle may be behind it of a mesh that is in front
			b.SetBehind(y, centroid(a))
		}
	}
	if same && reach == 0 && (w.joinFlat(&s, y, margin) || w.joinShallow(&s, y, margin)) {
		return true
	}
	var o surface
	if b.Kind == placed.KindMesh {
		o = surfaceOf(b.Local)
	}
	w.joiner.Reset(middle, reach)
	for i, k := range w.parts {
		switch {
		case same:
			t := &w.triangles[i]
			if y.IsBeside(t, max(float64(margin), reach)) {
				continue
			}
			x.SetTriangle(*t)
		case b.Kind == placed.KindPlane:
			a.SetPart(x, k.A())
		default:
			k.Shapes(x, y, a, b)
		}
		var e, f narrow.Edges
		s.edges(&e, i, k.A())
		if b.Kind == placed.KindMesh {
			o.edges(&f, i, k.B())
			w.joiner.CollideTriangles(int32(i), k.A(), k.B(), &e, &f, x, y, float64(margin))
		} else {
			w.joiner.Collide(k.A(), &e, x, y, float64(margin))
		}
	}
	w.joined = w.joiner.Join(w.joined[:0])
	return true
}

// centroid returns that of a mesh, in the world.
func centroid(p *placed.Subshape) geom.DVec3 { return p.Local.To.Point(p.Local.Mesh.Centroid()).Wide() }

// sortParts sorts the parts. Many that differ in A alone are sorted digit by digit.
func (w *scratch) sortParts(byA bool) {
	const digit, many = 11, 256
	if !byA || len(w.parts) < many {
		slices.Sort(w.parts)
		return
	}
	highest := int32(0)
	for _, k := range w.parts {
		highest = max(highest, k.A())
	}
	w.spare = slices.Grow(w.spare[:0], len(w.parts))[:len(w.parts)]
	for shift := 0; highest>>shift > 0; shift += digit {
		var ends [1 << digit]int32
		for _, k := range w.parts {
			ends[k.A()>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for i := range ends {
			sum += ends[i]
			ends[i] = sum
		}
		for i := len(w.parts) - 1; i >= 0; i-- {
			last := &ends[w.parts[i].A()>>shift&(1<<digit-1)]
			*last--
			w.spare[*last] = w.parts[i]
		}
		w.parts, w.spare = w.spare, w.parts
	}
}

// joinFlat is join for a shape over triangles around which the surface is flat. It returns false if
// they have to be compared one by one: always if there are more than two, of which the first bends,
// as then they are mostly too small for the shape to be far from that edge.
func (w *scratch) joinFlat(s *surface, y *narrow.Shape, margin float32) bool {
	var e narrow.Edges
	if len(w.parts) > 2 {
		if s.edges(&e, 0, w.parts[0].A()); e != (narrow.Edges{}) {
			return false
		}
	}
	if !w.joiner.BeginFlat(y, float64(margin)) {
		return false
	}
	for i, k := range w.parts {
		s.edges(&e, i, k.A())
		if !w.joiner.AddFlat(k.A(), &e, &w.triangles[i]) {
			return false
		}
	}
	var ok bool
	w.joined, ok = w.joiner.JoinFlat(w.joined[:0])
	return ok
}

// joinShallow is join for a shape whose support points show the ways out of the triangles, as they
// do on a hilly floor. It returns false if all of them have to be compared.
func (w *scratch) joinShallow(s *surface, y *narrow.Shape, margin float32) bool {
	if !w.joiner.BeginShallow(y, w.triangles, float64(margin)) {
		return false
	}
	var e narrow.Edges
	for i, k := range w.parts {
		near, ok := w.joiner.Approaches(i)
		if !ok {
			return false
		}
		if near {
			s.edges(&e, i, k.A())
			w.joiner.AddShallow(k.A(), &e)
		}
	}
	var ok bool
	w.joined, ok = w.joiner.JoinShallow(w.joined[:0])
	return ok
}

// surface is a mesh in the world, with the neighbours of its triangles.
type surface struct {
	*placed.Local
	uniform, mirrored bool       // its scale
	kept              *mesh.Near // what is kept of the triangles of all parts, if it is
	places            []int32    // of these
}

func surfaceOf(l *placed.Local) surface {
	x, y, z := l.To.X.Wide(), l.To.Y.Wide(), l.To.Z.Wide()
	most := max(x.Dot(x), y.Dot(y), z.Dot(z))
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*most }
	return surface{
		Local:    l,
		uniform:  same(x.Dot(x), y.Dot(y)) && same(y.Dot(y), z.Dot(z)) && same(x.Dot(y), 0) && same(y.Dot(z), 0) && same(z.Dot(x), 0),
		mirrored: l.To.Det() < 0,
	}
}

// edges makes e the bends of the surface at the edges of a triangle, in the world. Its place is
// that among those that are kept.
func (s *surface) edges(e *narrow.Edges, place int, triangle int32) {
	if !s.uniform {
		t := s.Triangle(int(triangle))
		for i, v := range s.Mesh.AdjacentVertices(int(triangle)) {
			if e[i] = narrow.Open; v >= 0 {
				e[i] = narrow.BendAt(t, i, s.To.Point(s.Mesh.Vertex(int(v))))
			}
		}
		return
	}
	var bends [3]float32
	if s.kept != nil {
		bends = s.kept.EdgeConvexity(s.places[place])
	} else {
		bends = s.Mesh.EdgeConvexity(int(triangle))
	}
	e[0], e[1], e[2] = narrow.Bend(bends[0]), narrow.Bend(bends[1]), narrow.Bend(bends[2])
	if s.mirrored {
		for i := range e {
			if e[i] != narrow.Open {
				e[i] = -e[i]
			}
		}
	}
}

// worthBound returns the number of triangles near a shape from which on it saves time to drop some
// by a bound; 0: never. Without a way most of them touch what is compact.
func (w *scratch) worthBound(b *placed.Subshape) int {
	switch {
	case b.Kind == placed.KindBox || b.Kind == placed.KindAABB:
		return 16
	case b.Kind != placed.KindHull:
		return 0
	case w.way.isSet:
		return 3
	}
	return 6
}

// takeNear takes the triangles of a mesh that are within a reach of a convex shape, or come so near
// on its way: in order, as parts, in the world, and by their places among those that are kept, if
// they are. All of them are near the box around the shape in the world, too. It sets w.y to the
// shape, if there are any.
func (w *scratch) takeNear(s *surface, a, b *placed.Subshape, margin float32, reach float64) {
	y, far, set := &w.y, max(margin, float32(reach)), false
	within, way := float64(far), (*narrow.Way)(nil)
	few := w.worthBound(b)
	var ahead *geom.AABB
	if w.way.isSet && far <= w.way.margin {
		within, way = float64(w.way.least), &w.way.Way
		if few > 0 {
			ahead = &w.ahead
			*ahead = w.way.bounds(&b.Bounds)
		}
	}
	bound := func() *wide.Bound {
		set = true
		if w.setConvex(b); !y.SetBound(&w.bound, &a.Local.To, within, way) {
			return nil
		}
		return &w.bound
	}
	w.parts, w.places = w.parts[:0], w.places[:0]
	touched := 0
	if w.kept != nil && reach == 0 {
		*s = surfaceOf(a.Local)
		if s.uniform {
			var ok bool
			if w.places, touched, ok = placed.PlacesNear(w.places, w.kept, a, b, y, margin, ahead); ok {
				if s.kept = w.kept; touched == 0 {
					w.clear = placed.ClearNear(w.kept, a, b)
				}
			}
		}
	}
	if s.kept == nil {
		w.parts = placed.PartsBound(w.parts, a, b, y, far, ahead, few, bound)
		w.sortParts(true)
	} else {
		// If a triangle with a shorter way out is left out, its neighbour may get one of its own.
		// So the bound is used exactly where PartsBound uses it: else contacts would depend on
		// whether triangles are kept.
		if few > 0 && touched >= few {
			if bound := bound(); bound != nil {
				w.places = w.kept.Drop(w.places, bound)
			}
		}
		s.places = w.places
		for _, i := range w.places {
			w.parts = append(w.parts, placed.PartsOf(w.kept.Number(i), placed.Whole))
		}
	}
	if len(w.parts) == 0 {
		return
	}
	if !set {
		w.setConvex(b)
	}
	if s.Local == nil {
		*s = surfaceOf(a.Local)
	}
	w.takeTriangles(s)
}

// setConvex sets w.y to a convex shape that will be compared with triangles.
func (w *scratch) setConvex(b *placed.Subshape) {
	b.SetPart(&w.y, placed.Whole)
	w.vertices = w.y.KeepVertices(w.vertices)
}

// takeTriangles makes w.triangles those of the parts of a mesh and a convex shape, in the world.
func (w *scratch) takeTriangles(s *surface) {
	w.triangles = slices.Grow(w.triangles[:0], len(w.parts))[:len(w.parts)]
	if s.kept != nil {
		s.TakeKept(w.triangles, s.kept, s.places)
	} else {
		s.TakeTriangles(w.triangles, w.parts)
	}
}
