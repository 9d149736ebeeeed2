package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func numbers(t testing.TB, data []byte, words ...any) []byte {
	for _, w := range words {
		var err error
		data, err = binary.Append(data, binary.LittleEndian, w)
		require.NoError(t, err)
	}
	return data
}

// smallWorld writes 300 bodies and 500 rays into a folder and returns them.
func smallWorld(t testing.TB) (file, rayFile string, bodies []worldfile.Body, rays []geom.Ray) {
	bodies, rays = makeWorld(300)
	rays = rays[:500]
	data := numbers(t, []byte("WLD1"), uint32(len(bodies)))
	for _, b := range bodies {
		kind := float32(0)
		if b.Sphere {
			kind = 1
		}
		data = numbers(t, data, kind, b.Center, b.HalfExtents, b.Velocity)
	}
	file = write(t, "small.wld", data)
	rayFile = write(t, "small.rays", nil)
	require.NoError(t, rayfile.WriteRays(rayFile, rays))
	return file, rayFile, bodies, rays
}

// enter returns where a ray of range 0 to r.MaxT enters a body, in double precision; NaN where it
// does not.
func enter(b worldfile.Body, r geom.Ray) float64 {
	o, d := [3]float32(r.Origin.Array()), [3]float32(r.Dir.Array())
	c, h := [3]float32(b.Center.Array()), [3]float32(b.HalfExtents.Array())
	lo, hi := 0.0, float64(r.MaxT)
	if b.Sphere {
		var dd, md, mm float64
		for k := range 3 {
			m := float64(o[k]) - float64(c[k])
			dd += float64(d[k]) * float64(d[k])
			md += m * float64(d[k])
			mm += m * m
		}
		// NaN where the line passes by.
		root := math.Sqrt(md*md - dd*(mm-float64(h[0])*float64(h[0])))
		lo, hi = max(lo, (-md-root)/dd), min(hi, (root-md)/dd)
	} else {
		for k := range 3 {
			x := (float64(c[k]) - float64(h[k]) - float64(o[k])) / float64(d[k])
			y := (float64(c[k]) + float64(h[k]) - float64(o[k])) / float64(d[k])
			lo, hi = max(lo, min(x, y)), min(hi, max(x, y))
		}
	}
	if lo <= hi {
		return lo
	}
	return math.NaN()
}

// bodyTwin answers rays by testing every body.
func bodyTwin(bodies []worldfile.Body, rays []geom.Ray) []worldfile.Answer {
	answers := make([]worldfile.Answer, len(rays))
	for i, r := range rays {
		answers[i] = worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
		best := math.Inf(1)
		for k, b := range bodies {
			if at := enter(b, r); at < best {
				best = at
				answers[i] = worldfile.Answer{T: float32(at), Collider: int32(k), Triangle: -1}
			}
		}
	}
	return answers
}

func requireSame(t testing.TB, want, got []worldfile.Answer) {
	hits := 0
	for i, a := range want {
		require.Equal(t, a.Collider, got[i].Collider, "ray %d", i)
		require.Equal(t, a.Triangle, got[i].Triangle, "ray %d", i)
		require.InDelta(t, a.T, got[i].T, 1e-5*float64(1+a.T), "ray %d", i)
		if a.Collider != worldfile.Miss {
			hits++
		}
	}
	require.Greater(t, hits, len(want)/10)
	require.Less(t, hits, len(want)*9/10)
}

// hitsFile writes answers beside rays, with triangles if they are of meshes.
func hitsFile(t testing.TB, rays string, answers []worldfile.Answer, meshes bool) {
	var data []byte
	for _, a := range answers {
		data = numbers(t, data, a.T)
		if meshes {
			data = numbers(t, data, a.Triangle)
		}
		data = numbers(t, data, a.Collider)
	}
	require.NoError(t, os.WriteFile(strings.TrimSuffix(rays, ".rays")+".hits", data, 0o644))
}

