package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/internal/testenv"
)

// fake is two rounds of two cases of a box, and of one of a large mesh, by programs whose speeds
// are plain numbers.
func fake() []result {
	var results []result
	for i, c := range []rayCase{
		{mesh: "box", set: "random", mode: "closest"},
		{mesh: "box", set: "random", mode: "any"},
		{mesh: "statue", set: "ao", mode: "closest", large: true},
	} {
		r := result{rayCase: c}
		first := float64(6 + 2*i)
		add := func(name string, slower float64) {
			r.programs = append(r.programs, program{
				name: name,
				values: map[string][]float64{
					speed:       {first / slower, 3 * first / slower},
					build:       {slower, slower},
					memory:      {50, 50},
					"rays":      {1000, 1000},
					"triangles": {12, 12},
				},
				agrees: &rayfile.Agreement{Lost: int(slower), Others: i, WorstT: 1e-7 * slower},
			})
			if strings.HasPrefix(name, ours) {
				r.programs[len(r.programs)-1].values[load] = []float64{slower / 16, slower / 8}
			}
		}
		add(ours, 1)
		add(embree, 2)
		if c.mode == "closest" {
			add(batch, 0.5)
		}
		if !c.large {
			add(robust, 3)
			add(portable, 4)
		} else {
			add(high, 8)
			for k := range r.programs {
				r.programs[k].agrees = nil
			}
		}
		results = append(results, r)
	}
	// One slow round of ours, which neither the median of speeds nor that of ratios hides.
	results[0].programs[0].values[speed][1] = 3
	return results
}

func TestTables(t *testing.T) {
	rays := rayTable(fake())
	assert.Contains(t, rays, "| mesh | rays | mode | hitscan, Mrays/s | Embree, Mrays/s | Embree robust, Mrays/s | ratio to Embree | ratio to Embree robust |\n")
	assert.Contains(t, rays, "| box | random | closest | 4.50, spread 67 % | 6.00, spread 100 % | 4.00, spread 100 % |"+
		" **1.17** (0.33–2.00) | **1.75** (0.50–3.00) |\n")
	assert.Contains(t, rays, "| box | random | any | 16.00, spread 100 % | 8.00, spread 100 % | 5.33, spread 100 % |"+
		" **2.00** (2.00–2.00) | **3.00** (3.00–3.00) |\n")
	assert.Contains(t, rays, "Ratio to Embree: from 1.17 (box random, closest) to 2.00 (box random, any).\n")
	assert.NotContains(t, rays, "statue")

	slow := portableTable(fake())
	assert.Contains(t, slow, "| box | random | any | 4.00, spread 100 % | **0.50** (0.50–0.50) | **0.75** (0.75–0.75) |\n")
	assert.Contains(t, slow, "Ratio to Embree robust: from 0.75")
	assert.NotContains(t, slow, "statue")

	many := batchTable(fake())
	assert.Contains(t, many, "| hitscan batch, Mrays/s | hitscan, Mrays/s | Embree, Mrays/s | ratio to Embree | ratio of hitscan to Embree |\n")
	assert.Contains(t, many, "| box | random | closest | 24.00, spread 100 % | 4.50, spread 67 % | 6.00, spread 100 % |"+
		" **4.00** (4.00–4.00) | **1.17** (0.33–2.00) |\n")
	assert.Contains(t, many, "| statue | ao | closest | 40.00, spread 100 % | 20.00, spread 100 % | 10.00, spread 100 % |"+
		" **4.00** (4.00–4.00) | **2.00** (2.00–2.00) |\n")
	assert.NotContains(t, many, "any")
	assert.Contains(t, many, "Ratio of hitscan to Embree: from 1.17 (box random, closest) to 2.00 (statue ao, closest).\n")

	builds := buildTable(fake())
	for _, row := range []string{
		"| box | 12 | hitscan medium | 1.0, spread 0 % | **0.50** (0.50–0.50) | 50.0 | 0.09 | **12.0** (8.0–16.0) |\n",
		"| box | 12 | Embree | 2.0, spread 0 % | | 50.0 | | |\n",
		"| box | 12 | Embree robust | 3.0, spread 0 % | **1.50** (1.50–1.50) | 50.0 | | |\n",
		"| statue | 12 | hitscan high | 8.0, spread 0 % | **4.00** (4.00–4.00) | 50.0 | 0.75 | **12.0** (8.0–16.0) |\n",
	} {
		assert.Contains(t, builds, row)
	}
	assert.NotContains(t, builds, "| box | 12 | hitscan high")
	assert.NotContains(t, builds, "batch")
	assert.NotContains(t, builds, "portable")

	agreement := agreementTable(fake())
	assert.Contains(t, agreement, "| Embree robust | 2000 | 6 | 0 | 3.0e-07 | 1 |\n")
	assert.Contains(t, agreement, "| hitscan batch | 1000 | 0 | 0 | 5.0e-08 | 0 |\n")
	assert.NotContains(t, agreement, "high", "the statue's answers were not checked")

	for _, table := range []string{rays, slow, many, builds, agreement, machineTable(options{}, "so")} {
		requireColumns(t, table)
	}
}

