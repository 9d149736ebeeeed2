// Package picking goes from the cursor to a ray, and from what the ray hits to events: [Camera],
// [Viewport] and the [View] that both make up, the [Frustum] of what is seen, an [Orbit] to move a
// camera with, and the [Pointer], which tells hovering, clicking and dragging apart.
//
// Take the cursor from the window, a [View.Ray] from the view, cast it with [PickFilter] at a
// space, and give what it hits to [Pointer.Update]:
//
//	ray, inside := view.Ray(cursorX, cursorY) // zero, and so a miss, if the cursor is not over the view
//	hit, ok := space.CastRay(ray, picking.PickFilter())
//	input := picking.Input{X: cursorX, Y: cursorY, Inside: inside, Down: buttons}
//	for _, event := range pointer.Update(input, hit.Collider, ok) {
//		…
//	}
//
// # Events
//
// A [Pointer] is given the state of the device and what is under it, frame by frame, and tells what
// happened, each an [Event] of an [EventKind]. [Pointers] are several, such as fingers, each with
// an ID. All of it is by target, and names and rules are those that a UI programmer knows from a
// browser, but for what [Pointer] names:
//
//   - What begins ends, once, unless the target dies, which then hears nothing any more: Over and
//     Out, Enter and Leave, Down and Up, DragStart and DragEnd, DragEnter and DragLeave, GotCapture
//     and LostCapture.
//   - Events bubble from the target to its ancestors, told by Pointer.Parent, until one calls
//     [Event.Stop]; [EventsOf] reads those that are for one of them. Enter and Leave do not bubble:
//     each ancestor is told when it begins and ceases to have the pointer over it or a descendant.
//   - A Click is a press and a release that is near it in the window, and perhaps in time. One
//     further away is a drag, and no Click. On two children of one parent it is the parent that is
//     clicked. Clicks that follow one another at one place are counted.
//   - Each button presses and drags by itself.
//   - Who has captured the pointer is hovered alone, wherever it is. What is dragged has, so that
//     what it is dragged over is told by DragEnter, DragOver, DragLeave and Drop, and not by Over.
//   - Losing the focus, or a pointer that vanishes, ends what was begun with a Cancel, and without
//     Click and Drop.
//
// What is under a pointer can come from several backends, each a list of [Pick]; [MergePicks] puts
// them in order and knows who hides whom, and with [MergeCover] where on the ground, say, events of
// the background happen. A [PixelDisc] lists the pixels around the pointer, for things that are too
// thin to be met.
//
// A [Recorder] writes the input as text, a line a frame, and [ReadFrames] reads it again, so that a
// bug can be sent in and kept as a test.
//
// # Several views, many things, and drags
//
// [Views] says which of several views in a window the pointer is about, and keeps a drag in the
// view in which it began. A [Region] is a rectangle or a lasso in a view, and tells what in a space
// it touches, contains and shows; a [Marquee] draws one with a button. A [PlaneDrag], [AxisDrag],
// [RingDrag] or [SurfaceDrag] turns the pointer's rays into a motion, and a [Gizmo] puts them
// together into handles that move, turn and scale a thing.
//
// # What is seen is what is picked
//
// A renderer fills a pixel with the surface that covers the pixel's centre, between the near and
// the far plane, nearest first, back faces left out. A picking ray finds the same surface if it
// does the same, and so it does, as long as five things hold:
//
//   - The ray goes through the centre of the pixel under the cursor, not through the cursor.
//   - The pixel is floor(cursor · framebuffer / window), on each axis. The content scale of a
//     window system is another number, which agrees with this one often and not always. Ask for
//     both sizes every frame: a framebuffer may change its size after the window was made.
//   - The ray begins on the near plane and ends on the far plane, since nothing else is drawn.
//   - Back faces of meshes and planes are culled for the ray if the renderer culls them;
//     [PickFilter] takes that for granted, and that solids are seen from outside only.
//   - Both work with the same matrices, multiplied in double precision: [Camera.Matrix] times an
//     object's own matrix, rounded for the shader as the last step. In single precision, 10 km from
//     the origin, thousands of the 921,600 pixels of a frame disagree; in double precision about
//     twenty.
//
// What is left are two kinds of pixel: those with a centre that is within 1/256 of a pixel of a
// projected edge, the resolution at which graphics hardware places its edges, and those in which
// two surfaces have the same depth. Far from the origin that margin grows, since the ray itself is
// single precision: 10 km away its origin is rounded to a millimetre, which is about a tenth of a
// pixel on things that are some metres before the camera.
//
// # Worlds of many kilometres
//
// Single precision is what limits the size of a world, and a floating origin is what lifts that
// limit: every kilometre or so a game moves the zero of all coordinates to where the camera is, by
// physics.Space.Rebase, and takes the camera along by [Camera.Rebase], or [Orbit.Rebase]. Nothing
// else here remembers a place: a [Frustum] is made anew from the camera. Within a kilometre of the
// origin a ray's own origin is good to a 30th of a millimetre, wherever in the world that is.
//
// # Conventions
//
// A camera looks along −Z with Y up. The cursor is counted in the units of the window, from its
// upper left corner, Y downward. Framebuffer pixels are counted from the lower left corner, Y
// upward, as OpenGL has it. Angles are radians and lengths metres; matrices are column-major and
// double.
package picking
