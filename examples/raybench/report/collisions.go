package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// What collidebench and, beside it, Bullet say of pairs of shapes, casts of shapes and movers.

const bullet = "Bullet"

// The shapes and states of pairs, and the shapes and sizes of casts, by the names that the programs give them.
var (
	pairKinds  = []string{"sphere", "capsule", "box", "hull"}
	castKinds  = []string{"sphere", "capsule", "box"}
	castSizes  = []string{"0.002", "0.02"}
	castMeshes = []string{"bunny", "arena1"}
)

// collisions is what the programs said: of pairs, and of casts at each mesh.
type collisions struct {
	pairs  programs
	casts  map[string]programs
	movers programs
}

// measureCollisions runs the programs in turn, so many rounds.
func measureCollisions(o options, progress io.Writer) (*collisions, error) {
	dir, err := os.MkdirTemp("", "collidebench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all := &collisions{casts: map[string]programs{}}
	pin := strings.Fields(o.pin)
	for _, name := range castMeshes {
		fmt.Fprintln(progress, "collisions,", name)
		mesh := filepath.Join(o.data, "meshes", name+".obj")
		if _, err := say([]string{o.collidebench, "-mesh", mesh, "-save", dir}, ""); err != nil {
			return nil, err
		}
		list := []worldSubject{{ours, join(pin, []string{o.collidebench, "-mesh", mesh})}}
		if name == "arena1" {
			list[0].command = append(list[0].command, "-movers", "10000")
		}
		if o.bullet != "" {
			list = append(list, worldSubject{bullet, join(pin, []string{o.bullet, filepath.Join(dir, "poses.txt"), mesh, filepath.Join(dir, "casts.txt")})})
		}
		r, err := ask(worldCase{name: name}, list, o.rounds, "box-box-deep", "cast-box-0.02")
		if err != nil {
			return nil, err
		}
		all.casts[name] = r.programs
		all.pairs = r.programs
		if name == "arena1" {
			all.movers = r.programs
		}
	}
	return all, nil
}

// pairTable has a row for each pair of shapes, with the time for each state.
func pairTable(c *collisions) string {
	var b strings.Builder
	own, theirs := c.pairs.find(ours), c.pairs.find(bullet)
	b.WriteString("| pair | apart, ns | near, ns | deep, ns |")
	line := "|---|---:|---:|---:|"
	if theirs != nil {
		b.WriteString(" Bullet, apart | deep | times Bullet's, apart | deep |")
		line += "---:|---:|---:|---:|"
	}
	b.WriteString("\n" + line + "\n")
	for i, x := range pairKinds {
		for _, y := range pairKinds[i:] {
			pair := x + "-" + y + "-"
			fmt.Fprintf(&b, "| %s and %s |", x, y)
			for _, state := range []string{"apart", "near", "deep"} {
				fmt.Fprintf(&b, " %.0f |", middleOf(own.values[pair+state]).median)
			}
			if theirs != nil {
				for _, state := range []string{"apart", "deep"} {
					fmt.Fprintf(&b, " %.0f |", middleOf(theirs.values[pair+state]).median)
				}
				for _, state := range []string{"apart", "deep"} {
					q := ratios(own.values[pair+state], theirs.values[pair+state])
					fmt.Fprintf(&b, " **%.2f** (%.2f–%.2f) |", q.median, q.least, q.most)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// castTable has a row for each mesh, shape and size.
func castTable(c *collisions) string {
	var b strings.Builder
	b.WriteString("| mesh | shape | size | µs a cast |")
	line := "|---|---|---:|---:|"
	if c.pairs.find(bullet) != nil {
		b.WriteString(" Bullet | times as fast |")
		line += "---:|---:|"
	}
	b.WriteString("\n" + line + "\n")
	for _, mesh := range castMeshes {
		own, theirs := c.casts[mesh].find(ours), c.casts[mesh].find(bullet)
		for _, shape := range castKinds {
			for _, size := range castSizes {
				name := "cast-" + shape + "-" + size
				fmt.Fprintf(&b, "| %s | %s | %s | %.2f |", mesh, shape, size, middleOf(own.values[name]).median)
				if theirs != nil {
					q := ratios(theirs.values[name], own.values[name])
					fmt.Fprintf(&b, " %.1f | **%.0f** (%.0f–%.0f) |", middleOf(theirs.values[name]).median, q.median, q.least, q.most)
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// moverTable tells what a tick of characters takes.
func moverTable(c *collisions) string {
	own := c.movers.find(ours)
	m := middleOf(own.values["movers_ms"])
	return fmt.Sprintf("| | |\n|---|---:|\n| 10,000 capsule movers on arena1, ms a tick | %.1f (%.1f–%.1f) |\n", m.median, m.least, m.most)
}