// requireColumns requires the rows of each table to have as many columns; an empty line ends a
// table.
func requireColumns(t *testing.T, text string) {
	columns := -1
	for line := range strings.Lines(text) {
		n := strings.Count(line, "|")
		if n == 0 {
			columns = -1
			continue
		}
		if columns < 0 {
			columns = n
		}
		require.Equal(t, columns, n, line)
	}
}

// Without another program there is nothing to compare with, and nothing that was not checked
// agrees.
func TestTablesAlone(t *testing.T) {
	alone := fake()[:2]
	for i := range alone {
		alone[i].programs = slices.DeleteFunc(alone[i].programs, func(p program) bool { return strings.HasPrefix(p.name, embree) })
		for k := range alone[i].programs {
			alone[i].programs[k].agrees = nil
		}
	}
	assert.Contains(t, rayTable(alone), "| box | random | closest | 4.50, spread 67 % |\n")
	assert.Contains(t, portableTable(alone), "| box | random | closest | 3.00, spread 100 % |\n")
	assert.Contains(t, batchTable(alone), "| box | random | closest | 24.00, spread 100 % | 4.50, spread 67 % |\n")
	assert.NotContains(t, rayTable(alone)+portableTable(alone)+batchTable(alone), "Embree")
	assert.Contains(t, buildTable(alone), "| box | 12 | hitscan medium | 1.0, spread 0 % | | 50.0 | 0.09 | **12.0** (8.0–16.0) |\n")
	assert.Empty(t, agreementTable(alone))
	assert.Empty(t, batchTable(alone[1:]), "no batch was measured")
}

func TestMiddle(t *testing.T) {
	assert.Equal(t, middle{3, 1, 9}, middleOf([]float64{9, 1, 3}))
	assert.Equal(t, middle{2, 1, 3}, middleOf([]float64{3, 1}))
	assert.InDelta(t, 100, middleOf([]float64{3, 1}).spread(), 1e-9)
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0.1, 10), 1, 9).Draw(t, "values")
		m := middleOf(values)
		below, above := 0, 0
		for _, v := range values {
			if v <= m.median {
				below++
			}
			if v >= m.median {
				above++
			}
			require.True(t, m.least <= v && v <= m.most)
		}
		require.GreaterOrEqual(t, 2*below, len(values))
		require.GreaterOrEqual(t, 2*above, len(values))
	})
}

func TestParseLines(t *testing.T) {
	const text = "triangles 12\nbuild_ms 1.5 ms\nset primary\nmrays_per_s 2 Mrays/s\nset ao\nmrays_per_s 3 Mrays/s\nhits 7\n"
	values, err := parseLines(text, "primary", speed, build)
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"triangles": 12, "build_ms": 1.5, speed: 2}, values)
	values, err = parseLines(text, "ao", speed)
	require.NoError(t, err)
	assert.Equal(t, 3.0, values[speed])
	for name, wrong := range map[string]string{
		"another set": "random", "no number": "build_ms fast", "no value": "build_ms", "no speed": "build_ms 1",
	} {
		t.Run(name, func(t *testing.T) {
			in := wrong
			if name == "another set" {
				in = text
			}
			_, err := parseLines(in, "random", speed, build)
			require.Error(t, err)
		})
	}
}

