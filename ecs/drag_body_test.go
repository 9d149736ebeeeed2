package physecs

import (
	"math"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
)

// yard is a bodyWorld with a camera and a pointer.
type yard struct {
	*bodyWorld
	simulation Simulation
	view       *View
	pointer    *Pointer
	drags      *Drags
	draggables generic.Map1[Draggable]
}

// lenses are projections of which each shows what yard's camera is to see.
var lenses = map[string]picking.Projection{
	"perspective":  picking.Perspective(1, 0.1, 100),
	"orthographic": picking.Orthographic(12, 0.1, 100),
}

func newYard(lens picking.Projection) *yard {
	y := &yard{bodyWorld: newFloorWorld(), simulation: Simulation{Paused: true}}
	y.simulation.Initialize(y.World)
	y.view, y.pointer = ecs.GetResource[View](y.World), ecs.GetResource[Pointer](y.World)
	y.drags, y.draggables = ecs.GetResource[Drags](y.World), generic.NewMap1[Draggable](y.World)
	y.view.LookAt(geom.V(1, 4, 12), geom.V(0, 2, 0), geom.V(0, 1, 0))
	y.view.Projection = lens
	size := picking.Size{Width: 1000, Height: 700}
	y.view.Viewport = picking.FullViewport(size, size)
	return y
}

// toy adds a crate that can be dragged.
func (y *yard) toy(t Transform, b Body) ecs.Entity {
	e := y.crate(t, b)
	y.draggables.Assign(e, &Draggable{})
	return e
}

// frame moves the pointer to where a point is seen, and runs a frame.
func (y *yard) frame(at geom.Vec3, down ...picking.Button) {
	x, cy, _, _ := y.view.Project(at)
	y.pointer.Input = picking.Input{X: x, Y: cy, Inside: true, Down: picking.ButtonSet(down...)}
	y.system.Update(y.World)
	y.simulation.Update(y.World)
}

// pull presses at a point and moves the pointer to another, in frames.
func (y *yard) pull(from, to geom.Vec3, frames int) {
	y.frame(from)
	y.frame(from, picking.Left)
	for i := range frames {
		y.frame(from.Lerp(to, float32(i+1)/float32(frames)), picking.Left)
	}
}

func (y *yard) at(e ecs.Entity) geom.Vec3 { return y.transforms.Get(e).Position }

// A sleeping crate is pressed, wakes, and the point that was grabbed follows the pointer, in front
// of what it was behind. It keeps its velocity when the button is released.
func TestDragBody(t *testing.T) {
	for name, lens := range lenses {
		t.Run(name, func(t *testing.T) {
			y := newYard(lens)
			e := y.toy(geom.At(0, 0.5, 0), Body{Weightless: true, AngularDamping: 10})
			y.run(120)
			require.False(t, y.dynamics().IsAwake(e))
			grabbed := geom.V(0.2, 0.6, 0.5)
			y.frame(grabbed)
			y.frame(grabbed, picking.Left)
			require.Empty(t, y.drags.List)
			y.run(1)
			require.False(t, y.dynamics().IsAwake(e), "a press alone does nothing")
			y.pull(grabbed, geom.V(-2, 3, 0.5), 20)
			require.True(t, y.dynamics().IsAwake(e))
			for range 180 {
				y.frame(geom.V(-2, 3, 0.5), picking.Left)
			}
			require.Len(t, y.drags.List, 1)
			d := y.drags.List[0]
			assert.Equal(t, e, d.Entity)
			// The ray goes through the centre of a pixel, which is 0.02 m here.
			assert.InDelta(t, 0, d.Point.Distance(geom.V(0.2, 0.1, 0.5)), 0.02)
			px, py, _, _ := y.view.Project(d.Target)
			wx, wy, _, _ := y.view.Project(geom.V(-2, 3, 0.5))
			assert.InDelta(t, wx, px, 0.51)
			assert.InDelta(t, wy, py, 0.51)
			forward := y.view.Rotation.Rotate(geom.V(0, 0, -1))
			assert.InDelta(t, forward.Dot(grabbed.Sub(d.Target)), 0, 0.02, "at the depth at which it was grabbed")
			// The spring is critically damped at 31 rad/s, and nothing else pulls: after 3 s it is
			// at rest within rounding.
			tr := y.transforms.Get(e)
			assert.InDelta(t, 0, tr.Position.Add(tr.Rotation.Rotate(d.Point)).Distance(d.Target), 1e-3)

			for i := range 10 { // thrown
				y.frame(geom.V(-2+0.1*float32(i), 3, 0.5), picking.Left)
			}
			id, _ := y.dynamics().Body(e)
			before, _, _ := y.dynamics().Rigid().Velocity(id)
			require.Greater(t, before.Len(), float32(1))
			y.frame(geom.V(-1, 3, 0.5))
			y.run(1)
			after, _, _ := y.dynamics().Rigid().Velocity(id)
			last := before
			y.run(1)
			end, _, _ := y.dynamics().Rigid().Velocity(id)
			assert.Equal(t, after, end, "nothing pulls at it")
			assert.Less(t, after.Distance(last), float32(2), "a step of the spring")
			assert.Empty(t, y.drags.List)
			assert.Zero(t, y.dynamics().Rigid().NumJoints())
		})
	}
}

