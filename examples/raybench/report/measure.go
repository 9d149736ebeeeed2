package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
)

// rayCase is one question put to each program. Without files, it is about the torus, and raybench
// makes the rays.
type rayCase struct {
	mesh, set, mode       string
	meshFile, rays, truth string
	large                 bool // only for batches and building: the mesh is past the cache
}

// subject is a program in one of its settings. Its arguments end with the file for the answers, if
// that is wanted.
type subject struct {
	name    string
	asked   func(c rayCase) bool // reports whether it is measured on a case
	command func(c rayCase, runs int, out string) []string
}

// result is what the programs said about one case: for each of them, values[name][round].
type result struct {
	rayCase
	programs programs
}

type programs []program

// find returns the program of a name, and nil if it did not run.
func (list programs) find(name string) *program {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

type program struct {
	name   string
	values map[string][]float64
	agrees *rayfile.Agreement // nil if it was not checked
}

// The programs in their settings, as tables name them.
const (
	ours     = "hitscan"
	portable = "hitscan portable"
	batch    = "hitscan batch"
	fast     = "hitscan fast"
	high     = "hitscan high"
	embree   = "Embree"
	robust   = "Embree robust"
)

var sets = []string{"primary", "random", "ao"}

// findCases returns every mesh of the measuring data with every set of rays that there is for it,
// and the closest hits of the large mesh, if there is one.
func findCases(data, large string) ([]rayCase, error) {
	var cases []rayCase
	if data == "" {
		for _, set := range sets {
			for _, mode := range []string{"closest", "any"} {
				cases = append(cases, rayCase{mesh: "torus", set: set, mode: mode})
			}
		}
		return cases, nil
	}
	add := func(c rayCase) error {
		if err := thereAre(c.meshFile, c.rays, c.truth); err != nil {
			return err
		}
		cases = append(cases, c)
		return nil
	}
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		for _, set := range sets {
			for _, mode := range []string{"closest", "any"} {
				stem := filepath.Join(data, "rays", name+"_"+set)
				c := rayCase{mesh: name, set: set, mode: mode, meshFile: filepath.Join(data, "meshes", name+".obj")}
				c.rays, c.truth = stem+".rays", stem+".hits"
				if err := add(c); err != nil {
					return nil, err
				}
			}
		}
	}
	if large == "" {
		return cases, nil
	}
	for _, set := range sets {
		stem := strings.TrimSuffix(large, filepath.Ext(large))
		c := rayCase{mesh: filepath.Base(stem), set: set, mode: "closest", meshFile: large, rays: stem + "_" + set + ".rays", large: true}
		if err := add(c); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// thereAre returns an error unless all files exist that have a name.
func thereAre(files ...string) error {
	for _, file := range files {
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// subjects returns the programs and their settings. Cases are chosen so that a round is short:
// meshes are built again for each case, and those of other qualities only for one case of a mesh.
func subjects(o options) []subject {
	all := func(rayCase) bool { return true }
	small := func(c rayCase) bool { return !c.large }
	closest := func(c rayCase) bool { return c.mode == "closest" }
	first := func(c rayCase) bool { return c.mode == "closest" && c.set == sets[0] }

	var list []subject
	ourOwn := func(name string, asked func(rayCase) bool, flags ...string) {
		list = append(list, subject{name, asked, func(c rayCase, runs int, out string) []string {
			args := append([]string{o.raybench, "-mode", c.mode, "-runs", strconv.Itoa(runs)}, flags...)
			if c.rays != "" {
				args = append(args, "-mesh", c.meshFile, "-rays", c.rays)
			}
			if out != "" {
				args = append(args, "-out", out)
			}
			return args
		}})
	}
	ourOwn(ours, all)
	ourOwn(portable, small, "-portable", "-builds", "1")
	ourOwn(batch, closest, "-batch", strconv.Itoa(math.MaxInt32), "-builds", "1")
	ourOwn(fast, first, "-quality", "fast")
	ourOwn(high, first, "-quality", "high", "-builds", "1")
	if o.embree == "" {
		return list
	}
	theirs := func(name string, asked func(rayCase) bool, flag string) {
		list = append(list, subject{name, asked, func(c rayCase, runs int, out string) []string {
			args := []string{o.embree, c.meshFile, c.rays, flag, c.mode, strconv.Itoa(runs)}
			if out != "" {
				args = append(args, out)
			}
			return args
		}})
	}
	theirs(embree, all, "fast")
	theirs(robust, small, "robust")
	return list
}

// measureAll runs all programs on all cases, so many rounds. Answers are checked in the first.
func measureAll(o options, cases []rayCase, progress io.Writer) ([]result, error) {
	dir, err := os.MkdirTemp("", "raybench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	results := make([]result, len(cases))
	asked := make([][]subject, len(cases))
	for i, c := range cases {
		results[i] = result{rayCase: c}
		for _, s := range subjects(o) {
			if s.asked(c) {
				asked[i] = append(asked[i], s)
				results[i].programs = append(results[i].programs, program{name: s.name, values: map[string][]float64{}})
			}
		}
	}
	for round := range o.rounds {
		fmt.Fprintf(progress, "round %d of %d\n", round+1, o.rounds)
		for i, c := range cases {
			for k := range asked[i] {
				k = (k + round) % len(asked[i])
				p := &results[i].programs[k]
				out := ""
				if round == 0 && c.truth != "" {
					out = filepath.Join(dir, "answers")
				}
				said, err := say(append(strings.Fields(o.pin), asked[i][k].command(c, o.runs, out)...), c.set, speed, build)
				if err != nil {
					return nil, err
				}
				for name, value := range said {
					p.values[name] = append(p.values[name], value)
				}
				if out != "" {
					if p.agrees, err = compare(out, c, said); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return results, nil
}

// say runs a program and returns what it says of a set. It must tell of what is needed, which is
// more than 0.
func say(command []string, set string, needed ...string) (map[string]float64, error) {
	cmd := exec.Command(command[0], command[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		var values map[string]float64
		if values, err = parseLines(string(out), set, needed...); err == nil {
			return values, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, strings.TrimSpace(stderr.String()))
}

// parseLines returns the values of lines of a name, a value and a unit. After a line "set" with a
// name come the lines of that set, and only those of the requested set count. It is an
// error if one that is needed is missing or 0.
func parseLines(text, set string, needed ...string) (map[string]float64, error) {
	values := map[string]float64{}
	counts := true
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 {
			return nil, fmt.Errorf("what is %q?", line)
		}
		if f[0] == "set" {
			counts = f[1] == set
			continue
		}
		value, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f[0], err)
		}
		if counts {
			values[f[0]] = value
		}
	}
	for _, name := range needed {
		if values[name] <= 0 {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	return values, nil
}

func compare(answers string, c rayCase, said map[string]float64) (*rayfile.Agreement, error) {
	rays, triangles := int(said["rays"]), int(said["triangles"])
	truth, err := rayfile.ReadHits(c.truth, rays, triangles)
	if err != nil {
		return nil, err
	}
	got, err := rayfile.ReadHits(answers, rays, triangles)
	if err != nil {
		return nil, err
	}
	a := rayfile.Compare(got, truth, c.mode == "closest")
	return &a, nil
}
