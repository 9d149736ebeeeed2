package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// app is the sandbox: a window, a world and the user's tools. A frame polls events, updates and
// draws.
type app struct {
	window     *render.Window
	renderer   *render.Renderer
	world      ecs.World
	systems    physecs.Simulation
	drag       physecs.DragSystem
	scene      *scene
	library    library
	transforms generic.Map[physecs.Transform]

	config   config
	shown    string // the scene, as config has it
	controls controls
	overlays overlays
	ray      clickRay
	press    press
	gizmo    gizmo
	marquee  marquee

	explanation explanation

	tape     tape
	costs    costs
	trees    trees
	spots    map[string]render.Rect // of panels and buttons, by their names in scripts
	keys     keyboard
	dragging bool // the user is moving the camera
	looked   bool // and has found out how to
	still    bool // the swarm is held still
	leaving  bool // the scene is to change with the next frame, to next
	next     string
	unseen   bool      // the next frame is not drawn
	last     time.Time // when the last frame began
	awake    int       // frames until the sandbox waits for events instead of drawing
}

// config holds the options of the command line.
type config struct {
	// File, or the name of a scene such as swarmScene; empty: the scene that the sandbox brings
	// along.
	scene         string
	upZ           bool
	things        int // in the swarm; 0: swarmSize
	width, height int
	hidden        bool
	noVSync       bool
	record        io.Writer       // of the pointer stream; may be nil
	replay        []picking.Frame // to be played instead of the pointer of the window
	// Each frame is a tick of the same length, whatever the clock says.
	steady bool
}

// swarmScene is the name of the scene of newSwarm.
const swarmScene = "swarm"

// scenes are those that the sandbox brings along, by name. The first one has none.
var scenes = map[string]func(a *app) (*scene, error){
	"":            func(a *app) (*scene, error) { return newDemo(&a.world, a.library) },
	swarmScene:    func(a *app) (*scene, error) { return newSwarm(&a.world, cmp.Or(a.config.things, swarmSize)) },
	arenaScene:    func(a *app) (*scene, error) { return newArena(&a.world) },
	cityScene:     func(a *app) (*scene, error) { return newCity(&a.world) },
	cornersScene:  func(a *app) (*scene, error) { return newCorners(&a.world) },
	stackScene:    func(a *app) (*scene, error) { return newStack(&a.world) },
	pileScene:     func(a *app) (*scene, error) { return newPile(&a.world, cmp.Or(a.config.things, pileSize)) },
	carScene:      func(a *app) (*scene, error) { return newCar(&a.world, geom.V(0, 0.8, -36)) },
	bridgeScene:   func(a *app) (*scene, error) { return newCar(&a.world, geom.V(0, deckHeight+0.8, -16)) },
	ragdollsScene: func(a *app) (*scene, error) { return newRagdolls(&a.world) },
	washerScene:   func(a *app) (*scene, error) { return newWasher(&a.world) },
	pyramidScene:  func(a *app) (*scene, error) { return newPyramid(&a.world) },
}

func newApp(c config) (*app, error) {
	a := &app{
		world: ecs.NewWorld(), config: c, tape: newTape(&c), library: library{}, overlays: defaultOverlays(),
		spots: map[string]render.Rect{},
	}
	if err := a.open(); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *app) open() (err error) {
	a.transforms = generic.NewMap[physecs.Transform](&a.world)
	// The scene is loaded first, so that a bad file is reported before a window opens.
	if err := a.fill(a.config.scene); err != nil {
		return err
	}
	c := &a.config
	a.window, err = render.Open(render.Options{
		Title: "hitscan sandbox", Width: c.width, Height: c.height, Hidden: c.hidden, NoVSync: c.noVSync,
	})
	if err != nil {
		return err
	}
	if a.renderer, err = render.NewRenderer(); err != nil {
		return err
	}
	a.present(a.window.Size())
	return nil
}

// fill fills the world with a scene.
func (a *app) fill(scene string) (err error) {
	a.systems.Initialize(&a.world)
	if build, ok := scenes[scene]; ok {
		a.scene, err = build(a)
	} else {
		a.scene, err = newFromFile(&a.world, a.library, scene, a.config.upZ)
	}
	if err == nil {
		a.scene.addUp()
	}
	a.shown = scene
	a.overlays.walking = scene == arenaScene
	a.systems.Pick.Choose = nil
	a.overlays.bodies = err == nil && a.scene.simulation != nil
	if a.overlays.bodies {
		a.systems.Pick.Choose = chooseByToggle
	}
	return err
}

