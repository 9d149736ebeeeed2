package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// TestMain plays raybench where a test, or raybench in it, starts this program again.
func TestMain(m *testing.M) {
	if os.Getenv("PLAY_RAYBENCH") == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintf(os.Stderr, "%s=%s\n", portableVariable, os.Getenv(portableVariable))
	main()
	os.Exit(0)
}

// play makes this program raybench wherever it is started from here on.
func play(t *testing.T) {
	testenv.Needs(t, runtime.GOOS != "js", "to run programs")
	t.Setenv("PLAY_RAYBENCH", "1")
	// Or else the race detector makes each of them wait a second.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
}

func write(t testing.TB, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// torusOBJ writes a torus of 400 triangles and returns it as it is read back.
func torusOBJ(t testing.TB) (name string, m *mesh.Mesh) {
	vertices, indices := mesh.Torus(3, 1, 20, 10)
	var b strings.Builder
	for _, v := range vertices {
		fmt.Fprintln(&b, "v", v.X, v.Y, v.Z)
	}
	for i := 0; i < len(indices); i += 3 {
		fmt.Fprintln(&b, "f", indices[i]+1, indices[i+1]+1, indices[i+2]+1)
	}
	name = write(t, "torus.obj", []byte(b.String()))
	model, err := meshio.ReadFile(name)
	require.NoError(t, err)
	m, err = model.Mesh()
	require.NoError(t, err)
	require.Equal(t, 400, m.NumTriangles())
	return name, m
}

// raysFile writes some of the random rays of a mesh, which are no multiple of what a goroutine
// takes at a time, and returns them.
func raysFile(t testing.TB, m *mesh.Mesh) (name string, rays []geom.Ray) {
	sets, err := makeSets(m)
	require.NoError(t, err)
	rays = sets[1].rays[:3*chunk+100]
	var data []byte
	for i := range rays {
		rays[i].MaxT = 100
		r := rays[i]
		data, err = binary.Append(data, binary.LittleEndian,
			[]float32{r.Origin.X, r.Origin.Y, r.Origin.Z, r.Dir.X, r.Dir.Y, r.Dir.Z, r.MinT, r.MaxT})
		require.NoError(t, err)
	}
	return write(t, "torus.rays", data), rays
}

// twin answers rays by testing every triangle.
func twin(m *mesh.Mesh, rays []geom.Ray) []rayfile.Hit {
	hits := make([]rayfile.Hit, len(rays))
	for i, r := range rays {
		hits[i] = rayfile.Hit{Triangle: rayfile.Miss}
		best := float32(math.Inf(1))
		for k := range m.NumTriangles() {
			if h, ok := m.Triangle(k).CastRay(r, geom.CullNone); ok && h.T < best {
				best = h.T
				hits[i] = rayfile.Hit{T: h.T, Triangle: uint32(k)}
			}
		}
	}
	return hits
}

// names returns the first word of each line, and the value behind it.
func names(t *testing.T, text string) (order []string, values map[string]string) {
	values = map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		require.GreaterOrEqual(t, len(f), 2, line)
		order = append(order, f[0])
		values[f[0]] = f[1]
	}
	return order, values
}

// As embree_bench prints them, but that it loads no mesh.
var sameAsEmbree = []string{"triangles", "build_ms", "bytes_per_triangle", "load_ms", "rays", "hits", "sum_t", "mrays_per_s", "spread_percent"}

// What is written is what a test of every triangle says: by one goroutine and by many, one ray a
// call and in batches, of every quality, and by the portable walk.
func TestRecords(t *testing.T) {
	object, m := torusOBJ(t)
	file, rays := raysFile(t, m)
	want := twin(m, rays)
	any := make([]rayfile.Hit, len(want))
	count, sum := 0, 0.0
	for i, h := range want {
		any[i].Triangle = rayfile.Miss
		if h.Triangle != rayfile.Miss {
			any[i].Triangle = 0
			count++
			sum += float64(h.T)
		}
	}
	require.Greater(t, count, 100)
	require.Less(t, count, len(rays)-100)
	for _, mode := range []string{"closest", "any"} {
		for _, how := range []string{
			"-threads 1", "-threads 3", "-portable", "-portable -threads 2 -batch 500",
			"-batch 1", "-batch 1000", "-batch 1000 -threads 3", "-batch 1000000", "-batch 1000000 -threads 3",
			"-quality fast", "-quality medium", "-quality high -builds 1", "-quality high -batch 700",
		} {
			t.Run(mode+" "+how, func(t *testing.T) {
				if strings.Contains(how, "-portable") {
					play(t)
				}
				var b strings.Builder
				out := filepath.Join(t.TempDir(), "out.hits")
				require.NoError(t, run(append(strings.Fields(how),
					"-mesh", object, "-rays", file, "-mode", mode, "-runs", "2", "-out", out), &b, io.Discard))
				got, err := rayfile.ReadHits(out, len(rays), 400)
				require.NoError(t, err)
				order, values := names(t, b.String())
				assert.Equal(t, sameAsEmbree, order)
				assert.Equal(t, fmt.Sprint(len(rays)), values["rays"])
				assert.Equal(t, fmt.Sprint(count), values["hits"])
				assert.Equal(t, "400", values["triangles"])
				if mode == "any" {
					require.Equal(t, any, got)
					assert.Equal(t, "0.000000", values["sum_t"])
					return
				}
				require.Equal(t, want, got)
				assert.Equal(t, fmt.Sprintf("%.6f", sum), values["sum_t"])
			})
		}
	}
}

