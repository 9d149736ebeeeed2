package main

import (
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/render"
)

// part is a part of the field with the T at which the ray's line crosses its first and last column.
type part struct {
	near, far float64
	box       geom.AABB
	skipped   string // why it is; empty: the ray enters it no later than its hit
}

// crossedCell is a cell in a part of 4 cells that the ray enters, with the T at its borders.
type crossedCell struct {
	number    int
	near, far float64
	box       geom.AABB // as high as the part
}

// walk is a ray's way to its hit: parts of 16 cells, those of 4 cells in the ones it enters, and
// the cells in these, all in the order of T.
type walk struct {
	hit            geom.Hit
	ok             bool
	through        []geom.Hit // with the missing surface in the hole, up to the hit
	blocks, leaves []part
	cells          []crossedCell
}

func (p *fieldPage) walk() (w walk) {
	field, whole := p.meshes()
	r := p.ray()
	w.hit, w.ok = field.CastRay(r, geom.CullNone)
	tMin, tMax := r.Range()
	if w.ok {
		tMax = w.hit.T
	}
	skipped := func(near, far float64) string {
		switch {
		case near > far:
			return "missed"
		case float32(far) < tMin:
			return "behind"
		case float32(near) > tMax && w.ok:
			return "beyond the hit"
		case float32(near) > tMax:
			return "beyond MaxT"
		}
		return ""
	}
	for n := range field.Nodes() {
		s := n.Bounds.Slabs(r)
		now := part{s.Near[geom.X], s.Far[geom.X], n.Bounds, skipped(s.TNear, s.TFar)}
		switch {
		case n.Level == 1:
			w.blocks = append(w.blocks, now)
		case n.Level == 2 && w.blocks[len(w.blocks)-1].skipped == "":
			w.leaves = append(w.leaves, now)
			for i := range fieldCells {
				box := now.box
				box.Min.X, box.Max.X = columnX(i), columnX(i+1)
				s := box.Slabs(r)
				if c := (crossedCell{i, s.Near[geom.X], s.Far[geom.X], box}); now.skipped+skipped(c.near, c.far) == "" && now.box.Contains(box.Center()) {
					w.cells = append(w.cells, c)
				}
			}
		}
	}
	for _, h := range whole.CastRayAll(nil, r, geom.CullNone) {
		if int(h.Triangle)/2 == p.hole && h.T <= tMax {
			w.through = append(w.through, h)
		}
	}
	if r.Dir.X < 0 {
		slices.Reverse(w.blocks)
		slices.Reverse(w.leaves)
		slices.Reverse(w.cells)
	}
	return w
}

func (p *fieldPage) draw(c *canvas) {
	w, r := p.walk(), p.ray()
	c.grid()
	c.parts(w.blocks, blockInk)
	c.parts(w.leaves, leafInk)
	for _, cell := range w.cells {
		c.fill(cell.box, white, 0.1)
	}
	for i := range fieldCells {
		a, b := geom.V(columnX(i), p.heights[i], 0), geom.V(columnX(i+1), p.heights[i+1], 0)
		if i == p.hole {
			c.dashed(a, b, coral, 0.9)
			if len(w.through) == 0 {
				c.text(a.Lerp(b, 0.5), "hole", coral)
			}
			continue
		}
		// In the middle of the row the first triangle of a cell is on the left.
		middle := a.Lerp(b, 0.5)
		for k, side := range [...][2]geom.Vec3{{a, middle}, {middle, b}} {
			width, rgb := float32(3), [...]uint32{sky, axisColors[2]}[k]
			if w.ok && int(w.hit.Triangle) == 2*i+k {
				width, rgb = 7, amber
			}
			c.segment(side[0], side[1], width, rgb, 1)
		}
		x0, y0 := c.flat.at(a)
		x1, y1 := c.flat.at(b)
		c.avoid(x0, y0, x1, y1)
	}
	c.ray(r)
	for _, h := range w.through {
		c.crossing(r, float64(h.T), "through", coral, false)
	}
	if w.ok {
		c.hit(w.hit)
		c.crossing(r, float64(w.hit.T), "T", amber, true)
	}
	tMin, _ := r.Range()
	for _, cell := range w.cells {
		if float32(cell.near) >= tMin {
			at := r.At(float32(cell.near))
			c.dot(at, 11, white, true)
			c.label(at, number(cell.near), white, true)
		}
	}
	c.walk(r, w)
}

const blockInk, leafInk = violet, 0x5FD38A

// parts draws boxes: those that the ray enters with solid lines, the others dashed.
func (c *canvas) parts(list []part, rgb uint32) {
	for _, p := range list {
		p.box.Min.Z, p.box.Max.Z = 0, 0
		if p.skipped == "" {
			c.fill(p.box, rgb, 0.07)
			c.outline(p.box, 2, rgb)
			continue
		}
		x, y := geom.V(p.box.Min.X, p.box.Max.Y, 0), geom.V(p.box.Max.X, p.box.Min.Y, 0)
		for _, side := range [...][2]geom.Vec3{{p.box.Min, x}, {x, p.box.Max}, {p.box.Max, y}, {y, p.box.Min}} {
			c.dashed(side[0], side[1], rgb, 0.6)
		}
		c.text(x.Lerp(p.box.Max, 0.5), p.skipped, rgb)
	}
}

// walk plots the T at which the ray's line crosses the columns of boxes and cells.
func (c *canvas) walk(r geom.Ray, w walk) {
	var ts []float64
	for _, parts := range [...][]part{w.blocks, w.leaves} {
		for _, p := range parts {
			ts = append(ts, p.near, p.far)
		}
	}
	c.axis(r, c.fit(ts...), "T at the borders of boxes and cells: what is skipped is darker", 66)
	a := c.t.area
	height := a.Height / 3
	row := func(i int) render.Rect {
		return render.Rect{X: a.X, Y: a.Y + float32(i)*height + 5, Width: a.Width, Height: height - 10}
	}
	bar := func(i int, near, far float64, rgb uint32, alpha float32) {
		if near <= far && far >= c.t.from && near <= c.t.to {
			c.bar(row(i), near, far, rgb, alpha)
			if x := c.t.x(near); c.t.contains(near) { // apart from the one before
				c.hud.Line(x, row(i).Y, x, row(i).Y+row(i).Height, 1.5, paint(ground, 1))
			}
		}
	}
	for i, parts := range [...][]part{w.blocks, w.leaves} {
		ink := [...]uint32{blockInk, leafInk}[i]
		c.barName(row(i), [...]string{"16 cells", "4 cells"}[i], ink)
		for _, p := range parts {
			alpha := float32(0.2)
			if p.skipped == "" {
				alpha = 0.75
			}
			bar(i, p.near, p.far, ink, alpha)
		}
	}
	c.barName(row(2), "cells", white)
	for _, cell := range w.cells {
		bar(2, cell.near, cell.far, white, 0.6)
	}
	if t := float64(w.hit.T); w.ok && c.t.contains(t) {
		c.hud.Line(c.t.x(t), a.Y, c.t.x(t), a.Y+a.Height, 2.5, paint(amber, 1))
	}
}
