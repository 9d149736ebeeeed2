package main

// walk finds the closest hit, or any, as wide.Ray.closest does, with the nearest of the children
// first. Any hit leaves for done.
func (k *kernel) walk(done label) {
	bottom := k.let(i32, i32Add.of(job, i32Const(jobStack)))
	k.sp = k.let(i32, bottom)
	k.ref = k.let(i32, i32Load.of(job, jobRoot))
	units := k.let(i32, i32Load.of(job, jobUnits))
	k.leaf, k.lanes = k.local(i32), k.local(i32)
	k.block(func(end label) {
		k.loop(func(visit label) {
			// A ref times eight is the byte offset of its node or leaf, plus eight times its kind.
			address := func() expr {
				return i32Add.of(units, i32Shl.of(i32And.of(k.ref, i32Const(-8)), i32Const(3)))
			}
			k.block(func(pop label) {
				k.either(i32And.of(k.ref, i32Const(1)), func() {
					k.set(k.leaf, address())
					k.candidates()
					k.loop(func(next label) {
						k.brIf(pop, i32Eqz.of(k.lanes))
						k.meet(next, done)
						k.br(next)
					})
				}, func() {
					k.node(k.let(i32, address()), visit, pop)
				})
			})
			k.loop(func(again label) {
				k.brIf(end, i32Eq.of(k.sp, bottom))
				k.set(k.sp, i32Sub.of(k.sp, i32Const(8)))
				k.brIf(again, i32GtS.of(i32Load.of(k.sp, 4), k.high))
			})
			k.set(k.ref, i32Load.of(k.sp, 0))
			k.br(visit)
		})
	})
}

// node visits the nearest of the children that the ray crosses, and pushes the others.
func (k *kernel) node(node expr, visit, pop label) {
	var near, far [3]local
	for i, side := range k.side {
		near[i] = k.let(i32, i32Add.of(node, side))
		far[i] = k.let(i32, i32Add.of(node, i32Xor.of(side, i32Const(row))))
	}
	var from, misses [2]local
	for h := range from {
		plane := func(i int, side, origin [3]local) expr {
			return f32x4Mul.of(f32x4Sub.of(origin[i], v128Load.of(side[i], half*h)), k.inverses[i])
		}
		least := expr(k.lows)
		for i := range 3 {
			least = i32x4MaxS.of(plane(i, near, k.nears), least)
		}
		from[h] = k.let(v128, least)
		most := expr(k.highs)
		for i := range 3 {
			most = i32x4MinS.of(plane(i, far, k.fars), most)
		}
		misses[h] = k.let(i32, i32x4Signs.of(i32x4GtS.of(from[h], most)))
	}
	crossed := k.let(i32, i32Xor.of(i32Or.of(misses[0], i32Shl.of(misses[1], i32Const(4))), i32Const(0xff)))
	k.brIf(pop, i32Eqz.of(crossed))

	slot := func() expr { return i32Shl.of(i32Ctz.of(crossed), i32Const(2)) }
	behind := func() expr { return i32And.of(crossed, i32Sub.of(crossed, i32Const(1))) }
	rest := k.let(i32, behind())
	k.when(i32Eqz.of(rest), func() {
		k.set(k.ref, i32Load.of(i32Add.of(node, slot()), child))
		k.br(visit)
	})
	for h := range from {
		k.store(v128Store, job, jobKeys+half*h, from[h])
	}
	// As wide.stackEntry.
	entry := func() expr {
		at := k.let(i32, slot())
		from := i64OfU32.of(i32Load.of(i32Add.of(job, at), jobKeys))
		return i64Or.of(i64Shl.of(from, i64Const(32)), i64OfU32.of(i32Load.of(i32Add.of(node, at), child)))
	}
	a := k.let(i64, entry())
	k.set(crossed, rest)
	k.set(rest, behind())
	k.when(i32Eqz.of(rest), func() {
		b := k.let(i64, entry())
		difference := k.let(i64, i64Sub.of(b, a))
		swap := k.let(i64, i64And.of(difference, i64ShrS.of(difference, i64Const(63))))
		k.store(i64Store, k.sp, 0, i64Sub.of(b, swap))
		k.set(k.ref, i32OfI64.of(i64Add.of(a, swap)))
		k.set(k.sp, i32Add.of(k.sp, i32Const(8)))
		k.br(visit)
	})
	start := k.let(i32, k.sp)
	k.store(i64Store, k.sp, 0, a)
	k.set(k.sp, i32Add.of(k.sp, i32Const(8)))
	k.loop(func(next label) {
		k.set(a, entry())
		place := k.let(i32, k.sp)
		k.block(func(found label) {
			k.loop(func(shift label) {
				k.brIf(found, i32Eq.of(place, start))
				before := i32Sub.of(place, i32Const(8))
				above := k.let(i64, i64Load.of(before, 0))
				k.brIf(found, i64LtS.of(a, above))
				k.store(i64Store, place, 0, above)
				k.set(place, before)
				k.br(shift)
			})
		})
		k.store(i64Store, place, 0, a)
		k.set(k.sp, i32Add.of(k.sp, i32Const(8)))
		k.set(crossed, behind())
		k.brIf(next, crossed)
	})
	k.set(k.sp, i32Sub.of(k.sp, i32Const(8)))
	k.set(k.ref, i32Load.of(k.sp, 0))
	k.br(visit)
}

