package mesh

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func written(t require.TestingT, m *Mesh) []byte {
	var b bytes.Buffer
	n, err := m.WriteTo(&b)
	require.NoError(t, err)
	require.EqualValues(t, b.Len(), n)
	return b.Bytes()
}

// requireRoundTrip writes and reads a mesh. The mesh that was read is written as the same bytes, so
// that no bit is lost.
func requireRoundTrip(t require.TestingT, m *Mesh) *Mesh {
	data := written(t, m)
	got, err := Read(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, m, got)
	require.NoError(t, got.Validate())
	require.True(t, bytes.Equal(data, written(t, got)))
	return got
}

func TestRoundTrip(t *testing.T) {
	testenv.NoRace(t)
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			m := mustNew(t, s.vertices, s.indices)
			got := requireRoundTrip(t, m)
			rng := testenv.Rand(1, 2)
			for i := range 200 {
				p, reach := place(rng, m)
				q, _ := place(rng, m)
				r, cull := geom.NewRay(p, q.Sub(p)), culls[i%3]
				hits := m.CastRayAll(nil, r, cull)
				requireCasts(t, got, r, cull, hits, nil)
				require.Equal(t, m.OverlapSphere(nil, geom.Sphere{Center: p, Radius: reach}), got.OverlapSphere(nil, geom.Sphere{Center: p, Radius: reach}))
				near, ok := m.ClosestPoint(p, inf32)
				other, otherOK := got.ClosestPoint(p, inf32)
				require.Equal(t, ok, otherOK)
				require.Equal(t, near, other)
			}
		})
	}
}

func TestRoundTripOfRandomTriangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Float32().Filter(func(x float32) bool { return x-x == 0 })
		vector := rapid.Custom(func(t *rapid.T) geom.Vec3 {
			return geom.V(coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z"))
		})
		vertices := rapid.SliceOfN(vector, 1, 40).Draw(t, "vertices")
		index := rapid.Uint32Range(0, uint32(len(vertices)-1))
		indices := rapid.SliceOfN(index, 3, 200).Draw(t, "indices")
		m := mustNew(t, vertices, indices[:len(indices)/3*3])
		requireRoundTrip(t, m)
	})
}

func TestRoundTripOfTheZeroMesh(t *testing.T) {
	m := requireRoundTrip(t, &Mesh{})
	assert.Equal(t, &Mesh{}, m)
	assert.Zero(t, m.NumTriangles())
	assert.False(t, m.CastRayAny(geom.NewRay(geom.V(0, 0, 1), geom.V(0, 0, -1)), geom.CullNone))
}

// onlyReader hides all methods of a reader but Read.
type onlyReader struct{ io.Reader }

// Sections are larger than the first allocation, and arrive in chunks.
func TestReadFromAnyReader(t *testing.T) {
	testenv.NoRace(t)
	m := mustNew(t, first(Torus(3, 1, 350, 100)), second(Torus(3, 1, 350, 100)))
	data := written(t, m)
	require.Greater(t, len(data), 3*startSize)
	for _, c := range []struct {
		name   string
		reader func(io.Reader) io.Reader
	}{
		{"known length", func(r io.Reader) io.Reader { return r }},
		{"unknown length", func(r io.Reader) io.Reader { return onlyReader{r} }},
		{"halves", iotest.HalfReader},
		{"end with the last bytes", iotest.DataErrReader},
		{"a few at a time", func(r io.Reader) io.Reader { return fewReader{r} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(c.reader(bytes.NewReader(data)))
			require.NoError(t, err)
			require.Equal(t, m, got)
		})
	}
}

// fewReader reads so few bytes at a time that words are split.
type fewReader struct{ io.Reader }

func (r fewReader) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(len(b), 1013)]) }

// Meshes may follow each other, and be followed by other data.
func TestReadStopsAtTheEnd(t *testing.T) {
	a, b := mustNew(t, first(Torus(3, 1, 9, 5)), second(Torus(3, 1, 9, 5))), mustNew(t, first(Icosphere(1, 1)), second(Icosphere(1, 1)))
	data := append(append(written(t, a), written(t, b)...), "rest"...)
	for _, r := range []io.Reader{bytes.NewReader(data), onlyReader{bytes.NewReader(data)}} {
		for _, want := range []*Mesh{a, b} {
			got, err := Read(r)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, "rest", string(rest))
	}
}

