//go:build js && !noasm

package rigid

import (
	_ "embed"
	"sync"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// octet.solve and octet.relax in WebAssembly with vectors, which Go's compiler does not have: a
// module of its own, over the memory of the Go program. What runs once a step is portable.

//go:generate go run -C ../internal/wide/gen ./wasm -solver -out ../../../rigid/kernel.wasm

//go:embed kernel.wasm
var kernelCode []byte

// kernel solves solverJob where its property length is read.
var kernel, useKernel = wide.StartKernel(kernelCode, unsafe.Pointer(&theJob.solverJob))

// solverJob is what a call is about: octets, and where their bodies are.
type solverJob struct {
	octets, count     uint32 // an address, and how many
	motions, inertias uint32 // addresses
	pushSpeed, rate   float32
	relaxes           uint32 // 1: relax and not solve
}

var theJob struct {
	sync.Mutex
	solverJob
}

// solveByKernel solves or relaxes octets, and reports whether it did: false for those of planar
// spaces, those that share bodies, and without a kernel.
func (d *Dynamics) solveByKernel(from, to int, relaxes bool) bool {
	if !useKernel || from >= int(d.colors[overflow]) || from >= to || d.space.IsPlanar() {
		return false
	}
	runKernel(d.octets[from:to], d.motions, d.inertias, d.Settings.PushSpeed, 1/d.h, relaxes)
	return true
}

func runKernel(octets []octet, motions []motion, inertias []inertia, pushSpeed, rate float32, relaxes bool) {
	theJob.Lock()
	defer theJob.Unlock()
	theJob.solverJob = solverJob{
		octets: uint32(uintptr(unsafe.Pointer(&octets[0]))), count: uint32(len(octets)),
		motions: uint32(uintptr(unsafe.Pointer(&motions[0]))), inertias: uint32(uintptr(unsafe.Pointer(&inertias[0]))),
		pushSpeed: pushSpeed, rate: rate,
	}
	if relaxes {
		theJob.relaxes = 1
	}
	kernel.Length()
}
