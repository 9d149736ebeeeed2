package render

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// System is a window and a renderer with the methods of arche-model's UI systems: InitializeUI,
// UpdateUI, PostUpdateUI and FinalizeUI. Call them from the main goroutine. The zero System opens a
// window in InitializeUI and closes it in FinalizeUI. It draws the world from the resource
// physecs.View, whose camera the game sets; or, if physecs.Views exists and its list is not empty,
// from all views of the list.
type System struct {
	Options  Options   // for the window, if InitializeUI opens it
	Window   *Window   // nil: InitializeUI opens one, and FinalizeUI closes it
	Renderer *Renderer // nil: InitializeUI makes one, and FinalizeUI closes it

	// Paint, if not nil, is called before each frame is drawn, to add lines and panels to it.
	Paint func(w *ecs.World, r *Renderer)
	// Closed, if not nil, is called when the user has asked to close the window, for example to end
	// the simulation.
	Closed func(w *ecs.World)

	ownWindow, ownRenderer bool
}

// InitializeUI makes the missing window and renderer and adds the missing resources. Panics if
// there is no display or no OpenGL 3.3, since the interface has no error; to handle that, open the
// window with [Open] and set Window.
func (s *System) InitializeUI(w *ecs.World) {
	var err error
	if s.Window == nil {
		if s.Window, err = Open(s.Options); err != nil {
			panic(err)
		}
		s.ownWindow = true
	}
	if s.Renderer == nil {
		if s.Renderer, err = NewRenderer(); err != nil {
			panic(err)
		}
		s.ownRenderer = true
	}
	s.Renderer.scene.bind(w)
	resource[physecs.Meshes](w)
	resource[physecs.Hover](w)
	resource[physecs.Selection](w)
	s.Window.Feed(w, &s.Renderer.HUD)
}

// UpdateUI draws the world. Panics before InitializeUI, and if the driver reports an error.
func (s *System) UpdateUI(w *ecs.World) {
	s.mustBeInitialized("UpdateUI")
	if s.Paint != nil {
		s.Paint(w, s.Renderer)
	}
	var err error
	if views, ok := w.Resources().Get(ecs.ResourceID[physecs.Views](w)).(*physecs.Views); ok && len(views.List) > 0 {
		err = s.Renderer.DrawViews(w, views.List...)
	} else {
		err = s.Renderer.Draw(w, *resource[physecs.View](w))
	}
	if err != nil {
		panic(err) // the graphics card is lost or out of memory
	}
}

func (s *System) mustBeInitialized(caller string) {
	if s.Window == nil || s.Renderer == nil {
		panic("render: System." + caller + ": call InitializeUI first")
	}
}

// PostUpdateUI shows the image, polls the window's events and passes them to the world for its next
// update. Panics before InitializeUI.
func (s *System) PostUpdateUI(w *ecs.World) {
	s.mustBeInitialized("PostUpdateUI")
	s.Window.Present(s.Renderer)
	s.Window.Poll()
	s.Window.Feed(w, &s.Renderer.HUD)
	if s.Window.ShouldClose() && s.Closed != nil {
		s.Closed(w)
	}
}

// FinalizeUI closes what InitializeUI made.
func (s *System) FinalizeUI(*ecs.World) {
	if s.ownRenderer {
		s.Renderer.Close()
		s.Renderer, s.ownRenderer = nil, false
	}
	if s.ownWindow {
		s.Window.Close()
		s.Window, s.ownWindow = nil, false
	}
}