// A body stays on its side of a thin wall that the pointer passes through, alone and as the light
// end of a heavy chain.
func TestDragAtAWall(t *testing.T) {
	for name, lens := range lenses {
		// A spring of 60 Hz, that of contacts with what does not move, gives way by F/(m·ω²): 0.7
		// mm at the 100 m/s² of the body alone, and 6.3 mm at the 900 m/s² of both, if it acts at
		// its centre. At a corner a cube has a fourth of its mass.
		for heavy, depth := range map[bool]float32{false: 4 * 0.0007, true: 4 * 0.0063} {
			t.Run(name, func(t *testing.T) {
				y := newYard(lens)
				y.add(geom.At(2, 5, 0), Box(geom.V(0.05, 5, 3)))
				e := y.toy(geom.At(0, 0.5, 0), Body{Mass: 2})
				if heavy {
					other := y.crate(geom.At(-1.5, 0.5, 0), Body{Mass: 80})
					y.connect(y.dynamics().JointAt(y.World, rigid.BallJoint, e, other, geom.V(-0.75, 0.5, 0), geom.V(1, 0, 0)))
				}
				y.run(30)
				y.pull(geom.V(0, 0.5, 0.5), geom.V(6, 2, 0.5), 20)
				farthest := float32(0)
				for range 240 {
					y.frame(geom.V(6, 2, 0.5), picking.Left)
					for _, corner := range [...]geom.Vec3{{X: 0.5, Y: 0.5, Z: 0.5}, {X: 0.5, Y: -0.5, Z: 0.5}, {X: 0.5, Y: 0.5, Z: -0.5}, {X: 0.5, Y: -0.5, Z: -0.5}} {
						tr := y.transforms.Get(e)
						for range 2 {
							farthest = max(farthest, tr.Position.Add(tr.Rotation.Rotate(corner)).X)
							corner.X = -corner.X
						}
					}
				}
				assert.Greater(t, farthest, float32(1.9), "it is pulled to the wall")
				assert.Less(t, farthest, float32(1.95)+depth+rigidSlop)
			})
		}
	}
}

// rigidSlop is the depth in metres that contacts leave to bodies at rest.
const rigidSlop = 0.005

// Whatever ends during a drag ends it: the entity, its Body, the Draggable, the window's focus.
func TestDragEnds(t *testing.T) {
	for name, end := range map[string]func(y *yard, e ecs.Entity){
		"the entity dies":        func(y *yard, e ecs.Entity) { y.RemoveEntity(e) },
		"it is no body":          func(y *yard, e ecs.Entity) { y.Remove(e, y.body) },
		"it is not draggable":    func(y *yard, e ecs.Entity) { y.Remove(e, ecs.ComponentID[Draggable](y.World)) },
		"it becomes kinematic":   func(y *yard, e ecs.Entity) { y.bodies.Get(e).Kind = rigid.Kinematic },
		"the world is reset":     func(y *yard, _ ecs.Entity) { y.Reset() },
		"a NaN":                  func(y *yard, e ecs.Entity) { y.draggables.Get(e).Hertz = float32(math.NaN()) },
		"the button is released": nil,
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(lenses["perspective"])
			e := y.toy(geom.At(0, 0.5, 0), Body{})
			y.run(10)
			y.pull(geom.V(0, 0.5, 0.5), geom.V(1, 2, 0.5), 5)
			require.Len(t, y.drags.List, 1)
			y.run(1)
			require.Equal(t, 1, y.dynamics().Rigid().NumJoints())
			if end != nil {
				end(y, e)
				y.simulation.Drag.Update(y.World)
				y.system.Update(y.World)
				assert.Zero(t, y.dynamics().Rigid().NumJoints())
				if name == "a NaN" {
					assert.Contains(t, y.reasons()[e], "Hertz is NaN")
				}
				return
			}
			y.frame(geom.V(1, 2, 0.5))
			y.run(1)
			assert.Zero(t, y.dynamics().Rigid().NumJoints())
			y.run(300)
			y.frame(geom.V(1, 2, 0.5), picking.Left)
			y.frame(geom.V(2, 2, 0.5), picking.Left)
			assert.Empty(t, y.drags.List, "nothing is pressed")
		})
	}
}