// present puts the camera at the scene's first view, in a window of the given size.
func (a *app) present(size picking.Size) {
	if err := a.scene.upload(a.renderer); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
	}
	a.style()
	a.controls = controls{orbit: a.scene.home}
	if size.Width > 0 && size.Height > 0 {
		if _, ok := scenes[a.shown]; !ok {
			a.controls.orbit.Frame(a.bounds(a.scene.all), float64(size.Width)/float64(size.Height))
		} else if a.scene.arena == nil { // in which the camera is behind the character
			makeRoom(&a.controls.orbit, size, a.scene.size)
		}
		a.scene.home = a.controls.orbit
	}
	a.stayAwake()
}

// goTo makes the next frame show another scene or, if it is shown already, the one of the start: if
// it is that, the one of a start without -scene.
func (a *app) goTo(scene string) {
	if a.leaving, a.next = true, scene; a.shown != scene {
		return
	}
	if a.next = a.config.scene; a.next == scene {
		a.next = ""
	}
}

// leave switches to the next scene.
func (a *app) leave() error {
	size := a.view().Window // the last that a recording has
	a.world.Reset()
	a.ray, a.press, a.costs, a.still = clickRay{}, press{}, costs{}, false
	a.gizmo, a.marquee, a.explanation = gizmo{}, marquee{}, explanation{}
	if err := a.fill(a.next); err != nil {
		return err
	}
	a.present(size)
	return nil
}

// makeRoom moves the camera back and the scene down in small windows, where the panels cover more
// of the picture.
func makeRoom(o *picking.Orbit, window picking.Size, scene float32) {
	const width, height = 1280, 800
	if k := max(width/float64(window.Width), height/float64(window.Height)); k > 1 {
		o.Distance *= math.Pow(k, 0.45)
		o.Target.Y += float32(0.58*math.Log(k)) * scene
	}
}

func (a *app) close() {
	if a.renderer != nil {
		a.renderer.Close()
	}
	if a.window != nil {
		a.window.Close()
	}
}

// style fits shadows and grid to the size of the scene.
func (a *app) style() {
	s := &a.renderer.Style
	k := a.scene.size / 4 // the scene that the style was made for reaches about 4 m
	s.ShadowRange = 12 * k
	s.GridFade = 26 * k
	s.Fog = 78 * k
	s.GridSpacing = a.gridSpacing()
}

// gridSpacing returns the metres between two lines of the grid; 0 without a grid.
func (a *app) gridSpacing() float32 {
	if !a.overlays.grid {
		return 0
	}
	return float32(a.scene.unit())
}

// stayAwake keeps the sandbox drawing for some frames without events.
func (a *app) stayAwake() { a.awake = 12 }

// wait polls the events of one frame. After some frames without events it sleeps until the next
// one, so that an idle sandbox uses no CPU.
func (a *app) wait() {
	if a.moving() {
		a.window.Poll()
		return
	}
	if a.awake > 0 {
		a.awake--
		a.window.Poll()
	} else {
		a.window.Wait(time.Second)
	}
}

// moving reports whether the scene moves without input.
func (a *app) moving() bool { return a.scene.moves() && !a.still }

// frame handles the events and draws.
func (a *app) frame() error {
	if a.leaving {
		a.leaving = false
		if err := a.leave(); err != nil {
			return err
		}
	}
	if err := a.update(); err != nil {
		return err
	}
	a.drawPanels()
	a.overlays.draw(&a.renderer.Lines, a)
	a.renderer.Style.GridSpacing = a.gridSpacing()
	view := *a.view()
	if a.unseen {
		view.Framebuffer = picking.Size{} // as of a minimised window: what was collected is dropped
	}
	if err := a.renderer.Draw(&a.world, view); err != nil {
		return err
	}
	if !a.unseen {
		a.window.Present(a.renderer)
	}
	return nil
}

func (a *app) view() *physecs.View { return ecs.GetResource[physecs.View](&a.world) }

// update handles the input of a frame.
func (a *app) update() error {
	if err := a.tape.input(a); err != nil {
		return err
	}
	pointer := ecs.GetResource[physecs.Pointer](&a.world)
	if dx, dy := a.window.Drag(); dx != 0 || dy != 0 || pointer.ScrollY != 0 || pointer.Down|pointer.Pressed != 0 ||
		len(a.window.Typed()) > 0 || a.controls.moving() {
		a.stayAwake()
	}
	a.respond()
	return nil
}

