// Package render draws an Arche world with OpenGL 3.3, or WebGL2 in a browser: lit shapes and
// meshes with soft shadows, an outline around hovered and selected entities, debug lines, a HUD
// with text, and a buffer of entity IDs. It also opens the window and passes its input to package
// physecs.
//
// An entity is drawn if it has a physecs.Transform, a physecs.Collider and a [Material]. The
// collider itself is drawn, so that what is seen is what is picked. [IDBuffer] proves it: it draws
// the entity of every pixel, and agrees with a ray cast through the pixel's centre. A [Visual] is
// drawn in place of the collider, or without one.
//
// # A program
//
// [Open] makes a window and its context, [NewRenderer] a renderer. In each frame [Window.Poll]
// collects the window's events and [Window.Feed] passes them to the world; the systems of physecs
// run; the game adds to Renderer.Lines and Renderer.HUD; [Renderer.Draw] draws and [Window.Present]
// shows the result. [System] does all of this except the game's part, as an arche-model UI system.
//
// # Browsers
//
// A program built with GOOS=js GOARCH=wasm draws on a canvas of its page: see [Open]. Events come
// while it waits in [Window.Present] or [Window.Wait]. Without the extension EXT_depth_clamp, what
// reaches in front of a light's near plane casts no shadow.
//
// # Threads
//
// OpenGL and window systems belong to one thread. Importing this package locks the main goroutine
// to the main thread. Call the package from there only, as macOS requires. Nothing here is safe for
// use by several goroutines, except where a function says so.
//
// # Depth
//
// A view may have any projection of package picking. OpenGL 3.3 has no glClipControl and only
// supports depths from −1 to 1, so a projection with another range, such as reversed depth, is
// converted before drawing. The image is the same. The [IDBuffer] compares floating-point distances
// instead of depths, so its relative resolution is the same at all distances, under any projection.
//
// # Pixels
//
// Positions in the HUD and of the cursor are window pixels, Y downward. Positions in a framebuffer
// and in the [IDBuffer] are framebuffer pixels, Y upward, as in OpenGL and in picking.Viewport. On
// high-density screens the two differ. Widths of lines and outlines are window pixels, so they look
// the same on all screens.
//
// # Design
//
// Outlines are lines and not a hull pushed outward, which is too thin or too wide at creases and
// has no outline at open borders: the edges at which a silhouette may end are found on the
// processor and drawn as lines with round joints, outside of what the stencil marks as covered.
//
// Small objects are lit at their vertices: a pixel reads the shadow maps in twenty places, and the
// graphics card shades at least four pixels for a triangle of one pixel.
//
// Transparent objects are drawn last, one by one, farthest first, back faces before front faces,
// with the opacity as the blend constant. This is right for objects that do not intersect.
//
// The ID buffer casts a ray per pixel at solids and planes in the fragment shader, since a
// tessellated sphere differs from what is picked by whole pixels. Hulls and meshes are drawn as
// triangles.
package render

import "runtime"

func init() { runtime.LockOSThread() }
