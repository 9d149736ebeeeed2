package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 twin of Manifold.CollideFlat of package narrow, for eight pairs of boxes that overlap or
// nearly do, operation by operation. Four pairs are in the lanes of a register.

// Offsets in narrow.FlatPairs; a test in package narrow compares them with those of the compiler.
const (
	pairsA, pairsB, pairsMargin     = 0, 64, 128
	pairsNormal, pairsPoints        = 192, 256
	pairsPointSize, pairsFeatures   = 224, 160
	pairsFound, pairsTwo, pairsSwap = 704, 712, 720

	flatNumbers = 7 // of a box
	flatRows    = 2*flatNumbers + 1
	flatResults = 2 + 2*pairsFlatPoint + 3
	flatSpills  = 40

	pairsFlatPoint = 7 // numbers of a point
)

// flat is a box in the plane, in the values of a line.
type flat struct{ x, y, axisX, axisY, halfX, halfY, size value }

// pairLine is the line of collideFlats.
type pairLine struct{ line }

func (p *pairLine) none() value                { return p.double(0) }
func (p *pairLine) abs(x value) value          { return p.and(x, p.mask(1<<63-1)) }
func (p *pairLine) negative(x value) value     { return p.xor(x, p.double(math.Copysign(0, -1))) }
func (p *pairLine) not(x value) value          { return p.xor(x, p.mask(math.MaxUint64)) }
func (p *pairLine) mask(bits uint64) value     { return p.double(math.Float64frombits(bits)) }
func (p *pairLine) dot(x, y, z, w value) value { return p.add(p.mul(x, z), p.mul(y, w)) }

// minus returns x·z − y·w.
func (p *pairLine) minus(x, z, y, w value) value { return p.sub(p.mul(x, z), p.mul(y, w)) }

// either returns the one of two boxes that a mask selects.
func (p *pairLine) either(mask value, no, yes flat) flat {
	return flat{
		p.blend(mask, no.x, yes.x), p.blend(mask, no.y, yes.y), p.blend(mask, no.axisX, yes.axisX), p.blend(mask, no.axisY, yes.axisY),
		p.blend(mask, no.halfX, yes.halfX), p.blend(mask, no.halfY, yes.halfY), p.blend(mask, no.size, yes.size),
	}
}

// flatSide is a side of a box: whether its normal is along the X axis, and whether it points along
// the axis.
type flatSide struct{ alongX, along value }

// number is that of the side.
func (p *pairLine) number(s flatSide) value {
	return p.blend(s.alongX, p.blend(s.along, p.double(0), p.double(2)), p.blend(s.along, p.double(3), p.double(1)))
}

// after is the number of the next one.
func (p *pairLine) after(s flatSide) value {
	return p.blend(s.alongX, p.blend(s.along, p.double(1), p.double(3)), p.blend(s.along, p.double(0), p.double(2)))
}

// normal is FlatBox.normal.
func (p *pairLine) normal(f flat, s flatSide) (x, y, out, aside value) {
	x, y = p.blend(s.alongX, p.negative(f.axisY), f.axisX), p.blend(s.alongX, f.axisX, f.axisY)
	x, y = p.blend(s.along, p.negative(x), x), p.blend(s.along, p.negative(y), y)
	return x, y, p.blend(s.alongX, f.halfY, f.halfX), p.blend(s.alongX, f.halfX, f.halfY)
}

// parting is FlatBox.parting.
func (p *pairLine) parting(f, o flat, dx, dy, cos, sin, tiny value) (s flatSide, gap, ok value) {
	u, v := p.dot(dx, dy, f.axisX, f.axisY), p.minus(dy, f.axisX, dx, f.axisY)
	alongU, alongV := p.less(p.none(), u), p.less(p.none(), v)
	u, v = p.abs(u), p.abs(v)
	gx := p.sub(p.sub(u, f.halfX), p.dot(cos, sin, o.halfX, o.halfY))
	gy := p.sub(p.sub(v, f.halfY), p.dot(sin, cos, o.halfX, o.halfY))
	x := p.less(gy, gx)
	s = flatSide{x, p.blend(x, alongV, alongU)}
	gap, other := p.blend(x, gy, gx), p.blend(x, gx, gy)
	return s, gap, p.and(p.less(tiny, p.blend(x, v, u)), p.less(p.add(other, tiny), gap))
}

// flatEnd is an end of a side, clipped, with its feature and that of the other box.
type flatEnd struct{ at, beyond, feature, opposite value }

// end returns the one of two ends that a mask selects.
func (p *pairLine) end(mask value, no, yes flatEnd) flatEnd {
	return flatEnd{
		p.blend(mask, no.at, yes.at), p.blend(mask, no.beyond, yes.beyond),
		p.blend(mask, no.feature, yes.feature), p.blend(mask, no.opposite, yes.opposite),
	}
}

// facingSide is the side of a box that faces one of another.
type facingSide struct {
	nx, ny, out, half value // of the other one
	first, last       flatEnd
	other             value // its number
	misses            value // a mask: the corner that is nearest is beside the other side
}