// respond handles the keys and the pointer of this frame.
func (a *app) respond() {
	pointer := ecs.GetResource[physecs.Pointer](&a.world)
	a.typed(a.view().Viewport.Aspect())
	if arena := a.scene.arena; arena != nil {
		if arena.keys = a.keys.isDown; a.still {
			arena.keys = nil
		}
		a.looked = arena.chase.turn(gestureOf(pointer)) || a.looked || pointer.ScrollY != 0
		a.walk(a.passed())
		return
	}
	if c := a.scene.car; c != nil {
		c.keys = a.keys.isDown
	}
	a.act()
}

// act handles the pointer of this frame: camera, gizmo, marquee and world, in this order, until one
// uses it.
func (a *app) act() {
	pointer, view := ecs.GetResource[physecs.Pointer](&a.world), a.view()
	g := gestureOf(pointer)
	// In a recording, a pointer over a panel is outside. A drag of the camera continues there.
	g.captured = g.captured || a.gizmo.Gizmo.Active() || !pointer.Inside && a.controls.drag == dragNone
	a.dragging = a.controls.update(g, view.Viewport)
	pointer.Captured = pointer.Captured || a.dragging
	a.looked = a.looked || a.dragging || g.scroll != 0
	view.Camera = a.controls.orbit.Camera()

	handled := a.gizmo.update(a, pointer)
	pointer.Captured = handled || pointer.Captured

	a.tick(a.passed())

	if handled {
		a.ray.recast(a)
	}
	a.clicked(pointer)
	a.marquee.update(a, pointer)
	a.explanation.update(a)
	a.gizmo.follow(a)
}

// typed runs the actions of the keys pressed in this frame.
func (a *app) typed(aspect float64) {
	for _, k := range a.keys.typed {
		if a.scene.arena != nil && a.scene.arena.typed(k) {
			continue
		}
		if a.scene.car != nil && a.scene.car.typed(k) {
			continue
		}
		switch k {
		case "Escape":
			if a.gizmo.Cancel(&a.world) || a.marquee.cancel() {
				continue
			}
			a.window.SetShouldClose(true)
		case "Q":
			a.window.SetShouldClose(true)
		case "S":
			a.goTo(swarmScene)
		case "D":
			a.goTo(stackScene)
		case "U":
			a.goTo(pileScene)
		case "E":
			a.goTo(arenaScene)
		case "P":
			a.still = !a.still && a.scene.moves()
		case "Left", "Right":
			if m := a.scene.simulation; m != nil {
				if a.still = true; k == "Left" {
					m.seek(m.step - 1)
				} else {
					m.stepOnce()
				}
			}
		case "K":
			if m := a.scene.simulation; m != nil && m.puppet != nil {
				m.puppet.toggle()
			}
		case "R":
			a.controls.jumpTo(a.scene.home)
		case "F":
			selected := ecs.GetResource[physecs.Selection](&a.world).List()
			if len(selected) == 0 {
				selected = a.scene.all
			}
			a.controls.frame(a.bounds(selected), aspect)
		case "Plus":
			a.overlays.deeper(1)
		case "Minus":
			a.overlays.deeper(-1)
		default:
			if len(k) != 1 {
				continue
			}
			if c := rune(k[0]); !a.overlays.toggle(c) && a.scene.arena == nil {
				a.toolKey(c)
			}
		}
	}
}

// bounds returns the box around entities.
func (a *app) bounds(entities []ecs.Entity) geom.AABB {
	space := physecs.Sync(&a.world)
	b := geom.EmptyAABB()
	for _, e := range entities {
		if box, ok := space.Bounds(e); ok {
			b = b.Union(box)
		}
	}
	return b
}

// triangle returns the triangle of a hit in world space, and false if the mesh is gone.
func (a *app) triangle(h *physecs.Hit) (geom.Triangle, bool) {
	m := a.scene.meshOf(h.Entity)
	if m == nil || int(h.Triangle) >= m.NumTriangles() {
		return geom.Triangle{}, false
	}
	t, at := m.Triangle(int(h.Triangle)), a.transforms.Get(h.Entity).Affine()
	return geom.Triangle{A: at.Point(t.A), B: at.Point(t.B), C: at.Point(t.C)}, true
}