const benchOutput = `goos: linux
pkg: github.com/hitscan-go/hitscan/physics/mesh
cpu: some
BenchmarkShared/bunny_ao-2         	 100	  500 ns/op	  2.0 Mrays/s	 0 B/op	 0 allocs/op
BenchmarkShared/bunny_ao-2         	 100	  700 ns/op	  1.0 Mrays/s	 0 B/op	 0 allocs/op
BenchmarkShared/bunny_ao-2         	 100	  600 ns/op	  1.5 Mrays/s	 0 B/op	 0 allocs/op
BenchmarkShared/bunny_ao_brute_force-2 	 1	  1500000 ns/op	  0.0005 Mrays/s	 0 B/op	 0 allocs/op
PASS
ok  	github.com/hitscan-go/hitscan/physics/mesh	1.0s
pkg: github.com/hitscan-go/hitscan/ecs
BenchmarkSync/all_moved 	 100	  1.5e7 ns/op	 8 B/op	 3 allocs/op
`

func TestBenchmarks(t *testing.T) {
	list, err := parseBenchmarks(benchOutput)
	require.NoError(t, err)
	require.Len(t, list, 3)
	table := benchmarkTable(list)
	assert.Contains(t, table, "| physics/mesh | Shared/bunny ao | 600 ns | 33 % | 0 | 1.5 Mrays/s |\n")
	assert.Contains(t, table, "| physics/mesh | Shared/bunny ao brute force | 1.5 ms | 0 % | 0 | 0.0005 Mrays/s |\n")
	assert.Contains(t, table, "| ecs | Sync/all moved | 15 ms | 0 % | 3 |  |\n")
	assert.Contains(t, bruteTable(list), "| bunny ao | 1500000 | 500, spread 0 % | 3000 |\n")
	assert.Empty(t, bruteTable(list[:1]), "no twin")
	assert.Empty(t, benchmarkTable(nil))

	for _, wrong := range []string{"", "PASS\n", "--- FAIL: BenchmarkX\n", benchOutput + "FAIL\n", "BenchmarkX 1 slow ns/op\n"} {
		_, err := parseBenchmarks(wrong)
		require.Error(t, err, "%q", wrong)
	}
}

func TestShort(t *testing.T) {
	for ns, want := range map[float64]string{0.25: "0.25 ns", 999: "999 ns", 1500: "1.5 µs", 2.5e6: "2.5 ms", 3e9: "3 s"} {
		assert.Equal(t, want, short(ns))
	}
}

