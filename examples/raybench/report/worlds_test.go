package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// playWorld is raybench or embree_world, at a world.
func playWorld(args []string) {
	rate, ms := 2.0, 8.0
	peer := !slices.Contains(args, "-world") && !slices.Contains(args, "-instances")
	switch {
	case slices.Contains(args, "morton"), slices.Contains(args, "-threads"):
		rate, ms = 4, 4
	case slices.Contains(args, "sah"), slices.Contains(args, "robust"):
		rate, ms = 1, 16
	}
	n := 100000
	if i := slices.Index(args, "-world"); i >= 0 {
		fmt.Sscan(args[i+1], &n)
	}
	fmt.Printf("colliders %d\nrays 2\nhits 1\nclosest_mrays_per_s %g\nany_mrays_per_s %g\nupdate_ms %g ms\n", n, rate, 2*rate, ms)
	if !slices.Contains(args, "-instances") && !slices.Contains(args, "instances") {
		fmt.Printf("pairs_ms %g ms\npairs_at_tick_60 %d\n", ms/2, n/10)
	}
	if peer {
		return
	}
	fmt.Printf("worst_tick_ms %g ms\ncastrays_mrays_per_s 5\ncastraysany_mrays_per_s 6\nbytes_per_collider 99.6 B\n", 2*ms)
	fmt.Printf("snapshot_ms 0.25 ms\nsnapshot_update_ms 9 ms\nsync_idle_ms 0.5 ms\nsync_moved_ms 3 ms\nsync_update_ms 2 ms\nsync_ecs_ms 1 ms\n")
	if i := slices.Index(args, "-ticks"); i >= 0 {
		fmt.Printf("lived_ticks %s\nlived_update_ms 7 ms\nlived_worst_tick_ms 11 ms\nlived_mrays_per_s 2\nfresh_mrays_per_s 2.2\nlived_cost 1.1 times\n", args[i+1])
	}
	if slices.Contains(args, "-rays") {
		fmt.Print("lost 1\ninvented 0\nother_collider 7\nworst_t_relative 0.0003\n")
	}
}

// requireWorlds looks for what playWorld said in the tables.
func requireWorlds(t *testing.T, text string) {
	for _, row := range []string{
		"| boxes100k | hitscan | Embree, SAH | Embree, Morton | ahead of Embree, SAH | ahead of Embree, Morton |\n",
		"| closest hit, Mrays/s | 2.00, spread 0 % | 1.00, spread 0 % | 4.00, spread 0 % | **2.00** (2.00–2.00) | **0.50** (0.50–0.50) |\n",
		"| all moved and updated, ms | 8.00, spread 0 % | 16.00, spread 0 % | 4.00, spread 0 % | **2.00** (2.00–2.00) | **0.50** (0.50–0.50) |\n",
		"| pairs, ms | 4.00, spread 0 % | 8.00, spread 0 % | 2.00, spread 0 % | **2.00** (2.00–2.00) | **0.50** (0.50–0.50) |\n",
		"| bunnies10k | hitscan | Embree | Embree robust | ahead of Embree | ahead of Embree robust |\n",
		"| any hit, Mrays/s | 4.00, spread 0 % | 4.00, spread 0 % | 2.00, spread 0 % | **1.00** (1.00–1.00) | **2.00** (2.00–2.00) |\n",
		"| bunnies10k | one core | two cores | times |\n",
		"| all moved and updated, ms | 8.00, spread 0 % | 4.00, spread 0 % | **2.00** (2.00–2.00) |\n",
		"| snapshot, taken and released, ms | 0.250, spread 0 % | 0.250, spread 0 % | **1.00** (1.00–1.00) |\n",
		"| memory, B/collider | 100, spread 0 % | 100, spread 0 % |  |\n",
		"| boxes100k | hitscan | 1 | 0 | 3.0e-04 | 7 |\n",
		"| boxes100k | 50 | 7.00 | 11.00 | 2.00 | 2.20 | **1.10** |\n",
		"| 1,000 | 8.000 | 802.7 | 16.000 | 4.000 | 401.4 | 100 | 100 |\n", // 8e6/(1000·log₂ 1000)
		"| 1,000 | 2.00 | 50 | 4.00 | 25 | 5.00 | 6.00 |\n",                // 500/log₂ 1000
	} {
		assert.Contains(t, text, row)
	}
	requireColumns(t, text)
}

