package systemtest

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// vectorKinds has a function for each kind of case in the vector files, which calls the module.
var vectorKinds = map[string]func(t *testing.T, c *vectorCase, want vectorAnswer){
	"ray-sphere": func(t *testing.T, c *vectorCase, want vectorAnswer) { c.castSolid(t, want, c.Sphere.geom()) },
	"ray-aabb":   func(t *testing.T, c *vectorCase, want vectorAnswer) { c.castSolid(t, want, c.AABB.geom()) },
	"ray-box":    func(t *testing.T, c *vectorCase, want vectorAnswer) { c.castSolid(t, want, c.Box.geom()) },
	"ray-plane": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		hit, ok := c.castLine(func(r geom.Ray) (geom.Hit, bool) { return c.Plane.geom().CastRay(r, geom.CullNone) })
		c.checkHit(t, want, hit, ok)
	},
	"ray-triangle": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		hit, ok := c.triangle(t).CastRay(c.Ray.geom(), c.cull(t))
		c.checkHit(t, want, hit, ok)
		if ok && want.Bary != nil {
			c.near(t, &want.Bary[1], float64(hit.U), "U")
			c.near(t, &want.Bary[2], float64(hit.V), "V")
		}
	},
	"ray-ellipsoid": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		space := physics.NewSpace()
		radii := c.Ellipsoid.Radii.geom()
		unit := geom.Sphere{Radius: 1}
		if radii == (geom.Vec3{}) {
			unit.Radius, radii = 0, geom.V(1, 1, 1) // a scale of zero means no scale
		}
		space.Add(physics.Collider{
			Shape:     unit,
			Transform: geom.Transform{Position: c.Ellipsoid.Center.geom(), Scale: radii},
		})
		hit, ok := space.CastRay(c.Ray.geom(), physics.Filter{Start: c.insideMode(t)})
		c.checkHit(t, want, hit.Hit, ok)
		if want.TFar != nil {
			far, ok := space.CastRay(c.Ray.geom(), physics.Filter{Start: geom.Exit})
			require.True(t, ok)
			c.near(t, want.TFar, float64(far.T), "t_far")
		}
	},
	"ray-spheres": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		space := physics.NewSpace()
		for i, s := range c.Spheres {
			space.Add(physics.Collider{Shape: s.geom(), User: uint64(i)})
		}
		hit, ok := space.CastRay(c.Ray.geom(), physics.Filter{Start: c.insideMode(t)})
		c.checkHit(t, want, hit.Hit, ok)
		require.EqualValues(t, *want.Index, hit.User)
	},
	"ray-mesh":  castVectorMesh,
	"ray-scene": castVectorScene,
	"cast-sphere": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		hit, ok := c.castShape(t, want, c.Sphere.geom())
		if center := c.Ref.Center; ok && center != nil {
			c.nearVec(t, center, c.Sphere.Center.geom().Add(c.Motion.D.geom().Mul(hit.T)), "centre")
		}
	},
	"cast-box": func(t *testing.T, c *vectorCase, want vectorAnswer) { c.castShape(t, want, c.AABB.geom()) },

	"contains-aabb":      contains(func(t *testing.T, c *vectorCase) bool { return c.AABB.geom().Contains(c.P.geom()) }),
	"contains-box":       contains(func(t *testing.T, c *vectorCase) bool { return c.Box.geom().Contains(c.P.geom()) }),
	"contains-sphere":    contains(func(t *testing.T, c *vectorCase) bool { return c.Sphere.geom().Contains(c.P.geom()) }),
	"contains-triangle":  contains(triangleContains),
	"contains-aabb-aabb": contains(func(t *testing.T, c *vectorCase) bool { a, b := aabbs(t, c); return !b.IsEmpty() && a.Union(b) == a }),
	"contains-sphere-sphere": contains(func(t *testing.T, c *vectorCase) bool {
		a, b := spheres(t, c)
		return -a.SignedDistance(b.Center) >= b.Radius
	}),

	"closest-point-aabb":     closest(func(t *testing.T, c *vectorCase) geom.Vec3 { return c.AABB.geom().ClosestPoint(c.P.geom()) }),
	"closest-point-sphere":   closest(func(t *testing.T, c *vectorCase) geom.Vec3 { return c.Sphere.geom().ClosestPoint(c.P.geom()) }),
	"closest-point-plane":    closest(func(t *testing.T, c *vectorCase) geom.Vec3 { return c.Plane.geom().ClosestPoint(c.P.geom()) }),
	"closest-point-triangle": closest(func(t *testing.T, c *vectorCase) geom.Vec3 { return c.triangle(t).ClosestPoint(c.P.geom()) }),
	"closest-point-ray":      closest(func(t *testing.T, c *vectorCase) geom.Vec3 { return c.Ray.geom().ClosestPoint(c.P.geom()) }),
	"closest-point-line": closest(func(t *testing.T, c *vectorCase) geom.Vec3 {
		return geom.ClosestPointOnLine(c.point(t, c.A), c.point(t, c.B), c.P.geom())
	}),
	"closest-point-segment": closest(func(t *testing.T, c *vectorCase) geom.Vec3 {
		return geom.ClosestPointOnSegment(c.point(t, c.A), c.point(t, c.B), c.P.geom())
	}),
	"closest-points-ray-segment": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		onRay, onSegment := c.Ray.geom().ClosestPointsSegment(c.point(t, c.A), c.point(t, c.B))
		c.nearVec(t, want.OnRay, onRay, "on the ray")
		c.nearVec(t, want.OnSegment, onSegment, "on the segment")
		c.near(t, want.Dist2, float64(onRay.Sub(onSegment).LenSq()), "dist2")
	},

	"distance-point-point":   distance(func(t *testing.T, c *vectorCase) float32 { return c.P.geom().Distance(c.Q.geom()) }),
	"distance-point-aabb":    distance(func(t *testing.T, c *vectorCase) float32 { return c.AABB.geom().Distance(c.P.geom()) }),
	"distance-point-sphere":  distance(func(t *testing.T, c *vectorCase) float32 { return c.Sphere.geom().SignedDistance(c.P.geom()) }),
	"distance-point-plane":   distance(func(t *testing.T, c *vectorCase) float32 { return c.Plane.geom().SignedDistance(c.P.geom()) }),
	"distance2-point-sphere": distance(func(t *testing.T, c *vectorCase) float32 { return c.Sphere.geom().Distance(c.P.geom()) }),
	"distance2-point-box":    distance(func(t *testing.T, c *vectorCase) float32 { return c.Box.geom().Distance(c.P.geom()) }),
	"distance-point-line": distance(func(t *testing.T, c *vectorCase) float32 {
		return geom.DistanceToLine(c.point(t, c.A), c.point(t, c.B), c.P.geom())
	}),
	"distance-point-segment": distance(func(t *testing.T, c *vectorCase) float32 {
		return geom.DistanceToSegment(c.point(t, c.A), c.point(t, c.B), c.P.geom())
	}),
	"distance-point-mesh": distance(distanceToMesh),
	"distance-sphere-plane": distance(func(t *testing.T, c *vectorCase) float32 {
		return c.Plane.geom().SignedDistance(c.Sphere.geom().Center) - c.Sphere.geom().Radius
	}),
	"overlap-aabb-aabb":        overlap(func(t *testing.T, c *vectorCase) bool { a, b := aabbs(t, c); return a.OverlapsAABB(b) }),
	"overlap-sphere-sphere":    overlap(func(t *testing.T, c *vectorCase) bool { a, b := spheres(t, c); return a.OverlapsSphere(b) }),
	"overlap-sphere-aabb":      overlap(func(t *testing.T, c *vectorCase) bool { return c.AABB.geom().OverlapsSphere(c.Sphere.geom()) }),
	"overlap-sphere-box":       overlap(func(t *testing.T, c *vectorCase) bool { return c.Box.geom().OverlapsSphere(c.Sphere.geom()) }),
	"overlap-triangle-aabb":    overlap(func(t *testing.T, c *vectorCase) bool { return c.AABB.geom().OverlapsTriangle(c.triangle(t)) }),
	"overlap-aabb-plane":       overlap(func(t *testing.T, c *vectorCase) bool { return c.AABB.geom().OverlapsPlane(c.Plane.geom()) }),
	"overlap-sphere-plane":     overlap(func(t *testing.T, c *vectorCase) bool { return c.Sphere.geom().OverlapsPlane(c.Plane.geom()) }),
	"overlap-box-plane":        overlap(func(t *testing.T, c *vectorCase) bool { return c.Box.geom().OverlapsPlane(c.Plane.geom()) }),
	"overlap-sphere-mesh":      overlap(func(t *testing.T, c *vectorCase) bool { return len(c.mesh(t).OverlapSphere(nil, c.Sphere.geom())) > 0 }),
	"overlap-box-mesh":         overlap(func(t *testing.T, c *vectorCase) bool { return len(c.mesh(t).OverlapBox(nil, c.Box.geom())) > 0 }),
	"overlap-ray-point-within": overlap(func(t *testing.T, c *vectorCase) bool { return c.Ray.geom().Distance(c.P.geom()) <= float32(c.Radius) }),
	"overlap-ray-segment-within": overlap(func(t *testing.T, c *vectorCase) bool {
		return c.Ray.geom().DistanceToSegment(c.point(t, c.A), c.point(t, c.B)) <= float32(c.Radius)
	}),
	"overlap-triangle-triangle": overlap(func(t *testing.T, c *vectorCase) bool {
		a := geom.Triangle{A: c.T1[0].geom(), B: c.T1[1].geom(), C: c.T1[2].geom()}
		b := geom.Triangle{A: c.T2[0].geom(), B: c.T2[1].geom(), C: c.T2[2].geom()}
		require.Equal(t, a.OverlapsTriangle(b), b.OverlapsTriangle(a), "symmetry")
		return a.OverlapsTriangle(b)
	}),

	"frustum-point": contains(func(t *testing.T, c *vectorCase) bool { f := c.frustum(t); return f.ContainsPoint(c.P.geom()) }),
	"frustum-sphere": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		f := c.frustum(t)
		c.same(t, want.Visible, f.OverlapsSphere(c.Sphere.geom()), "visible")
		require.Equal(t, f.OverlapsSphere(c.Sphere.geom()), f.ClassifySphere(c.Sphere.geom()) != geom.Outside)
	},
	"frustum-aabb": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		f := c.frustum(t)
		c.same(t, want.Visible, f.OverlapsAABB(c.AABB.geom()), "visible")
		if want.Class != "" {
			require.Equal(t, map[string]geom.Class{
				"inside": geom.Contained, "intersect": geom.Intersecting, "outside": geom.Outside,
			}[want.Class], f.ClassifyAABB(c.AABB.geom()))
		}
		if want.Exact != "" {
			require.Equal(t, want.Exact != "disjoint", f.OverlapsAABBExact(c.AABB.geom()))
		}
	},
	"camera-ray": castVectorCamera,
	"project": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		x, y, depth, _ := c.view(t).Project(c.Obj.geom())
		c.nearWindow(t, *want.Win, x, y, depth)
	},
	"unproject": func(t *testing.T, c *vectorCase, want vectorAnswer) {
		x, y, depth := c.window(c.Win)
		p, ok := c.view(t).Unproject(x, y, depth)
		require.False(t, ok, "the point lies behind the eye")
		c.nearVec(t, want.Obj, p, "point")
	},
}