func TestMadeSets(t *testing.T) {
	testenv.Long(t)
	var b strings.Builder
	require.NoError(t, run([]string{"-runs", "1", "-mode", "any"}, &b, io.Discard))
	order, _ := names(t, b.String())
	each := append([]string{"set"}, sameAsEmbree[4:]...)
	assert.Equal(t, append(append(append(sameAsEmbree[:4:4], each...), each...), each...), order)
	for _, name := range []string{"primary", "random", "ao"} {
		assert.Contains(t, b.String(), "\nset "+name+"\n")
	}
}

func TestCheck(t *testing.T) {
	object, m := torusOBJ(t)
	file, rays := raysFile(t, m)
	truth := twin(m, rays)
	hit, miss := -1, -1
	for i, h := range truth {
		if h.Triangle == rayfile.Miss {
			miss = i
		} else {
			hit = i
		}
	}
	for name, c := range map[string]struct {
		at    int
		truth rayfile.Hit
		mode  string
		says  string // the error; none if empty
		line  string
	}{
		"right":                       {hit, truth[hit], "closest", "", "worst_t_relative 0"},
		"lost":                        {miss, rayfile.Hit{T: 1}, "closest", "1 lost, 0 invented", "lost 1"},
		"invented":                    {hit, rayfile.Hit{Triangle: rayfile.Miss}, "closest", "0 lost, 1 invented", "invented 1"},
		"T off":                       {hit, rayfile.Hit{T: truth[hit].T * 1.0001}, "closest", "T off by up to 0.0001", ""},
		"T off by little":             {hit, rayfile.Hit{T: truth[hit].T * 1.00001, Triangle: truth[hit].Triangle}, "closest", "", "other_triangle 0"},
		"another triangle":            {hit, rayfile.Hit{T: truth[hit].T, Triangle: truth[hit].Triangle ^ 1}, "closest", "", "other_triangle 1"},
		"any: T is not asked for":     {hit, rayfile.Hit{T: 2 * truth[hit].T}, "any", "", "lost 0"},
		"any: whether it is hit, is":  {miss, rayfile.Hit{T: 1}, "any", "1 lost", "lost 1"},
		"any: nothing may be made up": {hit, rayfile.Hit{Triangle: rayfile.Miss}, "any", "1 invented", "invented 1"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := append([]rayfile.Hit(nil), truth...)
			changed[c.at] = c.truth
			answers := filepath.Join(t.TempDir(), "true.hits")
			require.NoError(t, rayfile.WriteHits(answers, changed))
			var b strings.Builder
			err := run([]string{"-mesh", object, "-rays", file, "-runs", "1", "-mode", c.mode, "-check", answers}, &b, io.Discard)
			if c.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.says)
				require.ErrorContains(t, err, answers)
			}
			assert.Contains(t, b.String(), c.line)
		})
	}

	t.Run("beside the rays", func(t *testing.T) {
		truth[miss] = rayfile.Hit{T: 1}
		require.NoError(t, rayfile.WriteHits(strings.TrimSuffix(file, ".rays")+".hits", truth))
		require.ErrorContains(t, run([]string{"-mesh", object, "-rays", file, "-runs", "1"}, io.Discard, io.Discard), "1 lost")
	})
}

