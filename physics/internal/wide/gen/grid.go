package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Casts of one ray at a height field: a traversal of its own between the preparation of the ray and
// the test of the lanes of a leaf, which are those of trees. All parts of a block are tested at
// once, eight in two rows at a time, and visited row by row in the direction of the ray: it enters
// them in that order. The 16 triangles of a leaf are tested at once, too.

// Offsets in wide.Grid, wide.layer, wide.page and wide.parts; a test in package wide compares them
// with those of the compiler.
const (
	gridPages, gridLayers, gridLayersLen = 120, 144, 152
	gridLow, gridStep                    = 168, 176
	gridColumns, gridRows, gridAcross    = 184, 188, 192

	layerXs, layerZs, layerAcross, layerBlocks = 0, 24, 48, 56
	layerBytes                                 = 80

	pageLarge, pageCodes, pageHeights, pageCells = 4096, 4224, 4248, 4272

	partsHigh, leavesHigh = 64, 128
)

const (
	codesRow, heightsRow, cellsRow = 2 * 65, 4 * 65, 64 // bytes of a row
	gridHole                       = 255
	lastLayer                      = 4 // the lowest level whose blocks are above pages
)

// gridTables are constants in memory.
type gridTables struct {
	ways  Mem
	rows  Mem // the lanes along z of two rows of parts each, and likewise of leaves
	pair  Mem // those of two rows of corners
	parts Mem // all parts
	cells Mem // of a leaf, whose columns, and whose rows, are within the field
}

// A way is what depends on the direction of a ray: for each axis the offsets of the near and of the
// far sides of parts, and the order in which parts and leaves are visited: by their number xor
// wayTurn, where a part is two bits. A shuffle and a rotation put bits into that order.
const (
	wayNear, wayFar            = 0, 32 // along x, y and z, and along y of leaves
	wayRotation                = 64
	wayTurn, wayTurnLeaf       = 72, 80
	wayShuffle, wayShuffleLeaf = 96, 128
	wayBytesLog                = 8
)

const leavesRows = 64 // the offset in gridTables.rows of those of leaves

func declareGrid() (t gridTables) {
	global := func(name string, list ...uint32) Mem {
		g := GLOBL(name, RODATA|NOPTR)
		for i, x := range list {
			DATA(4*i, U32(x))
		}
		return g
	}
	rows := []uint32{0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 3, 3, 3, 3}
	for i := range uint32(32) {
		rows = append(rows, i/8)
	}
	t.rows = global("partRows", rows...)
	t.pair = global("cornerRows", 0, 0, 0, 0, 1, 1, 1, 1)
	t.parts = global("allParts", 0x55555555)
	t.cells = global("cellsWithin", 0, 0x1111, 0x3333, 0x7777, 0, 0x0f0f)
	t.ways = GLOBL("ways", RODATA|NOPTR)
	for down := range 8 { // by axis
		way := down << wayBytesLog
		for far := range 2 {
			for i, side := range []int{4, partsHigh, 4, leavesHigh} {
				axis := []int{0, 1, 2, 1}[i]
				DATA(way+32*far+8*i, U64(uint64(side*(far^down>>axis&1))))
			}
		}
		x, z := down&1, down>>2
		DATA(way+wayRotation, U64(uint64(16*z)))
		DATA(way+wayTurn, U64(uint64(6*x+24*z)))
		DATA(way+wayTurnLeaf, U64(uint64(3*x+28*z)))
		for i := range 32 {
			DATA(way+wayShuffle+i, U8(uint8(i&15^(6*x+8*z))))
		}
		for i := range 32 {
			DATA(way+wayShuffleLeaf+i, U8(uint8(i&15^(3*x+12*z))))
		}
	}
	return t
}

// gridMemory is the memory of a cast at a height field.
type gridMemory struct {
	gridTables
	lowest        Mem // T, in all lanes
	way, page     Mem
	cell          Mem // the first cell of the leaf
	entries, last Mem // the first entry, and the address of the last
	points        Mem // of the leaf: x, y and z of its corners
}

