package picking

import "github.com/hitscan-go/hitscan/physics/geom"

// Views of what another engine draws, from the matrix with which it draws.

// ViewOf returns the view of an engine's camera that fills its window: viewProjection is its matrix
// from the world to clip space, projection times view, with depths in the range clip; see
// [geom.Mat4Of]. The sizes are in window pixels, the unit of its cursor, and in framebuffer pixels.
// Make the view again whenever the camera or the window has changed.
//
// The camera of the view is at the origin, and all else is in its projection: Camera.Position is
// not the eye. A matrix in single precision picks as exactly as the engine draws. Panics if clip is
// none of the three constants.
func ViewOf(viewProjection geom.Mat4, clip ClipRange, window, framebuffer Size) View {
	return View{Camera{Projection: ProjectionOf(viewProjection, clip)}, FullViewport(window, framebuffer)}
}

// depth2D is how far the rays of [View2D] begin before the plane Z = 0, and end behind it, in units
// of the world: further than any shape that lies around the plane is thick. T is resolved to 2⁻⁸
// there, which is enough to order what is in one plane.
const depth2D = 1 << 15

// View2D returns the view of a 2D game that an engine draws by an affine map from the world's XY
// plane to the screen. element returns the numbers of its first two rows, as the Element method of
// Ebitengine's GeoM does: the screen's X is element(0, 0)·x + element(0, 1)·y + element(0, 2), and
// its Y, downward, is row 1 of the same. screen is the size in the unit of that map and of the
// cursor, in Ebitengine that of the game's layout.
//
// Rays go along −Z, from Z = 32,768 to −32,768, and a higher thing hides a lower one: in a planar
// space, [geom.Ray] hits all shapes around the plane Z = 0, whatever their radius up to that. World
// units may be metres or pixels, and the map may turn, mirror and shear, as that of isometric tiles
// does. Without an inverse, or with NaN or an infinity, it shows nothing: there are no rays. Panics
// if element is nil.
func View2D(element func(row, column int) float64, screen Size) View {
	if element == nil {
		panic("picking: View2D: element is nil")
	}
	// From pixels to −1…1, Y upward.
	row := func(i int, perPixel, offset float64) (x, y, w float64) {
		return perPixel * element(i, 0), perPixel * element(i, 1), float64(perPixel*element(i, 2)) + offset
	}
	ax, bx, x := row(0, 2/float64(screen.Width), -1)
	ay, by, y := row(1, -2/float64(screen.Height), 1)
	return ViewOf(geom.Mat4{ax, ay, 0, 0, bx, by, 0, 0, 0, 0, -1.0 / depth2D, 0, x, y, 0, 1}, ClipMinusOneToOne, screen, screen)
}
