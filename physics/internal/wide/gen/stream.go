package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Streams: many incoherent rays are in flight and take turns, all at nodes and then all at leaves.
// So no branch depends on which of both comes next, or on which children a ray crosses: one that is
// mispredicted takes as long as a node, and until then nothing of the next ray can begin.

// inFlight is the number of rays in flight.
const inFlight = 16

// fewNodes is the number of rays at nodes below which those at leaves have their turn.
const fewNodes = 4

// stream is the memory of the rays in flight.
type stream struct {
	st            reg.GPVirtual // state of the current ray
	sp, ref       Mem           // of a state: entries on its stack, and what it opens next
	ray, hit      Mem
	nodes, leaves Mem // the states of rays at nodes and at leaves
	// The numbers of these, and while those at leaves have their turn that of the current one.
	nodeCount, leafCount, end, current Mem
}

// smallStack is the number of entries of the stack of a ray. Trees that need more are not traversed
// by streams and packets. It is also in package wide.
const smallStack = 96

// A stack is the T of the entries, in order, and then their refs. Eight entries are written at a
// time, of which some do not count.
const (
	stackRows  = 4 * (smallStack + 8)
	stateBytes = 5*32 + 4*16 + 112 + 48 + 5*8 + 24 + 2*stackRows
)

// own returns a parameter of the caller, of the current ray.
func (m *machine) own(name string) reg.Register {
	if m.stream == nil {
		return Load(Param(name), GP64())
	}
	p := GP64()
	if name == "r" {
		MOVQ(m.stream.ray, p)
	} else {
		MOVQ(m.stream.hit, p)
	}
	return p
}

// local lays out a state.
func (s *stream) local(m *machine) {
	size := 0
	place := func(n int, list ...*Mem) {
		for _, p := range list {
			*p = at(s.st, size)
			size += n
		}
	}
	place(32, &m.det, &m.edgeB, &m.edgeC, &m.wideOrigin, &m.wideShear)
	place(16, &m.rayOrigin, &m.rayDir, &m.wideDZ, &m.bestID)
	place(112, &m.ray)
	place(48, &m.sides)
	place(8, &m.most, &s.sp, &s.ref, &s.ray, &s.hit)
}

// The rows of the stack of a state: at what T rays enter what is on it, and the refs.
func (s *stream) from() Mem { return at(s.st, stateBytes-2*stackRows) }
func (s *stream) refs() Mem { return at(s.st, stateBytes-stackRows) }

// streamRoutine writes a routine that casts the marked ones of many rays. Rays for the portable
// traversal keep their marks.
func streamRoutine(k kind, c constants) {
	if k == closest {
		TEXT("closestStreamSIMD", 0, "func(t, r, hits *byte, n int, turn, flip uint32)")
		Doc("closestStreamSIMD finds the first hits of marked rays.")
	} else {
		TEXT("anyStreamSIMD", 0, "func(t, r, hits *byte, n int, turn, flip uint32)")
		Doc("anyStreamSIMD reports for marked rays whether they hit anything.")
	}
	Pragma("noescape")
	s := &stream{st: GP64()}
	m := &machine{kind: k, k: c, stream: s}
	frame := AllocLocal(inFlight*stateBytes + 16*inFlight + 4*8 + 64)
	states := frame.Offset(16*inFlight + 4*8)
	s.nodes, s.leaves = frame, frame.Offset(8*inFlight)
	for i, p := range []*Mem{&s.nodeCount, &s.leafCount, &s.end, &s.current} {
		*p = frame.Offset(16*inFlight + 8*i)
	}
	LEAQ(states.Offset(63), s.st)
	ANDQ(I8(-64), s.st)
	m.local()
	s.none()

	m.turnOfLeaves()

	Label("end")
	hit := m.own("hit")
	TESTQ(hit, hit)
	JZ(LabelRef("begin")) // the state has no ray yet
	if k == closest {
		best := GP32()
		MOVL(m.bestID, best)
		CMPL(best, U32(0x7fffffff))
		JNE(LabelRef("begin"))
		miss(hit)
	} else {
		MOVB(U8(0), at(hit, 0))
	}
	JMP(LabelRef("begin"))
	if k == anyHit {
		Label("hit")
		MOVB(U8(1), at(m.own("hit"), 0))
		JMP(LabelRef("begin"))
	}
	Label("unsupported")
	if k == closest {
		MOVL(I32(pending), at(m.own("hit"), hitTriangle))
	}

	Label("begin")
	s.take(m)
	s.limits(m)
	s.facing(m)
	m.prepare("begin") // an unsupported ray keeps its mark
	s.first(m)
	m.turnOfNodes()
}

