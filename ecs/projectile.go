package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Projectile is the component of something small that flies: a bullet, an arrow, a grenade.
// [ProjectileSystem] moves it, as [physics.Projectile] does, and writes the position of the
// entity's [Transform], whose scale has no effect. The entity needs no [Collider]; the projectile
// does not hit that of its own entity, nor those of the entity's descendants by [Parent].
type Projectile struct {
	Velocity     geom.Vec3      // metres per second
	Acceleration geom.Vec3      // gravity, metres per second squared
	Owner        ecs.Entity     // not hit either, nor its descendants by Parent; zero: none
	OwnLayer     physics.Layers // layers it is on; 0: the Filter's, or its Collider's
	Mask         physics.Layers // layers it hits; 0: the system's Filter.Mask
	Radius       float32        // metres; 0: a point
	Restitution  float32        // part of the normal speed that a bounce returns: 0 to 1
	Friction     float32        // coefficient of friction (Coulomb), of bouncing and sliding
	RestSpeed    float32        // speed below which nothing bounces; 0: physics.DefaultRestSpeed
	Mass         float32        // kg; a body that is hit gets the impulse; 0: none
	Life         float32        // seconds left; 0: no limit
	Bounces      int32          // bounces left; negative: no limit
	Resting      bool           // lies on a surface, or slides; written by the system
	Done         bool           // has ended; written by the system
	Remove       bool           // remove the entity in the update after the one that ended it
}

// body returns the projectile for package physics.
func (p *Projectile) body(at geom.Vec3) physics.Projectile {
	return physics.Projectile{
		Position: at, Velocity: p.Velocity, Acceleration: p.Acceleration, Radius: p.Radius, Bounces: p.Bounces, Restitution: p.Restitution,
		Friction: p.Friction, RestSpeed: p.RestSpeed, Life: p.Life, Resting: p.Resting, Done: p.Done,
	}
}

// take copies the fields that a move changes.
func (p *Projectile) take(b *physics.Projectile) {
	p.Velocity, p.Bounces, p.Life, p.Resting, p.Done = b.Velocity, b.Bounces, b.Life, b.Resting, b.Done
}

// ProjectileHit is an event of a [Projectile] in an update: what [physics.ProjectileHit] has of it,
// and the entities.
type ProjectileHit struct {
	physics.ProjectileHit
	Projectile ecs.Entity
	Entity     ecs.Entity // the one hit; zero for physics.ProjectileExpired
}

// ProjectileHits is the resource that holds the events of projectiles in the last update.
// [ProjectileSystem] writes it.
type ProjectileHits struct {
	// List is sorted by the ID of the projectile's entity, and for each by time. It is valid until
	// the next update. Every entity in it was alive when the update ended.
	List []ProjectileHit
}
