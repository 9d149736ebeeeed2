package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Keys is the resource that holds the keys of this frame, for games whose recorded sessions include
// keys: names that the game gives. The game sets it before [Record], and [Play] sets it in a
// replay. Games without it record no keys.
type Keys = picking.Keys

// Record writes the [Pointer] and the [Touches] of this frame, [Keys] if the world has them, the
// sizes of window and framebuffer, and the viewports of [Views]. Call it when all these are set and
// before the systems run. Played back by [Play] into an equal world with equal cameras they make
// the same [Events].
//
// The sizes are those of the first of the Views, if there are any, since [ViewSystem] overwrites
// [View]; else those of View. The time of the frame is the latest of any pointer. Toggle is not
// recorded: Play derives it from the modifier keys.
func Record(w *ecs.World, r *picking.Recorder) error {
	pointer, view := resourceOf[Pointer](w), resourceOf[View](w)
	f := &resourceOf[Pointers](w).frame
	f.Views, f.Keys = f.Views[:0], Keys{}
	if views := findResource[Views](w); views != nil && len(views.List) > 0 {
		view = &views.List[0]
		for i := range views.List {
			f.Views = append(f.Views, views.List[i].Viewport)
		}
	}
	if keys := findResource[Keys](w); keys != nil {
		f.Keys = *keys
	}
	f.Time, f.Window, f.Framebuffer = pointer.Time, view.Window, view.Framebuffer
	f.Pointers = append(f.Pointers[:0], picking.PointerInput{ID: picking.Mouse, Input: pointer.Input, Captured: pointer.Captured})
	for _, t := range resourceOf[Touches](w).List {
		f.Time = max(f.Time, t.Time)
		f.Pointers = append(f.Pointers, picking.PointerInput{ID: t.ID, Input: t.Input})
	}
	return r.Record(f)
}

// Play sets [Pointer] and [Touches] to those of a recorded frame, and the sizes in the [View] as
// [picking.Viewport.Resized] does. Call it instead of reading the window's input, and run the
// systems then. It adds missing resources; [Keys] with the first frame that has some.
//
// Viewports in [Views] are set to those recorded at the same index of the list; cameras are not
// recorded.
func Play(w *ecs.World, f *picking.Frame) {
	pointer, touches, view := resourceOf[Pointer](w), resourceOf[Touches](w), resourceOf[View](w)
	*pointer = Pointer{}
	pointer.Time = f.Time
	touches.List = touches.List[:0]
	for _, p := range f.Pointers {
		if p.ID == picking.Mouse {
			*pointer = Pointer{Input: p.Input, Captured: p.Captured, Toggle: p.Mods.HasAny(picking.ToggleMods)}
		} else {
			p.Inside = p.Inside && !p.Captured
			touches.List = append(touches.List, Touch{ID: p.ID, Input: p.Input})
		}
	}
	view.Viewport = view.Resized(f.Window, f.Framebuffer)
	if views := findResource[Views](w); views != nil {
		for i := range min(len(views.List), len(f.Views)) {
			views.List[i].Viewport = f.Views[i]
		}
	}
	keys := findResource[Keys](w)
	if keys == nil && len(f.Keys.Down)+len(f.Keys.Pressed) > 0 {
		keys = resourceOf[Keys](w)
	}
	if keys != nil { // copied, since the game may keep and change its own
		keys.Down = append(keys.Down[:0], f.Keys.Down...)
		keys.Pressed = append(keys.Pressed[:0], f.Keys.Pressed...)
	}
}
