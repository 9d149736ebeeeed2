// Archemodel is a small game on arche-model: balls rain on a plate, a click pops one, and the game
// ends when too many lie there.
//
//	go run .              opens the window
//	go run . -headless    plays without one, and without a player, to the end
//
// The systems of hitscan are those of arche-model by their methods: all that joins them is in
// newModel.
package main

import (
	"flag"
	"fmt"
	"runtime"

	"github.com/mlange-42/arche-model/model"
	"github.com/mlange-42/arche-model/resource"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"golang.org/x/exp/rand"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

func main() {
	headless := flag.Bool("headless", false, "play without a window")
	flag.Parse()
	runtime.LockOSThread()
	rain := &rain{}
	var window *render.System
	if !*headless {
		window = &render.System{}
	}
	m := newModel(rain, window)
	if !*headless {
		m.TPS, m.FPS = 60, 60
	}
	m.Run()
	fmt.Printf("popped %d balls in %d ticks\n", rain.popped, ecs.GetResource[resource.Tick](&m.World).Tick)
}

// newModel returns the game, with a window if it is not nil.
func newModel(rain *rain, window *render.System) *model.Model {
	m := model.New().Seed(7)
	m.AddSystem(&physecs.Simulation{Headless: window == nil})
	m.AddSystem(rain)
	if window != nil {
		window.Closed = end
		m.AddUISystem(window)
	}
	return m
}

func end(w *ecs.World) { ecs.GetResource[resource.Termination](w).Terminate = true }

// rain is the rules, as a system of arche-model.
type rain struct {
	popped int
	most   int // balls that the plate may hold; 0: 12
	every  int // ticks between two balls; 0: 30
	balls  []ecs.Entity
	things generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	bodies generic.Map1[physecs.Body]
	random *rand.Rand
}

// Initialize puts the plate there and sets the camera.
func (r *rain) Initialize(w *ecs.World) {
	if r.most == 0 {
		r.most = 12
	}
	if r.every == 0 {
		r.every = 30
	}
	r.random = rand.New(ecs.GetResource[resource.Rand](w))
	r.things = generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](w)
	r.bodies = generic.NewMap1[physecs.Body](w)
	r.things.NewWith(&physecs.Transform{}, new(physecs.Plane(geom.V(0, 1, 0), 0)), new(render.Paint(0xC3C6C9)))
	for _, side := range [...]geom.Vec3{{X: 2.1}, {X: -2.1}, {Z: 2.1}, {Z: -2.1}} {
		half := geom.V(2.2, 0.2, 2.2)
		if side.X != 0 {
			half.X = 0.1
		} else {
			half.Z = 0.1
		}
		at := geom.At(side.X, 0.2, side.Z)
		r.things.NewWith(&at, new(physecs.Box(half)), new(render.Paint(0x6F7A88)))
	}
	view := ecs.GetResource[physecs.View](w)
	view.LookAt(geom.V(0, 5, 7), geom.V(0, 0.8, 0), geom.V(0, 1, 0))
	view.Projection = picking.Perspective(0.8, 0.1, 100)
}

// Update lets a ball fall, pops those that were clicked, and ends the game.
func (r *rain) Update(w *ecs.World) {
	for _, e := range ecs.GetResource[physecs.Events](w).List {
		for i, ball := range r.balls {
			if e.Kind == picking.Click && e.Target == ball {
				w.RemoveEntity(ball)
				r.balls = append(r.balls[:i], r.balls[i+1:]...)
				r.popped++
				break
			}
		}
	}
	if ecs.GetResource[resource.Tick](w).Tick%int64(r.every) == 0 && len(r.balls) < r.most {
		at := geom.At(3*r.random.Float32()-1.5, 4, 3*r.random.Float32()-1.5)
		colors := [...]uint32{0xC94F4F, 0x4F86C9, 0xD3A13F, 0x5FA068}
		e := r.things.NewWith(&at, new(physecs.Sphere(0.35)), new(render.Paint(colors[r.random.Intn(len(colors))])))
		r.bodies.Assign(e, &physecs.Body{})
		r.balls = append(r.balls, e)
	}
	lying := 0
	for _, ball := range r.balls {
		if at, _, _ := r.things.Get(ball); at.Position.Y < 1 {
			lying++
		}
	}
	if lying == r.most {
		end(w)
	}
}

// Finalize does nothing.
func (r *rain) Finalize(*ecs.World) {}
