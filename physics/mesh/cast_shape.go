package mesh

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// The cast of a convex shape at a mesh that is placed in the world by any affine map. The tree is
// traversed in the mesh's own space: an affine map keeps straight lines straight and T unchanged,
// and the reach of the shape along the mesh's axes follows exactly from the map. Triangles found
// there are tested in the world, where a sphere is a sphere, and distances, depths and normals are
// what they mean. The corners of a triangle are mapped to the world in float64 for that, which
// costs little beside the test.

// Convex is a convex shape in world space, made by [ConvexSphere], [ConvexCapsule], [ConvexBox] or
// [ConvexHull]. A shape with a negative radius or extent, or with a number that is NaN or infinite,
// is empty, as is the zero Convex; an empty shape touches nothing.
type Convex narrow.Shape

// Path is the straight path of a shape that is cast: at T the shape is moved by T·Motion from where
// it was made.
type Path struct {
	// Motion is the displacement for each unit of T, in metres and world space. A zero, NaN or
	// infinite Motion hits nothing.
	Motion geom.DVec3
	// Min and Max are the range of T in which hits count. Min must be finite and not negative; Max
	// may be +Inf. An empty range hits nothing.
	Min, Max float64
	// Start decides about triangles that overlap the shape at Min.
	Start StartMode
}

// StartMode decides about a triangle that overlaps a cast shape at the start of its [Path]. A
// triangle that the shape only touches there while moving against it is a hit in every mode, with
// T = Min and Depth 0.
type StartMode uint8

const (
	// StartReport reports the overlap as a hit at T = Min, with its depth. Touching counts.
	StartReport = StartMode(narrow.Report)
	// StartIgnore ignores the triangle.
	StartIgnore = StartMode(narrow.Ignore)
	// StartIgnoreSeparating ignores the triangle unless the shape moves deeper into it: the shape
	// may leave, or slide along. Each triangle decides alone, by its own shortest way out, so that
	// a shape which starts about halfway through a surface may leave it to either side.
	StartIgnoreSeparating = StartMode(narrow.IgnoreSeparating)
)

// Impact is the first touch of a cast shape and a triangle, in world space.
type Impact struct {
	// T of the touch, in multiples of the path's Motion.
	T float64
	// PointA and PointB are the witness points on the shape and on the triangle at T. They are
	// equal up to rounding, except for an overlap at the start: then PointB − PointA is Normal
	// times Depth.
	PointA, PointB geom.DVec3
	// Normal is unit and points from the mesh to the shape.
	Normal geom.DVec3
	// Depth is the penetration depth in metres of an overlap at the start: moved so far along
	// Normal, the shape only touches the triangle. 0 for all other hits.
	Depth float64
	// Overlaps is set if the shape overlapped the triangle at the start of the path, or touched it
	// there without moving against it.
	Overlaps bool
	// Triangle is the index of the triangle that was hit.
	Triangle int32
	// BackFace is set if the shape moves with the triangle's normal or, moving along the triangle,
	// starts behind it.
	BackFace bool
	// Inexact is set if the search ended before it had converged: T is no later than the touch, but
	// may be earlier, or another way out of an overlap may be shorter.
	Inexact bool
}

// ConvexSphere returns a sphere in world space. Radius 0 is a point.
func ConvexSphere(s geom.Sphere) Convex { return Convex(narrow.Sphere(s)) }

// ConvexCapsule returns a capsule in world space.
func ConvexCapsule(c geom.Capsule) Convex { return Convex(narrow.Capsule(c)) }

// ConvexBox returns an oriented box in world space.
func ConvexBox(b geom.Box) Convex { return Convex(narrow.Box(b)) }

// ConvexHull returns the convex hull of the images of points under m, rounded by a radius in
// metres: all that is no further than the radius from the hull. It keeps the slice, which must not
// change while the Convex is in use.
func ConvexHull(points []geom.Vec3, m geom.Affine, radius float32) Convex {
	return Convex(narrow.Cloud(points, m, radius))
}

