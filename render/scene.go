package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// itemKind is the way in which an item is drawn.
type itemKind uint8

const (
	// All points within radius of a box of half extents: box, sphere, capsule.
	itemRounded   itemKind = iota
	itemTriangles          // mesh, hull, cone, tapered capsule
	itemPlane
)

// item is one shape of an entity, ready for drawing. A compound has several items.
type item struct {
	entity   ecs.Entity
	kind     itemKind
	mirrored bool      // the model matrix has a negative determinant
	model    geom.Mat4 // local space to world
	half     geom.Vec3 // half extents, if rounded; metres
	radius   float32   // if rounded; metres
	plane    geom.Plane
	source   triangleSource // if drawn as triangles
	meshID   physecs.MeshID // 0 for a mesh in a compound
	hullID   physecs.HullID // 0 for a hull in a compound
	material Material
	pickable bool

	// Set by Renderer.cull for the view.
	center geom.DVec3 // of bounds, relative to the camera, metres
	reach  float64    // radius of bounds, metres
	size   float64    // radius in the world along the longest axis, if round; metres
	level  uint8      // level of detail, if round: see roundLevels
	small  bool       // lit per vertex: see smallRadius
}

// isTransparent reports whether an item is blended with what is behind it.
func (it *item) isTransparent() bool { return it.kind != itemPlane && it.material.Color.A < 255 }

// bounds returns the bounding sphere of an item: its centre in the world and its radius, +Inf for a
// plane.
func (it *item) bounds() (center geom.DVec3, radius float64) {
	local := geom.DVec3{}
	reach := it.half.Wide().Add(geom.DVec3{X: 1, Y: 1, Z: 1}.Mul(float64(it.radius)))
	switch it.kind {
	case itemPlane:
		return geom.DVec3{}, math.Inf(1)
	case itemTriangles:
		b := it.source.bounds()
		local, reach = b.Center().Wide(), b.HalfExtents().Wide()
	}
	center, _ = it.model.Apply(local, 1)
	// The radius is half of the longest diagonal of the transformed bounding box.
	for _, s := range [...]geom.DVec3{{X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: -1}, {X: 1, Y: -1, Z: 1}, {X: 1, Y: -1, Z: -1}} {
		d, _ := it.model.Apply(geom.DVec3{X: s.X * reach.X, Y: s.Y * reach.Y, Z: s.Z * reach.Z}, 0)
		radius = math.Max(radius, d.Len())
	}
	return center, radius
}

// scene lists the items of a world for one frame. It reuses its memory.
type scene struct {
	items     []item
	colliders bool // draw no Visual: see Style.Colliders
	world     *ecs.World
	ids       sceneIDs
}

type sceneIDs struct{ transform, collider, unpickable, pickable, material, visual ecs.ID }

// bind looks up the component IDs. Arche panics in a locked world if they are not yet registered.
func (s *scene) bind(w *ecs.World) {
	if s.world == w {
		return
	}
	s.world = w
	s.ids = sceneIDs{
		transform:  ecs.ComponentID[physecs.Transform](w),
		collider:   ecs.ComponentID[physecs.Collider](w),
		unpickable: ecs.ComponentID[physecs.Unpickable](w),
		pickable:   ecs.ComponentID[physecs.Pickable](w),
		material:   ecs.ComponentID[Material](w),
		visual:     ecs.ComponentID[Visual](w),
	}
}

// collect lists the shapes of all entities: if visible is set, those that are drawn with a visible
// material, and else the colliders. Shapes that are nowhere (physics.Space.IsNowhere) are left out.
func (s *scene) collect(w *ecs.World, visible bool) {
	s.bind(w)
	s.items = s.items[:0]
	meshes := resource[physecs.Meshes](w)
	filter := ecs.All(s.ids.transform, s.ids.collider)
	if visible {
		filter = ecs.All(s.ids.transform, s.ids.material)
	}
	query := w.Query(&filter)
	for query.Next() {
		var m Material
		if query.Has(s.ids.material) {
			m = *(*Material)(query.Get(s.ids.material))
		}
		if visible && m.Color.A == 0 {
			continue
		}
		t, shape := *(*physecs.Transform)(query.Get(s.ids.transform)), (*physecs.Collider)(nil)
		var p physecs.Pickable
		if query.Has(s.ids.collider) {
			shape = (*physecs.Collider)(query.Get(s.ids.collider))
			if query.Has(s.ids.pickable) {
				p = *(*physecs.Pickable)(query.Get(s.ids.pickable))
			}
		}
		pickable := shape != nil && p.Sees(shape) && !query.Has(s.ids.unpickable)
		if visible && !s.colliders && query.Has(s.ids.visual) {
			v := (*Visual)(query.Get(s.ids.visual))
			shape = &v.Shape
			if v.Place != (geom.Transform{}) {
				t = t.Mul(v.Place)
			}
		}
		if shape == nil {
			continue
		}
		first := len(s.items)
		s.add(t, shape, meshes)
		for i := first; i < len(s.items); i++ {
			it := &s.items[i]
			it.entity, it.material, it.pickable = query.Entity(), m, pickable
		}
	}
}

