// Command wasm writes the ray casts of package wide as a WebAssembly module with vectors, which
// Go's compiler does not have for WebAssembly, and the solver of contacts of package rigid: see `go
// generate` there.
//
// A module is one function over the memory of the Go program. That of package wide casts the rays
// of a job one after the other, and finds the bits that the portable traversal finds. Four lanes
// twice are the eight boxes of a node, or the eight triangles of a leaf.
package main

import (
	"flag"
	"log"
	"os"
)

func main() {
	out := flag.String("out", "", "the file to write")
	solver := flag.Bool("solver", false, "write the solver of package rigid")
	flag.Parse()
	kernel := write
	if *solver {
		kernel = writeSolver
	}
	if err := os.WriteFile(*out, kernel().module(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// Offsets in wide.kernelJob, wide.node, the leaves, geom.Ray and geom.Hit; a test in package wide
// compares them with those of the compiler.
const (
	jobUnits, jobIDs, jobRoot, jobCount = 0, 4, 8, 12
	jobCenter, jobHalf                  = 16, 28
	jobTurn, jobFlip, jobAt, jobAfter   = 40, 44, 48, 52
	jobAny, jobKeys, jobStack           = 56, 64, 96
	jobRays, jobHits                    = 2144, 4192

	row   = 32 // bytes of eight floats
	half  = 16 // bytes of four
	child = 192

	packedCorner, packedFirst, packedLanes = 96, 120, 124
	looseCorner, looseFirst, looseLanes    = 96, 288, 292

	rayDir, rayMinT, rayMaxT, rayBytes = 12, 24, 28, 32
	hitPoint, hitNormal, hitU, hitV    = 4, 16, 28, 32
	hitTriangle, hitSides, hitBytes    = 36, 40, 44
)

// The bits of float32 numbers.
const (
	infBits      = 0x7f800000
	farBits      = 0x7e967699 // 1e38
	smallestBits = 0x00800000 // 0x1p-126
	one32        = 0x3f800000
	signBit      = -0x80000000
)

// What stands in place of a triangle.
const (
	missed  = -1
	pending = -2 // the portable traversal must cast the ray
)

// kernel is the function and its variables. "In x, y and z" is a vector with those of a ray or
// point, and a lane without meaning; "for four" holds one number in all lanes.
type kernel struct {
	*function

	ray, hit, rays local
	triangle       local // of the hit, or missed or pending

	low, high local // the bits of the range of T
	after     local // at low, triangles up to this one are excluded

	near, far, inverse local    // of wide.Ray, in x, y and z
	negative           local    // in x, y and z: all bits, where the ray goes down
	side               [3]local // of wide.Ray
	axis               [3]local // of wide.Ray: what comes first, second and last
	origin             [3]local // along these
	sx, sy, dz         local
	flip               local

	nears, fars, inverses [3]local // for four
	lows, highs           local
	origins               [3]local
	sxs, sys              local

	ref, sp   local
	leaf      local // its address
	lanes     local // left to be tested
	corner    [3]local
	best      [3]local // corner of the best hit
	bestDet   local
	bestEdges local // in corners a, b and c

	// Constants: which byte of eight goes to each lane, and where the bytes of lanes start.
	spread [2]local
	bytes  local
}

// write writes the whole function.
func write() *function {
	k := kernel{function: &function{}}
	k.ray, k.hit, k.rays = k.local(i32), k.local(i32), k.local(i32)
	k.constants()
	k.set(k.ray, i32Add.of(job, i32Const(jobRays)))
	k.set(k.hit, i32Add.of(job, i32Const(jobHits)))
	k.set(k.rays, i32Load.of(job, jobCount))
	k.triangle = k.local(i32)
	k.loop(func(again label) {
		k.set(k.triangle, i32Const(missed))
		k.block(func(done label) {
			k.prepare(done)
			k.broadcast()
			k.walk(done)
			k.fill(done)
		})
		k.when(i32LtS.of(k.triangle, i32Const(0)), func() { k.clear() })
		k.store(i32Store, k.hit, hitTriangle, k.triangle)
		k.set(k.ray, i32Add.of(k.ray, i32Const(rayBytes)))
		k.set(k.hit, i32Add.of(k.hit, i32Const(hitBytes)))
		k.set(k.rays, i32Sub.of(k.rays, i32Const(1)))
		k.brIf(again, k.rays)
	})
	k.emit(i32Const(1).code())
	return k.function
}

func (k *kernel) constants() {
	for h := range k.spread {
		var b [16]byte
		for i := range b {
			b[i] = byte(4*h + i/4)
		}
		k.spread[h] = k.let(v128, v128Const(b))
	}
	k.bytes = k.let(v128, i32x4Splat.of(i32Const(0x03020100)))
}

// clear writes a miss.
func (k *kernel) clear() {
	k.store(f32Store, k.hit, 0, f32OfBits.of(i32Const(infBits)))
	for at := hitPoint; at < hitTriangle; at += 8 {
		k.store(i64Store, k.hit, at, i64Const(0))
	}
	k.store(i32Store16, k.hit, hitSides, i32Const(0))
}