type solid interface {
	CastRay(geom.Ray, geom.StartMode) (geom.Hit, bool)
	Crossings(geom.Ray) (enter, exit geom.Hit, ok bool)
}

func (c *vectorCase) castSolid(t *testing.T, want vectorAnswer, s solid) {
	hit, ok := c.castLine(func(r geom.Ray) (geom.Hit, bool) { return s.CastRay(r, c.insideMode(t)) })
	c.checkHit(t, want, hit, ok)
	if want.TFar != nil {
		_, exit, ok := s.Crossings(c.Ray.geom())
		require.True(t, ok)
		c.near(t, want.TFar, float64(exit.T), "t_far")
	}
}

// castLine casts the case's ray, and the opposite ray too if the case is a line.
func (c *vectorCase) castLine(cast func(geom.Ray) (geom.Hit, bool)) (geom.Hit, bool) {
	r := c.Ray.geom()
	hit, ok := cast(r)
	if !ok && c.Ray.TMin == nil {
		r.Dir = r.Dir.Neg()
		hit, ok = cast(r)
		hit.T = -hit.T
	}
	return hit, ok
}

func (c *vectorCase) checkHit(t *testing.T, want vectorAnswer, hit geom.Hit, ok bool) {
	t.Helper()
	c.same(t, want.Hit, ok, "hit")
	if ok {
		c.near(t, want.T, float64(hit.T), "T")
		c.nearVec(t, want.Point, hit.Point, "point")
	}
}

