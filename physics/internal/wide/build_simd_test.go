//go:build (amd64 || arm64) && !noasm

package wide

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// The generator has these offsets as constants.
func TestBenchIsLaidOutAsTheAssemblyHasIt(t *testing.T) {
	var (
		w splitter
		p prim
	)
	few := unsafe.Offsetof(w.small)
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"left", 0, unsafe.Offsetof(w.left)},
		{"right", 2304, unsafe.Offsetof(w.right)},
		{"few", 4608, few},
		{"prims", 0, unsafe.Offsetof(w.small.prims)},
		{"order", 840, unsafe.Offsetof(w.small.order)},
		{"keys", 912, unsafe.Offsetof(w.small.keys)},
		{"n", 5808, unsafe.Offsetof(w.n)},
		{"scale", 5816, unsafe.Offsetof(w.measure) + unsafe.Offsetof(w.measure.scale)},
		{"edge", 5820, unsafe.Offsetof(w.measure) + unsafe.Offsetof(w.measure.edge)},
		{"point", 5824, unsafe.Offsetof(w.measure) + unsafe.Offsetof(w.measure.point)},
		{"last", 5828, unsafe.Offsetof(w.last)},
		{"lo", 5832, unsafe.Offsetof(w.lo)},
		{"perUnit", 5848, unsafe.Offsetof(w.perUnit)},
		{"counts", 5864, unsafe.Offsetof(w.counts)},
		{"costLeft", 6152, unsafe.Offsetof(w.costLeft)},
		{"costRight", 6440, unsafe.Offsetof(w.costRight)},
		{"a row of boxes", 768, unsafe.Sizeof(w.left[0])},
		{"a row of words", 96, unsafe.Sizeof(w.counts[0])},
		{"a row of bytes", 24, unsafe.Sizeof(w.small.order[0])},
		{"a triangle", 32, unsafe.Sizeof(p)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}
