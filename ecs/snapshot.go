package physecs

import (
	"iter"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Snapshot is what a [Space] held at one [Sync]. It never changes: any number of goroutines may ask
// it while the game goes on to move, add and remove things, sync and rebase. [Space.Snapshot] takes
// one.
//
// Its answers are about the entities and coordinates of that time. An entity may have died since;
// ask the world, in the goroutine that owns it, before acting on one. Since a snapshot asks the
// world nothing, the fields With and Without of a [Filter] cannot be served, and every method
// panics if one is set; layers do the same work. All other fields count. A Predicate is called in
// the goroutine that asks and must not read the world while another changes it.
type Snapshot struct{ eye eye }

// Snapshot returns what the space holds, to be asked by other goroutines. Take it in the goroutine
// that syncs; what it costs is said by [physics.Space.Snapshot]. Give it back with Release when
// nobody reads it any more.
func (s *Space) Snapshot() *Snapshot {
	s.shared = true
	return &Snapshot{eye{physics: s.physics.Snapshot(), owners: s.owners, lists: s.lists}}
}

// Release gives the memory of the snapshot back to the space it was taken of. It must not be used
// afterwards.
func (s *Snapshot) Release() {
	s.eye.physics.Release()
	s.eye.owners = nil
}

// Origin returns where the zero of the coordinates lay in the world at large: see [Rebase].
func (s *Snapshot) Origin() geom.DVec3 { return s.eye.physics.Origin() }

// Physics returns the snapshot of the space beneath.
func (s *Snapshot) Physics() *physics.Space { return s.eye.physics }

func (s *Snapshot) sight(f *Filter, caller string) sight {
	s.check(f, caller)
	return sight{&s.eye, f}
}

func (s *Snapshot) check(f *Filter, caller string) {
	if !f.With.IsZero() || !f.Without.IsZero() {
		panic("physecs: Snapshot." + caller + ": With and Without ask the world, which a snapshot cannot")
	}
}

// CastRay is [CastRay] as of the snapshot.
func (s *Snapshot) CastRay(r geom.Ray, f Filter) (Hit, bool) {
	return s.sight(&f, "CastRay").castRay(r)
}

// CastRayAny is [CastRayAny] as of the snapshot.
func (s *Snapshot) CastRayAny(r geom.Ray, f Filter) bool {
	return s.sight(&f, "CastRayAny").castRayAny(r)
}

// CastRayAll is [CastRayAll] as of the snapshot.
func (s *Snapshot) CastRayAll(dst []Hit, r geom.Ray, f Filter) []Hit {
	return s.sight(&f, "CastRayAll").castRayAll(dst, r)
}

// Hits is [Hits] as of the snapshot.
func (s *Snapshot) Hits(r geom.Ray, f Filter) iter.Seq[Hit] {
	return func(yield func(Hit) bool) { s.hits(r, f, yield) } // short, to be inlined: then it allocates nothing
}

func (s *Snapshot) hits(r geom.Ray, f Filter, yield func(Hit) bool) {
	s.sight(&f, "Hits").hits(r, yield)
}

// CastRays is [CastRays] as of the snapshot.
func (s *Snapshot) CastRays(dst []Hit, rays []geom.Ray, f Filter) []Hit {
	s.check(&f, "CastRays")
	return s.eye.castRays(&f, dst, rays)
}

// CastRaysAny is [CastRaysAny] as of the snapshot.
func (s *Snapshot) CastRaysAny(dst []bool, rays []geom.Ray, f Filter) []bool {
	s.check(&f, "CastRaysAny")
	return s.eye.castRaysAny(&f, dst, rays)
}

// CastShape is [CastShape] as of the snapshot.
func (s *Snapshot) CastShape(c physics.ShapeCast, f Filter) (ShapeHit, bool) {
	return s.sight(&f, "CastShape").castShape(c)
}

// CastShapeAny is [CastShapeAny] as of the snapshot.
func (s *Snapshot) CastShapeAny(c physics.ShapeCast, f Filter) bool {
	return s.sight(&f, "CastShapeAny").castShapeAny(c)
}

// CastShapeAll is [CastShapeAll] as of the snapshot.
func (s *Snapshot) CastShapeAll(dst []ShapeHit, c physics.ShapeCast, f Filter) []ShapeHit {
	return s.sight(&f, "CastShapeAll").castShapeAll(dst, c)
}

// OverlapAABB is [OverlapAABB] as of the snapshot.
func (s *Snapshot) OverlapAABB(dst []ecs.Entity, b geom.AABB, f Filter) []ecs.Entity {
	return s.sight(&f, "OverlapAABB").overlapAABB(dst, b)
}

// OverlapBox is [OverlapBox] as of the snapshot.
func (s *Snapshot) OverlapBox(dst []ecs.Entity, b geom.Box, f Filter) []ecs.Entity {
	return s.sight(&f, "OverlapBox").overlapBox(dst, b)
}

// OverlapSphere is [OverlapSphere] as of the snapshot.
func (s *Snapshot) OverlapSphere(dst []ecs.Entity, b geom.Sphere, f Filter) []ecs.Entity {
	return s.sight(&f, "OverlapSphere").overlapSphere(dst, b)
}

// OverlapPoint is [OverlapPoint] as of the snapshot.
func (s *Snapshot) OverlapPoint(dst []ecs.Entity, p geom.Vec3, f Filter) []ecs.Entity {
	return s.sight(&f, "OverlapPoint").overlapPoint(dst, p)
}

// ClosestPoint is [ClosestPoint] as of the snapshot.
func (s *Snapshot) ClosestPoint(p geom.Vec3, maxDistance float32, f Filter) (Nearest, bool) {
	return s.sight(&f, "ClosestPoint").closestPoint(p, maxDistance)
}

// ClosestPoints is [ClosestPoints] as of the snapshot.
func (s *Snapshot) ClosestPoints(dst []Nearest, p geom.Vec3, k int, maxDistance float32, f Filter) []Nearest {
	return s.sight(&f, "ClosestPoints").closestPoints(dst, p, k, maxDistance)
}