// Each program measures in worlds what it is named after.
func TestWorldSubjects(t *testing.T) {
	data := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(data, "worlds"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(data, "meshes"), 0o755))
	_, err := findWorlds(data)
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, name := range []string{"worlds/boxes100k.wld", "worlds/boxes100k.rays", "worlds/bunnies10k.ins", "worlds/bunnies10k.rays", "meshes/bunny.obj"} {
		require.NoError(t, os.WriteFile(filepath.Join(data, filepath.FromSlash(name)), nil, 0o644))
	}
	found, err := findWorlds(data)
	require.NoError(t, err)
	made, err := findWorlds("")
	require.NoError(t, err)
	all := options{raybench: "raybench", embreeWorld: "embree_world", pin: "taskset -c 1", twoCores: true}
	for name, c := range map[string]struct {
		o    options
		c    worldCase
		want []string
	}{
		"boxes": {all, found[0], []string{
			"hitscan: taskset -c 1 raybench -world boxes100k.wld -rays boxes100k.rays",
			"hitscan, two cores: raybench -world boxes100k.wld -rays boxes100k.rays -threads 2",
			"Embree, SAH: taskset -c 1 embree_world boxes boxes100k.wld boxes100k.rays sah",
			"Embree, Morton: taskset -c 1 embree_world boxes boxes100k.wld boxes100k.rays morton",
		}},
		"instances": {all, found[1], []string{
			"hitscan: taskset -c 1 raybench -instances bunnies10k.ins -mesh bunny.obj -rays bunnies10k.rays",
			"hitscan, two cores: raybench -instances bunnies10k.ins -mesh bunny.obj -rays bunnies10k.rays -threads 2",
			"Embree: taskset -c 1 embree_world instances bunnies10k.ins bunny.obj bunnies10k.rays fast",
			"Embree robust: taskset -c 1 embree_world instances bunnies10k.ins bunny.obj bunnies10k.rays robust",
		}},
		"made":  {all, made[0], []string{"hitscan: taskset -c 1 raybench -world 100000", "hitscan, two cores: raybench -world 100000 -threads 2"}},
		"alone": {options{raybench: "raybench"}, found[0], []string{"hitscan: raybench -world boxes100k.wld -rays boxes100k.rays"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range worldSubjects(c.o, c.c) {
				line := s.name + ": " + strings.Join(s.command, " ")
				line = strings.ReplaceAll(line, filepath.Join(data, "worlds")+string(filepath.Separator), "")
				got = append(got, strings.ReplaceAll(line, filepath.Join(data, "meshes")+string(filepath.Separator), ""))
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// What is ahead is so by being more a second, or less time.
func TestAhead(t *testing.T) {
	a := &program{values: map[string][]float64{"rate": {2, 6}, "ms": {1, 4}}}
	b := &program{values: map[string][]float64{"rate": {1, 2}, "ms": {2, 2}}}
	assert.Equal(t, "**2.50** (2.00–3.00)", quantity{line: "rate", rate: true}.ahead(a, b))
	assert.Equal(t, "**1.25** (0.50–2.00)", quantity{line: "ms"}.ahead(a, b))
	assert.Empty(t, quantity{line: "none"}.ahead(a, b))
	assert.Empty(t, quantity{line: "ms"}.ahead(a, nil))
	assert.Equal(t, "2.5, spread 120 %", quantity{line: "ms", digits: 1}.cell(a))
	a.values["ms"] = []float64{0}
	assert.Equal(t, "0.00", quantity{line: "ms", digits: 2}.cell(a))
}

// Tables about what was not asked are empty, and without Embree there is one core beside two.
func TestWorldTablesAlone(t *testing.T) {
	one := worldResult{worldCase{name: "w"}, programs{{name: ours, values: map[string][]float64{"closest_mrays_per_s": {1}, "update_ms": {2}}}}}
	assert.Empty(t, worldTable([]worldResult{one}))
	assert.Equal(t, "| w | one core |\n|---|---:|\n| closest hit, Mrays/s | 1.00 |\n| all moved and updated, ms | 2.00 |\n", coreTable([]worldResult{one}))
	assert.Empty(t, agreedTable([]worldResult{one}))
	assert.Empty(t, lifeTable(nil))
	assert.Empty(t, scaleTable(nil))
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{7: "7", 999: "999", 1000: "1,000", 123456: "123,456", 10000000: "10,000,000"} {
		assert.Equal(t, want, thousands(n))
	}
}

func TestWrongSizes(t *testing.T) {
	for _, sizes := range []string{"1", "many", "-5"} {
		_, err := measureWorlds(options{sizes: sizes}, nil, io.Discard)
		require.ErrorContains(t, err, "-sizes "+sizes)
	}
}
