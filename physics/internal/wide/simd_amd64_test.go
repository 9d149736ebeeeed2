//go:build !noasm

package wide

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator knows these places by number.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		w blocks
		n node
		p packed
		l loose
		r Tree

		ray geom.Ray
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
		{"tree", 104, unsafe.Offsetof(w.walk.tree)},
		{"foundT", 112, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.t)},
		{"foundB", 116, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.eb)},
		{"foundC", 120, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.ec)},
		{"foundDet", 124, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.det)},
		{"foundTriangle", 128, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.triangle)},
		{"foundLeaf", 132, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.leaf)},
		{"foundLane", 136, unsafe.Offsetof(w.found) + unsafe.Offsetof(w.found.lane)},
		{"count", 144, unsafe.Offsetof(w.count)},
		{"blockT", 152, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.t)},
		{"blockB", 184, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.eb)},
		{"blockC", 216, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.ec)},
		{"blockDet", 248, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.det)},
		{"blockLeaf", 280, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.leaf)},
		{"blockLanes", 284, unsafe.Offsetof(w.block) + unsafe.Offsetof(w.block.lanes)},
		{"treeUnits", 24, unsafe.Offsetof(r.units)},
		{"treeIDs", 48, unsafe.Offsetof(r.ids)},
		{"overflows", 100, unsafe.Offsetof(w.all)},
		{"treeCenter", 76, unsafe.Offsetof(r.center)},
		{"treeHalf", 88, unsafe.Offsetof(r.half)},
		{"treeHalf + 16", 104, unsafe.Offsetof(r.need)},
		{"rayOrigin", 0, unsafe.Offsetof(ray.Origin)},
		{"rayDir", 12, unsafe.Offsetof(ray.Dir)},
		{"treeRoot", 72, unsafe.Offsetof(r.root)},
		{"child", 192, unsafe.Offsetof(n.child)},
		{"packedCorner", 96, unsafe.Offsetof(p.corner)},
		{"packedFirst", 120, unsafe.Offsetof(p.first)},
		{"packedLanes", 124, unsafe.Offsetof(p.lanes)},
		{"looseFirst", 288, unsafe.Offsetof(l.first)},
		{"looseLanes", 292, unsafe.Offsetof(l.lanes)},
		{"node", nodeUnits * 64, unsafe.Sizeof(n)},
		{"packed", packedUnits * 64, unsafe.Sizeof(p)},
		{"stack", 8 * 257, 8 * (stackSize + 1)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// The assembly prepares a ray as Ray.prepare does.
func TestPrepareIsTheAssemblys(t *testing.T) {
	if !useAVX2 {
		t.Skip("this processor or environment has only the portable walk")
	}
	for i, s := range shapes() {
		tree := Build(s.vertices, s.indices, 0)
		for _, r := range aims(rand.New(rand.NewPCG(uint64(i), 5)), &s, 500) {
			for _, cull := range []geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront} {
				var want, got walk
				ok := want.prepare(&tree, &r, cull)
				if !got.begin(&tree, &r, cull) {
					require.False(t, ok, "%v", r)
					continue
				}
				closestAVX2(&got, &r)
				require.Equal(t, !ok || want.all, got.all, "%v", r)
				if !got.all {
					require.Equal(t, want.Ray, got.Ray, "%v", r)
				}
			}
		}
	}
}
