package physecs

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// parade is a world in which each system has something to move: a crate that falls, a walker that
// pushes it and carries a hat, a projectile, and two movables in one place.
type parade struct {
	*bodyWorld
	all    []ecs.Entity
	walker ecs.Entity
	hat    ecs.Entity
}

func newParade() *parade {
	p := &parade{bodyWorld: newFloorWorld()}
	mover, state := ecs.ComponentID[Mover](p.World), ecs.ComponentID[MoverState](p.World)
	projectile, movable := ecs.ComponentID[Projectile](p.World), ecs.ComponentID[Movable](p.World)
	crate := p.crate(geom.At(3, 4, 0), Body{Density: 20})
	p.walker = p.add(geom.At(0, 0.92, 0), Capsule(0.6, 0.3))
	p.Add(p.walker, mover, state)
	(*Mover)(p.Get(p.walker, mover)).Velocity = geom.V(3, 0, 0.5)
	p.hat = p.adopt(p.add(Transform{}, Sphere(0.2)), p.walker, LocalTransform{Position: geom.V(0, 1.2, 0)})
	shot := p.add(geom.At(-20, 3, 8), Sphere(0.1))
	p.Add(shot, projectile)
	(*Projectile)(p.Get(shot, projectile)).Velocity = geom.V(17, 3, 0)
	a, b := p.add(geom.At(-5, 0.5, 0), Sphere(0.5)), p.add(geom.At(-4.7, 0.5, 0.1), Sphere(0.5))
	p.Add(a, movable)
	p.Add(b, movable)
	p.all = []ecs.Entity{crate, p.walker, p.hat, shot, a, b}
	return p
}

// places returns the Transforms of the entities, and where their colliders are.
func (p *parade) places() (shown, colliders []Transform) {
	for _, e := range p.all {
		shown = append(shown, *p.transforms.Get(e))
		c, _ := p.space().physics.Collider(p.colliderOf(e))
		colliders = append(colliders, c.Transform)
	}
	return shown, colliders
}

// At any frame rate the colliders are where systems that are called by hand leave them at the same
// step, and the Transforms between there and the step before.
func TestSimulationIsItsSystems(t *testing.T) {
	const steps = 120
	hand := newParade()
	separate, mover, projectile := SeparateSystem{}, MoverSystem{}, ProjectileSystem{}
	Sync(hand.World)
	start, _ := hand.places()
	want := [][]Transform{start}
	for range steps {
		hand.system.Update(hand.World)
		separate.Update(hand.World)
		projectile.Update(hand.World)
		mover.Update(hand.World)
		Sync(hand.World)
		shown, colliders := hand.places()
		require.Equal(t, shown, colliders)
		want = append(want, shown)
	}
	for i := range start {
		require.NotEqual(t, start[i], want[steps][i], "entity %d never moves", i)
	}

	for _, rate := range []float64{0, 23, 60, 144, 1000} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			p := newParade()
			sim := Simulation{Interpolate: true, Headless: true}
			sim.Initialize(p.World)
			for done, frame := 0, 1; done < steps; frame++ {
				if rate > 0 {
					sim.DT = float32(1 / rate)
				}
				sim.Update(p.World)
				if done += sim.Steps(); done > steps || done == 0 {
					continue
				}
				shown, colliders := p.places()
				require.Equal(t, want[done], colliders, "step %d", done)
				share := 1.0
				if rate > 0 {
					share = float64(frame)/rate*60 - float64(done)
				}
				for i := range shown {
					at := want[done-1][i].Position.Lerp(want[done][i].Position, float32(share))
					// A frame's rounding of DT adds up to 1e-5 of a step, and a step is 0.3 m long.
					require.InDelta(t, 0, shown[i].Position.Distance(at), 1e-4, "entity %d at step %d", i, done)
				}
			}
			assert.Empty(t, Check(p.World))
		})
	}
}