func contains(f func(*testing.T, *vectorCase) bool) func(*testing.T, *vectorCase, vectorAnswer) {
	return func(t *testing.T, c *vectorCase, want vectorAnswer) { c.same(t, want.Contains, f(t, c), "contains") }
}

func closest(f func(*testing.T, *vectorCase) geom.Vec3) func(*testing.T, *vectorCase, vectorAnswer) {
	return func(t *testing.T, c *vectorCase, want vectorAnswer) {
		p := f(t, c)
		c.nearVec(t, want.Point, p, "point")
		c.near(t, want.Dist, float64(p.Distance(c.P.geom())), "distance")
	}
}

func distance(f func(*testing.T, *vectorCase) float32) func(*testing.T, *vectorCase, vectorAnswer) {
	return func(t *testing.T, c *vectorCase, want vectorAnswer) {
		d := float64(f(t, c))
		c.near(t, want.Dist, d, "distance")
		c.near(t, want.Dist2, d*d, "distance squared")
	}
}

// overlap takes cases whose answer is yes or no, or the side of a plane.
func overlap(f func(*testing.T, *vectorCase) bool) func(*testing.T, *vectorCase, vectorAnswer) {
	return func(t *testing.T, c *vectorCase, want vectorAnswer) {
		got := f(t, c)
		c.same(t, want.Overlap, got, "overlap")
		if want.Side == "" {
			return
		}
		require.Equal(t, want.Side == "intersecting", got, "overlap, by side")
		center := c.Box.Center.geom()
		if c.Kind == "overlap-sphere-plane" {
			center = c.Sphere.Center.geom()
		}
		if !got {
			require.Equal(t, want.Side == "inside", c.Plane.geom().SignedDistance(center) > 0, "side")
		}
	}
}

