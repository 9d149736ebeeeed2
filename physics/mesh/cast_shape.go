package mesh

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The cast of a convex shape at a mesh that is placed in the world by any affine map. The tree is
// walked in the mesh's own space: a map keeps straight ways straight and T what it is, and the
// shape's reach along the mesh's axes can be told exactly whatever the map is. What the walk finds
// is tested in the world: there a sphere is a sphere, and distances, depths and normals are what
// they are said to be. That takes the corners of a triangle to the world in double precision, which
// is little beside the test.

// Convex is a convex shape in the world: a sphere, a capsule, a box or the hull of points. The zero
// Convex is empty and touches nothing.
type Convex = toi.Body

// Path is the way of a shape that is cast, with the range of T that is wanted and what to make of
// an overlap at its start.
type Path = toi.Path

// Impact is where a shape that is cast first touches a mesh. PointA is on the shape, PointB on the
// mesh.
type Impact = toi.Impact

// What a [Path] makes of a shape that overlaps the mesh where it starts; each triangle is asked by
// itself.
const (
	// StartReport makes it a hit, with its depth.
	StartReport = toi.Report
	// StartIgnore leaves it out.
	StartIgnore = toi.Ignore
	// StartIgnoreSeparating leaves out what the shape does not move deeper into.
	StartIgnoreSeparating = toi.IgnoreSeparating
)

// ConvexSphere returns a sphere, in world space.
func ConvexSphere(s geom.Sphere) Convex { return toi.Sphere(s) }

// ConvexCapsule returns a capsule, in world space.
func ConvexCapsule(c geom.Capsule) Convex { return toi.Capsule(c) }

// ConvexBox returns a box, in world space.
func ConvexBox(b geom.Box) Convex { return toi.Box(b) }

// ConvexHull returns the convex hull of the images of points under m, and around it a ball of a
// radius. It keeps the slice.
func ConvexHull(points []geom.Vec3, m geom.Affine, radius float32) Convex {
	return toi.Hull(points, m, radius)
}

// shapeCast is a shape on its way, and a mesh that is placed. It is used again, as it is large.
type shapeCast struct {
	toi.Caster
	walk       wide.ShapeWalk
	path       wide.ShapePath
	x, y, z, o geom.DVec3 // the columns of the map
	far        float64    // the sum of how far shape and mesh are from the world's origin
	mirrors    bool
	cull       geom.Cull
}

var shapeCasts = sync.Pool{New: func() any { return new(shapeCast) }}

func (c *shapeCast) give() {
	c.walk.Stop()
	c.Release()
	shapeCasts.Put(c)
}

// init makes a cast ready; false if the shape can hit nothing.
func (c *shapeCast) init(m *Mesh, s *Convex, p *Path, to *geom.Affine, cull geom.Cull) bool {
	if !c.Reset(s, p) || !to.IsFinite() {
		return false
	}
	c.x, c.y, c.z, c.o, c.cull = to.X.Wide(), to.Y.Wide(), to.Z.Wide(), to.Origin.Wide(), cull
	yz, zx, xy := c.y.Cross(c.z), c.z.Cross(c.x), c.x.Cross(c.y)
	det := c.x.Dot(yz)
	if i := 1 / det; i-i != 0 {
		return false
	}
	b := m.Bounds()
	half := b.Min.Abs().Max(b.Max.Abs()).Wide()
	c.mirrors = det < 0
	c.far = c.o.Len() + s.Origin().Len() + c.Size() + float64(p.Min*p.Motion.Len()) +
		float64(half.X*c.x.Len()) + float64(half.Y*c.y.Len()) + float64(half.Z*c.z.Len())
	i := 1 / det
	c.path.Origin, c.path.Dir, c.path.Low, c.path.High, c.path.Pad = c.Within(yz.Mul(i), zx.Mul(i), xy.Mul(i), c.o)
	c.path.Min, c.path.Max = p.Min, p.Max
	if !c.walk.Start(&m.tree, &c.path) {
		return false
	}
	c.path.Ahead, c.path.Plane = c.back(c.Ahead()), wide.Front{}
	if c.path.HasBeside = c.IsFar(); c.path.HasBeside {
		beside, greatest := c.Beside()
		for i, v := range beside {
			c.path.Beside[2*i] = c.back(v, greatest[i][0])
			c.path.Beside[2*i+1] = c.back(v.Neg(), greatest[i][1])
		}
	}
	return c.walk.Aim()
}

// back takes a plane, told by v·p − front, to the mesh's space.
func (c *shapeCast) back(v geom.DVec3, front float64) wide.Front {
	return wide.Front{
		V: geom.DVec3{X: v.Dot(c.x), Y: v.Dot(c.y), Z: v.Dot(c.z)}, At: front - v.Dot(c.o), Size: math.Abs(front) + float64(c.far*v.Len()),
	}
}

func (c *shapeCast) world(p geom.Vec3) geom.DVec3 {
	return c.x.Mul(float64(p.X)).AddMul(float64(p.Y), c.y).AddMul(float64(p.Z), c.z).Add(c.o)
}

