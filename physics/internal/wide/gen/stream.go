package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Streams: incoherent rays are interleaved. Each is traversed as it is alone, but before it opens a
// node or a leaf it prefetches it and yields to the next ray, to hide the memory latency.

// inFlight is the number of rays interleaved at a time.
const inFlight = 12

// stream is the memory of the interleaved rays of a machine: a ring of states.
type stream struct {
	st                                       reg.GPVirtual // state of the current ray
	limit, sp, ref, next, previous, ray, hit Mem
}

// smallStack is the number of entries of the stack of a ray. Trees that need more are not traversed
// by streams and packets. It is also in package wide.
const smallStack = 96

const stateBytes = 64 + 5*32 + 4*16 + 112 + 48 + 8*8 + 8*smallStack

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
	place(64, &m.scratch)
	place(32, &m.det, &m.edgeB, &m.edgeC, &m.wideOrigin, &m.wideShear)
	place(16, &m.rayOrigin, &m.rayDir, &m.wideDZ, &m.bestID)
	place(112, &m.ray)
	place(48, &m.sides)
	place(8, &m.most, &s.limit, &s.sp, &s.ref, &s.next, &s.previous, &s.ray, &s.hit)
}

func (s *stream) stack() Mem { return at(s.st, stateBytes-8*smallStack) }

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
	frame := AllocLocal(inFlight*stateBytes + 64)
	LEAQ(frame.Offset(63), s.st)
	ANDQ(I8(-64), s.st)
	m.local()
	s.ring()

	Label("begin")
	s.take(m)
	s.limits(m)
	s.facing(m)
	m.prepare("begin") // an unsupported ray keeps its mark
	s.first(m)

	m.loop()

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
	JMP(LabelRef("begin"))
}

// ring links all states to a ring.
func (s *stream) ring() {
	here, other := GP64(), GP64()
	for i := range inFlight {
		LEAQ(at(s.st, i*stateBytes), here)
		link := func(m Mem, to int) {
			LEAQ(at(s.st, (to+inFlight)%inFlight*stateBytes), other)
			MOVQ(other, at(here, m.Disp))
		}
		link(s.next, i+1)
		link(s.previous, i-1)
		MOVQ(I32(sentinel), at(here, s.ref.Disp))
		MOVQ(U32(0), at(here, s.hit.Disp))
	}
}

// take loads the next marked ray. If there is none, it removes the state from the ring, and the
// routine returns after the last.
func (s *stream) take(m *machine) {
	left, ray, hit := GP64(), GP64(), GP64()
	MOVQ(parameter("n"), left)
	MOVQ(parameter("r"), ray)
	MOVQ(parameter("hits"), hit)
	Label("seek")
	DECQ(left)
	JS(LabelRef("unlink"))
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

	Label("unlink")
	none, next, previous := GP64(), GP64(), GP64()
	XORL(none.As32(), none.As32())
	MOVQ(none, parameter("n"))
	MOVQ(s.next, next)
	CMPQ(next, s.st)
	JEQ(LabelRef("last"))
	MOVQ(s.previous, previous)
	MOVQ(next, at(previous, s.next.Disp))
	MOVQ(previous, at(next, s.previous.Disp))
	MOVQ(next, s.st)
	JMP(LabelRef("switched"))
	Label("last")
	VZEROUPPER()
	RET()
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
	highest := GP32()
	MOVL(m.most, highest)
	m.begin(highest)
	if m.kind == closest {
		MOVL(U32(0x7fffffff), m.bestID)
	}
	m.sp = GP64()
	LEAQ(s.stack(), m.sp)
	MOVQ(I32(sentinel), at(m.sp, 0))
	ADDQ(U8(8), m.sp)
	MOVL(at(m.base, treeRoot), m.ref.(reg.GPVirtual).As32())
	m.units()
	JMP(LabelRef("open"))
}

// wait prefetches what is to be opened, and continues with the next ray.
func (s *stream) wait(m *machine) {
	p := GP64()
	MOVQ(m.ref, s.ref)
	MOVQ(m.sp, s.sp)
	if m.kind == closest {
		MOVL(m.limit, s.limit)
	}
	MOVL(m.ref.(reg.GPVirtual).As32(), p.As32())
	SHLQ(U8(3), p)
	tree := m.tree()
	ADDQ(at(tree, treeUnits), p)
	for line := range 4 {
		PREFETCHT0(at(p, 64*line))
	}
	MOVQ(s.next, s.st)
	Label("switched")
	MOVQ(s.ref, m.ref)
	MOVQ(s.sp, m.sp)
	if m.kind == closest {
		MOVL(s.limit, m.limit)
	}
	tree = m.tree()
	MOVQ(at(tree, treeUnits), m.base)
	m.reload()
}

// back reloads, after a leaf, the registers that it has overwritten.
func (s *stream) back(m *machine) {
	MOVQ(s.sp, m.sp)
	if m.kind == closest {
		MOVL(m.most, m.limit)
	}
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