// What is derived from the parts of a mesh is restored: which triangles are in several leaves, and
// the cost before a refit.
func TestRoundTripOfQualitiesAndRefits(t *testing.T) {
	vertices, indices := Plane(20, 20, 30, 30)
	rng := testenv.Rand(5, 6)
	for range 3 * 40 {
		indices = append(indices, uint32(len(vertices)))
		vertices = append(vertices, around(rng, 10))
	}
	for _, q := range qualities {
		m := mustBuild(t, vertices, indices, BuildOptions{Quality: q})
		read := requireRoundTrip(t, m)
		require.Equal(t, q == High, read.tree.HasDuplicates())
		for i := range vertices {
			vertices[i] = vertices[i].Add(around(rng, 0.5))
		}
		var moved Mesh
		require.NoError(t, m.Refit(&moved, vertices))
		read = requireRoundTrip(t, &moved)
		require.Equal(t, m.BuiltCost(), read.BuiltCost())
		require.NotEqual(t, m.BuiltCost(), read.Cost())
	}
}

// small is a mesh of few bytes with nodes and both kinds of leaves.
func small(t testing.TB) *Mesh {
	v, i := Icosphere(1, 0)
	s := soup(testenv.Rand(1, 2), "", 8, 1, 0.3)
	for _, index := range s.indices {
		i = append(i, index+uint32(len(v)))
	}
	return mustNew(t, append(v, s.vertices...), i)
}

// cut is a mesh of few bytes with triangles that are in several leaves. Few random triangles are in
// none, and are drawn again.
func cut(t testing.TB) *Mesh {
	rng := testenv.Rand(5, 6)
	for {
		v, i := Plane(20, 20, 8, 8)
		for range 3 * 20 {
			i = append(i, uint32(len(v)))
			v = append(v, around(rng, 10))
		}
		if m := mustBuild(t, v, i, BuildOptions{Quality: High}); m.tree.HasDuplicates() {
			return m
		}
	}
}

func TestReadNoticesEachFlippedBit(t *testing.T) {
	data := written(t, small(t))
	t.Logf("%d bytes", len(data))
	for i := range data {
		for bit := range 8 {
			if testing.Short() && bit != i%8 {
				continue
			}
			data[i] ^= 1 << bit
			_, err := Read(bytes.NewReader(data))
			data[i] ^= 1 << bit
			switch {
			case i < 8:
				require.ErrorIs(t, err, ErrForeign, "byte %d", i)
			case i < 12:
				require.ErrorIs(t, err, ErrVersion, "byte %d", i)
			default:
				require.ErrorIs(t, err, ErrDamaged, "byte %d", i)
				require.NotErrorIs(t, err, io.ErrUnexpectedEOF, "byte %d", i)
			}
		}
	}
}

func TestReadNoticesEachMissingEnd(t *testing.T) {
	data := written(t, small(t))
	for n := range data {
		for _, r := range []io.Reader{bytes.NewReader(data[:n]), onlyReader{bytes.NewReader(data[:n])}} {
			_, err := Read(r)
			require.ErrorIs(t, err, ErrDamaged, "%d bytes", n)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", n)
		}
	}
}

// seal corrects all checksums, of the sections that are there.
func seal(data []byte) []byte {
	if len(data) < headerSize {
		return data
	}
	le, at := binary.LittleEndian, uint64(headerSize)
	for i, size := range [sections]uint64{12, 4, 4, 64} {
		n := le.Uint64(data[16+8*i:])
		if n > uint64(len(data)) || at+n*size > uint64(len(data)) {
			break
		}
		le.PutUint32(data[48+4*i:], crc32.Checksum(data[at:at+n*size], castagnoli))
		at += n * size
	}
	le.PutUint32(data[headerSize-4:], crc32.Checksum(data[:headerSize-4], castagnoli))
	return data
}