// candidates sets the lanes of a leaf in which the ray may pass through the triangle: those of
// wide.Ray.lanes.
func (k *kernel) candidates() {
	const a, b, c = 0, 1, 2
	type flat struct{ x, y [2]local } // of eight points
	shear := func(at [3]expr, offset int) flat {
		var f flat
		for h := range 2 {
			shift := func(i int) expr { return f32x4Sub.of(v128Load.of(at[i], offset+half*h), k.origins[i]) }
			z := k.let(v128, shift(2))
			f.x[h] = k.let(v128, f32x4Sub.of(shift(0), f32x4Mul.of(k.sxs, z)))
			f.y[h] = k.let(v128, f32x4Sub.of(shift(1), f32x4Mul.of(k.sys, z)))
		}
		return f
	}
	var rows [3]expr
	for i, axis := range k.axis {
		rows[i] = k.let(i32, i32Add.of(k.leaf, axis))
	}
	passed := k.local(i32)
	var corners [3]flat
	for i := range corners {
		for h := range 2 {
			corners[i].x[h], corners[i].y[h] = k.local(v128), k.local(v128)
		}
	}
	k.either(i32And.of(k.ref, i32Const(2)), func() {
		for i := range corners {
			f := shear(rows, looseCorner*i)
			for h := range 2 {
				k.set(corners[i].x[h], f.x[h])
				k.set(corners[i].y[h], f.y[h])
			}
		}
		k.set(k.lanes, i32Load.of(k.leaf, looseLanes))
	}, func() {
		f := shear(rows, 0)
		for i := range corners {
			indices := k.let(v128, v128Load64Zero.of(k.leaf, packedCorner+8*i))
			for h := range 2 {
				// The bytes of four floats out of eight: those beyond sixteen give zero.
				lower := k.let(v128, i32x4Add.of(i32x4Shl.of(swizzle.of(indices, k.spread[h]), i32Const(2)), k.bytes))
				upper := k.let(v128, i8x16Sub.of(lower, i8x16Splat.of(i32Const(16))))
				pick := func(v [2]local) expr { return v128Or.of(swizzle.of(v[0], lower), swizzle.of(v[1], upper)) }
				k.set(corners[i].x[h], pick(f.x))
				k.set(corners[i].y[h], pick(f.y))
			}
		}
		k.set(k.lanes, i32Load.of(k.leaf, packedLanes))
	})
	k.set(passed, i32Const(0))
	for h := range 2 {
		edge := func(i, j int) local {
			left := f32x4Mul.of(corners[i].x[h], corners[j].y[h])
			return k.let(v128, f32x4Sub.of(left, f32x4Mul.of(corners[i].y[h], corners[j].x[h])))
		}
		ea, eb, ec := edge(c, b), edge(a, c), edge(b, a)
		sign := f32x4Lesser.of(f32x4Mul.of(ea, eb), f32x4Mul.of(eb, ec))
		four := i32x4Signs.of(f32x4Lt.of(sign, f32x4Splat.of(f32Const(0))))
		k.set(passed, i32Or.of(passed, i32Shl.of(four, i32Const(int32(4*h)))))
	}
	k.set(k.lanes, i32And.of(i32And.of(k.lanes, i32Const(0xff)), i32Xor.of(passed, i32Const(-1))))
}
