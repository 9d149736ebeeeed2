package physecs

import (
	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/picking"
)

// Record writes the [Pointer] and the [Touches] of this frame, and the sizes of window and framebuffer in the [View]. Call it
// when they have been set and before the systems run. Played back by [Play] into a world that is the same, with a camera
// that is where it was, they make the same [Events].
//
// The time of the frame is the latest of any pointer. Toggle is not recorded: Play takes it from the modifier keys.
func Record(w *ecs.World, r *picking.Recorder) error {
	pointer, view := resourceOf(w, zero[Pointer]), resourceOf(w, zero[View])
	f := &resourceOf(w, zero[Pointers]).frame
	f.Time, f.Window, f.Framebuffer = pointer.Time, view.Window, view.Framebuffer
	f.Pointers = append(f.Pointers[:0], picking.PointerInput{ID: picking.Mouse, Input: pointer.Input, Captured: pointer.Captured})
	for _, t := range resourceOf(w, zero[Touches]).List {
		f.Time = max(f.Time, t.Time)
		f.Pointers = append(f.Pointers, picking.PointerInput{ID: t.ID, Input: t.Input})
	}
	return r.Record(f)
}

// Play sets [Pointer] and [Touches] to what was recorded of a frame, and the sizes in the [View] as [picking.Viewport.Resized]
// does. Call it instead of asking the window, and run the systems then. Missing resources are added.
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
}
