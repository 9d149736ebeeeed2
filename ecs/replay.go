package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Keys is the resource of games in which keys belong to a session that is recorded: what the
// keyboard does in this frame, by names that the game gives. The game sets it before [Record], and
// in a replay [Play] does. A game without it hears nothing of keys.
type Keys = picking.Keys

// Record writes the [Pointer] and the [Touches] of this frame, [Keys] if the world has them, the
// sizes of window and framebuffer, and where [Views] has its views. Call it when all these have
// been set and before the systems run. Played back by [Play] into a world that is the same, with
// cameras that are where they were, they make the same [Events].
//
// The sizes are those of the first of the Views, if there are any: [View] is then what [ViewSystem]
// left. Else they are those of View. The time of the frame is the latest of any pointer. Toggle is
// not recorded: Play takes it from the modifier keys.
func Record(w *ecs.World, r *picking.Recorder) error {
	pointer, view := resourceOf(w, zero[Pointer]), resourceOf(w, zero[View])
	f := &resourceOf(w, zero[Pointers]).frame
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
	for _, t := range resourceOf(w, zero[Touches]).List {
		f.Time = max(f.Time, t.Time)
		f.Pointers = append(f.Pointers, picking.PointerInput{ID: t.ID, Input: t.Input})
	}
	return r.Record(f)
}

// Play sets [Pointer] and [Touches] to what was recorded of a frame, and the sizes in the [View] as
// [picking.Viewport.Resized] does. Call it instead of asking the window, and run the systems then.
// Missing resources are added, [Keys] only by the first frame that has some.
//
// Views that the game has put into [Views] go where those of the same place in the list were, with
// their sizes; their cameras are the game's.
func Play(w *ecs.World, f *picking.Frame) {
	pointer, touches, view := resourceOf(w, zero[Pointer]), resourceOf(w, zero[Touches]), resourceOf(w, zero[View])
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
		keys = resourceOf(w, zero[Keys])
	}
	if keys != nil { // copied, since a game may keep and change its own
		keys.Down = append(keys.Down[:0], f.Keys.Down...)
		keys.Pressed = append(keys.Pressed[:0], f.Keys.Pressed...)
	}
}