// An entry is the state of a block on the way to the current one: the T at which the ray enters
// its parts, those that are still to be visited, and the lines at which it begins.
const (
	entryLeft, entryX, entryZ = 128, 132, 136
	entryBytes                = 144
	gridLevels                = 16
)

const (
	corner      = 96 // bytes of one of the corners of eight cells: rows of x, y and z
	leafCorners = 4
)

func (m *machine) gridLocal(take func(n int) int) map[*Mem]int {
	g := m.grid
	list := map[*Mem]int{&g.entries: take(gridLevels * entryBytes), &g.points: take(leafCorners * corner)}
	list[&g.lowest] = take(32)
	for _, p := range []*Mem{&g.way, &g.page, &g.cell, &g.last} {
		list[p] = take(8)
	}
	return list
}

// makeGrid writes the casts at height fields.
func makeGrid() {
	k := declare()
	t := declareGrid()
	cast(closest, k, &gridMemory{gridTables: t})
	cast(anyHit, k, &gridMemory{gridTables: t})
}

// gridWalk is the registers of a traversal.
type gridWalk struct {
	*machine
	way, layer, entry, level reg.GPVirtual
	x, z                     reg.GPVirtual // the lines at which the block begins
	left                     reg.GPVirtual // its parts that are to be visited, two bits each
}

// blocks traverses a height field.
func (m *machine) blocks() {
	w := &gridWalk{m, GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP32()}
	g := m.grid
	t, part, grid := GP64(), GP64(), m.tree()
	signs := XMM()
	VMOVUPS(m.rayDir, signs)
	VMOVMSKPS(signs, t.As32())
	ANDL(U8(7), t.As32())
	SHLL(U8(wayBytesLog), t.As32())
	LEAQ(g.ways, w.way)
	ADDQ(t, w.way)
	MOVQ(w.way, g.way)
	MOVQ(at(grid, gridLayersLen), w.level)
	DECQ(w.level)
	IMUL3Q(I32(entryBytes), w.level, t)
	LEAQ(g.entries, w.entry)
	ADDQ(t, w.entry)
	MOVQ(w.entry, g.last)
	IMUL3Q(U8(layerBytes), w.level, t)
	MOVQ(at(grid, gridLayers), w.layer)
	LEAQ(indexed(w.layer, t, 1, -layerBytes), w.layer)
	XORL(w.x.As32(), w.x.As32())
	XORL(w.z.As32(), w.z.As32())
	lowest := YMM()
	VPBROADCASTD(m.lowest(), lowest)
	VMOVUPS(lowest, g.lowest)
	w.origins()
	JMP(LabelRef("enter"))

	Label("ready")
	MOVQ(g.way, w.way)
	MOVL(U32(2), w.level.As32())
	LEAQ(g.entries.Offset(2*entryBytes), w.entry)
	MOVQ(at(m.tree(), gridLayers), w.layer)
	ADDQ(U8(layerBytes), w.layer)
	w.origins()
	JMP(LabelRef("rest"))
	Label("pop")
	INCQ(w.level)
	ADDQ(U8(layerBytes), w.layer)
	ADDQ(I32(entryBytes), w.entry)
	CMPQ(w.entry, g.last)
	JHI(LabelRef("end"))
	Label("rest")
	MOVL(at(w.entry, entryLeft), w.left)
	TESTL(w.left, w.left)
	JZ(LabelRef("pop"))
	MOVL(at(w.entry, entryX), w.x.As32())
	MOVL(at(w.entry, entryZ), w.z.As32())
	CMPQ(w.level, U8(2))
	JEQ(LabelRef("someLeaves"))
	w.prune(false)

	Label("next")
	TZCNTL(w.left, part.As32())
	SHLQ(U8(2), w.x)
	SHLQ(U8(2), w.z)
	BLSRL(w.left, w.left)
	MOVL(w.left, at(w.entry, entryLeft))
	XORQ(at(w.way, wayTurn), part)
	MOVL(part.As32(), t.As32())
	ANDL(U8(6), t.As32())
	LEAQ(indexed(w.x, t, 2, 0), w.x)
	MOVL(part.As32(), t.As32())
	SHRL(U8(3), t.As32())
	LEAQ(indexed(w.z, t, 4, 0), w.z)
	DECQ(w.level)
	SUBQ(I32(entryBytes), w.entry)
	SUBQ(U8(layerBytes), w.layer)

	parts := GP64()
	index := func() {
		MOVLQSX(at(w.layer, layerAcross), parts)
		IMULQ(w.z, parts)
		ADDQ(w.x, parts) // four times the number of the block
	}
	Label("enter")
	CMPQ(w.level, U8(lastLayer))
	JAE(LabelRef("above"))
	CMPQ(w.level, U8(2))
	JNE(LabelRef("page"))
	MOVQ(part, parts)
	SHLQ(U8(7), parts)
	ADDQ(g.page, parts)
	ADDQ(w.z, w.z) // of leaves there are eight rows
	w.open(parts, true)
	JMP(LabelRef("leaf"))
	Label("page")
	grid = m.tree()
	index()
	MOVQ(at(grid, gridPages), t)
	MOVQ(indexed(t, parts, 2, 0), parts)
	MOVQ(parts, g.page)
	ADDQ(U32(pageLarge), parts)
	JMP(LabelRef("open"))
	Label("above")
	index()
	SHLQ(U8(5), parts)
	ADDQ(at(w.layer, layerBlocks), parts)
	Label("open")
	w.open(parts, false)
	JMP(LabelRef("next"))

	Label("someLeaves")
	w.prune(true)
	Label("leaf")
	TZCNTL(w.left, part.As32())
	SHLQ(U8(2), w.x)
	SHLQ(U8(1), w.z)
	BLSRL(w.left, w.left)
	MOVL(w.left, at(w.entry, entryLeft))
	XORQ(at(w.way, wayTurnLeaf), part)
	MOVL(part.As32(), t.As32())
	ANDL(U8(3), t.As32())
	LEAQ(indexed(w.x, t, 4, 0), w.x)
	SHRL(U8(2), part.As32())
	LEAQ(indexed(w.z, part, 2, 0), w.z)
	w.leaf()
}