func TestFill(t *testing.T) {
	const page = "a\n<!-- measured: x -->\nold\n<!-- end -->\nb\n<!-- measured: y -->\n<!-- end -->\nc\n"
	both := []block{{"x", "1\n"}, {"y", "2\n"}}
	filled, err := fill(page, both, false)
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- measured: x -->\n1\n<!-- end -->\nb\n<!-- measured: y -->\n2\n<!-- end -->\nc\n", filled)
	again, err := fill(filled, both, false)
	require.NoError(t, err)
	require.Equal(t, filled, again)
	kept, err := fill(page, both[1:], true)
	require.NoError(t, err)
	require.Equal(t, "a\n<!-- measured: x -->\nold\n<!-- end -->\nb\n<!-- measured: y -->\n2\n<!-- end -->\nc\n", kept)
	for name, c := range map[string]struct {
		page   string
		blocks []block
		some   bool
		says   string
	}{
		"not measured": {page, both[:1], false, `nothing was measured for the place "y"`},
		"empty":        {page, []block{{"x", ""}}, true, `nothing was measured for the place "x"`},
		"no place":     {page, append([]block{{"z", "3\n"}}, both...), true, `no place for "z"`},
		"no end":       {"<!-- measured: x -->\n", both[:1], false, "no end"},
		"swallowed":    {"<!-- measured: x -->\n" + page, both, false, "no end"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fill(c.page, c.blocks, c.some)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// places are those of the page in docs.
var places = []string{"machine", "rays", "portable", "batch", "agreement", "builds", "brute", "benchmarks machine", "benchmarks",
	"worlds machine", "worlds", "worlds agreement", "cores", "life", "scale", "collisions machine", "pairs", "casts", "movers"}

// The page in docs has a place for every table and for no other.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "benchmarks", "zen4-epyc.md"))
	require.NoError(t, err)
	var blocks []block
	for _, name := range places {
		blocks = append(blocks, block{name, "|\n"})
	}
	_, err = fill(string(page), blocks, false)
	require.NoError(t, err)
}

// The plot is XML; each median is a dot within the picture, further to the right if it is greater.
func TestPlot(t *testing.T) {
	text := plot(fake())
	at := map[string]float64{}
	place := ""
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			for _, a := range x.Attr {
				if a.Name.Local == "cx" {
					place = a.Value
				}
			}
		case xml.CharData: // of a title, which is in a dot
			if place != "" && !strings.Contains(string(x), "\n") && !strings.Contains(string(x), "Embree") {
				v, err := strconv.ParseFloat(place, 64)
				require.NoError(t, err)
				at[string(x)] = v
			}
			place = ""
		}
	}
	require.Len(t, at, 6, "the different ones of all series: %v", at)
	assert.Less(t, at["0.50"], at["1.17"])
	assert.Less(t, at["1.17"], at["1.75"])
	assert.Less(t, at["1.75"], at["2.00"])
	assert.Less(t, at["2.00"], at["3.00"])
	assert.Less(t, at["3.00"], at["4.00"])
	assert.Greater(t, at["0.50"], 190.0)
	assert.Less(t, at["4.00"], 760.0)
	// To Embree and in batches for the closest; to robust, portable.
	assert.Equal(t, 3+2+2+2, strings.Count(text, "<title>"))
	assert.Contains(t, text, ">box random, any</text>")
	assert.Contains(t, text, ">statue ao, closest</text>")
}

