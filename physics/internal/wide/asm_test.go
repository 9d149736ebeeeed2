//go:build (amd64 || arm64) && !noasm

package wide

import (
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
	var b shapeBall
	var s sweep
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
		{"shapeBall", 248, unsafe.Offsetof(w.ball)},
		{"stack", 288, unsafe.Offsetof(w.stack)},
		{"planeAt", 12, unsafe.Offsetof(q.at)},
		{"planeBeyond", 24, unsafe.Offsetof(q.beyond)},
		{"planeEnd", 28, unsafe.Sizeof(q)},
		{"ballDir", 12, unsafe.Offsetof(b.dir)},
		{"ballRadius", 24, unsafe.Offsetof(b.radius)},
		{"ballPad", 28, unsafe.Offsetof(b.pad)},
		{"ballInverse", 32, unsafe.Offsetof(b.inverse)},
		{"ballAt", 36, unsafe.Offsetof(b.at)},
		{"sweepMap", 0, unsafe.Offsetof(s.x)},
		{"sweepOrigin", 36, unsafe.Offsetof(s.origin)},
		{"sweepLead", 48, unsafe.Offsetof(s.lead)},
		{"sweepRadius", 60, unsafe.Offsetof(s.radius)},
		{"sweepOff", 64, unsafe.Offsetof(s.off)},
		{"sweepCounts", 68, unsafe.Offsetof(s.counts)},
		{"sweepHalf", 80, unsafe.Offsetof(s.half)},
		{"sweepAxes", 116, unsafe.Offsetof(s.axis)},
		{"sweepAxis", 16, unsafe.Sizeof(s.axis[0])},
		{"sweepPoints", 116 + 12*16, unsafe.Offsetof(s.point)},
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
