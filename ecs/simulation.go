package physecs

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/rigid"
)

// System is what Arche's schedulers call, as all systems of this package are.
type System interface {
	Initialize(w *ecs.World)
	Update(w *ecs.World)
	Finalize(w *ecs.World)
}

// Simulation is the systems of this package in their right order, at one fixed step. The zero
// Simulation is ready to use:
//
//	sim := physecs.Simulation{Interpolate: true}
//	sim.BeforeStep("think", game.think)
//	sim.Initialize(&world)
//	for game.runs() {
//		sim.DT = seconds since the last frame
//		sim.Update(&world)
//		draw
//	}
//
// An update makes as many steps as fit into its time, and then finds what is under the pointers. A
// step runs Rebase; Dynamics, or [Sync] as long as the world has no [Body] and no [Material];
// Separate, Caster, Projectile, Contact, Pair, Mover and History. So all queries of a step see the
// same world, in which the bodies have moved; movers move at its end. After the steps come [Sync],
// Raycast, Pick, Marquee and Drag. A system whose components no entity has costs next to nothing,
// and those that are pointers are left out while they are nil.
//
// Functions of the game run before and after any of them, within the step or after it as the system
// does.
type Simulation struct {
	// DT is the time by which an update advances, in seconds: that since the last frame. 0: an
	// update makes one step; for a time scale of 0, set Paused. A negative DT or NaN makes none.
	DT float32
	// Step is the time by which each step advances, in seconds: it replaces the DT of Mover and
	// Projectile, and Settings.Step of Dynamics. 0 means [DefaultDT]. Updates with a Step that is
	// negative, NaN or infinite make no steps.
	Step float32
	// MaxSteps is the greatest number of steps of an update; time beyond it is dropped, so that a
	// slow frame does not make the next one slower. 0 or less means [DefaultMaxSteps].
	MaxSteps int
	// Paused makes updates without steps. What is under the pointers is found all the same.
	Paused bool
	// Headless leaves out what is under the pointers, on a server: Raycast, Pick, Marquee and Drag.
	Headless bool
	// Interpolate shows what moves where it is at the time of the frame: the Transforms of entities
	// with a Body, [Mover], [Projectile] or [Movable] are between their places before and after the
	// last step, and so are their children's. The next step begins at the true places. Colliders
	// stay there too, so that a cast does not see what is drawn but where the last step ended.
	// A Transform that the game writes in between is taken as it is.
	Interpolate bool

	Rebase     RebaseSystem
	Dynamics   DynamicsSystem
	Separate   SeparateSystem
	Caster     CasterSystem
	Projectile ProjectileSystem
	Contact    *ContactSystem
	Pair       *PairSystem
	Mover      MoverSystem
	History    *HistorySystem

	Raycast RaycastSystem
	Pick    PickSystem
	Marquee *MarqueeSystem
	Drag    DragSystem

	hooks  []hook
	times  [numStages]time.Duration
	ahead  float64 // seconds since the last step
	steps  int
	motion motion
}

// The stages of an update, of which some have a number of their own. Those before syncStage are the
// step.
const (
	firstStage    = 0
	dynamicsStage = 1
	lastOfStep    = 8
	syncStage     = 9
	numStages     = 14
)

var stageNames = [numStages]string{
	"Rebase", "Dynamics", "Separate", "Caster", "Projectile", "Contact", "Pair", "Mover", "History",
	"Sync", "Raycast", "Pick", "Marquee", "Drag",
}

// stages returns the systems in the order of stageNames. Those that are left out are nil, as is
// that of the Sync.
func (s *Simulation) stages() [numStages]System {
	return [...]System{
		&s.Rebase, &s.Dynamics, &s.Separate, &s.Caster, &s.Projectile, optional(s.Contact), optional(s.Pair), &s.Mover, optional(s.History),
		nil, &s.Raycast, &s.Pick, optional(s.Marquee), &s.Drag,
	}
}

// optional returns a system, and nil for a nil pointer.
func optional[T any, P interface {
	*T
	System
}](p P) System {
	if p == nil {
		return nil
	}
	return p
}

// hook is a function of the game.
type hook struct {
	stage int
	after bool
	name  string
	call  func(w *ecs.World)
	time  time.Duration
}

// Before adds a function of the game that runs before a system of the Simulation, as often as the
// system does. Functions before the same system run in the order in which they were added. The name
// is that in [Simulation.Times]. Panics if the system is none of the Simulation's; one that is a
// pointer must be set first.
//
//	sim.Before(&sim.Raycast, "camera", game.moveCamera)
func (s *Simulation) Before(system System, name string, call func(w *ecs.World)) {
	s.addHook(system, "Before", hook{name: name, call: call})
}

// After is Before for a function that runs after the system.
func (s *Simulation) After(system System, name string, call func(w *ecs.World)) {
	s.addHook(system, "After", hook{name: name, call: call, after: true})
}

// BeforeStep adds a function that runs at the beginning of each step: where a game decides what
// moves.
func (s *Simulation) BeforeStep(name string, call func(w *ecs.World)) {
	s.addCall("BeforeStep", hook{stage: firstStage, name: name, call: call})
}

// AfterStep adds a function that runs at the end of each step: where a game reads the events of the
// step, such as [Dynamics].Hits, [ProjectileHits] and [Contacts].
func (s *Simulation) AfterStep(name string, call func(w *ecs.World)) {
	s.addCall("AfterStep", hook{stage: lastOfStep, after: true, name: name, call: call})
}

func (s *Simulation) addHook(system System, method string, h hook) {
	stages := s.stages()
	if h.stage = slices.Index(stages[:], system); h.stage < 0 || system == nil {
		panic(fmt.Sprintf("physecs: Simulation.%s: a %T that is none of its systems", method, system))
	}
	s.addCall(method, h)
}

