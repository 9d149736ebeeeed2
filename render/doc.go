// Package render draws an Arche world with OpenGL 3.3: lit shapes and meshes with soft shadows, an
// outline around what is hovered and what is selected, debug lines, a HUD with text, and a buffer
// of entity IDs. It also opens the window and hands its input to package physecs.
//
// An entity is drawn if it has a physecs.Transform, a physecs.Collider and a [Material]: what is
// seen is the collider itself, so that what is seen is what is picked. [IDBuffer] proves it: it
// draws the entity of every pixel, and agrees with a ray cast through the pixel's centre.
//
// # A program
//
// [Open] makes a window and its context, [NewRenderer] what draws. Each frame the window is asked
// for events ([Window.Poll]) and hands them on ([Window.Feed]); the systems of physecs run; the
// game puts what it wants into Renderer.Lines and Renderer.HUD; [Renderer.Draw] draws,
// [Window.Present] shows. [System] does all but the game's part, in the form of arche-model's UI
// systems.
//
// # Threads
//
// OpenGL and window systems belong to one thread. This package locks the main goroutine to the main
// thread when it is imported; call it from there only, as macOS insists on. Nothing here is safe
// for use by several goroutines.
//
// # Depth
//
// A view may have any projection of package picking. OpenGL 3.3 has no glClipControl, without which
// it knows only depths from −1 to 1; the matrix of a projection with another range, reversed depth
// too, is therefore turned into that range before anything is drawn. The picture is the same. The
// [IDBuffer] compares distances and not depths, in floating-point numbers, and so is as exact far
// away as it is near, under any projection.
//
// # Pixels
//
// Positions in the HUD and of the cursor are window pixels, Y downward. Positions in a framebuffer
// and in the [IDBuffer] are framebuffer pixels, Y upward, as OpenGL has them and as
// picking.Viewport counts them. On screens of high density the two differ; widths of lines and
// outlines are window pixels, so that they look alike on all screens.
package render

import "runtime"

func init() { runtime.LockOSThread() }
