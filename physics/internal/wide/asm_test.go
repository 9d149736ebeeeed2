//go:build (amd64 || arm64) && !noasm

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
	var w gridRay
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"gridSides", 104, unsafe.Offsetof(w.sides)},
		{"gridStart", 168, unsafe.Offsetof(w.start)},
		{"gridCell", 184, unsafe.Offsetof(w.cell)},
		{"gridLast", 200, unsafe.Offsetof(w.last)},
		{"gridNearY", 208, unsafe.Offsetof(w.nearY)},
		{"partsHigh", 64, unsafe.Offsetof(parts{}.high)},
		{"gridRow", 130, 2 * pageSide},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The assembly crosses the parts of every block as gridRay.crossParts does, and both as the boxes
// of the parts are crossed. The spans of cells are those of the portable code, and hold the cells'
// own.
func TestGridsAreTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	defer func() { useSIMD = true }()
	rng := testenv.Rand(1, 6)
	crossed := 0
	for range 60 {
		l := GridLayout{Columns: 1 + rng.IntN(300), Rows: 1 + rng.IntN(90), CellX: 0.1 + rng.Float32(), CellZ: 1, StartX: 50*rng.Float32() - 30, Low: -3, High: 200*rng.Float32() - 2}
		if rng.IntN(4) == 0 {
			l.Low, l.High = 1e4, 1e4+rng.Float32()
		}
		g, err := NewGrid(l)
		require.NoError(t, err)
		codes := make([]uint16, l.Columns+1)
		for row := range l.Rows + 1 {
			for i := range codes {
				codes[i] = uint16(rng.Uint32())
			}
			g.PagesOf(0, row, l.Columns+1, row+1, func(page, column, row, end, _ int) {
				g.SetRow(page, column, row, codes[column:end], nil)
			})
		}
		g.SetMaterial(rng.IntN(l.Columns), rng.IntN(l.Rows), Hole)
		g.Refresh(0, 0, l.Columns, l.Rows)
		for range 20 {
			b := g.Bounds()
			at := func() geom.Vec3 {
				return b.Min.Add(geom.V(rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2, rng.Float32()*1.4-0.2).MulVec(b.Max.Sub(b.Min)))
			}
			r := geom.Segment(at(), at())
			if axis := rng.IntN(4); axis == 0 {
				r.Dir.X = 0
			} else if axis == 1 {
				r.Dir.Y, r.Dir.Z = 0, float32(math.Copysign(0, -1))
			}
			var w gridCast
			if !w.init(g, &r, geom.CullNone) {
				continue
			}
			for level := 1; level <= g.top(); level++ {
				across, behind := g.blocks(level)
				x, z := rng.Int32N(across), rng.Int32N(behind)
				var p parts
				if level == 1 {
					var q parts
					useSIMD = false
					g.cellSpans(&q, x, z)
					useSIMD = true
					g.cellSpans(&p, x, z)
					require.Equal(t, q, p)
				} else {
					p = *g.partsOf(level, x, z)
				}
				s := blockStep * (level - 1)
				set := w.crossParts(&p, x<<blockStep<<s, z<<blockStep<<s, s)
				require.Equal(t, set, gridPartsSIMD(&w.gridRay, &p, x<<blockStep<<s, z<<blockStep<<s, s))
				across, behind = g.blocks(level - 1)
				for i := range int32(16) {
					k, j := x<<blockStep+i&3, z<<blockStep+i>>2
					if k >= across || j >= behind {
						require.True(t, level == 1 || set>>i&1 == 0)
						continue
					}
					own := g.span(level-1, k, j)
					if own.isEmpty() {
						require.True(t, level == 1 || set>>i&1 == 0)
						continue
					}
					require.True(t, p.low[i] <= own.low && p.high[i] >= own.high && (level == 1 || p.low[i] == own.low && p.high[i] == own.high))
					box := g.box(level-1, k, j, heightSpan{p.low[i], p.high[i]})
					require.Equal(t, w.crosses(&box), set>>i&1 != 0)
					if set>>i&1 != 0 {
						crossed++
					}
				}
			}
		}
	}
	testenv.Drawn(t, crossed, 3000)
}
