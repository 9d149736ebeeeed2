package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type kind int

const (
	closest kind = iota
	anyHit
	next
)

// machine is the state of one routine.
type machine struct {
	kind kind
	k    constants

	base, sp   reg.Register
	near, far  [3]reg.Register // the near and far sides of the first node
	o, p, inv  [3]reg.Register // the origins for these, and the inverses
	low, high  reg.Register
	ref, place reg.Register

	ray     Mem           // the prepared ray; of next it is in the walk
	sides   Mem           // near and far
	scratch Mem           // 64 bytes: keys by lane
	most    Mem           // the bits of the highest T that can still be a hit
	limit   reg.GPVirtual // the same: children that begin beyond it are skipped

	// For closest and any alone.
	det, edgeB, edgeC     Mem // by lane
	rayOrigin, rayDir     Mem // four numbers each, the last unused
	wideOrigin, wideShear Mem // in float64, the axes rotated
	wideDZ                Mem
	bestID                Mem
	after                 Mem // at low, triangles up to this one are excluded

	stream *stream     // nil if the routine casts one ray
	grid   *gridMemory // nil if it traverses a tree
}

func walk() reg.Register { return Load(Param("w"), GP64()) }

// state is the location of a field of the prepared ray, by its offset in wide.Ray.
func (m *machine) state(offset int) Mem {
	if m.kind != next {
		return m.ray.Offset(offset)
	}
	return at(walk(), offset)
}

func parameter(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

func (m *machine) lowest() Mem {
	if m.kind != next {
		return m.ray.Offset(low)
	}
	return at(walk(), low)
}

func (m *machine) tree() reg.Register {
	if m.kind != next {
		return Load(Param("t"), GP64())
	}
	t := GP64()
	MOVQ(at(walk(), tree), t)
	return t
}

// local allocates the routine's stack frame.
func (m *machine) local() {
	if m.stream != nil {
		m.stream.local(m)
		return
	}
	size := 0
	take := func(n int) int { size += n; return size - n }
	offsets := map[*Mem]int{&m.scratch: take(64), &m.sides: take(6 * 8), &m.most: take(8)}
	stack := 0
	if m.kind != next {
		lanes := 32
		if m.grid != nil {
			offsets, lanes = m.gridLocal(take), 2*32
			offsets[&m.most] = take(8)
		}
		for _, p := range []*Mem{&m.det, &m.edgeB, &m.edgeC} {
			offsets[p] = take(lanes)
		}
		for _, p := range []*Mem{&m.wideOrigin, &m.wideShear} {
			offsets[p] = take(32)
		}
		for _, p := range []*Mem{&m.rayOrigin, &m.rayDir, &m.wideDZ, &m.bestID, &m.after} {
			offsets[p] = take(16)
		}
		offsets[&m.ray] = take(112)
		if m.grid == nil {
			stack = take(stackBytes)
		}
	}
	frame := AllocLocal(size)
	for p, offset := range offsets {
		*p = frame.Offset(offset)
	}
	if m.kind != next && m.grid == nil {
		m.sp = GP64()
		LEAQ(frame.Offset(stack), m.sp)
	}
}

func at(p reg.Register, offset int) Mem { return Mem{Base: p, Disp: offset} }

func indexed(p, i reg.Register, scale uint8, offset int) Mem {
	return Mem{Base: p, Index: i, Scale: scale, Disp: offset}
}
