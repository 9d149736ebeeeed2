// Package lines makes debug lines: of colliders, contacts, joints, rays, and explanations of rays.
// It draws nothing. A [List] collects segments with two ends in the world, a colour and a width,
// and any engine draws them:
//
//	list.Clear()
//	list.Space(space, lines.RGB(0x2F6FDE))
//	for _, s := range list.Segments() {
//		rl.DrawLine3D(rl.Vector3(s.A), rl.Vector3(s.B), rl.Color(s.Color))
//	}
//
// Of package render, Renderer.Lines is such a list. In a 2D game, picking.View.Project maps the
// ends to the screen.
package lines