// What the game writes between two steps is where the entity is, and what it writes within one too.
func TestSimulationTakesWhatIsWritten(t *testing.T) {
	p := newParade()
	sim := Simulation{Interpolate: true, DT: 1. / 100}
	sim.Initialize(p.World)
	for range 10 {
		sim.Update(p.World)
	}
	require.NotEqual(t, 0, sim.ahead)
	p.transforms.Get(p.walker).Position = geom.V(30, 0.92, 0)
	for frame := range 10 {
		sim.Update(p.World)
		x := p.transforms.Get(p.walker).Position.X
		assert.InDelta(t, 30+3*float32(frame+1)/100, x, 3./60+1e-3, "a step at most behind")
		assert.InDelta(t, x, p.transforms.Get(p.hat).Position.X, 1e-4)
	}
	leap := -1
	sim.BeforeStep("leap", func(*ecs.World) {
		if leap++; leap == 0 {
			p.transforms.Get(p.walker).Position.X = -30
		}
	})
	for leap < 0 {
		sim.Update(p.World)
	}
	assert.InDelta(t, -30, p.transforms.Get(p.walker).Position.X, 3./60+1e-3, "it is nowhere in between")

	sim.Interpolate = false
	sim.StepOnce(p.World)
	shown, colliders := p.places()
	assert.Equal(t, colliders, shown)
}

func TestSimulationSteps(t *testing.T) {
	p := newBodyWorld()
	steps := 0
	sim := Simulation{}
	sim.Initialize(p.World)
	sim.BeforeStep("count", func(*ecs.World) { steps++ })
	run := func(dt float32) int {
		steps = 0
		sim.DT = dt
		sim.Update(p.World)
		assert.Equal(t, steps, sim.Steps())
		return steps
	}
	assert.Equal(t, 1, run(0))
	for _, dt := range []float32{-1, float32(math.NaN()), float32(math.Inf(-1))} {
		assert.Equal(t, 0, run(dt))
	}
	sim.ahead = 0
	assert.Equal(t, 0, run(0.6/60))
	assert.Equal(t, 1, run(0.6/60))
	assert.Equal(t, DefaultMaxSteps, run(float32(math.Inf(1))))
	assert.Equal(t, 1, run(1e-9), "the time beyond MaxSteps is dropped, except for a step")
	sim.MaxSteps = 9
	assert.Equal(t, 9, run(1))
	sim.MaxSteps = -1
	assert.Equal(t, DefaultMaxSteps, run(1))
	sim.ahead, sim.Step = 0, 0.25
	assert.Equal(t, 4, run(1))
	sim.Paused = true
	assert.Equal(t, 0, run(1))
	steps = 0
	sim.StepOnce(p.World)
	assert.Equal(t, 1, steps)
	assert.Equal(t, float32(0.25), sim.Mover.DT)
	assert.Equal(t, float32(0.25), sim.Projectile.DT)
	assert.Equal(t, float32(0.25), sim.Dynamics.Settings.Step)
}