// sort orders items so that those with the same geometry are adjacent.
func (s *scene) sort() {
	slices.SortStableFunc(s.items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.meshID, b.meshID), cmp.Compare(a.hullID, b.hullID),
			cmp.Compare(isRound(&a), isRound(&b)), cmp.Compare(a.level, b.level), cmp.Compare(asInt(a.small), asInt(b.small)),
			cmp.Compare(asInt(a.mirrored), asInt(b.mirrored)))
	})
}

func isRound(it *item) int { return asInt(it.radius > 0) }

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add appends the shapes of one collider.
func (s *scene) add(t geom.Transform, c *physecs.Collider, meshes *physecs.Meshes) {
	if !t.IsFinite() {
		return
	}
	first := len(s.items)
	switch c.Kind {
	case physecs.KindAABB:
		s.addShape(geom.AABBAround(c.Center, c.HalfExtents), t.Affine(), t.Factors(), false)
	case physecs.KindBox:
		s.addShape(geom.Box{Center: c.Center, HalfExtents: c.HalfExtents, Rotation: c.Rotation}, t.Affine(), t.Factors(), false)
	case physecs.KindSphere:
		s.addShape(geom.Sphere{Center: c.Center, Radius: c.Radius}, t.Affine(), t.Factors(), false)
	case physecs.KindCapsule:
		axis := c.Rotation.Rotate(geom.Vec3{Y: c.HalfExtents.Y})
		s.addShape(geom.Capsule{A: c.Center.Sub(axis), B: c.Center.Add(axis), Radius: c.Radius}, t.Affine(), t.Factors(), false)
	case physecs.KindCylinder, physecs.KindCone, physecs.KindTaperedCapsule:
		axis, top := c.Rotation.Rotate(geom.Vec3{Y: c.HalfExtents.Y}), c.HalfExtents.X
		if c.Kind == physecs.KindCylinder {
			top = c.Radius
		}
		cone := geom.Cone{A: c.Center.Sub(axis), B: c.Center.Add(axis), RadiusA: c.Radius, RadiusB: top}
		if c.Kind == physecs.KindTaperedCapsule {
			s.addShape(geom.TaperedCapsule(cone), t.Affine(), t.Factors(), false)
		} else {
			s.addShape(cone, t.Affine(), t.Factors(), false)
		}
	case physecs.KindPlane:
		s.addShape(geom.Plane{Normal: c.Normal, D: c.D}, t.Affine(), t.Factors(), false)
	case physecs.KindMesh:
		if m, ok := meshes.Mesh(c.Mesh); ok {
			s.addShape(m, t.Affine(), t.Factors(), false)
		}
	case physecs.KindHull:
		if h, ok := meshes.Hull(c.Hull); ok {
			s.addShape(h, t.Affine(), t.Factors(), false)
		}
	case physecs.KindCompound:
		m, ok := meshes.Compound(c.Compound)
		if !ok {
			return
		}
		for i := range m.NumChildren() {
			child := m.Child(i)
			s.addShape(child.Shape, t.Affine().Mul(child.Transform.Affine()),
				t.Factors().MulVec(child.Transform.Factors()), !isEven(t.Factors()) && turns(child.Transform.Rotation))
		}
	}
	for i := first; i < len(s.items); i++ {
		s.items[i].meshID, s.items[i].hullID = c.Mesh, c.Hull
	}
}