func (s *Simulation) addCall(method string, h hook) {
	if h.call == nil {
		panic(fmt.Sprintf("physecs: Simulation.%s: the function %q is nil", method, h.name))
	}
	s.hooks = append(s.hooks, h)
}

// Initialize initialises the systems, which adds all their resources unless the world has them, and
// registers the components. Panics in a locked world.
func (s *Simulation) Initialize(w *ecs.World) {
	for _, system := range s.stages() {
		if system != nil {
			system.Initialize(w)
		}
	}
}

// Update makes the steps that are due, and finds what is under the pointers.
func (s *Simulation) Update(w *ecs.World) {
	switch {
	case s.Paused:
		s.update(w, 0)
	case s.DT == 0:
		s.StepOnce(w)
	default:
		s.update(w, stepsDue(&s.ahead, s.DT, s.step(), s.MaxSteps))
	}
}

// StepOnce is an Update with one step, whatever DT and Paused are, and shows where the step ends.
func (s *Simulation) StepOnce(w *ecs.World) {
	n := 0
	if step := s.step(); isStep(step) {
		s.ahead, n = float64(step), 1
	}
	s.update(w, n)
}

// Steps returns the number of steps of the last update.
func (s *Simulation) Steps() int { return s.steps }

// Times returns the time that each system and each function of the game took in the last update, in
// all its steps together, in the order in which they run. The name of a system is that of its
// field; "Sync" is the Sync after the steps, with the interpolation, and those of the steps are in
// "Dynamics".
func (s *Simulation) Times() iter.Seq2[string, time.Duration] {
	return func(yield func(string, time.Duration) bool) {
		hooks := func(stage int, after bool) bool {
			for i := range s.hooks {
				if h := &s.hooks[i]; h.stage == stage && h.after == after && !yield(h.name, h.time) {
					return false
				}
			}
			return true
		}
		stages := s.stages()
		for i, system := range stages[:s.last()] {
			runs := system != nil || i == syncStage
			if !hooks(i, false) || runs && !yield(stageNames[i], s.times[i]) || !hooks(i, true) {
				return
			}
		}
	}
}

// Finalize finalises the systems. The resources stay.
func (s *Simulation) Finalize(w *ecs.World) {
	for _, system := range s.stages() {
		if system != nil {
			system.Finalize(w)
		}
	}
}

// has reports whether it has a system of a name.
func (s *Simulation) has(name string) bool {
	stages := s.stages()
	for i, system := range stages[:s.last()] {
		if system != nil && stageNames[i]+"System" == name {
			return true
		}
	}
	return false
}

// step returns the length of a step in seconds.
func (s *Simulation) step() float32 { return cmp.Or(s.Step, DefaultDT) }

// update makes n steps.
func (s *Simulation) update(w *ecs.World, n int) {
	space := initialize(w)
	space.updates(s, "Simulation", s.step(), nil)
	s.steps, s.times = n, [numStages]time.Duration{}
	for i := range s.hooks {
		s.hooks[i].time = 0
	}
	s.Mover.DT, s.Projectile.DT = s.step(), s.step()
	if s.Dynamics.Settings == (rigid.Settings{}) {
		s.Dynamics.Settings = rigid.DefaultSettings()
	}
	s.Dynamics.Settings.Step, s.Dynamics.DT, s.Dynamics.Interpolate = s.step(), 0, s.Interpolate
	if n > 0 {
		s.motion.restore(w, space)
	}
	stages := s.stages()
	for i := range n {
		for stage := range syncStage {
			s.run(w, &stages, stage, i == n-1)
		}
	}
	for stage := syncStage; stage < s.last(); stage++ {
		s.run(w, &stages, stage, true)
	}
}

// last returns the number of stages that run.
func (s *Simulation) last() int {
	if s.Headless {
		return syncStage + 1
	}
	return numStages
}

// run runs a stage of a step, the last of the update or another.
func (s *Simulation) run(w *ecs.World, stages *[numStages]System, stage int, last bool) {
	s.call(w, stage, false)
	start := time.Now()
	switch {
	case stage == syncStage:
		s.show(w)
	case stage == dynamicsStage:
		if d := resourceOf[Dynamics](w); d.turn > 0 || initialize(w).hasDynamics(w) {
			s.Dynamics.Update(w)
		} else {
			Sync(w)
		}
		if last && s.Interpolate {
			s.motion.begin(w)
		}
	case stages[stage] != nil:
		stages[stage].Update(w)
	}
	s.times[stage] += time.Since(start)
	s.call(w, stage, true)
}

// call calls the functions of the game before or after a stage.
func (s *Simulation) call(w *ecs.World, stage int, after bool) {
	for i := range s.hooks {
		if h := &s.hooks[i]; h.stage == stage && h.after == after {
			start := time.Now()
			h.call(w)
			s.hooks[i].time += time.Since(start)
		}
	}
}

// hasDynamics reports whether any entity has a Body, or a Material, which may carry a Mover.
func (s *Space) hasDynamics(w *ecs.World) bool {
	has := func(f *componentFilter, id ecs.ID) bool {
		query := f.query(w, id)
		defer query.Close()
		return query.Count() > 0
	}
	return has(&s.bodied, s.ids.body.id) || has(&s.surfaced, s.ids.material.id)
}

// show syncs the space, and then writes the Transforms at the time of the frame.
func (s *Simulation) show(w *ecs.World) {
	Sync(w)
	if !s.Interpolate {
		return
	}
	if s.steps > 0 {
		s.motion.end(w)
	}
	share := float32(1)
	if step := s.step(); isStep(step) {
		share = float32(s.ahead / float64(step))
	}
	resourceOf[Dynamics](w).Interpolate(w, share)
	s.motion.show(w, share)
}
