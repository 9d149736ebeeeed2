package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Projectile is the component of something small that flies: a bullet, an arrow, a grenade.
// [ProjectileSystem] moves it, as [physics.Projectile] does, and writes the position of the
// entity's [Transform], whose scale does not count. The entity needs no [Collider]; if it has one,
// the projectile does not hit it, nor what the entity carries by [Parent].
type Projectile struct {
	Velocity     geom.Vec3      // metres per second
	Acceleration geom.Vec3      // gravity, metres per second squared
	Owner        ecs.Entity     // who fired, not hit either, nor what that carries by Parent; zero: nobody
	OwnLayer     physics.Layers // layers it is on, in place of the system's Filter.OwnLayer; 0: that
	Mask         physics.Layers // layers it looks at, in place of the system's Filter.Mask; 0: that
	Radius       float32        // metres; 0: a point
	Restitution  float32        // of the speed against a surface, what a bounce gives back: 0 none, 1 all
	Friction     float32        // Coulomb's coefficient, of bouncing and sliding
	RestSpeed    float32        // below it nothing bounces; 0: physics.DefaultRestSpeed
	Life         float32        // seconds that are left; 0: without end
	Bounces      int32          // that are left; negative: without end
	Resting      bool           // lies on something, or slides; written by the system
	Done         bool           // has ended; written by the system
	Remove       bool           // have the entity removed at the end of the update after the one in which it ended
}

// body returns the projectile that moves in the space beneath.
func (p *Projectile) body(at geom.Vec3) physics.Projectile {
	return physics.Projectile{
		Position: at, Velocity: p.Velocity, Acceleration: p.Acceleration, Radius: p.Radius, Bounces: p.Bounces, Restitution: p.Restitution,
		Friction: p.Friction, RestSpeed: p.RestSpeed, Life: p.Life, Resting: p.Resting, Done: p.Done,
	}
}

// take writes what a move has changed.
func (p *Projectile) take(b *physics.Projectile) {
	p.Velocity, p.Bounces, p.Life, p.Resting, p.Done = b.Velocity, b.Bounces, b.Life, b.Resting, b.Done
}

// ProjectileHit is something that befell a [Projectile] in an update.
type ProjectileHit struct {
	// Projectile is whom it befell.
	Projectile ecs.Entity
	// ShapeHit is what was hit and where. Its T is when: 0 where the tick begins and 1 where it
	// ends; its Entity is zero of [physics.ProjectileExpired].
	ShapeHit
	// Event is what became of the projectile.
	Event physics.ProjectileEvent
	// Position is where its centre was.
	Position geom.Vec3
	// VelocityIn and VelocityOut are its velocities before and after.
	VelocityIn, VelocityOut geom.Vec3
}

// ProjectileHits is the resource that tells what befell projectiles in the last update.
// [ProjectileSystem] writes it.
type ProjectileHits struct {
	// List is by the ID of the projectile's entity, and of each in the order of time. It is valid
	// until the next update. Every entity in it was alive when the update ended.
	List []ProjectileHit
}