func aabbs(t *testing.T, c *vectorCase) (a, b geom.AABB) {
	return as[vectorAABB](t, c.A).geom(), as[vectorAABB](t, c.B).geom()
}

func spheres(t *testing.T, c *vectorCase) (a, b geom.Sphere) {
	return as[vectorSphere](t, c.A).geom(), as[vectorSphere](t, c.B).geom()
}

func triangleContains(t *testing.T, c *vectorCase) bool {
	tri, p := c.triangle(t), c.P.geom()
	u, v, ok := tri.Barycentric(p)
	if bary := c.Expect.Bary; bary != nil {
		require.True(t, ok)
		c.near(t, &bary[1], float64(u), "U")
		c.near(t, &bary[2], float64(v), "V")
	}
	if c.Projected {
		return ok && u >= 0 && v >= 0 && u+v <= 1
	}
	return tri.Contains(p)
}

// mesh builds the mesh of a case, which has either the mesh or the name of one in its file.
func (c *vectorCase) mesh(t *testing.T) *mesh.Mesh {
	var name string
	data := vectorMesh{}
	if json.Unmarshal(c.Mesh, &name) == nil {
		data = c.meshes[name]
	} else {
		require.NoError(t, json.Unmarshal(c.Mesh, &data))
	}
	m, err := data.build()
	require.NoError(t, err)
	return m
}