// shapeCast is the state of one cast of a shape at a mesh. It is pooled, as it is large.
type shapeCast struct {
	narrow.Caster
	walk       wide.ShapeWalk
	path       wide.ShapePath
	body       wide.Body
	x, y, z, o geom.DVec3 // the columns of the map
	far        float64    // a bound of the coordinates and sizes in world space, in metres
	mirrors    bool
	cull       geom.Cull
}

var shapeCasts = sync.Pool{New: func() any { return new(shapeCast) }}

// release drops what the cast refers to and returns it to the pool.
func (c *shapeCast) release() {
	c.walk.Stop()
	c.Release()
	shapeCasts.Put(c)
}

// init prepares a cast. It returns false if the shape can hit nothing.
func (c *shapeCast) init(m *Mesh, s *Convex, p *Path, to *geom.Affine, cull geom.Cull) bool {
	body := (*narrow.Shape)(s)
	path := narrow.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: narrow.Start(p.Start)}
	if !c.Reset(body, &path) || !to.IsFinite() {
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
	c.far = c.o.Len() + body.Origin().Len() + c.Size() + float64(p.Min*p.Motion.Len()) +
		float64(half.X*c.x.Len()) + float64(half.Y*c.y.Len()) + float64(half.Z*c.z.Len())
	i := 1 / det
	u, v, w := yz.Mul(i), zx.Mul(i), xy.Mul(i)
	c.path.Origin, c.path.Dir, c.path.Low, c.path.High, c.path.Pad = c.Within(u, v, w, c.o)
	c.path.Min, c.path.Max = p.Min, p.Max
	if c.path.Body, c.path.BallRadius = nil, 0; c.Body(&c.body) {
		c.setBody(u, v, w)
	}
	if m.grid == nil && !c.walk.Start(&m.tree, &c.path) || m.grid != nil && !c.walk.StartGrid(m.grid, &c.path) {
		return false
	}
	c.path.Ahead, c.path.Plane = c.toMesh(c.Ahead()), wide.Front{}
	if c.path.HasBeside = c.IsFar(); c.path.HasBeside {
		beside, greatest := c.Beside()
		for i, v := range beside {
			c.path.Beside[2*i] = c.toMesh(v, greatest[i][0])
			c.path.Beside[2*i+1] = c.toMesh(v.Neg(), greatest[i][1])
		}
		c.body.Beside = beside
	}
	return c.walk.Aim()
}

// setBody sets what the path has from the body; u, v and w are the rows of the inverse map.
func (c *shapeCast) setBody(u, v, w geom.DVec3) {
	b := &c.body
	from := b.Origin.Sub(c.o)
	// No direction is stretched by more: Gershgorin's bound of the largest eigenvalue.
	uv, vw, wu := math.Abs(u.Dot(v)), math.Abs(v.Dot(w)), math.Abs(w.Dot(u))
	stretch := math.Sqrt(max(u.Dot(u)+uv+wu, v.Dot(v)+uv+vw, w.Dot(w)+vw+wu))
	c.path.Ball, c.path.BallRadius = geom.DVec3{X: u.Dot(from), Y: v.Dot(from), Z: w.Dot(from)}, b.Size*stretch
	b.X, b.Y, b.Z, b.Origin = c.x, c.y, c.z, from.Neg()
	b.Normal, b.Beside, c.path.Body = geom.DVec3{}, [2]geom.DVec3{}, b
}

// toMesh maps the plane v·p = front from the world to the mesh's space.
func (c *shapeCast) toMesh(v geom.DVec3, front float64) wide.Front {
	return wide.Front{
		V: geom.DVec3{X: v.Dot(c.x), Y: v.Dot(c.y), Z: v.Dot(c.z)}, At: front - v.Dot(c.o), Size: math.Abs(front) + float64(c.far*v.Len()),
	}
}

func (c *shapeCast) world(p geom.Vec3) geom.DVec3 {
	return c.x.Mul(float64(p.X)).AddMul(float64(p.Y), c.y).AddMul(float64(p.Z), c.z).Add(c.o)
}

