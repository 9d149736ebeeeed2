package main

// prepare is wide.Ray.prepare, with the three axes in lanes; done is left for a ray that can hit
// nothing and, with pending, for one that crosses every box.
func (k *kernel) prepare(done label) {
	o := k.let(v128, v128Load.of(k.ray, 0))
	d := k.let(v128, v128Load.of(k.ray, rayDir))
	magnitude := func(v expr) expr { return v128And.of(v, i32x4Splat.of(i32Const(^signBit))) }
	m := k.let(v128, magnitude(d))
	var size [3]local
	for i := range size {
		size[i] = k.let(i32, i32x4Lane.lane(byte(i)).of(m))
	}
	longest := k.let(i32, k.larger(k.larger(size[0], size[1]), size[2]))
	far := k.largest(magnitude(o))

	low := k.let(f32, f32Load.of(k.ray, rayMinT))
	k.set(low, choose.of(f32Const(0), low, f32Le.of(low, f32Const(0))))
	high := k.let(f32, f32Load.of(k.ray, rayMaxT))
	unlimited := i32Or.of(f32Eq.of(high, f32Const(0)), f32Gt.of(high, f32OfBits.of(i32Const(infBits-1))))
	k.set(high, choose.of(f32OfBits.of(i32Const(infBits-1)), high, unlimited))
	k.brIf(done, i32Eqz.of(f32Le.of(low, high)))
	k.brIf(done, i32Eqz.of(longest))
	k.brIf(done, i32GeS.of(k.larger(far, longest), i32Const(infBits)))
	k.low, k.high = k.let(i32, i32BitsOf.of(low)), k.let(i32, i32BitsOf.of(high))

	center, around := v128Load.of(job, jobCenter), v128Load.of(job, jobHalf)
	reach := k.largest(f32x4Add.of(magnitude(f32x4Sub.of(o, center)), around))
	const slack = 16.0 / (1 << 24)
	pad := k.let(i32, i32BitsOf.of(f32Mul.of(f32OfBits.of(reach), f32Const(slack))))
	pads := k.let(v128, i32x4Splat.of(k.larger(pad, i32Const(smallestBits))))
	least := k.let(f32, f32Mul.of(f32OfBits.of(longest), f32Const(1e-9)))
	k.set(k.triangle, i32Const(pending))
	k.brIf(done, f32Lt.of(least, f32Const(4e-39)))
	k.brIf(done, i32GeS.of(k.larger(reach, far), i32Const(farBits)))
	k.set(k.triangle, i32Const(missed))

	k.slabs(o, d, m, pads, least)

	last := k.let(i32, i32GtS.of(size[1], size[0]))
	k.set(last, choose.of(i32Const(2), last, i32GtS.of(size[2], k.larger(size[0], size[1]))))
	first := k.let(i32, i32And.of(i32ShrU.of(i32Const(0x021), i32Shl.of(last, i32Const(2))), i32Const(15)))
	second := i32Sub.of(i32Sub.of(i32Const(3), last), first)
	var dir [3]local
	for i, axis := range [3]expr{first, second, last} {
		word := k.let(i32, i32Shl.of(axis, i32Const(2)))
		k.axis[i] = k.let(i32, i32Shl.of(word, i32Const(3)))
		at := i32Add.of(k.ray, word)
		k.origin[i], dir[i] = k.let(f32, f32Load.of(at, 0)), k.let(f32, f32Load.of(at, rayDir))
	}
	k.dz = dir[2]
	k.sx, k.sy = k.let(f32, f32Div.of(dir[0], k.dz)), k.let(f32, f32Div.of(dir[1], k.dz))
	flip := i32Load.of(job, jobFlip)
	k.flip = k.let(i32, choose.of(i32Xor.of(flip, i32Load.of(job, jobTurn)), flip, f32Lt.of(k.dz, f32Const(0))))

	// As wide.Ray.startAt.
	at := k.let(f32, f32Load.of(job, jobAt))
	k.after = k.let(i32, i32Const(-1))
	k.when(f32Ge.of(at, low), func() {
		k.set(k.low, i32BitsOf.of(f32Add.of(at, f32Const(0))))
		k.set(k.after, i32Load.of(job, jobAfter))
	})
}

// slabs is wide.Ray.slab of all three axes.
func (k *kernel) slabs(o, d, magnitude, pads, least expr) {
	outward := func(v expr) local {
		l := k.let(v128, v)
		up := v128Or.of(i32x4Splat.of(i32Const(1)), i32x4ShrS.of(l, i32Const(31)))
		k.set(l, i32x4Add.of(l, up))
		return l
	}
	above, below := outward(f32x4Add.of(o, pads)), outward(f32x4Sub.of(pads, o))
	k.set(below, v128Xor.of(below, i32x4Splat.of(i32Const(signBit))))
	k.negative = k.let(v128, i32x4ShrS.of(d, i32Const(31)))
	swap := k.let(v128, v128And.of(v128Xor.of(above, below), k.negative))
	zero := f32x4Splat.of(f32Const(0))
	k.near = k.let(v128, f32x4Add.of(v128Xor.of(above, swap), zero))
	k.far = k.let(v128, f32x4Add.of(v128Xor.of(below, swap), zero))
	bent := v128Or.of(i32x4MaxS.of(magnitude, f32x4Splat.of(least)), v128And.of(d, i32x4Splat.of(i32Const(signBit))))
	k.inverse = k.let(v128, f32x4Div.of(f32x4Splat.of(f32Const(-1)), bent))
	for i := range k.side {
		down := i32And.of(i32x4Lane.lane(byte(i)).of(k.negative), i32Const(row))
		k.side[i] = k.let(i32, i32Add.of(down, i32Const(int32(2*row*i))))
	}
}

// broadcast makes the vectors for four boxes or triangles.
func (k *kernel) broadcast() {
	for i := range 3 {
		spread := func(v expr) local { return k.let(v128, f32x4Splat.of(f32x4Lane.lane(byte(i)).of(v))) }
		k.nears[i], k.fars[i], k.inverses[i] = spread(k.near), spread(k.far), spread(k.inverse)
		k.origins[i] = k.let(v128, f32x4Splat.of(k.origin[i]))
	}
	k.lows, k.highs = k.let(v128, i32x4Splat.of(k.low)), k.let(v128, i32x4Splat.of(k.high))
	k.sxs, k.sys = k.let(v128, f32x4Splat.of(k.sx)), k.let(v128, f32x4Splat.of(k.sy))
}

func (k *kernel) larger(a, b expr) expr { return choose.of(a, b, i32GtS.of(a, b)) }

func (k *kernel) smaller(a, b expr) expr { return choose.of(a, b, i32LtS.of(a, b)) }

// largest is the largest of three lanes, as integers.
func (k *kernel) largest(v expr) local {
	l := k.let(v128, v)
	k.set(l, i32x4MaxS.of(l, shuffle(l, 1, 1, 1, 3)))
	return k.let(i32, i32x4Lane.lane(0).of(i32x4MaxS.of(l, shuffle(l, 2, 2, 2, 3))))
}