// TestMain plays the programs that are measured, where this test calls itself as one.
func TestMain(m *testing.M) {
	if os.Getenv("PLAY_A_PROGRAM") == "" {
		os.Exit(m.Run())
	}
	if slices.ContainsFunc(os.Args, func(a string) bool { return slices.Contains([]string{"-world", "-instances", "boxes", "instances"}, a) }) {
		playWorld(os.Args)
		os.Exit(0)
	}
	if len(os.Args) > 1 && (os.Args[1] == "pairs" || os.Args[1] == "casts") {
		playCollisions(bullet, 80)
		os.Exit(0)
	}
	if len(os.Args) == 1 || slices.Contains(os.Args, "-save") || slices.Contains(os.Args, "-mesh") && !slices.Contains(os.Args, "-mode") {
		playCollisions(ours, 20)
		os.Exit(0)
	}
	fmt.Print("triangles 12\nbuild_ms 2 ms\nbytes_per_triangle 50 B\nload_ms 0.5 ms\nrays 2\nhits 1\nmrays_per_s 4 Mrays/s\n")
	hits := []rayfile.Hit{{T: 1, Triangle: 3}, {Triangle: rayfile.Miss}}
	last := os.Args[len(os.Args)-1]
	if slices.Contains(os.Args, "robust") {
		hits[0] = hits[1] // loses a hit
	}
	if filepath.Base(last) == "answers" {
		if err := rayfile.WriteHits(last, hits); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(0)
}

// The whole way, from files and programs to a page and a plot.
func TestRun(t *testing.T) {
	testenv.Needs(t, runtime.GOOS != "js", "to run programs")
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("PLAY_A_PROGRAM", "1")
	// Or else the race detector makes each of a hundred programs wait a second.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	data, docs := t.TempDir(), t.TempDir()
	for _, mesh := range []string{"bunny", "teapot", "arena1"} {
		require.NoError(t, os.MkdirAll(filepath.Join(data, "meshes"), 0o755))
		require.NoError(t, os.MkdirAll(filepath.Join(data, "rays"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(data, "meshes", mesh+".obj"), nil, 0o644))
		for _, set := range []string{"primary", "random", "ao"} {
			stem := filepath.Join(data, "rays", mesh+"_"+set)
			require.NoError(t, os.WriteFile(stem+".rays", nil, 0o644))
			require.NoError(t, rayfile.WriteHits(stem+".hits", []rayfile.Hit{{T: 1, Triangle: 3}, {Triangle: rayfile.Miss}}))
		}
	}
	require.NoError(t, os.MkdirAll(filepath.Join(data, "worlds"), 0o755))
	for _, name := range []string{"boxes100k.wld", "boxes100k.rays", "bunnies10k.ins", "bunnies10k.rays"} {
		require.NoError(t, os.WriteFile(filepath.Join(data, "worlds", name), nil, 0o644))
	}
	page := ""
	for _, name := range places {
		page += "<!-- measured: " + name + " -->\n<!-- end -->\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(docs, "machine.md"), []byte(page), 0o644))
	benchmarks := filepath.Join(data, "bench.txt")
	require.NoError(t, os.WriteFile(benchmarks, []byte(benchOutput), 0o644))

	large := filepath.Join(t.TempDir(), "statue.obj")
	for _, end := range []string{".obj", "_primary.rays", "_random.rays", "_ao.rays"} {
		require.NoError(t, os.WriteFile(strings.TrimSuffix(large, ".obj")+end, nil, 0o644))
	}
	o := options{raybench: self, embree: self, embreeWorld: self, data: data, large: large, page: filepath.Join(docs, "machine.md"), benchmarks: benchmarks,
		collidebench: self, bullet: self, parts: strings.Join(allParts, ","), sizes: "1000,1000000", ticks: 50, rounds: 2, runs: 1, twoCores: true}
	var printed strings.Builder
	require.NoError(t, run(o, &printed, io.Discard))
	written, err := os.ReadFile(filepath.Join(docs, "machine.md"))
	require.NoError(t, err)
	for _, text := range []string{printed.String(), string(written)} {
		assert.Contains(t, text, "| teapot | ao | any | 4.00, spread 0 % | 4.00, spread 0 % | 4.00, spread 0 % | **1.00**")
		assert.Contains(t, text, "| hitscan | 36 | 0 | 0 |")
		assert.Contains(t, text, "| hitscan portable | 36 | 0 | 0 |")
		assert.Contains(t, text, "| hitscan batch | 18 | 0 | 0 |")
		assert.Contains(t, text, "| hitscan high | 6 | 0 | 0 |")
		assert.Contains(t, text, "| bunny | primary | any | 4.00, spread 0 % | **1.00** (1.00–1.00) | **1.00** (1.00–1.00) |\n", "portable")
		assert.Contains(t, text, "| statue | ao | closest | 4.00, spread 0 % | 4.00, spread 0 % | 4.00, spread 0 % | **1.00**", "batch")
		assert.Contains(t, text, "| statue | 12 | hitscan fast | 2.0, spread 0 % | **1.00** (1.00–1.00) | 50.0 | 0.50 | **4.0** (4.0–4.0) |\n")
		assert.Contains(t, text, "| Embree robust | 36 | 18 | 0 |")
		requireWorlds(t, text)
		assert.Contains(t, text, "| box and hull | 20 | 20 | 20 | 80 | 80 | **0.25** (0.25–0.25) | **0.25** (0.25–0.25) |\n")
	}
	svg, err := os.ReadFile(filepath.Join(docs, "machine.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(svg), "</svg>")

	// A part of the page leaves the others as they are.
	require.NoError(t, os.Remove(filepath.Join(docs, "machine.svg")))
	o.parts, o.sizes = "worlds", "1000"
	require.NoError(t, run(o, io.Discard, io.Discard))
	part, err := os.ReadFile(filepath.Join(docs, "machine.md"))
	require.NoError(t, err)
	assert.Contains(t, string(part), "| teapot | ao | any | 4.00")
	assert.Contains(t, string(written), "| 1,000,000 |")
	assert.NotContains(t, string(part), "| 1,000,000 |")
	require.NoFileExists(t, filepath.Join(docs, "machine.svg"))
	o.parts = "meshes"

	require.NoError(t, os.Remove(strings.TrimSuffix(large, ".obj")+"_random.rays"))
	require.ErrorIs(t, run(o, io.Discard, io.Discard), os.ErrNotExist)
	o.large = ""
	require.NoError(t, os.Remove(filepath.Join(data, "rays", "bunny_ao.hits")))
	require.ErrorIs(t, run(o, io.Discard, io.Discard), os.ErrNotExist)
}

// Each program measures what it is named after, and no more than the tables need.
func TestSubjects(t *testing.T) {
	o := options{raybench: "raybench", embree: "embree"}
	small := rayCase{mesh: "box", set: "primary", mode: "closest", meshFile: "box.obj", rays: "box.rays"}
	large, other, any := small, small, small
	large.large, other.set, any.mode = true, "ao", "any"
	for name, c := range map[string]struct {
		c    rayCase
		want map[string]string
	}{
		"small": {small, map[string]string{
			ours:     "raybench -mode closest -runs 3 -mesh box.obj -rays box.rays -out a",
			portable: "raybench -mode closest -runs 3 -portable -builds 1 -mesh box.obj -rays box.rays -out a",
			batch:    "raybench -mode closest -runs 3 -batch 2147483647 -builds 1 -mesh box.obj -rays box.rays -out a",
			fast:     "raybench -mode closest -runs 3 -quality fast -mesh box.obj -rays box.rays -out a",
			high:     "raybench -mode closest -runs 3 -quality high -builds 1 -mesh box.obj -rays box.rays -out a",
			embree:   "embree box.obj box.rays fast closest 3 a",
			robust:   "embree box.obj box.rays robust closest 3 a",
		}},
		"large":       {large, map[string]string{ours: "", batch: "", fast: "", high: "", embree: ""}},
		"another set": {other, map[string]string{ours: "", portable: "", batch: "", embree: "", robust: ""}},
		"any":         {any, map[string]string{ours: "", portable: "", embree: "embree box.obj box.rays fast any 3 a", robust: ""}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			for _, s := range subjects(o) {
				want, ok := c.want[s.name]
				require.Equal(t, ok, s.asked(c.c), s.name)
				if ok {
					asked++
				}
				if want != "" {
					assert.Equal(t, want, strings.Join(s.command(c.c, 3, "a"), " "))
				}
			}
			assert.Equal(t, len(c.want), asked)
		})
	}
	o.embree = ""
	for _, s := range subjects(o) {
		assert.NotContains(t, s.name, "Embree")
	}
}

// A requested program that is missing is an error, and nothing is written over.
func TestRunWrong(t *testing.T) {
	dir := t.TempDir()
	none := options{raybench: filepath.Join(dir, "none"), parts: "meshes", rounds: 1, runs: 1}
	require.ErrorContains(t, run(none, io.Discard, io.Discard), none.raybench)

	never := none
	never.rounds = 0
	require.ErrorContains(t, run(never, io.Discard, io.Discard), "at least 1")

	incomplete := none
	incomplete.page = dir
	require.ErrorContains(t, run(incomplete, io.Discard, io.Discard), "not written without Embree")

	nodata := none
	nodata.data = dir
	require.ErrorIs(t, run(nodata, io.Discard, io.Discard), os.ErrNotExist)

	worlds := nodata
	worlds.parts = "worlds"
	require.ErrorIs(t, run(worlds, io.Discard, io.Discard), os.ErrNotExist)

	part := none
	part.parts = "meshes,moons"
	require.ErrorContains(t, run(part, io.Discard, io.Discard), "want some of benchmarks, meshes, worlds")

	text := none
	text.parts = "benchmarks"
	text.benchmarks = filepath.Join(dir, "bench.txt")
	require.NoError(t, os.WriteFile(text.benchmarks, []byte("nothing"), 0o644))
	require.ErrorContains(t, run(text, io.Discard, io.Discard), text.benchmarks+": there are no benchmarks")
}
