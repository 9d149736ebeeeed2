package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What collidebench and, beside it, Bullet say of pairs of shapes, casts of shapes and movers.

const bullet = "Bullet"

// The shapes and states of pairs, and the shapes and sizes of casts, by the names that the programs
// give them.
var (
	pairKinds  = []string{"sphere", "capsule", "box", "hull", "AABB", "plane", "compound", "mesh"}
	castKinds  = []string{"sphere", "capsule", "box", "hull"}
	castSizes  = []string{"0.002", "0.02"}
	castMeshes = []string{"bunny", "arena1"}
)

// moverMesh is the mesh that movers walk on.
const moverMesh = "arena1"

// touching begins the names of what part of the pairs or casts touches.
const touching = "touching-"

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
	for _, name := range append([]string{"pairs"}, castMeshes...) {
		fmt.Fprintln(progress, "collisions,", name)
		own := []string{o.collidebench}
		theirs := []string{o.bullet, "pairs", filepath.Join(dir, "poses.txt"), filepath.Join(dir, "ball.obj"), filepath.Join(dir, "field.txt")}
		needed := "compound-mesh-deep"
		if name != "pairs" {
			mesh := filepath.Join(o.data, "meshes", name+".obj")
			own = append(own, "-mesh", mesh)
			theirs = []string{o.bullet, "casts", filepath.Join(dir, "casts.txt"), mesh}
			needed = "cast-hull-0.02"
		}
		if _, err := say(join(own, []string{"-save", dir}), ""); err != nil {
			return nil, err
		}
		if name == moverMesh {
			own = append(own, "-movers", "10000")
		}
		list := []worldSubject{{ours, join(strings.Fields(o.pin), own)}}
		if o.bullet != "" {
			list = append(list, worldSubject{bullet, join(strings.Fields(o.pin), theirs)})
		}
		r, err := ask(worldCase{name: name}, list, o.rounds, needed)
		if err != nil {
			return nil, err
		}
		if err := agree(r.programs); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if name == "pairs" {
			all.pairs = r.programs
			continue
		}
		all.casts[name] = r.programs
		if name == moverMesh {
			all.movers = r.programs
		}
	}
	return all, nil
}

// agree returns an error unless Bullet, where it was measured, finds as many pairs touching and as
// many casts hitting as we do. It may differ by what its tolerances do to casts, which are around a
// millimetre whatever the size of things; not where a pair is plainly apart or deep in each other.
// Pairs that are near are up to its margins.
func agree(list programs) error {
	own, theirs := list.find(ours), list.find(bullet)
	if theirs == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(theirs.values)) {
		what, ok := strings.CutPrefix(name, touching)
		if !ok || strings.HasSuffix(what, "-near") {
			continue
		}
		allowed := 0.0
		if strings.HasPrefix(what, "cast-") {
			allowed = 0.03
		}
		a, b := own.values[name], theirs.values[name]
		if len(a) == 0 || math.Abs(middleOf(a).median-middleOf(b).median) > allowed {
			return fmt.Errorf("%s: %v touch, of Bullet's %v", what, a, b)
		}
	}
	return nil
}

// pairTable has a row for each pair of shapes of which there are contacts, with the time for each
// state. Bullet has none of some of them.
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
			if own.values[pair+"deep"] == nil {
				continue
			}
			fmt.Fprintf(&b, "| %s and %s |", x, y)
			for _, state := range []string{"apart", "near", "deep"} {
				fmt.Fprintf(&b, " %.0f |", middleOf(own.values[pair+state]).median)
			}
			if theirs != nil && theirs.values[pair+"deep"] == nil {
				b.WriteString(" | | | |")
			} else if theirs != nil {
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

// moverTable has the time of a tick of characters.
func moverTable(c *collisions) string {
	own := c.movers.find(ours)
	m := middleOf(own.values["movers_ms"])
	return fmt.Sprintf("| | |\n|---|---:|\n| 10,000 capsule movers on arena1, ms a tick | %.1f (%.1f–%.1f) |\n", m.median, m.least, m.most)
}
