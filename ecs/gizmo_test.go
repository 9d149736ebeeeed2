package physecs

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// studio is a world with a tank, its turret and a crate, all of them selected.
type studio struct {
	*game
	t                   *testing.T
	sim                 Simulation
	gizmo               GizmoSystem
	tank, turret, crate ecs.Entity
	edits               [][]GizmoEdit
	clicks              int
}

func newStudio(t *testing.T) *studio {
	s := &studio{game: newGame(), t: t}
	s.sim.Initialize(s.World)
	s.gizmo.Initialize(s.World)
	s.sim.Before(&s.sim.Raycast, "gizmo", s.gizmo.Update)
	s.sim.Marquee = &MarqueeSystem{}
	s.gizmo.Edited = func(_ *ecs.World, edits []GizmoEdit) { s.edits = append(s.edits, edits) }
	s.tank = s.add(geom.At(-1, 0, 0), Box(geom.V(0.4, 0.4, 0.4)))
	s.turret = s.adopt(s.add(geom.Transform{}, Sphere(0.2)), s.tank, LocalTransform(geom.At(0, 0.6, 0)))
	s.crate = s.add(geom.Transform{Position: geom.V(1, 0, 0), Rotation: geom.QuatEuler(0.3, 0, 0)}, Box(geom.V(0.4, 0.4, 0.4)))
	view := Resource[View](s.World)
	view.Projection = picking.Perspective(0.8, 0.1, 100)
	view.LookAt(geom.V(2, 3, 8), geom.Vec3{}, geom.V(0, 1, 0))
	view.Viewport = picking.FullViewport(picking.Size{Width: 800, Height: 600}, picking.Size{Width: 800, Height: 600})
	Resource[Selection](s.World).Set(s.tank, s.turret, s.crate)
	s.frame(0, 0, 0)
	return s
}

// frame is an update with the pointer at a place.
func (s *studio) frame(x, y float64, down picking.Buttons) *Pointer {
	p := Resource[Pointer](s.World)
	*p = Pointer{Input: picking.Input{X: x, Y: y, Inside: true, Down: down}}
	s.sim.Update(s.World)
	for _, e := range Resource[Events](s.World).List {
		if e.Kind == picking.Click || e.Kind == picking.DragStart {
			s.clicks++
		}
	}
	return p
}

// handle returns where a handle is seen.
func (s *studio) handle(h picking.GizmoHandle) (x, y float64) {
	view := *Resource[View](s.World)
	for _, l := range s.gizmo.Gizmo.Lines(nil, view, *s.transforms.Get(s.gizmo.Entity)) {
		if l.Handle == h {
			x, y, _, ok := view.Project(l.A.Add(l.B.Sub(l.A).Mul(0.6)))
			require.True(s.t, ok)
			return x, y
		}
	}
	s.t.Fatalf("no handle %v", h)
	return 0, 0
}

func (s *studio) positions() [3]geom.Vec3 {
	return [3]geom.Vec3{s.transforms.Get(s.tank).Position, s.transforms.Get(s.turret).Position, s.transforms.Get(s.crate).Position}
}

func TestGizmoSystemMovesTheSelection(t *testing.T) {
	s := newStudio(t)
	left := picking.ButtonSet(picking.Left)
	require.Equal(t, s.crate, s.gizmo.Entity, "selected last")
	before := s.positions()
	x, y := s.handle(picking.HandleX)
	assert.True(t, s.frame(x, y, 0).Captured, "over a handle")
	assert.True(t, s.frame(x, y, left).Captured)
	for n := range 5 {
		assert.True(t, s.frame(x+20*float64(n+1), y, left).Captured)
		assert.True(t, s.gizmo.Gizmo.Active())
	}
	assert.True(t, s.frame(x+100, y, 0).Captured, "the frame of the release")
	assert.False(t, s.gizmo.Gizmo.Active())
	after := s.positions()
	for i := range after {
		by := after[i].Sub(before[i])
		assert.Greater(t, by.X, float32(0.5))
		assert.InDelta(t, 0, geom.V(0, by.Y, by.Z).Len(), 1e-5, "along X")
		assert.InDelta(t, after[2].Sub(before[2]).X, by.X, 1e-5, "all by the same distance, the turret not twice")
	}
	require.Len(t, s.edits, 1)
	require.Len(t, s.edits[0], 2, "the turret follows the tank")
	assert.Equal(t, []ecs.Entity{s.tank, s.turret, s.crate}, Resource[Selection](s.World).List())
	assert.Zero(t, s.clicks)
	s.gizmo.Undo(s.World, s.edits[0])
	s.frame(5, 5, 0)
	assert.Equal(t, before, s.positions())

	// A press beside the handles is a click of the world, and moving over one does not grab it.
	assert.False(t, s.frame(20, 20, left).Captured)
	s.frame(x, y, left)
	assert.False(t, s.gizmo.Gizmo.Active())
	s.frame(20, 20, 0)
}