func TestWrongInput(t *testing.T) {
	object, m := torusOBJ(t)
	file, rays := raysFile(t, m)
	few := write(t, "few.hits", make([]byte, 8))
	cut := write(t, "cut.rays", make([]byte, 33))
	broken := write(t, "broken.obj", []byte("v 0 0 0\nv 1 0 0\nv 0 1 x\n"))
	empty := write(t, "empty.obj", []byte("v 0 0 0\n"))
	cutPLY := write(t, "cut.ply", []byte("ply\nformat binary 1.0\n"))
	emptyPLY := write(t, "empty.ply", []byte("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"+
		"property float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n"))
	point := write(t, "point.obj", []byte("v 1 2 3\nf 1 1 1\n"))
	beyond := write(t, "beyond.obj", []byte("v 3e38 0 0\nv -3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"))
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"no such mesh":         {[]string{"-mesh", "no.obj"}, []string{"no.obj"}},
		"not a mesh":           {[]string{"-mesh", file}, []string{"torus.rays", ".rays"}},
		"broken mesh":          {[]string{"-mesh", broken}, []string{broken + ":3"}},
		"empty mesh":           {[]string{"-mesh", empty}, []string{empty + ":1"}},
		"mesh of no extent":    {[]string{"-mesh", point}, []string{"extent of zero"}},
		"mesh too large":       {[]string{"-mesh", beyond}, []string{"beyond single precision"}},
		"no such rays":         {[]string{"-mesh", object, "-rays", "no.rays"}, []string{"no.rays"}},
		"cut rays":             {[]string{"-mesh", object, "-rays", cut}, []string{cut, "byte 32"}},
		"no such answers":      {[]string{"-mesh", object, "-rays", file, "-check", "no.hits"}, []string{"no.hits"}},
		"too few answers":      {[]string{"-mesh", object, "-rays", file, "-check", few}, []string{few, fmt.Sprintf("1 hits for %d rays", len(rays))}},
		"mode":                 {[]string{"-mode", "all"}, []string{"-mode all"}},
		"threads":              {[]string{"-threads", "0"}, []string{"-threads 0"}},
		"runs":                 {[]string{"-runs", "-1"}, []string{"-runs -1"}},
		"a word":               {[]string{object}, []string{object}},
		"unknown flag":         {[]string{"-speed", "high"}, []string{"speed"}},
		"quality":              {[]string{"-quality", "low"}, []string{"-quality low", "fast, medium or high"}},
		"batch":                {[]string{"-batch", "-1"}, []string{"-batch -1"}},
		"batch of half":        {[]string{"-batch", "0.5"}, []string{"batch"}},
		"builds":               {[]string{"-builds", "0"}, []string{"-builds 0"}},
		"save of given rays":   {[]string{"-rays", file, "-save", "x"}, []string{"-save"}},
		"save over a file":     {[]string{"-mesh", object, "-save", object}, []string{object}},
		"broken PLY":           {[]string{"-mesh", cutPLY}, []string{cutPLY + ": line 2"}},
		"empty PLY":            {[]string{"-mesh", emptyPLY}, []string{emptyPLY, "no triangles"}},
		"out without rays":     {[]string{"-out", "x"}, []string{"-rays"}},
		"check without rays":   {[]string{"-check", "x"}, []string{"-rays"}},
		"out over the rays":    {[]string{"-mesh", object, "-rays", file, "-out", file}, []string{"-out " + file}},
		"out over the mesh":    {[]string{"-mesh", object, "-rays", file, "-out", object}, []string{"-out " + object}},
		"out over the truth":   {[]string{"-mesh", object, "-rays", file, "-check", few, "-out", few}, []string{"-out " + few}},
		"out into the nowhere": {[]string{"-mesh", object, "-rays", file, "-runs", "1", "-out", "no/where.hits"}, []string{"no/where.hits"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(c.args, io.Discard, io.Discard)
			require.Error(t, err)
			for _, says := range c.says {
				assert.ErrorContains(t, err, says)
			}
		})
	}
	var help strings.Builder
	require.ErrorIs(t, run([]string{"-help"}, io.Discard, &help), flag.ErrHelp)
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	flags := regexp.MustCompile(`(?m)^  -(\w+)`).FindAllStringSubmatch(help.String(), -1)
	require.Len(t, flags, 15)
	for _, f := range flags {
		assert.Contains(t, string(source), "\n//\t-"+f[1]+" ", "the package's comment lists it")
	}
}

// The portable traversal is chosen by the environment of a restarted program, which writes for
// itself.
func TestPortable(t *testing.T) {
	object, m := torusOBJ(t)
	file, _ := raysFile(t, m)
	play(t)
	t.Setenv(portableVariable, "0")
	again := runtime.GOARCH == "amd64"
	var out, errs strings.Builder
	require.NoError(t, run([]string{"-portable", "-mesh", object, "-rays", file, "-runs", "1"}, &out, &errs))
	order, _ := names(t, out.String())
	assert.Equal(t, sameAsEmbree, order)
	assert.Equal(t, again, strings.Contains(errs.String(), portableVariable+"=1\n"))

	t.Setenv(portableVariable, "1")
	errs.Reset()
	require.NoError(t, run([]string{"-portable", "-mesh", object, "-rays", file, "-runs", "1"}, io.Discard, &errs))
	assert.Empty(t, errs.String(), "not started again")
}

