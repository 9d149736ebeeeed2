package wide

import "math"

// The walk of a ray over a grid, from block to block along the ray and into those that it may meet
// between their least and greatest height.
//
// The walk knows where the ray goes in float64, and the triangle test in float32: it may hit a
// triangle that the ray passes by up to tube metres. So all within that distance count as passed.
// Above and below a block that is part of its heights. Beside it, it matters only where the ray
// enters or leaves a block, begins or ends within that distance of a line of the grid: there all
// four cells around are tested, and a block whose edge is that line is not skipped as a whole.

// events is how many such places a ray may have before the exact traversal, which does not care,
// takes over.
const events = 32

// walk finds the closest hit, or any; false if the exact traversal has to.
func (w *gridCast) walk() bool {
	g, r, b := w.grid, &w.ray, &w.grid.frame.bounds
	if w.Ray.all {
		return false
	}
	ox, oy, oz := float64(r.Origin.X), float64(r.Origin.Y), float64(r.Origin.Z)
	dx, dy, dz := float64(r.Dir.X), float64(r.Dir.Y), float64(r.Dir.Z)
	c, h := &g.frame.center, &g.frame.half
	reach := max(math.Abs(ox-float64(c.X))+float64(h.X), math.Abs(oy-float64(c.Y))+float64(h.Y), math.Abs(oz-float64(c.Z))+float64(h.Z))
	// The widening of the boxes of trees, and as much as that for rounding.
	tube := float64(reach * slack)
	for axis, o := range [3]float64{ox, oy, oz} {
		tube = max(tube, math.Abs(float64(w.near[axis])-o), math.Abs(float64(w.far[axis])-o))
	}
	tube += float64(reach * slack)
	if !(tube < g.least/8) {
		return false
	}
	// A direction nearly parallel to the lines is bent by far less than the tube.
	bend := max(math.Abs(dx), math.Abs(dy), math.Abs(dz)) * 1e-12
	dx, dy, dz = bent(dx, bend), bent(dy, bend), bent(dz, bend)
	ix, iy, iz := 1/dx, 1/dy, 1/dz

	t, end := float64(math.Float32frombits(uint32(w.low))), float64(math.Float32frombits(uint32(w.high)))
	t, end = clip(t, end, (float64(b.Min.X)-tube-ox)*ix, (float64(b.Max.X)+tube-ox)*ix)
	t, end = clip(t, end, (float64(b.Min.Y)-tube-oy)*iy, (float64(b.Max.Y)+tube-oy)*iy)
	t, end = clip(t, end, (float64(b.Min.Z)-tube-oz)*iz, (float64(b.Max.Z)+tube-oz)*iz)
	if !(t <= end) {
		return true
	}

	// How far the ray rises or falls within the tube where it crosses a line.
	riseX, riseZ := float64(math.Abs(dy*ix)*tube)+tube, float64(math.Abs(dy*iz)*tube)+tube
	lateX, lateZ := math.Abs(ix)*tube, math.Abs(iz)*tube
	startX, startZ := float64(g.StartX), float64(g.StartZ)
	up, over := int32(0), int32(0)     // to the line ahead, in blocks
	edgeX, edgeZ := int32(0), int32(0) // the last line ahead
	if dx > 0 {
		up, edgeX = 1, g.columns
	}
	if dz > 0 {
		over, edgeZ = 1, g.rows
	}
	top := g.top()
	level := top
	x, z := int32(cellAt(ox+float64(t*dx), startX, g.perX, g.Columns)), int32(cellAt(oz+float64(t*dz), startZ, g.perZ, g.Rows))
	// The lines near the place where the ray enters the block, or −1.
	nearX, nearZ := near(g.xs, x, ox+float64(t*dx), tube), near(g.zs, z, oz+float64(t*dz), tube)
	left := events
	if nearX >= 0 || nearZ >= 0 {
		w.around(x, z, nearX, nearZ)
	}
	rise, y, falls := tube, oy+float64(t*dy), dy < 0
	// The smallest block that may have all of the track.
	for size := max(math.Abs(dx*(end-t))*g.perX, math.Abs(dz*(end-t))*g.perZ); level > 1 && size < float64(int32(1)<<(blockStep*(level-1))); {
		level--
	}
	for {
		s := uint(blockStep * level)
		blockX, blockZ := x>>s, z>>s
		lineX, lineZ := min((blockX+up)<<s, g.columns), min((blockZ+over)<<s, g.rows)
		outX, outZ := (float64(g.xs[lineX])-ox)*ix, (float64(g.zs[lineZ])-oz)*iz
		// The walk stays in the outermost cells up to the end of the tube beside them.
		if lineX == edgeX {
			outX = math.MaxFloat64
		}
		if lineZ == edgeZ {
			outZ = math.MaxFloat64
		}
		out, riseOut, last := outX, riseX, false
		if outZ < outX {
			out, riseOut = outZ, riseZ
		}
		if out < t { // by rounding
			out = t
		}
		if out >= end {
			out, riseOut, last = end, tube, true
		}
		yOut := oy + float64(out*dy)
		low, high := y-rise-riseOut, yOut+rise+riseOut
		if falls {
			low, high = yOut-rise-riseOut, y+rise+riseOut
		}
		if level > 0 {
			if p := g.place(level, blockX, blockZ); high >= float64(p.low) && low <= float64(p.high) {
				level--
				continue
			}
		} else if q, ok := g.quad(x, z); ok {
			if p := q.span(); high >= float64(p.low) && low <= float64(p.high) {
				if w.cell(x, z, &q); w.any && w.ok {
					return true
				}
			}
		}

		// Where the ray leaves the block.
		nextX, nextZ, outNearX, outNearZ := x, z, int32(-1), int32(-1)
		if last || outZ < outX {
			at := ox + float64(out*dx)
			if level > 0 {
				nextX = min(max(int32((at-startX)*g.perX), blockX<<s), blockX<<s+1<<s-1, g.columns-1)
			}
			outNearX = near(g.xs, nextX, at, tube)
		}
		if last || outZ >= outX {
			at := oz + float64(out*dz)
			if level > 0 {
				nextZ = min(max(int32((at-startZ)*g.perZ), blockZ<<s), blockZ<<s+1<<s-1, g.rows-1)
			}
			outNearZ = near(g.zs, nextZ, at, tube)
		}
		if nearX&nearZ&outNearX&outNearZ >= 0 { // one is not −1
			if level > 0 {
				if mask := int32(1)<<s - 1; nearX >= 0 && nearX&mask == 0 || nearZ >= 0 && nearZ&mask == 0 ||
					outNearX >= 0 && outNearX&mask == 0 || outNearZ >= 0 && outNearZ&mask == 0 {
					level--
					continue
				}
			}
			if left--; left < 0 {
				return false
			}
			if !last && outNearZ >= 0 {
				w.around(x, nextZ, lineX, outNearZ)
			} else if !last && outNearX >= 0 {
				w.around(nextX, z, outNearX, lineZ)
			} else if outNearX >= 0 || outNearZ >= 0 {
				w.around(nextX, nextZ, outNearX, outNearZ)
			}
			if w.any && w.ok {
				return true
			}
		}
		if last {
			return true
		}
		var late float64
		var line int32
		if outZ < outX {
			z, x = lineZ+over-1, nextX
			line, late = lineZ, lateZ
		} else {
			x, z = lineX+up-1, nextZ
			line, late = lineX, lateX
		}
		if w.ok && out-late > float64(math.Float32frombits(uint32(w.best.t))) {
			return true
		}
		for level < top && line&(1<<(s+blockStep)-1) == 0 {
			level++
			s += blockStep
		}
		t, y, rise, nearX, nearZ = out, yOut, riseOut, outNearX, outNearZ
	}
}

// around tests the cells beside lines that the ray is near, and those that it is in where it is
// near none.
func (w *gridCast) around(x, z, lineX, lineZ int32) {
	g := w.grid
	x0, x1, z0, z1 := x, x, z, z
	if lineX >= 0 {
		x0, x1 = max(lineX-1, 0), min(lineX, g.columns-1)
	}
	if lineZ >= 0 {
		z0, z1 = max(lineZ-1, 0), min(lineZ, g.rows-1)
	}
	for z := z0; z <= z1; z++ {
		for x := x0; x <= x1; x++ {
			if q, ok := g.quad(x, z); ok {
				w.cell(x, z, &q)
			}
		}
	}
}

// near returns the line of the grid beside a cell that is within a distance, and −1 if there is
// none.
func near(lines []float32, cell int32, x, within float64) int32 {
	if x-float64(lines[cell]) < within {
		return cell
	}
	if float64(lines[cell+1])-x < within {
		return cell + 1
	}
	return -1
}

func bent(d, least float64) float64 {
	if math.Abs(d) < least {
		return math.Copysign(least, d)
	}
	return d
}

// clip returns the part of a range between two ends.
func clip(t, end, a, b float64) (float64, float64) {
	return max(t, min(a, b)), min(end, max(a, b))
}