// A game that sets the Input of the Pointer alone gets the pointer back beside the handles, and one
// that captures it itself keeps it.
func TestGizmoSystemLetsGoOfThePointer(t *testing.T) {
	s := newStudio(t)
	p := Resource[Pointer](s.World)
	x, y := s.handle(picking.HandleX)
	for _, at := range [][2]float64{{x, y}, {5, 5}, {x, y}, {x, y}, {5, 5}} {
		p.Input = picking.Input{X: at[0], Y: at[1], Inside: true}
		s.sim.Update(s.World)
		assert.Equal(t, at[0] == x, p.Captured)
	}
	p.Captured = true
	for _, at := range []float64{5, x, 5} {
		p.X = at
		s.sim.Update(s.World)
		assert.True(t, p.Captured)
	}
}

func TestGizmoSystemTurnsAndScales(t *testing.T) {
	s := newStudio(t)
	left := picking.ButtonSet(picking.Left)
	drag := func(h picking.GizmoHandle, dx, dy float64) {
		x, y := s.handle(h)
		s.frame(x, y, 0)
		s.frame(x, y, left)
		s.frame(x+dx, y+dy, left)
	}
	s.gizmo.Gizmo.Mode = picking.GizmoTurn
	before := s.positions()
	drag(picking.HandleY, 50, 10)
	after := s.positions()
	assert.Equal(t, before[2], after[2], "the centre of the handles")
	assert.InDelta(t, before[0].Sub(before[2]).Len(), after[0].Sub(after[2]).Len(), 1e-5)
	assert.Greater(t, after[0].Sub(before[0]).Len(), float32(0.1))
	assert.InDelta(t, before[0].Y, after[0].Y, 1e-5, "about Y")
	assert.True(t, s.gizmo.Cancel(s.World))
	s.frame(400, 300, left)
	assert.InDelta(t, 0, s.positions()[0].Sub(before[0]).Len(), 1e-6)
	assert.True(t, Resource[Pointer](s.World).Captured, "until the button is up")
	s.frame(400, 300, 0)
	assert.Empty(t, s.edits)

	s.gizmo.Gizmo.Mode = picking.GizmoScale
	drag(picking.HandleCenter, 60, -60)
	a, b := s.transforms.Get(s.tank).Factors(), s.transforms.Get(s.crate).Factors()
	assert.Greater(t, a.X, float32(1.1))
	assert.InDelta(t, a.X, b.Y, 1e-5)
	assert.Equal(t, before[0], s.transforms.Get(s.tank).Position, "about its own origin")
	*Resource[Pointer](s.World) = Pointer{Input: picking.Input{Unfocused: true}}
	s.sim.Update(s.World)
	assert.Equal(t, geom.V(1, 1, 1), s.transforms.Get(s.tank).Factors(), "cancelled without the focus")

	// The one that has the handles dies.
	x, y := s.handle(picking.HandleCenter)
	s.frame(x, y, 0)
	s.frame(x, y, left)
	require.True(t, s.gizmo.Gizmo.Active())
	s.RemoveEntity(s.crate)
	s.frame(x+30, y, left)
	assert.False(t, s.gizmo.Gizmo.Active())
	s.frame(x+30, y, 0)
	s.frame(x+30, y, 0)
	assert.Equal(t, s.turret, s.gizmo.Entity)
	s.gizmo.Disabled = true
	s.frame(x, y, 0)
	assert.Zero(t, s.gizmo.Entity)
	assert.Zero(t, s.clicks)
}
