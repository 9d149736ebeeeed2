// Package picking turns the cursor into a ray, and what the ray hits into pointer events. [Camera]
// and [Viewport] make a [View], which returns rays, projects points and has a frustum. An [Orbit]
// moves a camera. A [Pointer] distinguishes hovering, clicking and dragging.
//
// Take the cursor from the window and a [View.Ray] from the view, cast the ray at a space with
// [PickFilter], and pass what it hits to [Pointer.Update]:
//
//	ray, inside := view.Ray(cursorX, cursorY) // a miss if the cursor is not over the view
//	hit, ok := space.CastRay(ray, picking.PickFilter())
//	input := picking.Input{X: cursorX, Y: cursorY, Inside: inside, Down: buttons}
//	for _, event := range pointer.Update(input, hit.Collider, ok) {
//		…
//	}
//
// # Events
//
// A [Pointer] takes, in each frame, the state of the device and what is under it, and returns what
// happened since the last frame: each an [Event] of an [EventKind] with a target. [Pointers] holds
// several pointers, such as fingers, each with an ID. Names and rules are those of a browser,
// except for the differences listed at [Pointer]:
//
//   - Events come in pairs: Over and Out, Enter and Leave, Down and Up, DragStart and DragEnd,
//     DragEnter and DragLeave, GotCapture and LostCapture. Each first event is followed by its
//     second exactly once, unless the target dies: dead targets receive no events.
//   - Events bubble from the target to its ancestors, as Pointer.Parent returns them, until a
//     handler calls [Event.Stop]. [EventsOf] returns the events for one target and its descendants.
//     Enter and Leave do not bubble: each ancestor has its own Enter and Leave when the pointer
//     moves onto it or one of its descendants, and off them.
//   - A Click is a press and a release near it, in window pixels and, if a limit is set, in time. A
//     press that moves farther is a drag and gives no Click. If press and release have different
//     targets, the click goes to their lowest common ancestor. Repeated clicks at one place are
//     counted.
//   - Each button presses and drags independently.
//   - A target that has captured the pointer is the only one hovered, wherever the pointer is. A
//     dragged target captures the pointer. What it is dragged over gets DragEnter, DragOver,
//     DragLeave and Drop, and no Over.
//   - If the window loses the focus or the pointer vanishes, presses and drags end with a Cancel,
//     without Click and Drop.
//
// Several backends can find what is under a pointer, each as a list of [Pick]. [MergePicks] sorts
// the lists by order and depth and drops what is hidden. [MergeCover] also returns the backdrop
// that hides the rest, such as the ground, whose hit events of the background carry. A [PixelDisc]
// lists the pixels around the pointer, for objects too thin to be hit exactly.
//
// A [Recorder] writes the input of a session as text, a line a frame, and [ReadFrames] reads it
// back. A recorded bug report becomes a test.
//
// # Several views, regions, and drags
//
// [Views] finds which of several views in a window is under the pointer, and keeps a drag in the
// view in which it began. A [Region] is a rectangle or a lasso in a view, and finds the colliders
// that touch it, lie in it, or are visible in it. A [Marquee] draws a region with a button. A
// [PlaneDrag], [AxisDrag], [RingDrag] or [SurfaceDrag] turns the pointer's rays into a movement. A
// [Gizmo] combines them into handles that move, turn and scale an object.
//
// # What is seen is what is picked
//
// A renderer fills a pixel with the nearest front face that covers the pixel's centre, between the
// near and the far plane. A picking ray finds the same surface under five conditions:
//
//   - The ray goes through the centre of the pixel under the cursor, not through the cursor.
//   - The pixel is floor(cursor · framebuffer / window), on each axis. The content scale of the
//     window system is often, but not always, the same factor. Read both sizes every frame: a
//     framebuffer may change its size after the window was made.
//   - The ray begins on the near plane and ends on the far plane, since nothing else is drawn.
//   - The ray culls back faces of meshes and planes if the renderer does. [PickFilter] culls them,
//     and ignores solids in which the ray starts.
//   - Both use the same matrices, multiplied in double precision: [Camera.Matrix] times an object's
//     own matrix, rounded for the shader as the last step. In single precision, 10 km from the
//     origin, thousands of the 921,600 pixels of a frame differ; in double precision about twenty.
//
// Two kinds of pixel may still differ: those whose centre is within 1/256 pixel of a projected
// edge, the resolution at which graphics hardware places edges, and those in which two surfaces
// have the same depth. Far from the origin the first margin grows, since the ray is single
// precision: 10 km away its origin is rounded to a millimetre, about a tenth of a pixel on objects
// some metres before the camera.
//
// # Worlds of many kilometres
//
// Single precision limits the size of a world; a floating origin lifts the limit. Every kilometre
// or so a game moves the origin of all coordinates to the camera with physics.Space.Rebase, and
// moves the camera with [Camera.Rebase] or [Orbit.Rebase]. Nothing else in this package stores a
// position across frames. Within a kilometre of the origin the origin of a ray is accurate to 1/30
// mm.
//
// # Conventions
//
// A camera looks along −Z with Y up. The cursor is in window pixels from the upper left corner, Y
// downward. Framebuffer pixels count from the lower left corner, Y upward, as in OpenGL. Angles are
// in radians, lengths in metres. Matrices are column-major and double precision.
//
// # Design
//
// The margin of a pick is measured in pixels and not in distances in space, and finds nothing
// hidden.
//
// A recording holds the input (pointers, keys by the game's names, sizes, viewports) and not its
// results, so that replaying it tests them.
//
// A lasso is cut into trapezoids, each a frustum, so that touching is as exact as with one frustum.
// A collider is contained if it touches the lasso and not the rest of the picture, which is cut up
// too.
package picking