func (m vectorMesh) build() (*mesh.Mesh, error) {
	vertices := make([]geom.Vec3, len(m.Verts))
	for i, v := range m.Verts {
		vertices[i] = v.geom()
	}
	var indices []uint32
	for _, tri := range m.Tris {
		indices = append(indices, tri[:]...)
	}
	return mesh.New(vertices, indices)
}

func castVectorMesh(t *testing.T, c *vectorCase, want vectorAnswer) {
	var inline vectorMesh
	if json.Unmarshal(c.Mesh, &inline) == nil {
		// The source skips malformed meshes, which are errors here.
		if _, err := inline.build(); err != nil {
			require.False(t, *want.Hit, "%v", err)
			return
		}
	}
	m := c.mesh(t)
	hit, ok := m.CastRay(c.Ray.geom(), c.cull(t))
	c.checkHit(t, want, hit, ok)
	c.same(t, want.Hit, m.CastRayAny(c.Ray.geom(), c.cull(t)), "any")
	if want.Count != nil {
		require.Len(t, m.CastRayAll(nil, c.Ray.geom(), c.cull(t)), *want.Count)
	}
}

func castVectorScene(t *testing.T, c *vectorCase, want vectorAnswer) {
	space := physics.NewSpace()
	for i, instance := range c.Instances {
		m, err := c.meshes[instance.Mesh].build()
		require.NoError(t, err)
		space.Add(physics.Collider{Shape: m, Transform: decompose(t, instance.Matrix), User: uint64(i)})
	}
	filter := physics.Filter{Cull: c.cull(t)}
	hit, ok := space.CastRay(c.Ray.geom(), filter)
	c.checkHit(t, want, hit.Hit, ok)
	require.EqualValues(t, *want.Instance, hit.User)
	require.EqualValues(t, *want.Tri, hit.Triangle)
	require.Len(t, space.CastRayAll(nil, c.Ray.geom(), filter), *want.Count)
}

// castShape casts a shape along the motion of the case at its target.
func (c *vectorCase) castShape(t *testing.T, want vectorAnswer, shape physics.Shape) (physics.ShapeHit, bool) {
	space := physics.NewSpace()
	if target := c.Target.AABB; target != nil {
		space.Add(physics.Collider{Shape: target.geom()})
	} else {
		require.NotNil(t, c.Target.Sphere)
		space.Add(physics.Collider{Shape: c.Target.Sphere.geom()})
	}
	cast := physics.ShapeCast{Shape: shape, Motion: c.Motion.D.geom(), MaxT: float32(c.Motion.TMax)}
	hit, ok := space.CastShape(cast, physics.Filter{})
	c.same(t, want.Hit, ok, "hit")
	c.same(t, want.Hit, space.CastShapeAny(cast, physics.Filter{}), "any")
	if ok {
		c.near(t, want.T, float64(hit.T), "T")
	}
	return hit, ok
}

// decompose returns the transform with the given matrix, which must not shear.
func decompose(t *testing.T, m [16]float64) geom.Transform {
	column := func(i int) geom.DVec3 { return geom.DVec3{X: m[4*i], Y: m[4*i+1], Z: m[4*i+2]} }
	x, y, z := column(0), column(1), column(2)
	for _, pair := range [][2]geom.DVec3{{x, y}, {y, z}, {z, x}} {
		require.InDelta(t, 0, pair[0].Normalize().Dot(pair[1].Normalize()), 1e-6, "shear")
	}
	s := geom.DVec3{X: x.Len(), Y: y.Len(), Z: z.Len()}
	require.Positive(t, x.Cross(y).Dot(z), "mirrored")
	return geom.Transform{
		Position: column(3).Narrow(),
		Rotation: geom.QuatLook(z.Neg().Narrow(), y.Narrow()),
		Scale:    s.Narrow(),
	}
}

