// Command gen writes the AVX2 twins of the Go code of package wide: see `go generate` there. It is
// a module of its own, so that users do not depend on its requirements. Registers are named here
// and allocated by avo.
//
// Without flags it writes the casts of one ray, from one description: closest and any cast a whole
// ray; prepare and next are walk.prepare and walk.next for traversals in Go. With -packets it
// writes the casts of many rays, closestPacket, anyPacket, closestStream and anyStream; with
// -build, the builder's loops over many triangles; with -visit, the box tests of visits; with
// -world, the routines of package broad; with -shape, the traversal for moving shapes; with
// -solver, the contact solver of package rigid; with -joints, its joint solver; with -boxes, the
// search over the axes of two boxes of package narrow, and the contacts of boxes in a plane; with
// -contacts, the recycling of contacts of package physics; with -grid, the casts at height fields.
// With -neon and the name of a file it writes the same routines for arm64 in place of AVX2.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	builder := flag.Bool("build", false, "write the routines of the builder")
	packets := flag.Bool("packets", false, "write the casts of many rays")
	visit := flag.Bool("visit", false, "write the routines for visits of a box")
	world := flag.Bool("world", false, "write the routines of package broad")
	shape := flag.Bool("shape", false, "write the traversal for moving shapes")
	solver := flag.Bool("solver", false, "write the contact solver of package rigid")
	joints := flag.Bool("joints", false, "write the joint solver of package rigid")
	boxes := flag.Bool("boxes", false, "write the routines for boxes of package narrow")
	contacts := flag.Bool("contacts", false, "write the recycling of contacts of package physics")
	grid := flag.Bool("grid", false, "write the casts at height fields")
	arm64 := flag.String("neon", "", "write the NEON twins to this file, and none in AVX2")
	flag.Parse()
	if *arm64 != "" {
		translate(*arm64)
	}
	ConstraintExpr("amd64,!noasm")
	switch {
	case *builder:
		makeBuild()
	case *packets:
		c := declarePackets()
		packetRoutine(closest, c)
		packetRoutine(anyHit, c)
		streamRoutine(closest, c.constants)
		streamRoutine(anyHit, c.constants)
	case *visit:
		makeVisit()
	case *world:
		makeWorld()
	case *shape:
		makeShape()
	case *solver:
		makeSolver()
	case *joints:
		makeJoints()
	case *boxes:
		makeBoxes()
	case *contacts:
		makeContacts()
	case *grid:
		makeGrid()
	default:
		k := declare()
		cast(closest, k, nil)
		cast(anyHit, k, nil)
		prepareRoutine(k)
		nextRoutine(k)
		if *arm64 == "" {
			cpu()
		}
	}
	Generate()
}
