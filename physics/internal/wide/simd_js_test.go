//go:build js && !noasm

package wide

import (
	"syscall/js"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has the offsets of fields as numbers.
func TestKernelOffsets(t *testing.T) {
	var j kernelJob
	for _, c := range []struct {
		name      string
		want, got uintptr
	}{
		{"job.units", 0, unsafe.Offsetof(j.units)},
		{"job.ids", 4, unsafe.Offsetof(j.ids)},
		{"job.root", 8, unsafe.Offsetof(j.root)},
		{"job.count", 12, unsafe.Offsetof(j.count)},
		{"job.center", 16, unsafe.Offsetof(j.center)},
		{"job.half", 28, unsafe.Offsetof(j.half)},
		{"job.turn", 40, unsafe.Offsetof(j.turn)},
		{"job.flip", 44, unsafe.Offsetof(j.flip)},
		{"job.at", 48, unsafe.Offsetof(j.at)},
		{"job.after", 52, unsafe.Offsetof(j.after)},
		{"job.anyHit", 56, unsafe.Offsetof(j.anyHit)},
		{"job.keys", 64, unsafe.Offsetof(j.keys)},
		{"job.stack", 96, unsafe.Offsetof(j.stack)},
		{"job.rays", 2144, unsafe.Offsetof(j.rays)},
		{"job.hits", 4192, unsafe.Offsetof(j.hits)},
	} {
		assert.Equal(t, c.want, c.got, c.name)
	}
}

// Without the kernel nothing else would be wrong but the speed.
func TestThereIsAKernel(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	s := grid(20)
	tree := Build(s.vertices, s.indices, 0)
	rays := aims(testenv.Rand(1, 17), &s, 3*kernelBatch+1)
	hits, yes := make([]geom.Hit, len(rays)), make([]bool, len(rays))
	require.Equal(t, len(rays), closestBatch(&tree, hits, rays, geom.CullNone))
	require.Equal(t, len(rays), anyBatch(&tree, yes, rays, geom.CullNone))
	cast := 0
	for i := range rays {
		var hit geom.Hit
		if closestSIMD(&tree, &rays[i], &hit, -1, -1, geom.CullNone) < unsupported {
			cast++
		}
	}
	assert.Greater(t, cast, len(rays)*9/10, "it leaves only what crosses every box")

	theJob.Lock() // as a callback of the browser would find it within a call
	defer theJob.Unlock()
	assert.Zero(t, closestBatch(&tree, hits, rays, geom.CullNone))
	var hit geom.Hit
	assert.EqualValues(t, unsupported, closestSIMD(&tree, &rays[0], &hit, -1, -1, geom.CullNone))
}

// A browser may forbid a program to make modules, or have no vectors.
func TestWithoutKernel(t *testing.T) {
	assembly := js.Global().Get("WebAssembly")
	module := assembly.Get("Module")
	defer assembly.Set("Module", module)
	assembly.Set("Module", js.Undefined())
	_, ok := StartKernel(kernelCode, unsafe.Pointer(&theJob.kernelJob))
	require.False(t, ok)
	assembly.Set("Module", module)
	program := js.FuncOf(func(js.Value, []js.Value) any { return 7 }) // as before
	defer program.Release()
	require.Equal(t, 7, program.Invoke().Int())
	_, ok = StartKernel(kernelCode, unsafe.Pointer(&theJob.kernelJob))
	require.Equal(t, useSIMD, ok)
}
