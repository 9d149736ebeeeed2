package mesh

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// What needs no rays: volumes, distances, neighbours, shape casts, edits and files, each against
// the mesh of the same triangles.

type fieldTwin struct {
	field, twin *Mesh
	index       []int32 // in the field, of the twin's triangles
}

// newFieldTwin returns a field with hills or noise, holes, and every kind of coordinates.
func newFieldTwin(t testing.TB, rng *rand.Rand, most int) (*Field, fieldTwin) {
	o := FieldOptions{
		Columns: 2 + rng.IntN(most), Rows: 2 + rng.IntN(most),
		CellX: 0.5 + rng.Float32(), CellZ: 0.5 + rng.Float32(), StartX: -20, StartZ: 3,
	}
	if rng.IntN(6) == 0 {
		o.CellX, o.StartX = 0.01, 1e5 // where triangles may be degenerate
	}
	if rng.IntN(2) == 0 {
		o.Low, o.High = -4, 4
	}
	heights := make([]float32, o.Columns*o.Rows)
	hilly := rng.IntN(3) > 0
	for i := range heights {
		if hilly {
			heights[i] = float32(math.Sin(float64(i%o.Columns)/3)*math.Cos(float64(i/o.Columns)/4)) + 0.3*rng.Float32()
		}
		if rng.IntN(20) == 0 {
			heights[i] = rng.Float32()*8 - 4
		}
	}
	f, err := NewField(o, heights)
	require.NoError(t, err)
	for range rng.IntN(6) {
		c, r := rng.IntN(o.Columns-1), rng.IntN(o.Rows-1)
		require.NoError(t, f.SetMaterials(c, r, 1, []uint8{Hole}))
	}
	return f, twinOfField(t, f)
}

func twinOfField(t testing.TB, f *Field) (w fieldTwin) {
	w.field = f.Mesh()
	var list []uint32
	all := w.field.Indices()
	for i := range w.field.NumTriangles() {
		if w.field.Material(i) != Hole {
			list, w.index = append(list, all[3*i:3*i+3]...), append(w.index, int32(i))
		}
	}
	if len(list) == 0 {
		w.twin = new(Mesh)
		return w
	}
	var err error
	w.twin, err = New(w.field.Vertices(), list)
	require.NoError(t, err)
	return w
}

// own returns the field's numbers of triangles of the twin.
func (w *fieldTwin) own(list []int32) []int32 {
	list = slices.Clone(list)
	for i := range list {
		list[i] = w.index[list[i]]
	}
	return list
}

func TestFieldOverlapsAsItsMesh(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(3, 4)
	touched := 0
	for range testenv.Count(t, "HITSCAN_FIELDS", 30) {
		_, w := newFieldTwin(t, rng, 60)
		b := w.field.Bounds()
		require.Equal(t, w.twin.Bounds(), b)
		for range 50 {
			p := b.Min.Add(geom.V(rng.Float32()*1.2-0.1, rng.Float32()*1.2-0.1, rng.Float32()*1.2-0.1).MulVec(b.Max.Sub(b.Min)))
			if rng.IntN(3) == 0 {
				p = w.field.Vertex(rng.IntN(len(w.field.Vertices())))
			}
			size := []float32{0, 0.3, 3, 20}[rng.IntN(4)]
			box := geom.AABBAround(p, geom.V(size*rng.Float32(), size, size*rng.Float32()))
			turned := geom.Box{Center: p, HalfExtents: geom.V(size, 0.3*size, size/2), Rotation: geom.Quat{X: 0.3, Y: rng.Float32(), W: 0.7}.Normalize()}
			ball := geom.Sphere{Center: p, Radius: size}
			require.Equal(t, w.own(w.twin.OverlapAABB(nil, box)), w.field.OverlapAABB(nil, box))
			require.Equal(t, w.own(w.twin.OverlapSphere(nil, ball)), w.field.OverlapSphere(nil, ball))
			require.Equal(t, w.own(w.twin.OverlapBox(nil, turned)), w.field.OverlapBox(nil, turned))
			require.Equal(t, w.twin.OverlapsBox(turned), w.field.OverlapsBox(turned))
			if w.twin.OverlapsAABB(box) {
				touched++
			}
			var want, got []int32
			w.twin.VisitAABB(box, func(i int) bool { want = append(want, w.index[i]); return true })
			w.field.VisitAABB(box, func(i int) bool { got = append(got, int32(i)); return true })
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, want, got)

			limit := []float32{0.5, 5, inf32}[rng.IntN(3)]
			near, ok := w.twin.ClosestPoint(p, limit)
			if ok {
				near.Triangle = w.index[near.Triangle]
			}
			c, found := w.field.ClosestPoint(p, limit)
			require.Equal(t, ok, found)
			require.Equal(t, near, c)
		}
	}
	testenv.Drawn(t, touched, 300)
}