func TestSimulationOrder(t *testing.T) {
	p := newFloorWorld()
	sim := Simulation{Contact: &ContactSystem{}, Pair: &PairSystem{}, Marquee: &MarqueeSystem{}, History: &HistorySystem{}, DT: 2. / 60}
	var order []string
	say := func(word string) func(*ecs.World) {
		return func(*ecs.World) { order = append(order, word) }
	}
	sim.AfterStep("end", say("end"))
	sim.BeforeStep("begin", say("begin"))
	stages := sim.stages()
	for i := numStages - 1; i >= 0; i-- {
		if s := stages[i]; s != nil {
			sim.After(s, "after", say("after "+stageNames[i]))
			sim.Before(s, "before", say("before "+stageNames[i]))
		}
	}
	sim.Initialize(p.World)
	sim.Update(p.World)
	var want []string
	for range 2 {
		want = append(want, "begin")
		for _, name := range stageNames[:syncStage] {
			want = append(want, "before "+name, "after "+name)
		}
		want = append(want[:len(want)-1], "end", "after History")
	}
	for _, name := range stageNames[syncStage+1:] {
		want = append(want, "before "+name, "after "+name)
	}
	assert.Equal(t, want, order)

	var names []string
	for name, d := range sim.Times() {
		names = append(names, name)
		assert.GreaterOrEqual(t, d, time.Duration(0))
	}
	for i, name := range stageNames {
		assert.Contains(t, names, name)
		if i == dynamicsStage {
			assert.Positive(t, sim.times[i])
		}
	}
	assert.Len(t, names, numStages+2*(numStages-1)+2)
	for range sim.Times() {
		break
	}

	assert.PanicsWithValue(t, "physecs: Simulation.Before: a *physecs.MoverSystem that is none of its systems",
		func() { sim.Before(&MoverSystem{}, "", nil) })
	assert.Panics(t, func() { new(Simulation).After(sim.Contact, "", nil) })
	assert.Panics(t, func() { new(Simulation).After(nil, "", nil) })
	for _, add := range []func(string, func(*ecs.World)){sim.BeforeStep, sim.AfterStep} {
		assert.Panics(t, func() { add("think", nil) })
	}
	assert.PanicsWithValue(t, `physecs: Simulation.After: the function "think" is nil`, func() { sim.After(&sim.Mover, "think", nil) })
}

// A simulation without bodies runs no dynamics; one that had some goes on, to clear its events.
func TestSimulationWithoutBodies(t *testing.T) {
	p := newFloorWorld()
	sim := Simulation{}
	sim.Initialize(p.World)
	sim.Update(p.World)
	assert.Zero(t, p.dynamics().turn)
	e := p.crate(geom.At(0, 0.7, 0), Body{})
	for len(p.dynamics().Hits) == 0 {
		sim.Update(p.World)
	}
	p.RemoveEntity(e)
	sim.Update(p.World)
	sim.Update(p.World)
	assert.Empty(t, p.dynamics().Hits)
	assert.Empty(t, p.dynamics().Ended)

	p.Reset()
	sim.Update(p.World)
	assert.Zero(t, ecs.GetResource[Dynamics](p.World).turn)
}

func TestSimulationAllocatesNothing(t *testing.T) {
	p := newParade()
	sim := Simulation{Interpolate: true, DT: 1. / 100, Contact: &ContactSystem{}}
	sim.Initialize(p.World)
	for range 300 {
		sim.Update(p.World)
	}
	testenv.AllocatesNothing(t, 50, func() { sim.Update(p.World) })
}

// A Step that is none makes no steps, and leaves nothing to those that are.
func TestSimulationWithoutAStep(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, dt := range []float32{0, 1. / 60} {
		for _, step := range []float32{nan, inf, -inf, -1. / 60} {
			p := newParade()
			sim := Simulation{Interpolate: true, Headless: true, DT: dt}
			sim.Initialize(p.World)
			sim.Update(p.World)
			sim.Step = step
			for range 3 {
				sim.Update(p.World)
				require.Zero(t, sim.Steps())
			}
			shown, colliders := p.places()
			require.Equal(t, colliders, shown)
			require.Contains(t, fmt.Sprint(Check(p.World)), fmt.Sprintf("Simulation: Step is %v", step))
			sim.Step = 0
			for range 3 {
				sim.Update(p.World)
				require.Equal(t, 1, sim.Steps())
			}
			require.Empty(t, Check(p.World))
		}
	}
}

// Frames without a step, of a fast screen or a pause, are no fault of a game.
func TestCheckBetweenSteps(t *testing.T) {
	p := newParade()
	sim := Simulation{Headless: true, DT: 1. / 600, Paused: true}
	sim.Initialize(p.World)
	for frame := range 60 {
		sim.Paused = frame < 10 || frame > 40
		sim.Update(p.World)
		require.Empty(t, Check(p.World), "frame %d", frame)
	}
	sim.Paused, sim.DT = false, -1
	sim.Update(p.World)
	require.Equal(t, "[Simulation: DT is -1: it makes no steps]", fmt.Sprint(Check(p.World)))
}
