package main

// Offsets in wide.walk, wide.node and the leaves; a test in package wide compares them with those
// of the compiler.
const (
	near, far, inverse = 0, 12, 24
	origin, shear, dz  = 36, 48, 56
	low, high          = 60, 64
	turn, flip         = 68, 72
	side, axis         = 76, 88
	tree               = 104

	overflows = 100 // a byte

	treeUnits, treeIDs, treeRoot = 24, 48, 72
	treeCenter, treeHalf         = 76, 88

	rayOrigin, rayDir, rayMinT, rayMaxT = 0, 12, 24, 28 // in geom.Ray

	hitT, hitPoint, hitNormal, hitU, hitV = 0, 4, 16, 28, 32 // in geom.Hit
	hitTriangle, hitBack                  = 36, 40

	count, blockLeaf = 112, 120
	blockLanes       = blockLeaf + 4

	child = 192 // in node
	width = 8   // children of a node, lanes of a leaf

	packedCorner, packedFirst, packedLanes = 96, 120, 124
	looseFirst, looseLanes                 = 288, 292
)

// A ref times eight is the byte offset of its node or leaf, plus eight times its kind; these
// constants correct for the kind.
const (
	packedSkew = -8
	looseSkew  = -24
)