// halves is how many pairs of rows the parts or the leaves of a block are.
func halves(leaves bool) int {
	if leaves {
		return 4
	}
	return 2
}

// open tests the parts of a block, or its leaves. If the ray crosses none, it continues with the
// entries.
func (w *gridWalk) open(parts reg.Register, leaves bool) {
	g := w.grid
	MOVL(w.x.As32(), at(w.entry, entryX))
	MOVL(w.z.As32(), at(w.entry, entryZ))
	n, height, rows := halves(leaves), 8, 0
	if leaves {
		height, rows = 24, leavesRows
	}
	lines, offset := GP64(), GP64()
	// sides returns T at the near or the far sides along an axis.
	sides := func(origin reg.Register, way, axis, layer int, i reg.Register, wide bool) reg.VecVirtual {
		t := YMM()
		MOVQ(at(w.layer, layer), lines)
		ADDQ(at(w.way, way+8*axis), lines)
		if wide {
			VMOVUPS(indexed(lines, i, 4, 0), t)
		} else {
			VBROADCASTF128(indexed(lines, i, 4, 0), t)
		}
		VSUBPS(t, origin, t)
		VMULPS(w.inv[axis], t, t)
		return t
	}
	reached := func(origin func(axis int) reg.Register, way int, bound Op, best func(ops ...Op), use func(half int, t reg.VecVirtual)) {
		x := sides(origin(0), way, 0, layerXs, w.x, false)
		best(bound, x, x)
		z := sides(origin(2), way, 2, layerZs, w.z, leaves)
		y := origin(1)
		MOVQ(at(w.way, way+height), offset)
		for half := range n {
			v, t := YMM(), YMM()
			VSUBPS(indexed(parts, offset, 1, 32*half), y, v)
			VMULPS(w.inv[1], v, v)
			VPERMILPS(g.rows.Offset(rows+32*half), z, t)
			best(x, v, v)
			best(t, v, v)
			use(half, v)
		}
	}
	var from, missed [4]reg.VecVirtual
	reached(func(axis int) reg.Register { return w.o[axis] }, wayNear, g.lowest, VPMAXSD, func(half int, t reg.VecVirtual) {
		if from[half] = t; w.kind == closest {
			VMOVUPS(t, at(w.entry, 32*half))
		}
	})
	reached(func(axis int) reg.Register {
		o := YMM()
		VBROADCASTSS(w.state(far+4*axis), o)
		return o
	}, wayFar, w.high, VPMINSD, func(half int, t reg.VecVirtual) {
		VPCMPGTD(t, from[half], t)
		missed[half] = t
	})
	set := w.missed(missed[:n])
	if leaves {
		MOVL(set, w.left)
		XORL(I32(-1), w.left)
	} else {
		ANDNL(g.parts, set, w.left)
	}
	JZ(LabelRef("pop"))
}