// none puts all states at leaves, of rays that have ended.
func (s *stream) none() {
	st, n := GP64(), GP64()
	MOVQ(s.st, st)
	for i := range inFlight {
		MOVQ(I32(sentinel), at(st, s.ref.Disp))
		MOVQ(U32(0), at(st, s.hit.Disp))
		MOVQ(st, s.leaves.Offset(8*i))
		if i < inFlight-1 {
			ADDQ(U32(stateBytes), st)
		}
	}
	XORL(n.As32(), n.As32())
	MOVQ(n, s.nodeCount)
	MOVQ(n, s.leafCount)
	MOVQ(n, s.current)
	MOVQ(U32(inFlight), n)
	MOVQ(n, s.end)
}

// turnOfLeaves opens the leaves of all rays that are at one, and begins with new rays in place of
// those that have ended.
func (m *machine) turnOfLeaves() {
	s := m.stream
	Label("next")
	i := GP64()
	MOVQ(s.current, i)
	CMPQ(i, s.end)
	JEQ(LabelRef("nodes"))
	MOVQ(s.leaves.Idx(i, 8), s.st)
	INCQ(i)
	MOVQ(i, s.current)
	m.base = m.tree()
	MOVQ(at(m.base, treeUnits), m.base)
	m.ref, m.place = GP64(), GP64()
	MOVQ(s.ref, m.ref)
	LEAQ(indexed(m.base, m.ref, 8, 0), m.place)
	TESTB(U8(2), m.ref.(reg.GPVirtual).As8L())
	JNZ(LabelRef("loose"))
	m.leaf(false)
	Label("loose")
	CMPL(m.ref.(reg.GPVirtual).As32(), I8(sentinel))
	JEQ(LabelRef("end"))
	m.leaf(true)

	if m.kind == closest {
		Label("nearer")
		Comment("What begins beyond a hit leaves the stack, so that no pop has to look.")
		from, to, n, t, ref, limit, keep := GP64(), GP64(), GP64(), GP32(), GP32(), GP32(), GP64()
		MOVQ(s.sp, n)
		MOVL(m.most, limit)
		ORL(U32(width-1), limit) // as keys have the lane there
		MOVL(U32(1), from.As32())
		MOVL(U32(1), to.As32())
		XORL(keep.As32(), keep.As32())
		Label("keep")
		CMPQ(from, n)
		JGE(LabelRef("kept"))
		MOVL(s.from().Idx(from, 4), t)
		MOVL(s.refs().Idx(from, 4), ref)
		INCQ(from)
		MOVL(t, s.from().Idx(to, 4))
		MOVL(ref, s.refs().Idx(to, 4))
		CMPL(t, limit)
		SETLE(keep.As8())
		ADDQ(keep, to)
		JMP(LabelRef("keep"))
		Label("kept")
		MOVQ(to, s.sp)
	}
	Label("ready")
	n, ref, leaf, nodes, leaves := GP64(), GP64(), GP64(), GP64(), GP64()
	base := m.tree()
	MOVQ(at(base, treeUnits), base)
	MOVQ(s.sp, n)
	DECQ(n)
	MOVL(s.refs().Idx(n, 4), ref.As32())
	MOVQ(n, s.sp)
	MOVQ(s.nodeCount, nodes)
	MOVQ(s.leafCount, leaves)
	s.join(base, ref, leaf, nodes, leaves)
	MOVQ(nodes, s.nodeCount)
	MOVQ(leaves, s.leafCount)
	JMP(LabelRef("next"))
}

