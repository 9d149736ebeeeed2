package main

import (
	"fmt"
	"math"
	"strings"
)

// series are the ratios of speeds that the plot has, each in its colour.
var series = []struct{ label, over, under, colour string }{
	{"one ray a call, to Embree", ours, embree, "#1f6fb2"},
	{"to Embree robust", ours, robust, "#d9822b"},
	{"batch, to Embree", batch, embree, "#2f9e55"},
	{"portable, to Embree", portable, embree, "#8a8a8a"},
}

// seriesRatio returns the ratio of series k in a case, if both programs measured it.
func seriesRatio(r *result, k int) (middle, bool) {
	over, under := r.programs.find(series[k].over), r.programs.find(series[k].under)
	if over == nil || under == nil {
		return middle{}, false
	}
	return ratios(over.values[speed], under.values[speed]), true
}

// plot draws ratios as an SVG: a row for each set of rays and mode, a dot for the median, and a
// line from the least to the most of all rounds. Right of the line at 1, we are faster.
func plot(results []result) string {
	const (
		left, right, top, row, gap = 190, 30, 74, 26, 8
		apart                      = 5 // between the dots of a row
		width                      = 760
	)
	limit := 1.0
	for _, r := range results {
		for k := range series {
			m, _ := seriesRatio(&r, k)
			limit = max(limit, m.most)
		}
	}
	limit = math.Ceil(limit*5+0.5) / 5
	step := 0.2 // between the lines across; fewer where they would be many
	if limit > 2 {
		step = 0.5
	}
	at := func(ratio float64) float64 { return left + (width-left-right)*ratio/limit }

	var rows strings.Builder
	y := float64(top)
	for i, r := range results {
		if i > 0 && r.mesh != results[i-1].mesh {
			y += gap
		}
		fmt.Fprintf(&rows, `<text x="%d" y="%.0f" text-anchor="end">%s %s, %s</text>`+"\n", left-12, y+4, r.mesh, r.set, r.mode)
		for k, of := range series {
			m, ok := seriesRatio(&r, k)
			if !ok {
				continue
			}
			line := y + apart*(float64(k)-float64(len(series)-1)/2)
			fmt.Fprintf(&rows, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>`+"\n",
				at(m.least), at(m.most), line, line, of.colour)
			fmt.Fprintf(&rows, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%.2f</title></circle>`+"\n",
				at(m.median), line, of.colour, m.median)
		}
		y += row
	}
	bottom := y - row/2

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="12" fill="#222">`+"\n", width, bottom+44)
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	b.WriteString(`<text x="20" y="26" font-size="15">Rays a second of hitscan, in multiples of Embree's</text>` + "\n")
	x := 20.0
	for _, of := range series {
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="44" r="4" fill="%s"/><text x="%.0f" y="48">%s</text>`+"\n", x+4, of.colour, x+14, of.label)
		x += 40 + 6.5*float64(len(of.label))
	}
	for tick := 0; float64(tick)*step <= limit+1e-9; tick++ {
		ratio := float64(tick) * step
		colour := "#ddd"
		if math.Abs(ratio-1) < 1e-9 {
			colour = "#555"
		}
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%.0f" stroke="%s"/><text x="%.1f" y="%.0f" text-anchor="middle">%.1f</text>`+"\n",
			at(ratio), at(ratio), top-12, bottom, colour, at(ratio), bottom+18, ratio)
	}
	b.WriteString(rows.String())
	b.WriteString("</svg>\n")
	return b.String()
}