// cast casts the shape at one triangle, up to a T of limit.
func (c *shapeCast) cast(t *geom.Triangle, from float64, limit float32) (at float64, ok bool) {
	p, q, r := c.world(t.A), c.world(t.B), c.world(t.C)
	if c.mirrors {
		q, r = r, q
	}
	c.Place(p, q, r)
	if c.cull != geom.CullNone && c.cull.Culls(c.BackFace()) {
		return 0, false
	}
	// T is compared in float32, so a T that rounds to limit counts too.
	at, starts, ok := c.Time(float64(math.Nextafter32(limit, inf32)))
	if !ok {
		return 0, false
	}
	if starts {
		// The start mode decides by the normal whether this is a hit.
		_, ok = c.Impact()
	}
	return max(at, from), ok
}

// impact returns the hit that cast found last, at T = at.
func (c *shapeCast) impact(at float64, id int32) Impact {
	hit, _ := c.Impact()
	hit.T, hit.Triangle, hit.BackFace = at, id, c.BackFace()
	return Impact(hit)
}

// CastConvex returns where a convex shape that moves along a path without turning first touches the
// mesh, which to places in the world: any rotation, translation, non-uniform or negative scale, and
// shear. Of several triangles whose T is equal in float32, the lowest index wins.
//
// Normal is the triangle's own, or its negative, where a face is touched; on an edge or a corner it
// lies between those of the neighbouring faces. If the shape overlaps a triangle at the start of
// the path, [Path.Start] decides, and Depth is the penetration depth of this one triangle. A shape
// inside a closed mesh that touches no triangle hits nothing. cull leaves out hits by their
// [Impact.BackFace]; a map that mirrors leaves the front the front.
//
// Distances below 2⁻⁴² of the coordinates and sizes involved count as touching: 2 nm at 10 km.
//
// An empty shape, an invalid path and a map that flattens the mesh hit nothing.
func (m *Mesh) CastConvex(s *Convex, p *Path, to geom.Affine, cull geom.Cull) (hit Impact, ok bool) {
	c := shapeCasts.Get().(*shapeCast)
	hit, ok = c.closest(m, s, p, &to, cull)
	c.release()
	return hit, ok
}

func (c *shapeCast) closest(m *Mesh, s *Convex, p *Path, to *geom.Affine, cull geom.Cull) (hit Impact, ok bool) {
	if !c.init(m, s, p, to, cull) {
		return Impact{}, false
	}
	w := &c.walk
	w.Sorts = true
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
				c.path.Plane, c.body.Normal = c.toMesh(v, front), v
			}
			w.SetLimit(first)
		}
	}
	if id < 0 {
		return Impact{}, false
	}
	// The search of the closest triangle runs again for its witness points and its normal. If the
	// rounding error is as large as the shape, a search limited to first may stop short of it; an
	// unlimited one does not.
	if _, ok := c.cast(&best, at, first); !ok {
		c.cast(&best, at, inf32)
	}
	return c.impact(at, id), true
}

// CastConvexAny reports whether a convex shape hits any triangle along a path. It stops at the
// first hit it finds. See [Mesh.CastConvex].
func (m *Mesh) CastConvexAny(s *Convex, p *Path, to geom.Affine, cull geom.Cull) (any bool) {
	c := shapeCasts.Get().(*shapeCast)
	if c.init(m, s, p, &to, cull) {
		for !any && c.walk.Next() {
			_, any = c.cast(&c.walk.Triangle, c.walk.From, inf32)
		}
	}
	c.release()
	return any
}

// CastConvexAll appends to dst the first touch of every triangle that a convex shape hits along a
// path, sorted by T in float32 and then by triangle, and returns the extended slice. See
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
	c.release()
	added := dst[old:]
	slices.SortFunc(added, func(a, b Impact) int {
		if n := cmp.Compare(float32(a.T), float32(b.T)); n != 0 {
			return n
		}
		return cmp.Compare(a.Triangle, b.Triangle)
	})
	if m.tree.HasDuplicates() {
		added = slices.CompactFunc(added, func(a, b Impact) bool { return a.Triangle == b.Triangle })
	}
	return dst[:old+len(added)]
}
