package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vec is a vector in three registers.
type vec [3]reg.VecVirtual

func load3(from Mem) (v vec) {
	for i := range v {
		v[i] = YMM()
		VMOVUPS(from.Offset(row*i), v[i])
	}
	return v
}

func (v vec) store(to Mem) {
	for i := range v {
		VMOVUPS(v[i], to.Offset(row*i))
	}
}

// operands returns the components of a vector in registers or in memory.
func operands(v any) (o [3]Op) {
	for i := range o {
		switch v := v.(type) {
		case Mem:
			o[i] = v.Offset(row * i)
		case vec:
			o[i] = v[i]
		}
	}
	return o
}

// dot returns v·w; w may be in memory.
func dot(v vec, w any) reg.VecVirtual {
	sum, t := YMM(), YMM()
	o := operands(w)
	VMULPS(o[0], v[0], sum)
	VMULPS(o[1], v[1], t)
	VADDPS(t, sum, sum)
	VMULPS(o[2], v[2], t)
	VADDPS(t, sum, sum)
	return sum
}

// cross returns v×w, one of which may be in memory.
func cross(v, w any) (c vec) {
	a, b := operands(v), operands(w)
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = YMM()
		t := YMM()
		times(a[j], b[k], c[i])
		times(a[k], b[j], t)
		VSUBPS(t, c[i], c[i])
	}
	return c
}

// times sets z to x·y, one of which may be in memory.
func times(x, y Op, z reg.VecVirtual) {
	if _, ok := y.(Mem); ok {
		x, y = y, x
	}
	VMULPS(x, y, z)
}

// scaled returns v·s; v may be in memory.
func scaled(v any, s reg.VecVirtual) (c vec) {
	o := operands(v)
	for i := range c {
		c[i] = YMM()
		VMULPS(o[i], s, c[i])
	}
	return c
}

func (v vec) add(w any) {
	o := operands(w)
	for i := range v {
		VADDPS(o[i], v[i], v[i])
	}
}

func (v vec) sub(w any) {
	o := operands(w)
	for i := range v {
		VSUBPS(o[i], v[i], v[i])
	}
}

func zero() reg.VecVirtual {
	z := YMM()
	VXORPS(z, z, z)
	return z
}

func loadRow(from Mem) reg.VecVirtual {
	r := YMM()
	VMOVUPS(from, r)
	return r
}