// missed returns the set of parts, two bits each, or of leaves, in the order in which they are
// visited.
func (w *gridWalk) missed(halves []reg.VecVirtual) reg.GPVirtual {
	set, shuffle := GP32(), wayShuffle
	VPACKSSDW(halves[1], halves[0], halves[0])
	if len(halves) == 4 {
		shuffle = wayShuffleLeaf
		VPACKSSDW(halves[3], halves[2], halves[2])
		VPACKSSWB(halves[2], halves[0], halves[0])
	}
	VPSHUFB(at(w.way, shuffle), halves[0], halves[0])
	VPMOVMSKB(halves[0], set)
	MOVQ(at(w.way, wayRotation), reg.RCX)
	ROLL(reg.CL, set)
	return set
}

// prune removes the parts or the leaves that the ray enters after the hit.
func (w *gridWalk) prune(leaves bool) {
	if w.kind != closest {
		return
	}
	late := make([]reg.VecVirtual, halves(leaves))
	for half := range late {
		late[half] = YMM()
		VMOVUPS(at(w.entry, 32*half), late[half])
		VPCMPGTD(w.high, late[half], late[half])
	}
	ANDNL(w.left, w.missed(late), w.left)
	JZ(LabelRef("pop"))
}

// leaf tests the 16 triangles of 4 by 2 cells: the first ones of all cells, then the second ones.
func (w *gridWalk) leaf() {
	g := w.grid
	grid, page := w.tree(), GP64()
	MOVQ(g.page, page)
	w.corners(grid, page)

	Comment("The cells that are there.")
	cells, t := GP32(), GP64()
	MOVL(U32(0xffff), cells)
	row, list := GP64(), GP64()
	MOVQ(at(page, pageCells), list)
	TESTQ(list, list)
	JZ(LabelRef("whole"))
	MOVL(w.z.As32(), row.As32())
	ANDL(U8(63), row.As32())
	SHLL(U8(6), row.As32())
	ADDQ(row, list)
	MOVL(w.x.As32(), row.As32())
	ANDL(U8(63), row.As32())
	ADDQ(row, list)
	materials, holes := XMM(), XMM()
	VXORPS(holes, holes, holes)
	for r := range 4 { // both rows twice, for both triangles
		if r == 0 {
			VMOVD(at(list, 0), materials)
			continue
		}
		VPINSRD(U8(r), at(list, cellsRow*(r%2)), materials, materials)
	}
	VPCMPEQD(holes, holes, holes)
	VPCMPEQB(holes, materials, materials)
	VPMOVMSKB(materials, t.As32())
	XORL(t.As32(), cells)
	Label("whole")
	beyond := func(at Mem, i reg.GPVirtual, name string, most, table int) {
		n := GP32()
		MOVL(at, n)
		SUBL(i.As32(), n)
		CMPL(n, U8(most))
		JGE(LabelRef(name))
		LEAQ(g.cells.Offset(table), t)
		ANDL(indexed(t, n.As64(), 4, 0), cells)
		Label(name)
	}
	beyond(at(grid, gridColumns), w.x, "columns", 4, 0)
	beyond(at(grid, gridRows), w.z, "rows", 2, 16)

	Comment("The first of them.")
	MOVL(at(grid, gridColumns), t.As32())
	IMULL(w.z.As32(), t.As32())
	ADDL(w.x.As32(), t.As32())
	MOVL(t.As32(), g.cell)

	hits := GP32()
	XORL(hits, hits)
	w.place = GP64()
	LEAQ(g.points, w.place)
	var axes [3]reg.Register
	for i := range axes {
		a := GP64()
		MOVL(w.state(axis+4*i), a.As32())
		axes[i] = a
	}
	sheared := w.shearing()
	var x, y [4]reg.VecVirtual // of column and row 00, 01, 11, 10
	for c := range x {
		x[c], y[c], _ = sheared.of(func(i int) Mem { return indexed(w.place, axes[i], 1, corner*c) })
	}
	for second := range 2 {
		e := edges([3]reg.VecVirtual{x[0], x[1+second], x[2+second]}, [3]reg.VecVirtual{y[0], y[1+second], y[2+second]}, VMULPS, VSUBPS)
		VMOVUPS(determinant(e), w.det.Offset(32*second))
		if w.kind == closest {
			VMOVUPS(e[1], w.edgeB.Offset(32*second))
			VMOVUPS(e[2], w.edgeC.Offset(32*second))
		}
		mask := GP32()
		VMOVMSKPS(outside(e), mask)
		if second > 0 {
			SHLL(U8(8), mask)
		}
		ORL(mask, hits)
	}
	ANDNL(cells, hits, hits)
	JZ(LabelRef("ready"))
	w.lanes(false, 0, 0, hits, axes)
}