// cast casts at one triangle.
func (c *shapeCast) cast(t *geom.Triangle, from float64, limit float32) (at float64, ok bool) {
	p, q, r := c.world(t.A), c.world(t.B), c.world(t.C)
	if c.mirrors {
		q, r = r, q
	}
	c.Place(p, q, r)
	if c.cull != geom.CullNone && c.cull.Culls(c.BackFace()) {
		return 0, false
	}
	// A little more than limit, as T is compared in single precision.
	at, starts, ok := c.Time(float64(math.Nextafter32(limit, inf32)))
	if !ok {
		return 0, false
	}
	if starts {
		// Whether this is a hit depends on the normal.
		_, ok = c.Impact()
	}
	return max(at, from), ok
}

// impact is the whole of the hit found last, at a T.
func (c *shapeCast) impact(at float64, id int32) Impact {
	hit, _ := c.Impact()
	hit.T, hit.Triangle, hit.BackFace = at, id, c.BackFace()
	return hit
}

// CastConvex returns where a convex shape that moves along a path, and does not turn, first touches
// the mesh, which is placed by a map from its own space to the world: rotation, position, any
// scale, also an uneven or negative one, and shear. Of several triangles whose T is the same in
// single precision it is the lowest.
//
// T counts multiples of the path's motion. Normal points from the mesh to the shape; it is the
// triangle's own where a face is touched, and in between those of the neighbours on an edge or a
// corner. If the shape overlaps a triangle where the path starts, [Path] says what becomes of that;
// Depth is the way out of this one triangle. A shape that lies within a closed mesh and touches no
// triangle hits nothing. BackFace tells, and cull asks, whether the shape goes with the triangle's
// normal or, where it goes along the triangle, starts behind it; a map that mirrors leaves the front
// the front.
//
// An empty shape, a path that is not valid and a map that flattens hit nothing.
func (m *Mesh) CastConvex(s *Convex, p *Path, to geom.Affine, cull geom.Cull) (hit Impact, ok bool) {
	c := shapeCasts.Get().(*shapeCast)
	hit, ok = c.closest(m, s, p, &to, cull)
	c.give()
	return hit, ok
}

func (c *shapeCast) closest(m *Mesh, s *Convex, p *Path, to *geom.Affine, cull geom.Cull) (hit Impact, ok bool) {
	if !c.init(m, s, p, to, cull) {
		return Impact{}, false
	}
	w := &c.walk
	var best geom.Triangle
	at, id, first := 0.0, int32(-1), inf32
	for w.Next() {
		u, ok := c.cast(&w.Triangle, w.From, first)
		if !ok {
			continue
		}
		if single := float32(u); single < first || single == first && (w.ID < id || id < 0) {
			at, id, first, best = u, w.ID, single, w.Triangle
			if v, front, ok := c.Plane(); ok {
				c.path.Plane = c.back(v, front)
			}
			w.SetLimit(first)
		}
	}
	if id < 0 {
		return Impact{}, false
	}
	// The search of the closest triangle runs again for its points and its normal. Where rounding is
	// as large as the shape, a search up to first may end before it; one without a limit does not.
	if _, ok := c.cast(&best, at, first); !ok {
		c.cast(&best, at, inf32)
	}
	return c.impact(at, id), true
}

// CastConvexAny reports whether a convex shape touches any triangle on its way. It stops at the
// first it finds. See [Mesh.CastConvex].
func (m *Mesh) CastConvexAny(s *Convex, p *Path, to geom.Affine, cull geom.Cull) (any bool) {
	c := shapeCasts.Get().(*shapeCast)
	if c.init(m, s, p, &to, cull) {
		for !any && c.walk.Next() {
			_, any = c.cast(&c.walk.Triangle, c.walk.From, inf32)
		}
	}
	c.give()
	return any
}

// CastConvexAll appends, for every triangle that a convex shape touches on its way, the first touch
// to dst, sorted by T in single precision and then by triangle, and returns the longer slice. See
// [Mesh.CastConvex].
func (m *Mesh) CastConvexAll(dst []Impact, s *Convex, p *Path, to geom.Affine, cull geom.Cull) []Impact {
	c := shapeCasts.Get().(*shapeCast)
	old := len(dst)
	if c.init(m, s, p, &to, cull) {
		for c.walk.Next() {
			if at, ok := c.cast(&c.walk.Triangle, c.walk.From, inf32); ok {
				dst = append(dst, c.impact(at, c.walk.ID))
			}
		}
	}
	c.give()
	added := dst[old:]
	slices.SortFunc(added, func(a, b Impact) int {
		if n := cmp.Compare(float32(a.T), float32(b.T)); n != 0 {
			return n
		}
		return cmp.Compare(a.Triangle, b.Triangle)
	})
	if m.tree.HasDoubles() {
		added = slices.CompactFunc(added, func(a, b Impact) bool { return a.Triangle == b.Triangle })
	}
	return dst[:old+len(added)]
}