// The bodies are where the file and the ticks put them, and the answers those of a test of every
// body.
func TestWorldAnswers(t *testing.T) {
	file, rayFile, bodies, rays := smallWorld(t)
	w, got, err := readWorld(options{world: file, rays: rayFile})
	require.NoError(t, err)
	require.Equal(t, rays, got)
	require.Equal(t, bodies, w.bodies)
	w.ids = make([]physics.ColliderID, w.len())
	w.fill()
	answers := make([]worldfile.Answer, len(rays))
	w.castClosest(rays, answers)
	start := bodyTwin(bodies, rays)
	requireSame(t, start, answers)

	ticks := w.measureTicks(worldTicks, true)
	require.Len(t, ticks.update, worldTicks)
	for range worldTicks {
		for i := range bodies {
			bodies[i].Center = bodies[i].Center.Add(bodies[i].Velocity)
		}
	}
	w.castClosest(rays, answers)
	end := bodyTwin(bodies, rays)
	requireSame(t, end, answers)
	require.NotEqual(t, start, end)
	require.NoError(t, w.space.Validate())
	require.Equal(t, touching(bodies), ticks.pairs)
	require.Greater(t, ticks.pairs, 10)
	any := make([]bool, len(rays))
	w.castAny(rays, any)
	for i, hit := range any {
		require.Equal(t, end[i].Collider != worldfile.Miss, hit, "ray %d", i)
	}
}

var (
	castLines = []string{"rays", "hits", "sum_t",
		"closest_mrays_per_s", "any_mrays_per_s", "castrays_mrays_per_s", "castraysany_mrays_per_s"}
	updateLines = []string{"update_ms", "worst_tick_ms"}
	keptLines   = []string{"bytes_per_collider"}
	pairLines   = []string{"pairs_ms", "pairs_at_tick_60"}
	lastLines   = []string{"snapshot_ms", "snapshot_update_ms", "sync_idle_ms", "sync_moved_ms", "sync_update_ms", "sync_ecs_ms"}
	lifeLines   = []string{"lived_ticks", "lived_update_ms", "lived_worst_tick_ms", "lived_mrays_per_s", "fresh_mrays_per_s", "lived_cost"}
	checkLines  = []string{"lost", "invented", "other_collider", "worst_t_relative"}
)

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func TestWorldLines(t *testing.T) {
	file, rayFile, bodies, rays := smallWorld(t)
	truth := bodyTwin(bodies, rays)
	hits, sum := 0, 0.0
	for _, a := range truth {
		if a.Collider != worldfile.Miss {
			hits++
			sum += float64(a.T)
		}
	}
	for range worldTicks {
		for i := range bodies {
			bodies[i].Center = bodies[i].Center.Add(bodies[i].Velocity)
		}
	}
	pairs := touching(bodies)
	lines := join([]string{"colliders"}, castLines, updateLines, pairLines, keptLines, lastLines)
	for name, c := range map[string]struct {
		answers int // beside the rays
		world   string
		more    []string // arguments
		want    []string
	}{
		"unchecked":   {0, file, nil, lines},
		"checked":     {len(rays), file, nil, join(lines, checkLines)},
		"some":        {100, file, nil, join(lines, checkLines)},
		"made":        {100, "300", nil, lines},
		"two threads": {len(rays), file, []string{"-threads", "2"}, join(lines, checkLines)},
		"lived":       {100, file, []string{"-ticks", "90", "-runs", "2"}, join(lines, lifeLines, checkLines)},
	} {
		t.Run(name, func(t *testing.T) {
			beside := strings.TrimSuffix(rayFile, ".rays") + ".hits"
			os.Remove(beside)
			if c.answers > 0 {
				hitsFile(t, rayFile, truth[:c.answers], false)
			}
			var b strings.Builder
			require.NoError(t, run(append([]string{"-world", c.world, "-rays", rayFile, "-runs", "1"}, c.more...), &b, io.Discard))
			order, values := names(t, b.String())
			assert.Equal(t, c.want, order)
			assert.Equal(t, "300", values["colliders"])
			assert.Equal(t, "500", values["rays"])
			assert.Equal(t, fmt.Sprint(hits), values["hits"])
			assert.Equal(t, fmt.Sprint(pairs), values["pairs_at_tick_60"])
			number := func(name string) float64 {
				v, err := strconv.ParseFloat(values[name], 64)
				require.NoError(t, err, name)
				return v
			}
			assert.InEpsilon(t, sum, number("sum_t"), 1e-6)
			assert.Greater(t, number("bytes_per_collider"), 48.0, "a shape and a transform take more")
			assert.Less(t, number("bytes_per_collider"), 5000.0)
			assert.GreaterOrEqual(t, number("worst_tick_ms"), number("update_ms"))
			for name := range values {
				if strings.HasSuffix(name, "_mrays_per_s") {
					assert.Greater(t, number(name), 0.0, name)
				}
			}
			if values["lived_ticks"] != "" {
				assert.Equal(t, "90", values["lived_ticks"])
				assert.Greater(t, number("lived_cost"), 0.0)
				assert.GreaterOrEqual(t, number("lived_worst_tick_ms"), number("lived_update_ms"))
			}
		})
	}
}

