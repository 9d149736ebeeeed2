//go:build (amd64 || arm64) && !noasm

package broad

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// The generator has these offsets as numbers.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		w Walk
		n node
		x Walks
	)
	for _, c := range []struct {
		name string
		want uintptr
		got  uintptr
	}{
		{"worldNear", 0, unsafe.Offsetof(w.near)},
		{"worldFar", 12, unsafe.Offsetof(w.far)},
		{"worldInverse", 24, unsafe.Offsetof(w.inverse)},
		{"worldLow", 36, unsafe.Offsetof(w.low)},
		{"worldHigh", 40, unsafe.Offsetof(w.high)},
		{"worldSide", 44, unsafe.Offsetof(w.side)},
		{"worldAll", 56, unsafe.Offsetof(w.all)},
		{"worldNodes", 64, unsafe.Offsetof(w.nodes)},
		{"worldStack", 80, unsafe.Offsetof(w.stack)},
		{"worldCount", 72, unsafe.Offsetof(w.count)},
		{"worldAfter", 1472, unsafe.Offsetof(w.after)},
		{"turnsTurn", 0, unsafe.Offsetof(x.turn)},
		{"turnsRecords", 8, unsafe.Offsetof(x.records)},
		{"turnsStride", 16, unsafe.Offsetof(x.stride)},
		{"child", 192, unsafe.Offsetof(n.child)},
		{"nodeLevel", 229, unsafe.Offsetof(n.level)},
		{"nodeBytes", 256, unsafe.Sizeof(n)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}