// facing is the begin of clipping.clip: the side of a box that faces a side of f.
func (p *pairLine) facing(f, q flat, s flatSide, dx, dy, bias value) (v facingSide) {
	nx, ny, out, half := p.normal(f, s)
	x, y := p.dot(nx, ny, q.axisX, q.axisY), p.minus(nx, q.axisY, ny, q.axisX)
	upright := p.less(p.abs(x), p.abs(y))
	other := flatSide{p.not(upright), p.blend(upright, p.less(x, p.none()), p.less(p.none(), y))}
	ox, oy, far, wide := p.normal(q, other)
	midX, midY := p.add(dx, p.mul(ox, far)), p.add(dy, p.mul(oy, far))
	endX, endY := p.mul(p.negative(oy), wide), p.mul(ox, wide)
	u, h := p.add(p.minus(midY, nx, midX, ny), half), p.sub(p.dot(midX, midY, nx, ny), out)
	du, dh := p.minus(endY, nx, endX, ny), p.dot(endX, endY, nx, ny)
	own, number := p.add(p.number(s), p.double(faceFeature)), p.number(other)
	first := flatEnd{p.sub(u, du), p.sub(h, dh), number, own}
	last := flatEnd{p.add(u, du), p.add(h, dh), p.after(other), own}
	back := p.less(last.at, first.at)
	first, last = p.end(back, first, last), p.end(back, last, first)
	before, after := p.mul(p.double(-2), bias), p.add(p.mul(p.double(2), half), p.mul(p.double(2), bias))
	rises, falls := p.less(bias, p.sub(last.beyond, first.beyond)), p.less(bias, p.sub(first.beyond, last.beyond))
	misses := p.or(p.and(rises, p.less(first.at, before)), p.and(falls, p.less(after, last.at)))
	misses = p.or(misses, p.or(p.less(last.at, before), p.less(after, first.at)))
	return facingSide{nx, ny, out, half, first, last, number, misses}
}

// face makes a feature, by its index, that of a face.
const faceFeature = 4

// collide writes the line. It stores the results one after the other.
func (p *pairLine) collide(a, b flat, margin value, to func(i int) Mem) {
	dx, dy := p.sub(b.x, a.x), p.sub(b.y, a.y)
	swapped := p.or(p.less(dx, p.none()), p.blend(p.less(p.none(), dx), p.less(dy, p.none()), p.none()))
	a, b = p.either(swapped, a, b), p.either(swapped, b, a)
	dx, dy = p.sub(b.x, a.x), p.sub(b.y, a.y)
	size := p.greater(a.size, b.size)
	bias, tiny, slack := p.mul(p.double(2e-7), size), p.mul(size, p.double(1e-12)), p.mul(p.double(1e-14), size)
	cos := p.abs(p.dot(a.axisX, a.axisY, b.axisX, b.axisY))
	sin := p.abs(p.minus(a.axisX, b.axisY, a.axisY, b.axisX))
	i, onA, sureA := p.parting(a, b, dx, dy, cos, sin, tiny)
	k, onB, sureB := p.parting(b, a, p.negative(dx), p.negative(dy), cos, sin, tiny)
	ok := p.and(sureA, sureB)
	refuse := func(mask value) { ok = p.and(ok, p.not(mask)) }
	refuse(p.less(p.add(margin, bias), p.greater(onA, onB)))
	lead := p.sub(onB, bias)
	ok = p.and(ok, p.less(tiny, p.abs(p.sub(lead, onA))))

	// The side that clips is that of the first box, unless the corner that is nearest is beside it.
	backX, backY := p.negative(dx), p.negative(dy)
	misses := p.and(p.facing(a, b, i, dx, dy, bias).misses, p.less(p.add(onA, tiny), onB))
	onFirst := p.blend(misses, p.less(lead, onA), p.none())
	f, q := p.either(onFirst, b, a), p.either(onFirst, a, b)
	s := flatSide{p.blend(onFirst, k.alongX, i.alongX), p.blend(onFirst, k.along, i.along)}
	gap := p.blend(onFirst, onB, onA)
	v := p.facing(f, q, s, p.blend(onFirst, backX, dx), p.blend(onFirst, backY, dy), bias)
	refuse(v.misses)
	first, last, nx, ny, out, half := v.first, v.last, v.nx, v.ny, v.out, v.half
	low, l := p.negative(slack), p.mul(p.double(2), half)
	high := p.add(l, slack)
	refuse(p.or(p.less(last.at, low), p.less(high, first.at)))
	rise := p.sub(last.beyond, first.beyond)
	slope := p.div(rise, p.sub(last.at, first.at))
	face := p.add(v.other, p.double(faceFeature))
	first = p.end(p.less(first.at, low), first, flatEnd{p.none(), p.sub(first.beyond, p.mul(slope, first.at)), face, p.number(s)})
	last = p.end(p.less(high, last.at), last, flatEnd{l, p.sub(last.beyond, p.mul(slope, p.sub(last.at, l))), face, p.after(s)})
	both, falls := p.less(slack, p.sub(last.at, first.at)), p.less(last.beyond, first.beyond)
	isFirst := p.and(p.or(both, p.not(falls)), p.not(p.less(margin, first.beyond)))
	isLast := p.and(p.or(both, falls), p.not(p.less(margin, last.beyond)))
	two := p.and(isFirst, isLast)
	first = p.end(isFirst, last, first)
	least := p.blend(two, first.beyond, p.lesser(last.beyond, first.beyond))
	// The nearest corner may be beside the side.
	refuse(p.or(p.not(p.or(isFirst, isLast)), p.less(p.negative(least), p.sub(p.negative(gap), slack))))

	turned := p.xor(swapped, p.not(onFirst))
	results := []value{p.blend(turned, nx, p.negative(nx)), p.blend(turned, ny, p.negative(ny))}
	atX := p.sub(p.add(f.x, p.mul(nx, out)), p.mul(p.negative(ny), half))
	atY := p.sub(p.add(f.y, p.mul(ny, out)), p.mul(nx, half))
	for _, e := range []flatEnd{first, last} {
		x, y := p.add(atX, p.mul(p.negative(ny), e.at)), p.add(atY, p.mul(nx, e.at))
		toX, toY := p.add(x, p.mul(nx, e.beyond)), p.add(y, p.mul(ny, e.beyond))
		results = append(results,
			p.blend(turned, x, toX), p.blend(turned, y, toY), p.blend(turned, toX, x), p.blend(turned, toY, y), p.negative(e.beyond),
			p.blend(turned, e.opposite, e.feature), p.blend(turned, e.feature, e.opposite))
	}
	for i, v := range append(results, ok, two, swapped) {
		p.store(to(i), v)
	}
}