// addShape appends one shape with the transform m to the world. scale is the product of the scales
// in m: an AABB uses only scale and position. sheared is set if m is more than a scale followed by
// a rotation.
func (s *scene) addShape(shape physics.Shape, m geom.Affine, scale geom.Vec3, sheared bool) {
	if !m.IsFinite() || !scale.IsFinite() || isFlattened(shape, m, scale, sheared) {
		return
	}
	it := item{model: m.Mat4()}
	switch shape := shape.(type) {
	case geom.AABB:
		lo, hi := shape.Min.MulVec(scale), shape.Max.MulVec(scale)
		b := geom.AABB{Min: lo.Min(hi), Max: lo.Max(hi)}
		it.half = b.HalfExtents()
		it.model = geom.Affine{X: geom.V(1, 0, 0), Y: geom.V(0, 1, 0), Z: geom.V(0, 0, 1),
			Origin: m.Origin.Add(b.Center())}.Mat4()
	case geom.Box:
		it.half = shape.HalfExtents
		it.model = it.model.Mul(geom.Transform{Position: shape.Center, Rotation: shape.Rotation}.Affine().Mat4())
	case geom.Sphere:
		it.radius = shape.Radius
		it.model = it.model.Mul(geom.Transform{Position: shape.Center}.Affine().Mat4())
	case geom.Capsule:
		a, b := shape.A.Wide(), shape.B.Wide()
		it.radius = shape.Radius
		it.half = geom.Vec3{Y: float32(b.Sub(a).Len() / 2)}
		it.model = it.model.Mul(standing(a.Add(b).Mul(0.5), b.Sub(a)))
	case geom.Cone:
		if shape.IsEmpty() {
			return
		}
		it.setTaper(shape, false)
	case geom.TaperedCapsule:
		if shape.IsEmpty() {
			return
		}
		it.setTaper(geom.Cone(shape), true)
	case geom.Plane:
		if shape.Normal == (geom.Vec3{}) || !shape.Normal.IsFinite() || shape.D-shape.D != 0 {
			return
		}
		it.kind, it.plane = itemPlane, shape
	case *mesh.Mesh:
		it.kind, it.source.mesh = itemTriangles, shape
	case *hull.Hull:
		if shape.IsEmpty() {
			return
		}
		it.kind, it.source.hull = itemTriangles, shape
	default:
		return
	}
	if !(it.half.X >= 0 && it.half.Y >= 0 && it.half.Z >= 0 && it.radius >= 0) || !it.half.IsFinite() ||
		it.radius-it.radius != 0 {
		return // empty, or NaN
	}
	det := determinant(it.model)
	if det == 0 || det-det != 0 {
		return
	}
	it.mirrored = det < 0
	s.items = append(s.items, it)
}

// isFlattened reports whether a shape is nowhere in a space because m has no inverse: see
// physics.Space.IsNowhere. The determinant of the model does not decide it, since rounding may make
// it nonzero after a rotation.
func isFlattened(shape physics.Shape, m geom.Affine, scale geom.Vec3, sheared bool) bool {
	even := !sheared && isEven(scale)
	switch shape := shape.(type) {
	case geom.AABB:
		return false
	case geom.Box:
		if even || !sheared && !turns(shape.Rotation) {
			return false
		}
	case geom.Sphere, geom.Capsule:
		if even {
			return false
		}
	}
	if _, ok := m.Inverse(); !ok {
		return true
	}
	const flattest = 1e-4 // the part of a cube's volume that a shear must keep
	return sheared && !(math.Abs(m.Det()) >= flattest*(m.X.Wide().Len()*m.Y.Wide().Len()*m.Z.Wide().Len()))
}

// isEven reports whether a scale has the same absolute value on all axes.
func isEven(scale geom.Vec3) bool {
	s := scale.Abs()
	return s.X == s.Y && s.Y == s.Z
}

func turns(q geom.Quat) bool { return q.X != 0 || q.Y != 0 || q.Z != 0 }

// standing returns the rotation and translation that put the Y axis along dir and the origin at
// center.
func standing(center, dir geom.DVec3) geom.Mat4 {
	y := dir.Normalize()
	if y == (geom.DVec3{}) {
		y.Y = 1
	}
	x := geom.DVec3{X: 1}
	if math.Abs(y.X) > 0.7 {
		x = geom.DVec3{Z: 1}
	}
	z := x.Cross(y).Normalize()
	x = y.Cross(z)
	return geom.Mat4{x.X, x.Y, x.Z, 0, y.X, y.Y, y.Z, 0, z.X, z.Y, z.Z, 0, center.X, center.Y, center.Z, 1}
}

func column(m geom.Mat4, i int) geom.DVec3 { return geom.DVec3{X: m[4*i], Y: m[4*i+1], Z: m[4*i+2]} }

// determinant returns the determinant of the upper left 3×3 part.
func determinant(m geom.Mat4) float64 { return column(m, 0).Dot(column(m, 1).Cross(column(m, 2))) }