// Damage that the checksums do not detect is detected by the content.
func TestReadRefuses(t *testing.T) {
	le := binary.LittleEndian
	nan := math.Float32bits(float32(math.NaN()))
	m := small(t)
	indicesAt := headerSize + 12*len(m.vertices)
	placesAt := indicesAt + 4*3*m.NumTriangles()
	treeAt := placesAt + 4*m.NumTriangles()
	put := func(at int, x uint32) func([]byte) []byte {
		return func(b []byte) []byte { le.PutUint32(b[at:], x); return seal(b) }
	}
	count := func(section int, n uint64) func([]byte) []byte {
		return func(b []byte) []byte { le.PutUint64(b[16+8*section:], n); return seal(b) }
	}
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		is     error
		want   string
	}{
		{"nothing", func([]byte) []byte { return nil }, ErrDamaged, "mesh: Read: damaged mesh file: header: unexpected EOF"},
		{"text", func([]byte) []byte { return []byte("v 1 2 3\n") }, ErrForeign, "mesh: Read: not a mesh file"},
		{"short text", func([]byte) []byte { return []byte("v") }, ErrForeign, "mesh: Read: not a mesh file"},
		{"long text", func([]byte) []byte { return bytes.Repeat([]byte("v 1 2 3\n"), 100) }, ErrForeign, "not a mesh file"},
		{"next version", put(8, fileVersion+1), ErrVersion, fmt.Sprintf("another version of mesh files: %d, and only %d can be read", fileVersion+1, fileVersion)},
		{"version of another order of bytes", put(8, fileVersion<<24), ErrVersion, "another version"},
		{"header", func(b []byte) []byte { b[20]++; return b }, ErrDamaged, "header: checksum"},
		{"vertices", func(b []byte) []byte { b[headerSize]++; return b }, ErrDamaged, "vertices: checksum"},
		{"indices", func(b []byte) []byte { b[indicesAt]++; return b }, ErrDamaged, "indices: checksum"},
		{"places", func(b []byte) []byte { b[placesAt]++; return b }, ErrDamaged, "places: checksum"},
		{"tree", func(b []byte) []byte { b[treeAt]++; return b }, ErrDamaged, "tree: checksum"},
		{"end of the header", func(b []byte) []byte { return b[:headerSize-1] }, ErrDamaged, "header: unexpected EOF"},
		{"end of the vertices", func(b []byte) []byte { return b[:indicesAt-1] }, ErrDamaged, fmt.Sprintf("vertices, byte %d: unexpected EOF", indicesAt-headerSize-1)},
		{"end of the indices", func(b []byte) []byte { return b[:placesAt-1] }, ErrDamaged, "indices, byte"},
		{"end of the places", func(b []byte) []byte { return b[:treeAt-1] }, ErrDamaged, "places, byte"},
		{"end of the tree", func(b []byte) []byte { return b[:len(b)-1] }, ErrDamaged, "tree, byte"},
		{"vertex NaN", put(headerSize+28, nan), ErrDamaged, "vertex 2: "},
		{"index out of range", put(indicesAt+16, 36), ErrDamaged, "triangle 1: index 36 out of range (36 vertices)"},
		{"triangle out of range", put(placesAt+8, 28), ErrDamaged, "tree: triangle 28 of 28 at place 2"},
		{"root", put(12, 3<<3), ErrDamaged, "tree: root 0x18"},
		{"box", put(treeAt, nan), ErrDamaged, "tree: bounds"},
		{"bounds", put(64, nan), ErrDamaged, "tree: bounds"},
		{"cost", put(92, 0x7ff00000), ErrDamaged, "header: a cost of +Inf"},
		{"cost below 0", put(92, 0xbff00000), ErrDamaged, "header: a cost of -1"},
		{"indices of no triangle", count(sectionIndices, 85), ErrDamaged, "85 indices of triangles at 28 places"},
		{"no triangle", count(sectionIndices, 0), ErrDamaged, "no triangles"},
		{"no place", count(sectionPlaces, 0), ErrDamaged, "at 0 places"},
		{"no tree", count(sectionTree, 0), ErrDamaged, "tree: 0 units"},
		{"no vertex", count(sectionVertices, 0), ErrDamaged, "out of range (0 vertices)"},
		{"too many triangles", func(b []byte) []byte {
			le.PutUint64(b[16+8*sectionIndices:], 3*(MaxTriangles+1))
			return count(sectionPlaces, MaxTriangles+1)(b)
		}, ErrDamaged, "402653187 indices"},
		{"too many vertices", count(sectionVertices, math.MaxUint64), ErrDamaged, "vertices: 18446744073709551615 are too many"},
		{"too many units", count(sectionTree, math.MaxInt/64+1), ErrDamaged, "tree: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(bytes.NewReader(c.damage(written(t, m))))
			require.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "mesh: Read: ")
		})
	}
}

