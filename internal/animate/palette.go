package main

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// bin is the colours of a cell of the colour cube, 5 bits a channel.
type bin struct {
	mean   [3]float64
	weight float64
}

// makePalette chooses up to n colours for all frames together: the median cut (Heckbert 1982) over
// a histogram, and then a few rounds of moving each colour to the middle of those that it stands
// for (Lloyd 1957).
func makePalette(frames []*image.RGBA, n int) color.Palette {
	bins := histogram(frames)
	boxes := [][]bin{bins}
	for len(boxes) < n {
		best, score := -1, 0.0
		for i, b := range boxes {
			if s := cost(b); len(b) > 1 && s > score {
				best, score = i, s
			}
		}
		if best < 0 {
			break
		}
		low, high := split(boxes[best])
		boxes[best] = low
		boxes = append(boxes, high)
	}
	colors := make([][3]float64, len(boxes))
	for i, b := range boxes {
		colors[i] = mean(b)
	}
	refine(colors, bins, 6)
	p := make(color.Palette, len(colors))
	for i, c := range colors {
		p[i] = color.RGBA{round(c[0]), round(c[1]), round(c[2]), 255}
	}
	return p
}

func round(x float64) uint8 { return uint8(min(max(x+0.5, 0), 255)) }

func histogram(frames []*image.RGBA) []bin {
	cells := make([]bin, 1<<15)
	for _, m := range frames {
		for i := 0; i+3 < len(m.Pix); i += 4 {
			r, g, b := m.Pix[i], m.Pix[i+1], m.Pix[i+2]
			c := &cells[int(r)>>3<<10|int(g)>>3<<5|int(b)>>3]
			c.mean[0] += float64(r)
			c.mean[1] += float64(g)
			c.mean[2] += float64(b)
			c.weight++
		}
	}
	var bins []bin
	for _, c := range cells {
		if c.weight == 0 {
			continue
		}
		for i := range c.mean {
			c.mean[i] /= c.weight
		}
		// By the root of its area: small things of a colour of their own, such as an outline, keep
		// it.
		c.weight = math.Sqrt(c.weight)
		bins = append(bins, c)
	}
	return bins
}

// cost is how much the colours of a box differ from their mean.
func cost(b []bin) float64 {
	m, sum := mean(b), 0.0
	for _, x := range b {
		sum += x.weight * distance(x.mean, m)
	}
	return sum
}

// split cuts a box where it is longest, so that both sides weigh about the same.
func split(b []bin) (low, high []bin) {
	lo, hi := b[0].mean, b[0].mean
	total := 0.0
	for _, x := range b {
		total += x.weight
		for i := range lo {
			lo[i], hi[i] = min(lo[i], x.mean[i]), max(hi[i], x.mean[i])
		}
	}
	axis := 0
	for i := range lo {
		if hi[i]-lo[i] > hi[axis]-lo[axis] {
			axis = i
		}
	}
	slices.SortStableFunc(b, func(x, y bin) int { return cmp.Compare(x.mean[axis], y.mean[axis]) })
	sum, at := 0.0, 0
	for at < len(b)-1 && (at == 0 || sum < total/2) {
		sum += b[at].weight
		at++
	}
	return b[:at:at], b[at:]
}

func mean(b []bin) (m [3]float64) {
	total := 0.0
	for _, x := range b {
		total += x.weight
		for i := range m {
			m[i] += x.weight * x.mean[i]
		}
	}
	for i := range m {
		m[i] /= total
	}
	return m
}

func distance(a, b [3]float64) float64 {
	d := 0.0
	for i := range a {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d
}

func refine(colors [][3]float64, bins []bin, rounds int) {
	for range rounds {
		groups := make([][]bin, len(colors))
		for _, x := range bins {
			i := nearest(colors, x.mean)
			groups[i] = append(groups[i], x)
		}
		for i, g := range groups {
			if len(g) > 0 {
				colors[i] = mean(g)
			}
		}
	}
}

func nearest(colors [][3]float64, c [3]float64) int {
	best, at := math.Inf(1), 0
	for i, x := range colors {
		if d := distance(x, c); d < best {
			best, at = d, i
		}
	}
	return at
}
