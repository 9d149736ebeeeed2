//go:build js && !noasm

package wide

import (
	_ "embed"
	"os"
	"runtime"
	"sync"
	"syscall/js"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// The WebAssembly twin of the portable casts. Go's compiler has no vectors for WebAssembly, so a
// second module has them: kernel.wasm, written by the command in gen/wasm. It works on the memory
// of the Go program, where it reads trees without a copy.

//go:generate go run -C gen ./wasm -out ../kernel.wasm

//go:embed kernel.wasm
var kernelCode []byte

// kernel casts the rays of theJob where its property length is read. That is the cheapest call that
// syscall/js has: 30 ns under Node, where a call of a function takes 80 and more.
var kernel js.Value

// useSIMD reports whether there is a kernel. HITSCAN_PORTABLE=1 in the environment forces the
// portable traversal.
var useSIMD bool

func init() { kernel, useSIMD = StartKernel(kernelCode, unsafe.Pointer(&theJob.kernelJob)) }

// kernelBatch is the largest number of rays in a call.
const kernelBatch = 64

// kernelJob is what a call is about. Rays and hits are copied: those of a caller may lie on the
// stack of a goroutine, which moves when it grows, as it may between the taking of an address and
// the call.
type kernelJob struct {
	units, ids   uint32 // addresses
	root         ref
	count        int32 // of rays, at least one
	center, half geom.Vec3
	turn, flip   uint32
	at           float32 // hits count after this T and triangle, unless it is before the range
	after        int32
	anyHit       uint32 // 1: a triangle of zero stands for any hit
	_            uint32
	keys         [width]uint32 // scratch
	stack        [stackSize]stackEntry
	rays         [kernelBatch]geom.Ray
	hits         [kernelBatch]geom.Hit // with the triangle −1 for a miss, or pending
}

var theJob struct {
	sync.Mutex
	kernelJob
}

// StartKernel makes a kernel of a module that gen/wasm has written: reading the length of what it
// returns runs it for a job. It returns false where that is impossible: without vectors, or under a
// content policy that forbids it, or if the Go program was started by other code than Go's
// wasm_exec.js; and if HITSCAN_PORTABLE=1 is in the environment.
func StartKernel(code []byte, job unsafe.Pointer) (kernel js.Value, ok bool) {
	if os.Getenv("HITSCAN_PORTABLE") == "1" {
		return kernel, false
	}
	defer func() {
		if !ok {
			_ = recover() // an exception
		}
	}()
	assembly := js.Global().Get("WebAssembly")
	object := js.Global().Get("Object")
	data := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(data, code)
	module := assembly.Get("Module").New(data)

	names := object.New()
	names.Set("mem", programMemory(object))
	names.Set("job", uint32(uintptr(job)))
	imports := object.New()
	imports.Set("go", names)
	instance := assembly.Get("Instance").New(module, imports)
	getter := object.New()
	getter.Set("get", instance.Get("exports").Get("cast"))
	kernel = object.Call("defineProperty", object.New(), "length", getter)
	return kernel, true
}

// programMemory returns the memory of this program. Only the object that runs the program has it,
// and syscall/js calls one method of that object: while that is valueOf, js.FuncOf returns the
// object itself.
func programMemory(object js.Value) js.Value {
	const method = "_makeFuncWrapper"
	class := js.Global().Get("Go").Get("prototype")
	original := class.Get(method)
	class.Set(method, object.Get("prototype").Get("valueOf"))
	defer class.Set(method, original)
	program := js.FuncOf(nil)
	program.Release()
	return program.Get("_inst").Get("exports").Get("mem")
}

// run casts the first n rays of the job.
func (j *kernelJob) run(t *Tree, n int, cull geom.Cull, at float32, after int32, anyHit uint32) {
	j.units = uint32(uintptr(unsafe.Pointer(unsafe.SliceData(t.units))))
	j.ids = uint32(uintptr(unsafe.Pointer(unsafe.SliceData(t.ids))))
	j.root, j.center, j.half = t.root, t.center, t.half
	j.count, j.at, j.after, j.anyHit = int32(n), at, after, anyHit
	j.turn, j.flip = facing(cull)
	kernel.Length()
	runtime.KeepAlive(t)
}

// closestSIMD finds the first hit of a ray after the given T and triangle, and writes it. It
// returns 0 for a miss, 1 for a hit, and unsupported if the portable traversal must cast the ray.
func closestSIMD(t *Tree, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32 {
	if t.IsEmpty() || !theJob.TryLock() {
		return unsupported
	}
	defer theJob.Unlock()
	theJob.rays[0] = *r
	theJob.run(t, 1, cull, at, triangle, 0)
	h := &theJob.hits[0]
	switch h.Triangle {
	case pending:
		return unsupported
	case -1:
		return 0
	}
	*hit = *h
	return 1
}

// anySIMD reports in the same way whether a ray hits anything.
func anySIMD(t *Tree, r *geom.Ray, cull geom.Cull) uint32 {
	if t.IsEmpty() || !theJob.TryLock() {
		return unsupported
	}
	defer theJob.Unlock()
	theJob.rays[0] = *r
	theJob.run(t, 1, cull, -1, -1, 1)
	switch theJob.hits[0].Triangle {
	case pending:
		return unsupported
	case -1:
		return 0
	}
	return 1
}

// nextSIMD is walk.next: portable, as a call for each leaf would gain nothing.
func nextSIMD(w *walk, stack *stackEntry) bool {
	w.simd = false
	return w.next(unsafe.Slice(stack, stackSize))
}

// closestBatch finds the first hits of rays as CastRays does, and returns their number: all, or 0
// without a kernel.
func closestBatch(t *Tree, hits []geom.Hit, rays []geom.Ray, cull geom.Cull) int {
	if !useSIMD || t.IsEmpty() || !theJob.TryLock() {
		return 0
	}
	defer theJob.Unlock()
	for start := 0; start < len(rays); start += kernelBatch {
		n := copy(theJob.rays[:], rays[start:])
		theJob.run(t, n, cull, -1, -1, 0)
		for i := range copy(hits[start:start+n], theJob.hits[:n]) {
			if hit, r := &hits[start+i], &rays[start+i]; hit.Triangle == pending && !t.portable(hit, r, cull, -1, -1) {
				*hit = noHit
			}
		}
	}
	return len(rays)
}

// anyBatch reports in the same way for each ray whether it hits anything.
func anyBatch(t *Tree, hits []bool, rays []geom.Ray, cull geom.Cull) int {
	if !useSIMD || t.IsEmpty() || !theJob.TryLock() {
		return 0
	}
	defer theJob.Unlock()
	for start := 0; start < len(rays); start += kernelBatch {
		n := copy(theJob.rays[:], rays[start:])
		theJob.run(t, n, cull, -1, -1, 1)
		for i := range theJob.hits[:n] {
			triangle := theJob.hits[i].Triangle
			hits[start+i] = triangle >= 0 || triangle == pending && t.portableAny(&rays[start+i], cull)
		}
	}
	return len(rays)
}