// Whatever length a header promises, memory is allocated as data arrives.
func TestReadTakesNoMemoryForPromises(t *testing.T) {
	good := written(t, small(t))
	for section, n := range [sections]uint64{1 << 27, 3 << 26, 1 << 28, 1 << 24} {
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint64(data[16+8*section:], n)
		if section == sectionIndices {
			binary.LittleEndian.PutUint64(data[16+8*sectionPlaces:], n/3)
		}
		seal(data)
		for _, r := range []io.Reader{bytes.NewReader(data), onlyReader{bytes.NewReader(data)}} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(r)
			runtime.ReadMemStats(&after)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.ErrorContains(t, err, sectionNames[section])
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*startSize), sectionNames[section])
		}
	}
}

func TestErrorsOfReadersAndWriters(t *testing.T) {
	m := small(t)
	data := written(t, m)
	broken := errors.New("broken")
	for n := 0; n < len(data); n += 100 {
		_, err := Read(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken)))
		require.ErrorIs(t, err, broken)
		require.NotErrorIs(t, err, ErrDamaged)
		w := shortWriter{left: n, err: broken}
		wrote, err := m.WriteTo(&w)
		require.ErrorIs(t, err, broken)
		require.ErrorContains(t, err, "mesh: Mesh.WriteTo: ")
		require.EqualValues(t, n, wrote)
	}
}

// shortWriter accepts a limited number of bytes.
type shortWriter struct {
	left int
	err  error
}

func (w *shortWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.left -= n
	if n < len(b) {
		return n, w.err
	}
	return n, nil
}

func TestFiles(t *testing.T) {
	m := small(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "a.mesh")
	require.NoError(t, os.WriteFile(name, bytes.Repeat([]byte{1}, 1<<16), 0o666))
	require.NoError(t, m.WriteFile(name))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, written(t, m), data)
	got, err := ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, m, got)

	for _, c := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"longer", append(bytes.Clone(data), 0), ErrDamaged, "bytes follow its end"},
		{"shorter", data[:len(data)-1], io.ErrUnexpectedEOF, "tree, byte "},
		{"empty", nil, io.ErrUnexpectedEOF, "header: "},
		{"foreign", []byte("solid"), ErrForeign, "not a mesh file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(dir, c.name)
			require.NoError(t, os.WriteFile(name, c.data, 0o666))
			_, err := ReadFile(name)
			require.ErrorIs(t, err, c.is)
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "mesh: ReadFile: "+name+": ")
		})
	}
	missing := filepath.Join(dir, "missing", "b.mesh")
	_, err = ReadFile(missing)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, missing)
	err = m.WriteFile(missing)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, missing)
	_, err = ReadFile(dir)
	assert.ErrorContains(t, err, dir)
}

// FuzzRead changes files and corrects their checksums. A mesh that Read accepts can be queried in
// every way, and is written back as it was.
func FuzzRead(f *testing.F) {
	f.Add(written(f, &Mesh{}))
	f.Add(written(f, small(f)))
	f.Add(written(f, mustNew(f, []geom.Vec3{{}, {X: 1}, {Y: 1}}, []uint32{0, 1, 2})))
	f.Add(written(f, mustNew(f, first(Torus(3, 1, 12, 8)), second(Torus(3, 1, 12, 8)))))
	s := soup(testenv.Rand(3, 4), "", 20, 1, 1)
	f.Add(written(f, mustNew(f, s.vertices, s.indices)))
	f.Add(written(f, cut(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = seal(bytes.Clone(data))
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			known := errors.Is(err, ErrForeign) || errors.Is(err, ErrVersion) || errors.Is(err, ErrDamaged)
			require.True(t, known, "%v", err)
			return
		}
		if m.NumTriangles() > 0 {
			require.True(t, bytes.HasPrefix(data, written(t, m)))
		}
		queryAll(t, m)
	})
}

// queryAll calls every query of a mesh. The answers of a mesh that is not valid are not checked.
// One that is valid answers as one that was built of the same triangles does, before and after its
// vertices move.
func queryAll(t require.TestingT, m *Mesh) {
	valid := m.Validate() == nil && m.NumTriangles() > 0
	for n := range m.Nodes() {
		_ = n
	}
	if got := answers(m); valid {
		requireAnswers(t, m, got)
	}
	rng := testenv.Rand(8, 9)
	for now, step := m, 0; valid && step < 3; step++ {
		vertices := slices.Clone(now.Vertices())
		for i := range vertices {
			if rng.IntN(4) > 0 && step > 0 {
				vertices[i] = vertices[i].Add(around(rng, 0.5))
			}
		}
		var moved Mesh
		require.NoError(t, now.Refit(&moved, vertices))
		require.NoError(t, moved.Validate())
		requireAnswers(t, &moved, answers(&moved))
		now = &moved
	}
}

