//go:build js && !noasm

package rigid

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The kernel computes the bits of the methods, for ordinary and for extreme numbers.
func TestKernelIsTheTwins(t *testing.T) {
	testenv.SIMD(t, useKernel)
	for _, wild := range []bool{false, true} {
		t.Run(fmt.Sprintf("solve/wild=%t", wild), func(t *testing.T) {
			sameLanes(t, wild, false, func(c *lanesCase) { runKernel(c.octets, c.motions, c.inertias, 3, 240, false) },
				func(o *octet, l int, a, b *motion, _, _ *inertia) { o.solve(l, a, b, 3, 240) })
		})
		t.Run(fmt.Sprintf("relax/wild=%t", wild), func(t *testing.T) {
			sameLanes(t, wild, false, func(c *lanesCase) { runKernel(c.octets, c.motions, c.inertias, 3, 240, true) },
				func(o *octet, l int, a, b *motion, ia, ib *inertia) { o.relax(l, a, b, ia, ib, 240) })
		})
	}
}

// The generator has these offsets as numbers, and those of octets that TestLayoutIsTheAssemblys
// compares on other processors, where they are the same.
func TestKernelOffsets(t *testing.T) {
	var (
		j solverJob
		o octet
		p points
	)
	for _, c := range [...]struct {
		name      string
		want, got uintptr
	}{
		{"octets", 0, unsafe.Offsetof(j.octets)},
		{"count", 4, unsafe.Offsetof(j.count)},
		{"motions", 8, unsafe.Offsetof(j.motions)},
		{"inertias", 12, unsafe.Offsetof(j.inertias)},
		{"pushSpeed", 16, unsafe.Offsetof(j.pushSpeed)},
		{"rate", 20, unsafe.Offsetof(j.rate)},
		{"relaxes", 24, unsafe.Offsetof(j.relaxes)},
		{"octetVast", 80, unsafe.Offsetof(o.vast)},
		{"octetRollMass", 1280, unsafe.Offsetof(o.rollMass)},
		{"octetSize", 3648, unsafe.Sizeof(o)},
		{"pointSize", 576, unsafe.Sizeof(p)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}