func TestWorldCheck(t *testing.T) {
	file, rayFile, bodies, rays := smallWorld(t)
	right := bodyTwin(bodies, rays)
	hit, miss := -1, -1
	for i, a := range right {
		if a.Collider == worldfile.Miss {
			miss = i
		} else if a.T > 1 {
			hit = i
		}
	}
	far, other := right[hit], right[hit]
	far.T *= 1.001
	other.Collider ^= 1
	for name, c := range map[string]struct {
		at    int
		truth worldfile.Answer
		says  string // the error; none if empty
		line  string
	}{
		"right":    {hit, right[hit], "", "other_collider 0\n"},
		"lost":     {miss, worldfile.Answer{T: 1, Triangle: -1}, "1 lost, 0 invented, 0 with", "lost 1\n"},
		"invented": {hit, right[miss], "0 lost, 1 invented, 0 with", "invented 1\n"},
		"T off":    {hit, far, "0 lost, 0 invented, 1 with T off", "worst_t_relative 0.000999\n"},
		"another":  {hit, other, "", "other_collider 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := append([]worldfile.Answer(nil), right...)
			changed[c.at] = c.truth
			hitsFile(t, rayFile, changed, false)
			var b strings.Builder
			err := run([]string{"-world", file, "-rays", rayFile, "-runs", "1"}, &b, io.Discard)
			assert.Contains(t, b.String(), c.line)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "small.hits")
		})
	}
}