func requireAnswers(t require.TestingT, m *Mesh, got []any) {
	fresh, err := New(m.Vertices(), m.Indices())
	require.NoError(t, err)
	require.Equal(t, answers(fresh), got)
}

// answers returns what the queries of a mesh return.
func answers(m *Mesh) (list []any) {
	rng := testenv.Rand(5, 6)
	var rays []geom.Ray
	for i := range 24 {
		r := geom.Ray{Origin: around(rng, 3), Dir: around(rng, 1), MinT: float32(i % 2), MaxT: float32(i % 3)}
		switch {
		case m.NumTriangles() > 0 && i%4 < 2:
			r.Dir = m.Triangle(i % m.NumTriangles()).A.Sub(r.Origin)
		case i%4 == 2:
			r.Dir = geom.Axis(i % 3).Unit()
		}
		rays = append(rays, r)
	}
	rays = append(rays, geom.NewRay(geom.V(1e38, 0, 0), geom.V(-1, 0, 0)), geom.NewRay(geom.V(0, 0, 1), geom.V(0, 0, -1e-39)))
	add := func(answer ...any) { list = append(list, answer...) }
	sorted := func(triangles []int32) []int32 { slices.Sort(triangles); return triangles }
	for i, r := range rays {
		cull := culls[i%3]
		add(m.CastRayAll(nil, r, cull), m.CastRayAny(r, cull))
		h, ok := m.CastRay(r, cull)
		add(h)
		for n := 0; ok && n < 20; n++ {
			h, ok = m.CastRayAfter(r, cull, h.T, h.Triangle)
			add(h)
		}
		box := geom.Box{Center: r.Origin, HalfExtents: r.Dir.Abs(), Rotation: geom.Quat{X: 0.6, W: 0.8}}
		ball := geom.Sphere{Center: r.Origin, Radius: r.Dir.Len()}
		add(sorted(m.OverlapAABB(nil, geom.AABBAround(r.Origin, r.Dir.Abs()))), sorted(m.OverlapSphere(nil, ball)), sorted(m.OverlapBox(nil, box)))
		for _, limit := range []float32{inf32, 1} {
			near, _ := m.ClosestPoint(r.Origin, limit)
			add(near)
		}
		path := Path{Motion: r.Dir.Wide(), Max: 2, Start: StartMode(i % 3)}
		ball.Radius, box.HalfExtents = 0.1, geom.V(0.1, 0.2, 0.3)
		for _, s := range []Convex{ConvexSphere(ball), ConvexBox(box)} {
			hit, _ := m.CastConvex(&s, &path, geom.AffineIdentity(), cull)
			add(hit, m.CastConvexAny(&s, &path, geom.AffineIdentity(), cull), m.CastConvexAll(nil, &s, &path, geom.AffineIdentity(), cull))
		}
		distance, _ := m.SignedDistance(r.Origin)
		add(distance, m.Contains(r.Origin))
	}
	add(m.CastRays(nil, rays, geom.CullBack), m.CastRaysAny(nil, rays, geom.CullBack), m.IsClosed())
	for i := range m.NumTriangles() {
		add(m.EdgeConvexity(i), m.AdjacentVertices(i))
	}
	return list
}

// The fuzz test in short: words of a file are changed, with correct checksums.
func TestChangedFilesAreReadOrRefused(t *testing.T) {
	testenv.NoRace(t)
	rounds := 1000
	if testing.Short() {
		rounds = 300
	}
	good := [][]byte{written(t, small(t)), written(t, cut(t))}
	rng := testenv.Rand(7, 8)
	accepted, refused := 0, 0
	for i := range rounds {
		data := bytes.Clone(good[i%2])
		for range 1 + rng.IntN(3) {
			word := data[12+4*rng.IntN((len(data)-12)/4):][:4]
			switch rng.IntN(4) {
			case 0:
				word[rng.IntN(4)] ^= 1 << rng.IntN(8)
			case 1:
				binary.LittleEndian.PutUint32(word, rng.Uint32())
			case 2:
				copy(word, data[12+4*rng.IntN((len(data)-12)/4):])
			case 3:
				binary.LittleEndian.PutUint32(word, rng.Uint32N(200))
			}
		}
		if m, err := Read(bytes.NewReader(seal(data))); err != nil {
			refused++
		} else {
			accepted++
			queryAll(t, m)
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	assert.Positive(t, accepted)
	assert.Positive(t, refused)
}
