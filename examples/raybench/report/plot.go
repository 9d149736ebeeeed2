package main

import (
	"fmt"
	"math"
	"strings"
)

// plot draws the ratios of the ray table as an SVG: a row for each set of rays and mode, a dot for the median, and a
// line from the least to the most of all rounds. Right of the line at 1, we are faster.
func plot(results []result) string {
	const (
		left, right, top, row, gap = 190, 30, 74, 20, 10
		width                      = 760
	)
	colours := []string{"#1f6fb2", "#d9822b"}
	limit := 1.0
	for _, r := range results {
		for k := range r.others() {
			limit = max(limit, r.ratio(k).most)
		}
	}
	limit = math.Ceil(limit*5+0.5) / 5
	at := func(ratio float64) float64 { return left + (width-left-right)*ratio/limit }

	var rows strings.Builder
	y := float64(top)
	for i, r := range results {
		if i > 0 && r.mesh != results[i-1].mesh {
			y += gap
		}
		fmt.Fprintf(&rows, `<text x="%d" y="%.0f" text-anchor="end">%s %s, %s</text>`+"\n", left-12, y+4, r.mesh, r.set, r.mode)
		for k := range r.others() {
			m := r.ratio(k)
			line := y - 3 + 6*float64(k)
			fmt.Fprintf(&rows, `<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="%s" stroke-width="2"/>`+"\n",
				at(m.least), at(m.most), line, line, colours[k%len(colours)])
			fmt.Fprintf(&rows, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%.2f</title></circle>`+"\n",
				at(m.median), line, colours[k%len(colours)], m.median)
		}
		y += row
	}
	bottom := y - row/2

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="12" fill="#222">`+"\n", width, bottom+44)
	b.WriteString(`<rect width="100%" height="100%" fill="#fff"/>` + "\n")
	b.WriteString(`<text x="20" y="26" font-size="15">Rays a second of hitscan, in multiples of Embree's</text>` + "\n")
	x := 20.0
	for k, p := range results[0].others() {
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="44" r="4" fill="%s"/><text x="%.0f" y="48">to %s</text>`+"\n",
			x+4, colours[k%len(colours)], x+14, p.name)
		x += 40 + 8*float64(len(p.name))
	}
	for tick := 0; float64(tick)/5 <= limit+1e-9; tick++ {
		ratio := float64(tick) / 5
		colour := "#ddd"
		if tick == 5 {
			colour = "#555"
		}
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%.0f" stroke="%s"/><text x="%.1f" y="%.0f" text-anchor="middle">%.1f</text>`+"\n",
			at(ratio), at(ratio), top-12, bottom, colour, at(ratio), bottom+18, ratio)
	}
	b.WriteString(rows.String())
	b.WriteString("</svg>\n")
	return b.String()
}
