package physecs

import (
	"cmp"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/rigid"
)

// DynamicsSystem moves the entities with a [Body] and writes the events to [Dynamics]. Run it after
// game code that moves or pushes entities and before [SyncSystem]: it calls [Sync] itself, so that
// the bodies meet the world as it is, and leaves the [Space] with the bodies where they end.
// Systems that only query need no other Sync, except for children of bodies.
//
// Run one in a world. The results are the same bits on every machine, and depend neither on the
// number of processors nor on the order in which components were added: bodies are in the order of
// entity IDs, of those that come in the same update.
type DynamicsSystem struct {
	// Settings are the settings of all bodies; the zero Settings mean [rigid.DefaultSettings]. To
	// change one of them set it in those, since any other 0 is the number itself.
	Settings rigid.Settings
	// DT is the time by which an update advances, in seconds. Steps have a length of their own,
	// Settings.Step: an update makes as many as fit, and keeps the rest for the next. 0: an update
	// makes one step.
	DT float32
	// MaxSteps is the greatest number of steps of an update; time beyond it is dropped, so that a
	// slow frame does not make the next one slower. 0 or less means [DefaultMaxSteps].
	MaxSteps int
	// Interpolate writes each Transform at a point between its places before and after the last
	// step, by the time that is left over, so that motion is smooth at any DT. It does not change
	// the bodies, and their colliders stay where the last step left them, up to a step ahead of
	// what is drawn.
	Interpolate bool
}

// DefaultMaxSteps is the default MaxSteps of a [Simulation] and a [DynamicsSystem].
const DefaultMaxSteps = 4

// Initialize adds [Space], [Meshes] and [Dynamics] unless the world has them, and registers the
// components. Panics in a locked world.
func (s *DynamicsSystem) Initialize(w *ecs.World) {
	resourceOf[Dynamics](w).bind(initialize(w))
}

// Update moves the bodies. It allocates nothing once its memory has grown to the number of bodies
// and contacts, and may be called in a locked world.
func (s *DynamicsSystem) Update(w *ecs.World) {
	start := time.Now()
	d := resourceOf[Dynamics](w)
	space := initialize(w)
	space.updates(s, "DynamicsSystem", s.DT, nil)
	d.bind(space)
	Sync(w)
	d.begin(s.Interpolate)
	d.rigid.Settings = s.Settings
	if s.Settings == (rigid.Settings{}) {
		d.rigid.Settings = rigid.DefaultSettings()
	}
	d.update(w)
	d.steps = 1
	if s.DT != 0 {
		d.steps = stepsDue(&d.ahead, s.DT, d.rigid.Settings.Step, s.MaxSteps)
	}
	for range d.steps {
		d.step()
	}
	share := float32(1)
	if s.Interpolate && s.DT != 0 {
		share = float32(d.ahead / float64(d.rigid.Settings.Step))
	}
	d.write(w, share)
	d.space.physics.Update()
	d.elapsed = time.Since(start)
}

// stepsDue adds the time of an update, in seconds, to what is left of those before, and takes from
// it as many steps as fit.
func stepsDue(ahead *float64, dt, step float32, most int) int {
	if !(dt > 0) || !isStep(step) {
		return 0
	}
	most = cmp.Or(max(most, 0), DefaultMaxSteps)
	*ahead += float64(dt)
	n := int(min(*ahead/float64(step), float64(most)))
	*ahead = min(*ahead-float64(float64(n)*float64(step)), float64(step))
	return n
}

// isStep reports whether a time is one by which a step can advance.
func isStep(seconds float32) bool { return seconds > 0 && isFinite(seconds) }

// Finalize does nothing. The resource stays, to be read.
func (s *DynamicsSystem) Finalize(*ecs.World) {}