func collideFlats() {
	p := pairLine{line{known: map[step]value{}, wide: map[uint64]Mem{}}}
	TEXT("collideFlatsSIMD", 0, "func(p *byte)")
	Doc("collideFlatsSIMD is Manifold.CollideFlat of eight pairs of boxes.")
	Pragma("noescape")
	frame := AllocLocal((flatRows + flatResults + flatSpills) * row)
	in := func(i int) Mem { return frame.Offset(i * row) }
	result := func(i int) Mem { return in(flatRows + i) }
	pairs, left, bits := Load(Param("p"), GP64()), GP64(), GP32()
	rows, sets := GP64(), GP64() // of the results
	MOVQ(pairs, rows)
	MOVQ(pairs, sets)
	MOVQ(U32(2), left)
	Label("half")
	for side, from := range [2]int{pairsA, pairsB} {
		for n := 0; n < flatNumbers; n += 2 {
			r, of := [2]reg.VecVirtual{YMM(), YMM()}, GP64()
			for l := range 4 {
				MOVQ(at(pairs, from+8*l), of)
				if number := at(of, 8*n); l < 2 {
					VBROADCASTF128(number, r[l])
				} else {
					VINSERTF128(U8(1), number, r[l-2], r[l-2])
				}
			}
			c := YMM()
			VUNPCKLPD(r[1], r[0], c)
			VMOVUPD(c, in(flatNumbers*side+n))
			if n+1 < flatNumbers {
				VUNPCKHPD(r[1], r[0], c)
				VMOVUPD(c, in(flatNumbers*side+n+1))
			}
		}
	}
	margin := YMM()
	VMOVUPD(at(pairs, pairsMargin), margin)
	VMOVUPD(margin, in(2*flatNumbers))
	box := func(side int) flat {
		v := func(i int) value { return p.load(in(flatNumbers*side + i)) }
		return flat{v(0), v(1), v(2), v(3), v(4), v(5), v(6)}
	}
	p.collide(box(0), box(1), p.load(in(2*flatNumbers)), result)
	if n := p.write(in(flatRows + flatResults)); n > flatSpills {
		panic("too many rows")
	}
	for i := range flatResults - 3 {
		x := YMM()
		VMOVUPD(result(i), x)
		VCVTPD2PSY(x, x.AsX())
		to := pairsNormal + row*i
		if i >= 2 {
			point, number := (i-2)/pairsFlatPoint, (i-2)%pairsFlatPoint
			if to = pairsPoints + pairsPointSize*point + row*number; number >= pairsFeatures/row {
				VCVTTPS2DQ(x.AsX(), x.AsX())
			}
		}
		VMOVUPS(x.AsX(), at(rows, to))
	}
	for i, set := range [3]int{pairsFound, pairsTwo, pairsSwap} {
		x := YMM()
		VMOVUPD(result(flatResults-3+i), x)
		VMOVMSKPD(x, bits)
		MOVL(bits, at(sets, set))
	}
	ADDQ(U8(row), pairs)
	ADDQ(U8(row/2), rows)
	ADDQ(U8(4), sets)
	DECQ(left)
	JNZ(LabelRef("half"))
	VZEROUPPER()
	RET()
}