// The answers are those of a test of every triangle of every instance, in world space.
func TestInstances(t *testing.T) {
	object, m := torusOBJ(t)
	made, rays := makeWorld(40)
	rays = rays[:300]
	data := numbers(t, []byte("INS1"), uint32(len(made)))
	var placed []geom.Affine
	for i, b := range made {
		f := geom.Transform{Position: b.Center, Scale: geom.V(0.3, 0.3, 0.3),
			Rotation: geom.QuatAxisAngle(b.Velocity, float64(i))}.Affine()
		if i%2 == 1 {
			f.X = f.X.Neg() // mirrored
		}
		placed = append(placed, f)
		data = numbers(t, data, f.X.X, f.Y.X, f.Z.X, f.Origin.X, f.X.Y, f.Y.Y, f.Z.Y, f.Origin.Y, f.X.Z, f.Y.Z, f.Z.Z, f.Origin.Z)
	}
	file, rayFile := write(t, "torus.ins", data), write(t, "instances.rays", nil)
	require.NoError(t, rayfile.WriteRays(rayFile, rays))
	truth := make([]worldfile.Answer, len(rays))
	for i, r := range rays {
		truth[i] = worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
		best := float32(math.Inf(1))
		for k, f := range placed {
			for n := range m.NumTriangles() {
				tri := m.Triangle(n)
				tri = geom.Triangle{A: f.Point(tri.A), B: f.Point(tri.B), C: f.Point(tri.C)}
				if h, ok := tri.CastRay(r, geom.CullNone); ok && h.T < best {
					best = h.T
					truth[i] = worldfile.Answer{T: h.T, Collider: int32(k), Triangle: int32(n)}
				}
			}
		}
	}
	w, _, err := readWorld(options{instances: file, mesh: object, rays: rayFile})
	require.NoError(t, err)
	w.ids = make([]physics.ColliderID, w.len())
	w.fill()
	answers := make([]worldfile.Answer, len(rays))
	w.castClosest(rays, answers)
	requireSame(t, truth, answers)
	again := make([]worldfile.Answer, len(rays))
	w.tick()
	w.castClosest(rays, again)
	require.NotEqual(t, answers, again)
	c, _ := w.space.Collider(w.ids[7])
	require.InDelta(t, made[7].Center.Y+step, c.Transform.Position.Y, 1e-5)
	w.tick()
	w.castClosest(rays, again)
	require.Equal(t, answers, again, "a step up and one down")

	hitsFile(t, rayFile, truth, true)
	args := []string{"-instances", file, "-mesh", object, "-rays", rayFile, "-runs", "1"}
	var b strings.Builder
	require.NoError(t, run(args, &b, io.Discard))
	order, values := names(t, b.String())
	assert.Equal(t, join([]string{"instances"}, updateLines, keptLines, castLines, lastLines, checkLines), order)
	assert.Equal(t, "40", values["instances"])
	assert.Equal(t, "0", values["lost"])

	for i, a := range truth {
		if a.Collider != worldfile.Miss {
			truth[i] = worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
			break
		}
	}
	hitsFile(t, rayFile, truth, true)
	require.ErrorContains(t, run(args, io.Discard, io.Discard), "0 lost, 1 invented")
}

func TestMakeWorld(t *testing.T) {
	bodies, rays := makeWorld(2000)
	again, _ := makeWorld(2000)
	require.Equal(t, bodies, again)
	require.Len(t, bodies, 2000)
	require.Len(t, rays, columns*rows)
	within := func(v geom.Vec3, lo, hi float32) {
		require.True(t, min(v.X, v.Y, v.Z) >= lo && max(v.X, v.Y, v.Z) <= hi, "%v", v)
	}
	const side = 54 // 200·∛(2000/100,000), rounded
	spheres := 0
	for _, b := range bodies {
		within(b.Center, 0, side)
		within(b.HalfExtents, 0.25, 1)
		require.LessOrEqual(t, b.Velocity.Len(), float32(0.10001))
		if b.Sphere {
			spheres++
			require.Equal(t, b.HalfExtents.X, b.HalfExtents.Z)
		}
	}
	assert.InDelta(t, 1000, spheres, 150)
	for _, r := range rays {
		within(r.Origin, 0, side)
		require.InDelta(t, 1, r.Dir.Len(), 1e-6)
		require.Equal(t, float32(100), r.MaxT)
	}
	one, _ := makeWorld(1)
	require.Len(t, one, 1)
}