// The nearest Draggable on the way up counts, for the body of the pressed collider; a handler that
// stops the event below it prevents the drag. Other buttons drag nothing.
func TestDragBubbles(t *testing.T) {
	for _, stops := range []bool{false, true} {
		y := newYard(lenses["orthographic"])
		owner := y.toy(geom.At(0, 0.5, 0), Body{})
		child := y.adopt(y.add(Transform{}, Box(geom.V(0.3, 0.3, 0.3))), owner, LocalTransform(geom.At(0, 0.8, 0)))
		y.run(60)
		if stops {
			ecs.GetResource[Handlers](y.World).On(child, picking.DragStart, func(_ *ecs.World, e *Event) { e.Stop() })
		}
		pressed := geom.V(0, 1.35, 0.3)
		y.frame(pressed)
		require.Equal(t, child, ecs.GetResource[Hover](y.World).Entity)
		y.frame(pressed, picking.Right)
		y.frame(geom.V(0, 2, 0.3), picking.Right)
		require.Empty(t, y.drags.List)
		y.pull(pressed, geom.V(0, 3, 0.3), 5)
		if stops {
			assert.Empty(t, y.drags.List)
			continue
		}
		require.Len(t, y.drags.List, 1)
		assert.Equal(t, owner, y.drags.List[0].Entity)
		for range 60 {
			y.frame(geom.V(0, 3, 0.3), picking.Left)
		}
		assert.Greater(t, y.at(owner).Y, float32(1.5))
		testenv.AllocatesNothing(t, 10, func() {
			y.simulation.Drag.Update(y.World)
			y.system.Update(y.World)
		})
	}
}

// Two fingers hold a plank by its ends, through the same view.
func TestDragByTouches(t *testing.T) {
	y := newYard(lenses["perspective"])
	e := y.crates.NewWith(new(geom.At(0, 0.1, 0)), new(Box(geom.V(1.5, 0.1, 0.3))), &Body{AngularDamping: 5})
	y.draggables.Assign(e, &Draggable{})
	touches := ecs.GetResource[Touches](y.World)
	fingers := func(height float32, down ...picking.Button) {
		touches.List = touches.List[:0]
		for i, x := range [...]float32{-1.3, 1.3} {
			cx, cy, _, _ := y.view.Project(geom.V(x, height, 0))
			touches.List = append(touches.List, Touch{ID: picking.PointerID(i + 5), Input: picking.Input{X: cx, Y: cy, Inside: true, Down: picking.ButtonSet(down...)}})
		}
		y.frame(geom.V(-20, 30, 0))
	}
	y.run(10)
	fingers(0.2)
	for i := range 120 {
		fingers(0.2+min(0.05*float32(i), 2), picking.Left)
	}
	require.Len(t, y.drags.List, 2)
	tr := y.transforms.Get(e)
	assert.InDelta(t, 2.1, tr.Position.Y, 0.1)
	assert.Greater(t, tr.Rotation.Rotate(geom.V(0, 1, 0)).Y, float32(0.9))
	fingers(2.2)
	y.run(1)
	assert.Zero(t, y.dynamics().Rigid().NumJoints())
}

// Drags are inputs: with the same lists the updates after a Restore give the same bits, and a
// Rebase moves them. What was pulled at the time of the state is released if it is not pulled now.
func TestDragsRestore(t *testing.T) {
	y := newYard(lenses["perspective"])
	e := y.toy(geom.At(0, 0.5, 0), Body{})
	y.run(10)
	var early, late DynamicsState
	y.dynamics().Save(y.World, &early)
	y.pull(geom.V(0.2, 0.5, 0.5), geom.V(1, 3, 0.5), 10)
	y.dynamics().Save(y.World, &late)
	held := slices.Clone(y.drags.List)
	play := func() geom.Vec3 {
		for i := range 30 {
			y.drags.List = append(y.drags.List[:0], held...)
			y.drags.List[0].Target.X += 0.1 * float32(i)
			y.run(1)
		}
		return y.at(e)
	}
	want := play()
	y.drags.List = nil
	y.run(40)
	y.dynamics().Restore(y.World, &late)
	require.Equal(t, want, play())
	Rebase(y.World, geom.DVec3{X: 64, Y: 2, Z: -16})
	require.InDelta(t, held[0].Target.X+2.9-64, y.drags.List[0].Target.X, 1e-4)
	y.dynamics().Restore(y.World, &late)
	require.Equal(t, want, play())
	y.dynamics().Restore(y.World, &early)
	y.drags.List = nil
	y.run(60)
	require.Zero(t, y.dynamics().Rigid().NumJoints())
	y.dynamics().Restore(y.World, &late)
	y.run(1)
	require.Zero(t, y.dynamics().Rigid().NumJoints(), "the joint of the state is removed")
}

// While a pointer has no ray, as in a window without area, a Rebase moves what it pulls towards.
func TestDragWithoutARayIsRebased(t *testing.T) {
	y := newYard(lenses["perspective"])
	e := y.toy(geom.At(0, 0.5, 0), Body{AngularDamping: 10})
	y.run(10)
	y.pull(geom.V(0, 0.5, 0.5), geom.V(1, 2, 0.5), 20)
	y.view.Viewport = picking.Viewport{}
	tick := func() {
		y.system.Update(y.World)
		y.simulation.Update(y.World)
	}
	for range 120 {
		tick()
	}
	before := y.at(e)
	require.Len(t, y.drags.List, 1)
	target := y.drags.List[0].Target
	Rebase(y.World, geom.DVec3{X: 1024})
	y.view.Position.X -= 1024
	for range 60 {
		tick()
	}
	require.Len(t, y.drags.List, 1)
	assert.InDelta(t, target.X-1024, y.drags.List[0].Target.X, 1e-3)
	assert.InDelta(t, before.X-1024, y.at(e).X, 0.01)
}