// A failure is printed once and sets the exit code, whether the program restarts itself or not.
func TestExit(t *testing.T) {
	play(t)
	self, err := os.Executable()
	require.NoError(t, err)
	for _, args := range [][]string{{"-mesh", "none.obj"}, {"-mesh", "none.obj", "-portable"}, {"-portable", "-mode", "x"}} {
		var out, errs strings.Builder
		cmd := exec.Command(self, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		var exit *exec.ExitError
		require.ErrorAs(t, cmd.Run(), &exit, args)
		assert.Equal(t, 1, exit.ExitCode())
		assert.Equal(t, 1, strings.Count(errs.String(), "raybench: "), errs.String())
		assert.Empty(t, out.String())
	}
	require.NoError(t, exec.Command(self, "-help").Run())
}

// What a mesh keeps is what is written to its file, where only the indices take more. So it is
// never less than the file without them, nor much more than the file.
func TestMemory(t *testing.T) {
	m, err := readMesh("")
	require.NoError(t, err)
	for quality := range qualities {
		built, _, bytes := measureBuild(m, options{quality: quality, threads: 1, builds: 1})
		written, err := built.WriteTo(io.Discard)
		require.NoError(t, err)
		indices := 12 * built.NumTriangles()
		assert.Greater(t, int(bytes), int(written)-indices, quality)
		assert.Less(t, int(bytes), int(written)*11/10, quality)
	}
}

// The saved rays and mesh are those that are cast without saving.
func TestSave(t *testing.T) {
	testenv.Long(t)
	object, m := torusOBJ(t)
	sets, err := makeSets(m)
	require.NoError(t, err)
	var text strings.Builder
	fmt.Fprintf(&text, "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"+
		"element face 400\nproperty list uchar int vertex_indices\nend_header\n", len(m.Vertices()))
	for _, v := range m.Vertices() {
		fmt.Fprintln(&text, v.X, v.Y, v.Z)
	}
	for c := range slices.Chunk(m.Indices(), 3) {
		fmt.Fprintln(&text, 3, c[0], c[1], c[2])
	}
	for name, from := range map[string]string{"torus": object, "scan": write(t, "scan.PLY", []byte(text.String())), "made": ""} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new", "folder")
			var out strings.Builder
			require.NoError(t, run([]string{"-mesh", from, "-save", dir}, &out, io.Discard))
			assert.Empty(t, out.String())
			saved := filepath.Join(dir, name+".obj")
			if name == "torus" {
				require.NoFileExists(t, saved, "there is one already")
				saved = object
			}
			got, err := readMesh(saved)
			require.NoError(t, err)
			if name == "made" {
				want, err := readMesh("")
				require.NoError(t, err)
				require.Equal(t, want.NumTriangles(), got.NumTriangles())
				for i := range want.NumTriangles() {
					require.Equal(t, want.Triangle(i), got.Triangle(i))
				}
				return
			}
			require.Equal(t, m.Vertices(), got.Vertices())
			require.Equal(t, m.Indices(), got.Indices())
			for _, s := range sets {
				rays, err := rayfile.ReadRays(filepath.Join(dir, name+"_"+s.name+".rays"))
				require.NoError(t, err)
				for i, r := range s.rays {
					_, r.MaxT = r.Range()
					require.Equal(t, r, rays[i], "%s %d", s.name, i)
				}
			}
		})
	}
}

// TestShared checks all answers to the rays that lie beside a checkout and not in it.
func TestShared(t *testing.T) {
	testenv.Long(t)
	dir := filepath.Dir(testenv.Data(t, "rays"))
	for _, name := range []string{"bunny", "teapot", "arena1"} {
		for _, kind := range []string{"primary", "random", "ao"} {
			for _, mode := range []string{"closest", "any"} {
				if kind != "random" && (mode == "any" || name != "bunny") {
					continue // package mesh compares all of them
				}
				t.Run(name+" "+kind+" "+mode, func(t *testing.T) {
					var b strings.Builder
					require.NoError(t, run([]string{
						"-mesh", filepath.Join(dir, "meshes", name+".obj"), "-rays", filepath.Join(dir, "rays", name+"_"+kind+".rays"),
						"-mode", mode, "-runs", "1", "-threads", "2"}, &b, io.Discard))
					_, values := names(t, b.String())
					assert.Equal(t, "0", values["lost"])
					assert.Equal(t, "0", values["invented"])
				})
			}
		}
	}
}