// origins loads the registers that a leaf has overwritten, and the highest T.
func (w *gridWalk) origins() {
	for i := range 3 {
		VBROADCASTSS(w.state(near+4*i), w.o[i])
		VBROADCASTSS(w.state(inverse+4*i), w.inv[i])
	}
	VPBROADCASTD(w.most, w.high)
}

// corners writes the coordinates of the corners of the cells of a leaf.
func (w *gridWalk) corners(grid, page reg.Register) {
	g := w.grid
	x, z, list, t := GP64(), GP64(), GP64(), GP64()
	lines, put := YMM(), func(v reg.Register, axis int, corners ...int) {
		for _, c := range corners {
			VMOVUPS(v, g.points.Offset(corner*c+32*axis))
		}
	}
	MOVQ(at(w.layer, layerXs-layerBytes), list)
	VBROADCASTF128(indexed(list, w.x, 4, 0), lines)
	put(lines, 0, 0, 1)
	VBROADCASTF128(indexed(list, w.x, 4, 4), lines)
	put(lines, 0, 2, 3)
	MOVQ(at(w.layer, layerZs-layerBytes), list)
	two := YMM()
	for r := range 2 {
		VBROADCASTF128(indexed(list, w.z, 4, 4*r), two)
		VPERMILPS(g.pair, two, two)
		if r == 0 {
			put(two, 2, 0, 3)
		} else {
			put(two, 2, 1, 2)
		}
	}

	Comment("The first height of the leaf in its page.")
	MOVL(w.z.As32(), z.As32())
	ANDL(U8(63), z.As32())
	IMUL3Q(U8(65), z, z)
	MOVL(w.x.As32(), x.As32())
	ANDL(U8(63), x.As32())
	ADDQ(z, x)
	MOVQ(at(page, pageCodes), t)
	TESTQ(t, t)
	JZ(LabelRef("heights"))
	LEAQ(indexed(t, x, 2, 0), t)
	low, step := YMM(), YMM()
	VBROADCASTSD(at(grid, gridLow), low)
	VBROADCASTSD(at(grid, gridStep), step)
	var rows [2]reg.VecVirtual
	for r := range 3 {
		for side := range 2 {
			// All of h is written, as its upper half would seem to be in use before.
			h, wide := YMM(), YMM()
			VXORPS(h, h, h)
			VPMOVZXWD(at(t, codesRow*r+2*side), wide.AsX())
			VCVTDQ2PD(wide.AsX(), wide)
			VMULPD(step, wide, wide)
			VADDPD(low, wide, wide)
			VCVTPD2PSY(wide, h.AsX())
			if r > 0 {
				both := YMM()
				VINSERTF128(U8(1), h.AsX(), rows[side], both)
				putRows(put, both, r, side)
			}
			rows[side] = h
		}
	}
	JMP(LabelRef("written"))
	Label("heights")
	MOVQ(at(page, pageHeights), t)
	LEAQ(indexed(t, x, 4, 0), t)
	for r := 1; r < 3; r++ {
		for side := range 2 {
			both := YMM()
			VBROADCASTF128(at(t, heightsRow*(r-1)+4*side), both)
			VINSERTF128(U8(1), at(t, heightsRow*r+4*side), both, both)
			putRows(put, both, r, side)
		}
	}
	Label("written")
}