func TestFieldHasTheNeighboursOfItsMesh(t *testing.T) {
	rng := testenv.Rand(5, 6)
	thin, bent := 0, 0
	for range testenv.Count(t, "HITSCAN_FIELDS", 40) {
		_, w := newFieldTwin(t, rng, 20)
		for i, own := range w.index {
			across := w.field.AdjacentVertices(int(own))
			require.Equal(t, w.twin.AdjacentVertices(i), across)
			require.Equal(t, w.twin.EdgeConvexity(i), w.field.EdgeConvexity(int(own)))
			require.Equal(t, w.twin.Triangle(i), w.field.Triangle(int(own)))
			if isThin(w.twin.Triangle(i)) {
				thin++
			} else if w.twin.EdgeConvexity(i)[0] != 0 {
				bent++
			}
		}
	}
	testenv.Drawn(t, thin, 20)
	testenv.Drawn(t, bent, 1000)
}

func TestFieldCastsShapesAsItsMesh(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(7, 8)
	hits := 0
	for range testenv.Count(t, "HITSCAN_FIELDS", 25) {
		_, w := newFieldTwin(t, rng, 40)
		b := w.field.Bounds()
		for range 6 {
			at := b.Min.Add(geom.V(rng.Float32(), 0.5+rng.Float32(), rng.Float32()).MulVec(b.Max.Sub(b.Min)))
			to := geom.Transform{Position: geom.V(1, 2, 3), Rotation: geom.Quat{X: 0.1 * rng.Float32(), Y: rng.Float32(), W: 1}.Normalize(), Scale: geom.V(1, 1+rng.Float32(), -1)}.Affine()
			if rng.IntN(2) == 0 {
				to = geom.AffineIdentity()
			}
			path := Path{Motion: geom.DVec3{X: rng.Float64() - 0.5, Y: -rng.Float64(), Z: rng.Float64() - 0.5}.Mul(20), Max: 2, Start: StartMode(rng.IntN(3))}
			cull := geom.Cull(rng.IntN(3))
			for _, s := range convexes(rng, to.Point(at), []float32{0.2, 2}[rng.IntN(2)]) {
				want := w.twin.CastConvexAll(nil, &s, &path, to, cull)
				for i := range want {
					want[i].Triangle = w.index[want[i].Triangle]
				}
				require.Equal(t, want, w.field.CastConvexAll(nil, &s, &path, to, cull))
				hit, ok := w.twin.CastConvex(&s, &path, to, cull)
				if ok {
					hit.Triangle = w.index[hit.Triangle]
					hits++
				}
				got, found := w.field.CastConvex(&s, &path, to, cull)
				require.Equal(t, ok, found)
				require.Equal(t, hit, got)
				require.Equal(t, ok, w.field.CastConvexAny(&s, &path, to, cull))
			}
		}
	}
	testenv.Drawn(t, hits, 200)
}

// TestFieldIsEditedInPlace edits random regions. A mesh taken before an edit must stay as it is,
// and one taken after it must be that of a field made from nothing.
func TestFieldIsEditedInPlace(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(9, 10)
	for range testenv.Count(t, "HITSCAN_FIELDS", 6) {
		f, _ := newFieldTwin(t, rng, 200)
		o := f.Options()
		for range 8 {
			before := f.Mesh()
			var file bytes.Buffer
			_, err := before.WriteTo(&file)
			require.NoError(t, err)
			for range rng.IntN(3) {
				c, r := rng.IntN(o.Columns), rng.IntN(o.Rows)
				w, d := 1+rng.IntN(o.Columns-c), 1+rng.IntN(o.Rows-r)
				heights := make([]float32, w*d)
				for i := range heights {
					heights[i] = rng.Float32()*6 - 3
				}
				require.NoError(t, f.SetHeights(c, r, w, heights))
				require.InDelta(t, heights[len(heights)-1], f.Height(c+w-1, r+d-1), float64(f.Precision()))
			}
			c, r := rng.IntN(o.Columns-1), rng.IntN(o.Rows-1)
			w, d := 1+rng.IntN(o.Columns-1-c), 1+rng.IntN(min(9, o.Rows-1-r))
			require.NoError(t, f.SetMaterials(c, r, w, slices.Repeat([]uint8{uint8(rng.IntN(3)) * 127}, w*d)))

			after := twinOfField(t, f)
			require.NoError(t, after.field.Validate())
			require.Equal(t, after.twin.Bounds(), after.field.Bounds())
			var again bytes.Buffer
			_, err = before.WriteTo(&again)
			require.NoError(t, err)
			require.Equal(t, file.Bytes(), again.Bytes(), "an edit shows in a mesh taken before it")
			require.NoError(t, before.Validate())
		}
	}
}

func TestFieldFiles(t *testing.T) {
	rng := testenv.Rand(11, 12)
	for range 20 {
		_, w := newFieldTwin(t, rng, 90)
		var file bytes.Buffer
		n, err := w.field.WriteTo(&file)
		require.NoError(t, err)
		require.Equal(t, int64(file.Len()), n)
		read, err := Read(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		require.Equal(t, w.field.Vertices(), read.Vertices())
		require.Equal(t, w.field.Indices(), read.Indices())
		require.Equal(t, w.field.Bounds(), read.Bounds())
		// A changed byte is found wherever it is, and so is an early end.
		damaged := slices.Clone(file.Bytes())
		at := rng.IntN(len(damaged))
		damaged[at] ^= 1 << rng.IntN(8)
		_, err = Read(bytes.NewReader(damaged))
		require.Error(t, err, "byte %d", at)
		_, err = Read(bytes.NewReader(file.Bytes()[:rng.IntN(len(damaged))]))
		require.Error(t, err)
	}
}