func distanceToMesh(t *testing.T, c *vectorCase) float32 {
	nearest, ok := c.mesh(t).ClosestPoint(c.P.geom(), float32(math.Inf(1)))
	require.True(t, ok)
	return nearest.Distance
}

func (c *vectorCase) clip(t *testing.T) picking.ClipRange {
	clip, ok := map[string]picking.ClipRange{
		"-1..1": picking.ClipMinusOneToOne, "0..1": picking.ClipZeroToOne, "1..0": picking.ClipOneToZero,
	}[c.ClipZ]
	require.True(t, ok, "clip_z: %q", c.ClipZ)
	return clip
}

func (c *vectorCase) frustum(t *testing.T) geom.Frustum {
	if c.ViewProj != nil {
		return picking.FrustumOf(*c.ViewProj, c.clip(t))
	}
	var f geom.Frustum
	for i := range f {
		if i >= len(c.Planes) { // fewer than six: the others exclude nothing
			f[i] = geom.HalfSpace{D: math.Inf(-1)}
			continue
		}
		p := c.Planes[i]
		f[i] = geom.HalfSpace{Normal: geom.DVec3{X: p[0], Y: p[1], Z: p[2]}, D: -p[3]}
	}
	return f
}

// windowSize is the size in pixels that the cases' viewports are mapped to. Their own sizes need
// not be whole numbers, as for the square from −1 to 1. This one is large, so that the centre of
// some pixel is near enough to every cursor.
const windowSize = 1 << 12

// view returns the camera of a case.
func (c *vectorCase) view(t *testing.T) picking.View {
	size := picking.Size{Width: windowSize, Height: windowSize}
	m := geom.Mat4(c.Proj).Mul(c.View)
	return picking.View{
		Camera:   picking.Camera{Projection: picking.ProjectionOf(m, c.clip(t))},
		Viewport: picking.FullViewport(size, size),
	}
}

// window maps a place in the case's viewport to the window.
func (c *vectorCase) window(win vec) (x, y, depth float64) {
	x = (win[0] - c.Viewport[0]) / c.Viewport[2] * windowSize
	y = (win[1] - c.Viewport[1]) / c.Viewport[3] * windowSize
	if !c.YDown {
		y = windowSize - y
	}
	return x, y, win[2]/2 + 0.5 // the cases' depth runs from −1 to 1, the module's from 0 to 1
}

func (c *vectorCase) nearWindow(t *testing.T, win vec, x, y, depth float64) {
	wantX, wantY, wantDepth := c.window(win)
	c.near(t, &wantX, x, "x")
	c.near(t, &wantY, y, "y")
	c.near(t, &wantDepth, depth, "depth")
}

func castVectorCamera(t *testing.T, c *vectorCase, want vectorAnswer) {
	x, y, _ := c.window(vec{c.Cursor[0], c.Cursor[1]})
	ray := c.view(t).RayAt(x, windowSize-y) // RayAt counts from the bottom
	require.True(t, ray.IsValid())
	c.nearVec(t, want.Dir, ray.Dir, "direction")
	if c.OriginAt == "near" {
		c.nearVec(t, want.Origin, ray.Origin, "near point")
		return
	}
	// The module's ray starts on the near plane, and the case's at the eye, behind it on the same
	// line.
	origin := want.Origin.geom()
	behind := ray
	behind.Origin = ray.At(-float32(ray.Origin.Sub(origin).Dot(ray.Dir)))
	c.nearVec(t, want.Origin, behind.Origin, "eye, on the ray's line")
}