// putRows writes the heights of rows r − 1 and r, of the first four columns or the last.
func putRows(put func(v reg.Register, axis int, corners ...int), rows reg.Register, r, side int) {
	put(rows, 1, [][2]int{{0, 3}, {1, 2}}[r-1][side])
}

// faces continues with the next lane if the triangle has no determinant or is culled.
func (m *machine) faces(lane reg.GPVirtual) {
	det, t := GP32(), GP32()
	MOVL(m.det.Idx(lane, 4), det)
	LEAL(Mem{Base: det.As64(), Index: det.As64(), Scale: 1}, t)
	DECL(t)
	CMPL(t, U32(2*0x7f800000-1)) // zero, infinite or NaN
	JAE(LabelRef("worse"))
	SARL(U8(31), det)
	NOTL(det)
	ANDL(m.state(turn), det)
	XORL(m.state(flip), det)
	JZ(LabelRef("worse"))
}

// corners returns the places of the corners of the triangle in a lane, as indices in the rows of
// the points: those of column and row 00, 01 and 11, or 00, 11 and 10.
func (g *gridMemory) corners(lane reg.GPVirtual) (list [3]reg.GPVirtual) {
	second := GP64()
	for c := range list {
		list[c] = GP64()
	}
	MOVL(lane.As32(), list[0].As32())
	ANDL(U8(7), list[0].As32())
	MOVL(lane.As32(), second.As32())
	ANDL(U8(8), second.As32())
	LEAQ(indexed(second, second, 2, corner/4), second)
	LEAQ(indexed(list[0], second, 1, 0), list[1])
	LEAQ(at(list[1], corner/4), list[2])
	return list
}

// triangle computes the number of the triangle in a lane.
func (g *gridMemory) triangle(m *machine, lane, id reg.GPVirtual) {
	half, t := GP32(), GP32()
	MOVL(lane.As32(), id)
	SHRL(U8(2), id)
	ANDL(U8(1), id)
	IMULL(at(m.tree(), gridColumns), id)
	ADDL(g.cell, id)
	MOVL(lane.As32(), t)
	ANDL(U8(3), t)
	ADDL(t, id)
	MOVL(lane.As32(), half)
	SHRL(U8(3), half)
	LEAL(Mem{Base: half.As64(), Index: id.As64(), Scale: 2}, id)
}