func TestWorldWrong(t *testing.T) {
	file, rayFile, _, _ := smallWorld(t)
	object, _ := torusOBJ(t)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	cut := write(t, "cut.wld", data[:len(data)-1])
	broken := write(t, "broken.wld", numbers(t, append([]byte(nil), data[:8+40*299]...), float32(math.NaN()), [9]float32{}))
	answers := write(t, "few.hits", make([]byte, 9))
	many := write(t, "many.hits", make([]byte, 8*501))
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"no such world":        {[]string{"-world", "no.wld", "-rays", rayFile}, []string{"no.wld"}},
		"no such instances":    {[]string{"-instances", "no.ins", "-rays", rayFile}, []string{"no.ins"}},
		"no such rays":         {[]string{"-world", file, "-rays", "no.rays"}, []string{"no.rays"}},
		"no such mesh":         {[]string{"-instances", file, "-mesh", "no.obj", "-rays", rayFile}, []string{file, "INS1"}},
		"cut world":            {[]string{"-world", cut, "-rays", rayFile}, []string{cut, "11999 bytes follow"}},
		"NaN":                  {[]string{"-world", broken, "-rays", rayFile}, []string{broken, "body 299"}},
		"cut answers":          {[]string{"-world", file, "-rays", rayFile, "-check", answers}, []string{answers, "byte 8"}},
		"too many answers":     {[]string{"-world", file, "-rays", rayFile, "-check", many}, []string{many, "501 answers for 500 rays"}},
		"both":                 {[]string{"-world", file, "-instances", file, "-rays", rayFile}, []string{"name one"}},
		"without rays":         {[]string{"-world", file}, []string{"-world", "-rays"}},
		"instances, no rays":   {[]string{"-instances", file}, []string{"-instances", "-rays"}},
		"none made":            {[]string{"-world", "0"}, []string{"-world 0", "10000000"}},
		"too many made":        {[]string{"-world", "10000001"}, []string{"-world 10000001"}},
		"a negative number":    {[]string{"-world", "-3"}, []string{"-world -3"}},
		"a mesh of bodies":     {[]string{"-world", "9", "-mesh", object}, []string{"-mesh has no meaning with -world"}},
		"no name of a world":   {[]string{"-world", ""}, []string{"-world", "name of a file"}},
		"ticks of no world":    {[]string{"-ticks", "5"}, []string{"-ticks", "-world"}},
		"ticks of instances":   {[]string{"-instances", file, "-rays", rayFile, "-ticks", "5"}, []string{"-ticks has no meaning with -instances"}},
		"no ticks":             {[]string{"-world", "9", "-ticks", "0"}, []string{"-ticks 0", "at least 1"}},
		"batches":              {[]string{"-world", "9", "-batch", "4"}, []string{"-batch has no meaning with -world"}},
		"quality of instances": {[]string{"-instances", file, "-rays", rayFile, "-quality", "high"}, []string{"-quality has no meaning with -instances"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(c.args, io.Discard, io.Discard)
			for _, s := range c.says {
				require.ErrorContains(t, err, s)
			}
		})
	}
}

// TestSharedWorlds checks answers to the rays of the worlds that lie beside a checkout and not in
// it.
func TestSharedWorlds(t *testing.T) {
	testenv.Long(t)
	path := func(folder, name string) string { return testenv.Data(t, folder+"/"+name) }
	for name, o := range map[string]options{
		"boxes100k":  {world: path("worlds", "boxes100k.wld")},
		"bunnies10k": {instances: path("worlds", "bunnies10k.ins"), mesh: path("meshes", "bunny.obj")},
	} {
		t.Run(name, func(t *testing.T) {
			o.rays = path("worlds", name+".rays")
			w, rays, err := readWorld(o)
			require.NoError(t, err)
			triangles := 0
			if w.mesh != nil {
				triangles = w.mesh.NumTriangles()
			}
			truth, err := worldfile.ReadAnswers(path("worlds", name+".hits"), len(rays), w.len(), triangles)
			require.NoError(t, err)
			truth = truth[:min(len(truth), 16_384)]
			w.ids = make([]physics.ColliderID, w.len())
			w.fill()
			answers := make([]worldfile.Answer, len(truth))
			w.castClosest(rays[:len(truth)], answers)
			require.NoError(t, w.check(io.Discard, answers, truth, name))
		})
	}
}
