//go:build !noasm

package wide

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets as constants.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		w walk
		r Tree
	)
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"near", 0, unsafe.Offsetof(w.near)},
		{"far", 12, unsafe.Offsetof(w.far)},
		{"inverse", 24, unsafe.Offsetof(w.inverse)},
		{"origin", 36, unsafe.Offsetof(w.origin)},
		{"shear", 48, unsafe.Offsetof(w.sx)},
		{"shear + 4", 52, unsafe.Offsetof(w.sy)},
		{"dz", 56, unsafe.Offsetof(w.dz)},
		{"low", 60, unsafe.Offsetof(w.low)},
		{"high", 64, unsafe.Offsetof(w.high)},
		{"turn", 68, unsafe.Offsetof(w.turn)},
		{"flip", 72, unsafe.Offsetof(w.flip)},
		{"side", 76, unsafe.Offsetof(w.side)},
		{"axis", 88, unsafe.Offsetof(w.axis)},
		{"tree", 104, unsafe.Offsetof(w.tree)},
		{"count", 112, unsafe.Offsetof(w.count)},
		{"blockLeaf", 120, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.leaf)},
		{"blockLanes", 124, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.lanes)},
		{"treeUnits", 24, unsafe.Offsetof(r.units)},
		{"treeIDs", 48, unsafe.Offsetof(r.ids)},
		{"treeRoot", 72, unsafe.Offsetof(r.root)},
		{"overflows", 100, unsafe.Offsetof(w.all)},
		{"treeCenter", 76, unsafe.Offsetof(r.center)},
		{"treeHalf", 88, unsafe.Offsetof(r.half)},
		{"treeHalf + 16", 104, unsafe.Offsetof(r.need)},
		{"stackBytes", 2048, unsafe.Sizeof([stackSize]stackEntry{})},
		{"8 * smallStack", 768, unsafe.Sizeof([smallStack]stackEntry{})},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

func TestLayoutOfShapesIsTheAssemblys(t *testing.T) {
	var w shapeBoxes
	var q shapePlane
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"near", 0, unsafe.Offsetof(w.near)},
		{"far", 12, unsafe.Offsetof(w.far)},
		{"inverse", 24, unsafe.Offsetof(w.inverse)},
		{"low", 36, unsafe.Offsetof(w.low)},
		{"high", 40, unsafe.Offsetof(w.high)},
		{"side", 44, unsafe.Offsetof(w.side)},
		{"leaf", 56, unsafe.Offsetof(w.leaf)},
		{"planes", 60, unsafe.Offsetof(w.planes)},
		{"units", 64, unsafe.Offsetof(w.units)},
		{"count", 72, unsafe.Offsetof(w.count)},
		{"plane", 80, unsafe.Offsetof(w.plane)},
		{"stack", 248, unsafe.Offsetof(w.stack)},
		{"planeAt", 12, unsafe.Offsetof(q.at)},
		{"planeBeyond", 24, unsafe.Offsetof(q.beyond)},
		{"planeEnd", 28, unsafe.Sizeof(q)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The assembly prepares a ray as Ray.prepare does.
func TestPrepareIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	for i, s := range shapes() {
		tree := Build(s.vertices, s.indices, 0)
		for _, r := range aims(testenv.Rand(uint64(i), 5), &s, 500) {
			for _, cull := range []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront} {
				var want, got walk
				ok := want.prepare(&tree, &r, cull)
				require.Equal(t, ok, got.init(&tree, &r, cull, true), "%v", r)
				if ok {
					require.Equal(t, !want.all, got.simd, "%v", r)
					require.Equal(t, want.Ray, got.Ray, "%v", r)
				}
			}
		}
	}
}

