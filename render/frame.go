package render

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// frame is a view prepared for drawing. Coordinates are relative to the camera: its position is
// subtracted in double precision before rounding, so that a scene far from the origin does not
// jitter.
type frame struct {
	camera geom.DVec3
	// origin is the space's origin in absolute coordinates, metres. Patterns fixed to the ground
	// are placed by it.
	origin   geom.DVec3
	clip     geom.Mat4 // world, relative to the camera, to OpenGL's clip space
	rays     pencil
	mirrored bool // the projection mirrors the image
	// metre is the size of a metre in framebuffer pixels: at a distance of one metre in
	// perspective, anywhere in a parallel projection.
	metre    float64
	viewport picking.Viewport
}

// newFrame returns the frame of a view. ok is false if the view shows nothing.
func newFrame(v picking.View) (f frame, ok bool) {
	if v.Viewport.IsEmpty() {
		return f, false
	}
	f.viewport = v.Viewport
	f.camera = v.Position.Wide()
	p := openGL(v.Projection.Matrix(v.Aspect()), v.Projection.Clip())
	c := v.Camera
	c.Position = geom.Vec3{}
	f.clip = p.Mul(c.View())
	f.rays, ok = newPencil(f.clip)
	f.mirrored = f.rays.isMirrored()
	_, y := f.rays.spread()
	f.metre = y * float64(v.Height) / 2
	return f, ok
}

// openGL converts a projection with another range of depths to OpenGL's −1 to 1, since OpenGL 3.3
// has no glClipControl. Only the third row changes.
func openGL(m geom.Mat4, clip picking.ClipRange) geom.Mat4 {
	a, b := 1.0, 0.0
	switch clip {
	case picking.ClipZeroToOne:
		a, b = 2, -1
	case picking.ClipOneToZero:
		a, b = -2, 1
	}
	for i := 2; i < 16; i += 4 {
		m[i] = float64(a*m[i]) + float64(b*m[i+1])
	}
	return m
}

// place returns a model matrix relative to the camera.
func (f *frame) place(model geom.Mat4) geom.Mat4 {
	model[12] -= f.camera.X
	model[13] -= f.camera.Y
	model[14] -= f.camera.Z
	return model
}

// eye returns the eye position relative to the camera, and w 0; for a parallel projection the unit
// direction to the eye, and w 1.
func (f *frame) eye() [4]float32 {
	if f.rays.parallel {
		d := f.rays.dir.Neg().Normalize().Narrow()
		return [4]float32{d.X, d.Y, d.Z, 1}
	}
	e := f.rays.from.Narrow()
	return [4]float32{e.X, e.Y, e.Z, 0}
}

// pixelsPull returns the size of n window pixels in metres per metre of distance, or in metres if
// the projection is parallel.
func (f *frame) pixelsPull(n, scale float64) float32 { return float32(n * scale / f.metre) }

// pencil is the rays through the image (in perspective a pencil of lines through the eye) as a
// linear function of the place x, y in the image, −1 to 1:
//
//	point(x, y, t) = from + x·fromX + y·fromY + t·(dir + x·dirX + y·dirY)
//
// In perspective fromX and fromY are zero, from is the eye, and t is the w of clip space, the
// distance along the view direction. In a parallel projection dirX and dirY are zero, and t goes
// from 0 at the near plane to 1 at the far plane.
type pencil struct {
	from, fromX, fromY geom.DVec3
	dir, dirX, dirY    geom.DVec3
	near, far          float64 // of t; far may be +Inf
	parallel           bool
}

// newPencil returns the rays of a matrix to OpenGL's clip space. ok is false if the matrix has no
// inverse.
func newPencil(clip geom.Mat4) (p pencil, ok bool) {
	inv, ok := clip.Inverse()
	if !ok {
		return p, false
	}
	part := func(i int) (geom.DVec3, float64) { return column(inv, i), inv[4*i+3] }
	x, xw := part(0)
	y, yw := part(1)
	b, bw := part(2) // change per unit of depth, in homogeneous coordinates
	a, aw := part(3)
	if math.Abs(bw) <= 1e-12*math.Abs(aw) {
		return pencil{
			from: a.Sub(b).Mul(1 / aw), fromX: x.Mul(1 / aw), fromY: y.Mul(1 / aw),
			dir: b.Mul(2 / aw), near: 0, far: 1, parallel: true,
		}, true
	}
	eye := b.Mul(1 / bw) // the limit for all x and y
	p = pencil{
		from: eye,
		dir:  a.AddMul(-aw, eye), dirX: x.AddMul(-xw, eye), dirY: y.AddMul(-yw, eye),
		near: 1 / (aw - bw), far: 1 / (aw + bw),
	}
	if !(p.far > 0) || p.far > 1e13*p.near {
		p.far = math.Inf(1)
	}
	return p, p.near > 0
}

// spread returns the change of the image coordinates per metre to the side, at a distance of one
// metre in perspective.
func (p *pencil) spread() (x, y float64) {
	if p.parallel {
		return 1 / p.fromX.Len(), 1 / p.fromY.Len()
	}
	return 1 / p.dirX.Len(), 1 / p.dirY.Len()
}

func (p *pencil) isMirrored() bool {
	x, y := p.dirX, p.dirY
	if p.parallel {
		x, y = p.fromX, p.fromY
	}
	return x.Cross(y).Dot(p.dir) > 0
}

// into transforms the rays by the inverse of a model. The same t is the same point in both spaces.
func (p *pencil) into(inverse geom.Mat4) pencil {
	q := *p
	for _, v := range [...]*geom.DVec3{&q.fromX, &q.fromY, &q.dir, &q.dirX, &q.dirY} {
		*v, _ = inverse.Apply(*v, 0)
	}
	q.from, _ = inverse.Apply(p.from, 1)
	return q
}