// join adds the state to those at nodes or at leaves, and prefetches what it opens next.
func (s *stream) join(base reg.Register, ref, leaf, nodes, leaves reg.GPVirtual) {
	p := GP64()
	MOVQ(ref, s.ref)
	LEAQ(indexed(base, ref, 8, 0), p)
	for line := range 4 {
		PREFETCHT0(at(p, 64*line))
	}
	MOVQ(s.st, s.nodes.Idx(nodes, 8))
	MOVQ(s.st, s.leaves.Idx(leaves, 8))
	MOVQ(ref, leaf)
	ANDL(U32(1), leaf.As32())
	ADDQ(leaf, leaves)
	XORL(U32(1), leaf.As32())
	ADDQ(leaf, nodes)
}

// take loads the next marked ray. If there is none, the state is used no more.
func (s *stream) take(m *machine) {
	left, ray, hit := GP64(), GP64(), GP64()
	MOVQ(parameter("n"), left)
	MOVQ(parameter("r"), ray)
	MOVQ(parameter("hits"), hit)
	Label("seek")
	DECQ(left)
	JS(LabelRef("none"))
	step, seen := hitBytes, hitTriangle
	if m.kind == anyHit {
		step, seen = 1, 0
	}
	ADDQ(U8(rayBytes), ray)
	ADDQ(U8(step), hit)
	if m.kind == closest {
		CMPL(at(hit, seen-step), I8(pending))
	} else {
		CMPB(at(hit, seen-step), U8(pendingAny))
	}
	JNE(LabelRef("seek"))
	MOVQ(left, parameter("n"))
	MOVQ(ray, parameter("r"))
	MOVQ(hit, parameter("hits"))
	SUBQ(U8(rayBytes), ray)
	SUBQ(U8(step), hit)
	MOVQ(ray, s.ray)
	MOVQ(hit, s.hit)
	JMP(LabelRef("taken"))

	Label("none")
	INCQ(left)
	MOVQ(left, parameter("n"))
	JMP(LabelRef("next"))
	Label("taken")
}

// limits is limits of package wide.
func (s *stream) limits(m *machine) {
	r := m.own("r")
	lowest, highest, zero, most, t := XMM(), XMM(), XMM(), XMM(), XMM()
	bits := GP32()
	MOVL(U32(math.Float32bits(math.MaxFloat32)), bits)
	VMOVD(bits, most)
	VXORPS(zero, zero, zero)
	VMOVSS(at(r, rayMinT), lowest)
	VMOVSS(at(r, rayMaxT), highest)
	VCMPSS(equal, zero, highest, t)
	VBLENDVPS(t, most, highest, highest)
	VCMPSS(less, highest, most, t)
	VBLENDVPS(t, most, highest, highest)
	VMAXSS(lowest, zero, lowest)
	VADDSS(zero, lowest, lowest)
	VUCOMISS(lowest, highest)
	JB(LabelRef("begin")) // also for NaN
	VMOVD(lowest, bits)
	MOVL(bits, m.lowest())
	VMOVD(highest, bits)
	MOVL(bits, m.most)
}

// facing copies turn and flip of the caller.
func (s *stream) facing(m *machine) {
	t := GP32()
	MOVL(parameter("turn"), t)
	MOVL(t, m.state(turn))
	MOVL(parameter("flip"), t)
	MOVL(t, m.state(flip))
}

// first starts a ray at the root.
func (s *stream) first(m *machine) {
	if m.kind == closest {
		MOVL(U32(0x7fffffff), m.bestID)
	}
	m.base = m.tree()
	n, ref := GP64(), GP64()
	MOVL(at(m.base, treeRoot), ref.As32())
	MOVQ(ref, s.ref)
	for i := range 3 {
		m.near[i], m.far[i] = GP64(), GP64()
	}
	m.units()
	MOVL(I32(sentinel), s.refs())
	MOVQ(U32(1), n)
	MOVQ(n, s.sp)
	MOVQ(s.nodeCount, n)
	MOVQ(s.st, s.nodes.Idx(n, 8))
	INCQ(n)
	MOVQ(n, s.nodeCount)
	JMP(LabelRef("next"))
}

// miss writes a miss.
func miss(hit reg.Register) {
	v, bits := YMM(), GP64()
	VXORPS(v, v, v)
	MOVL(infinite, bits.As32())
	VMOVD(bits.As32(), v.AsX())
	VMOVUPS(v, at(hit, 0))
	MOVQ(I32(-1), bits)
	SHLQ(U8(32), bits)
	MOVQ(bits, at(hit, hitV))
	MOVW(U16(0), at(hit, hitBack))
}