func TestLayoutOfGridsIsTheAssemblys(t *testing.T) {
	var (
		g Grid
		l layer
		p page
	)
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"frame", 0, unsafe.Offsetof(g.frame)},
		{"gridPages", 120, unsafe.Offsetof(g.pages)},
		{"gridLayers", 144, unsafe.Offsetof(g.layers)},
		{"gridLow", 168, unsafe.Offsetof(g.low)},
		{"gridStep", 176, unsafe.Offsetof(g.step)},
		{"gridColumns", 184, unsafe.Offsetof(g.columns)},
		{"gridRows", 188, unsafe.Offsetof(g.rows)},
		{"gridAcross", 192, unsafe.Offsetof(g.across)},
		{"layerXs", 0, unsafe.Offsetof(l.xs)},
		{"layerZs", 24, unsafe.Offsetof(l.zs)},
		{"layerAcross", 48, unsafe.Offsetof(l.across)},
		{"layerBlocks", 56, unsafe.Offsetof(l.blocks)},
		{"layerBytes", 80, unsafe.Sizeof(l)},
		{"small", 0, unsafe.Offsetof(p.small)},
		{"pageLarge", 4096, unsafe.Offsetof(p.large)},
		{"pageCodes", 4224, unsafe.Offsetof(p.codes)},
		{"pageHeights", 4248, unsafe.Offsetof(p.heights)},
		{"pageCells", 4272, unsafe.Offsetof(p.cells)},
		{"partsHigh", 64, unsafe.Offsetof(parts{}.high)},
		{"partsBytes", 128, unsafe.Sizeof(parts{})},
		{"leavesHigh", 128, unsafe.Offsetof(leafSpans{}.high)},
		{"leafSpansBytes", 256, unsafe.Sizeof(leafSpans{})},
		{"gridLevels", 16, maxLevels},
		{"cellsRow", 64, pageCells},
		{"codesRow", 2 * 65, 2 * pageSide},
		{"gridHole", 255, Hole},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The assembly casts rays at height fields as the portable traversal does, also far from the
// origin, through vertices and along lines.
func TestGridsAreTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	rng := testenv.Rand(1, 6)
	struck := 0
	for range 60 {
		l := GridLayout{Columns: 1 + rng.IntN(300), Rows: 1 + rng.IntN(90), CellX: 0.1 + rng.Float32(), CellZ: 1, StartX: 50*rng.Float32() - 30, Low: -3, High: 5*rng.Float32() - 2}
		switch rng.IntN(4) {
		case 0:
			l.Low, l.High = 1e4, 1e4+rng.Float32()
		case 1:
			l.Low, l.High = 0, 0
		}
		g, err := NewGrid(l)
		require.NoError(t, err)
		codes, heights := make([]uint16, l.Columns+1), make([]float32, l.Columns+1)
		for row := range l.Rows + 1 {
			for i := range codes {
				codes[i], heights[i] = uint16(rng.Uint32()), 3*rng.Float32()
			}
			g.PagesOf(0, row, l.Columns+1, row+1, func(page, column, row, end, _ int) {
				g.SetRow(page, column, row, codes[column:end], heights[column:end])
			})
		}
		for range rng.IntN(3) * l.Columns {
			g.SetMaterial(rng.IntN(l.Columns), rng.IntN(l.Rows), Hole)
		}
		g.Refresh(0, 0, l.Columns, l.Rows)
		b := g.Bounds()
		for range 300 {
			at := func() geom.Vec3 {
				if rng.IntN(2) == 0 {
					return g.Vertex(rng.IntN(l.Columns+1), rng.IntN(l.Rows+1))
				}
				return b.Min.Add(geom.V(rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2).MulVec(b.Max.Sub(b.Min)))
			}
			r := geom.Segment(at(), at())
			switch rng.IntN(5) {
			case 0:
				r.Dir.X = 0
			case 1:
				r.Dir.Y, r.Dir.Z = 0, float32(math.Copysign(0, -1))
			case 2:
				r.Dir.X, r.Dir.Z = 0, 0
			}
			r.MaxT, r.MinT = rng.Float32()*3, rng.Float32()*float32(rng.IntN(2))
			cull := geom.Cull(rng.IntN(3))
			hit := geom.Hit{T: -1, Triangle: -1}
			for more := true; more; {
				var want, got geom.Hit
				more = g.portable(&want, &r, cull, hit.T, int32(hit.Triangle))
				code := closestGridAVX2(g, &r, &got, hit.T, int32(hit.Triangle), cull)
				if code == unsupported {
					break
				}
				require.Equal(t, more, code != 0, "%+v", r)
				require.Equal(t, want, got, "%+v", r)
				if hit = got; more {
					struck++
				}
			}
			if code := anyGridAVX2(g, &r, cull); code != unsupported {
				require.Equal(t, g.portableAny(&r, cull), code != 0, "%+v", r)
			}
		}
	}
	assert.Greater(t, struck, 10000)
}
