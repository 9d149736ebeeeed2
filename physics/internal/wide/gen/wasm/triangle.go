package main

// meet is wide.Ray.meet of the lowest of the lanes left: it goes on with next unless that is a hit
// before the best one, which it then becomes. The corners are in lanes.
func (k *kernel) meet(next, done label) {
	lane := k.let(i32, i32Ctz.of(k.lanes))
	k.set(k.lanes, i32And.of(k.lanes, i32Sub.of(k.lanes, i32Const(1))))
	first := k.local(i32)
	if k.bestDet == 0 {
		for i := range k.corner {
			k.corner[i], k.best[i] = k.local(i32), k.local(i32)
		}
		k.bestDet, k.bestEdges = k.local(f32), k.local(v128)
	}
	k.either(i32And.of(k.ref, i32Const(2)), func() {
		for i, corner := range k.corner {
			k.set(corner, i32Add.of(i32Add.of(k.leaf, i32Shl.of(lane, i32Const(2))), i32Const(int32(looseCorner*i))))
		}
		k.set(first, i32Load.of(k.leaf, looseFirst))
	}, func() {
		at := i32Add.of(k.leaf, lane)
		for i, corner := range k.corner {
			index := i32Load8.of(at, packedCorner+8*i)
			k.set(corner, i32Add.of(k.leaf, i32Shl.of(index, i32Const(2))))
		}
		k.set(first, i32Load.of(k.leaf, packedFirst))
	})

	// The corners along an axis.
	along := func(axis local) local {
		l := k.let(v128, v128Load32Zero.of(i32Add.of(k.corner[0], axis), 0))
		for i := 1; i < 3; i++ {
			k.set(l, v128Load32Lane.ofLane(byte(i), i32Add.of(k.corner[i], axis), 0, l))
		}
		return l
	}
	wx, wy, wz := along(k.axis[0]), along(k.axis[1]), along(k.axis[2])
	z := k.let(v128, f32x4Sub.of(wz, k.origins[2]))
	x := k.let(v128, f32x4Sub.of(f32x4Sub.of(wx, k.origins[0]), f32x4Mul.of(k.sxs, z)))
	y := k.let(v128, f32x4Sub.of(f32x4Sub.of(wy, k.origins[1]), f32x4Mul.of(k.sys, z)))
	before := func(v expr) expr { return shuffle(v, 2, 0, 1, 3) }
	behind := func(v expr) expr { return shuffle(v, 1, 2, 0, 3) }
	edges := k.let(v128, f32x4Sub.of(f32x4Mul.of(before(x), behind(y)), f32x4Mul.of(before(y), behind(x))))
	edge := func(i byte) expr { return f32x4Lane.lane(i).of(edges) }
	det := k.let(f32, f32Add.of(f32Add.of(edge(0), edge(1)), edge(2)))
	k.brIf(next, f32Eq.of(det, f32Const(0)))
	k.brIf(next, i32Eqz.of(f32Eq.of(f32Sub.of(det, det), f32Const(0))))
	side := k.let(i32, i32And.of(i32BitsOf.of(det), i32Const(signBit)))
	turned := v128Xor.of(edges, i32x4Splat.of(side))
	k.brIf(next, i32And.of(i32x4Signs.of(f32x4Lt.of(turned, f32x4Splat.of(f32Const(0)))), i32Const(7)))
	front := i32And.of(i32Sub.of(i32ShrU.of(side, i32Const(31)), i32Const(1)), i32Load.of(job, jobTurn))
	k.brIf(next, i32Eqz.of(i32Xor.of(front, k.flip)))
	from, to := k.within(next)

	at := k.exact(side, wx, wy, wz, edges, det, z)
	k.set(at, k.smaller(k.larger(at, from), to))
	k.brIf(next, i32LtS.of(at, k.low))
	k.brIf(next, i32GtS.of(at, k.high))
	k.when(i32Load.of(job, jobAny), func() {
		k.set(k.triangle, i32Const(0))
		k.br(done)
	})
	id := k.let(i32, i32Load.of(i32Add.of(i32Load.of(job, jobIDs), i32Shl.of(i32Add.of(first, lane), i32Const(2))), 0))
	k.brIf(next, i32And.of(i32LeS.of(at, k.low), i32LeS.of(id, k.after)))
	k.brIf(next, i32And.of(i32And.of(i32Eq.of(at, k.high), i32GeS.of(id, k.triangle)), i32GeS.of(k.triangle, i32Const(0))))

	k.set(k.triangle, id)
	k.set(k.high, at)
	k.set(k.highs, i32x4Splat.of(at))
	k.set(k.bestDet, det)
	k.set(k.bestEdges, edges)
	for i := range k.best {
		k.set(k.best[i], k.corner[i])
	}
}

// within returns the T at which the ray enters and leaves the triangle's own box; it goes on with
// next if those are outside the range.
func (k *kernel) within(next label) (from, to local) {
	var points [3]local
	for i, corner := range k.corner {
		points[i] = k.let(v128, v128Load32Zero.of(corner, 0))
		k.set(points[i], v128Load32Lane.ofLane(1, corner, row, points[i]))
		k.set(points[i], v128Load32Lane.ofLane(2, corner, 2*row, points[i]))
	}
	lo := k.let(v128, f32x4Lesser.of(f32x4Lesser.of(points[0], points[1]), points[2]))
	hi := k.let(v128, f32x4Larger.of(f32x4Larger.of(points[0], points[1]), points[2]))
	entry := f32x4Mul.of(f32x4Sub.of(k.near, bitselect.of(hi, lo, k.negative)), k.inverse)
	from = k.largest(entry)
	exit := k.let(v128, f32x4Mul.of(f32x4Sub.of(k.far, bitselect.of(lo, hi, k.negative)), k.inverse))
	k.set(exit, i32x4MinS.of(exit, i32x4Splat.of(i32Const(infBits))))
	k.set(exit, i32x4MinS.of(exit, shuffle(exit, 1, 1, 1, 3)))
	to = k.let(i32, i32x4Lane.lane(0).of(i32x4MinS.of(exit, shuffle(exit, 2, 2, 2, 3))))
	k.brIf(next, i32GtS.of(from, to))
	k.brIf(next, i32LtS.of(to, k.low))
	k.brIf(next, i32GtS.of(from, k.high))
	return from, to
}

// exact returns the bits of T, in double precision unless the ray grazes the outside of an edge.
func (k *kernel) exact(side, x, y, z, edges, det, shifted expr) local {
	double := func(e expr) expr { return f64OfF32.of(e) }
	dz := k.let(f64, double(k.dz))
	// The components of the direction lie in the ray one word apart, those of a vertex one row.
	dir := func(axis local) expr {
		return double(f32Load.of(i32Add.of(k.ray, i32ShrU.of(axis, i32Const(3))), rayDir))
	}
	wx, wy := k.let(f64, f64Div.of(dir(k.axis[0]), dz)), k.let(f64, f64Div.of(dir(k.axis[1]), dz))
	type point struct{ x, y, z local }
	var p [3]point
	for i := range p {
		shift := func(v expr, axis int) expr {
			return f64Sub.of(double(f32x4Lane.lane(byte(i)).of(v)), double(k.origin[axis]))
		}
		p[i].z = k.let(f64, shift(z, 2))
		p[i].x = k.let(f64, f64Sub.of(shift(x, 0), f64Mul.of(wx, p[i].z)))
		p[i].y = k.let(f64, f64Sub.of(shift(y, 1), f64Mul.of(wy, p[i].z)))
	}
	turn := k.let(f64, double(f32OfBits.of(i32Or.of(side, i32Const(one32)))))
	edge := func(a, b point) local {
		return k.let(f64, f64Mul.of(f64Sub.of(f64Mul.of(a.x, b.y), f64Mul.of(a.y, b.x)), turn))
	}
	da, db, dc := edge(p[2], p[1]), edge(p[0], p[2]), edge(p[1], p[0])
	sum := k.let(f64, f64Add.of(f64Add.of(da, db), dc))
	weighted := f64Add.of(f64Add.of(f64Mul.of(da, p[0].z), f64Mul.of(db, p[1].z)), f64Mul.of(dc, p[2].z))
	t := k.let(f32, f32OfF64.of(f64Div.of(weighted, f64Mul.of(sum, dz))))
	inside := f64Gt.of(sum, f64Const(0))
	for _, d := range [3]local{da, db, dc} {
		inside = i32And.of(inside, f64Ge.of(d, f64Const(0)))
	}
	k.when(i32Eqz.of(inside), func() {
		term := func(i byte) expr { return f32Mul.of(f32x4Lane.lane(i).of(edges), f32x4Lane.lane(i).of(shifted)) }
		k.set(t, f32Div.of(f32Div.of(f32Add.of(f32Add.of(term(0), term(1)), term(2)), det), k.dz))
	})
	return k.let(i32, i32BitsOf.of(f32Add.of(t, f32Const(0))))
}

// fill writes the hit as wide.found.fill does; it leaves for done if there is none or, with
// pending, if geom must find the normal.
func (k *kernel) fill(done label) {
	k.brIf(done, i32LtS.of(k.triangle, i32Const(0)))
	coordinate := func(corner, axis int) expr { return f64OfF32.of(f32Load.of(k.best[corner], row*axis)) }
	var b, c [3]local
	for axis := range 3 {
		a := k.let(f64, coordinate(0, axis))
		b[axis] = k.let(f64, f64Sub.of(coordinate(1, axis), a))
		c[axis] = k.let(f64, f64Sub.of(coordinate(2, axis), a))
	}
	dot := func(u, v [3]local) expr {
		return f64Add.of(f64Add.of(f64Mul.of(u[0], v[0]), f64Mul.of(u[1], v[1])), f64Mul.of(u[2], v[2]))
	}
	var n, d [3]local
	for axis := range 3 {
		i, j := (axis+1)%3, (axis+2)%3
		n[axis] = k.let(f64, f64Sub.of(f64Mul.of(b[i], c[j]), f64Mul.of(b[j], c[i])))
		d[axis] = k.let(f64, f64OfF32.of(f32Load.of(k.ray, rayDir+4*axis)))
	}
	l := k.let(f64, dot(n, n))
	normal := i32And.of(f64Lt.of(f64Const(1e-200), l), f64Lt.of(l, f64Const(1e200)))
	k.when(i32Eqz.of(normal), func() {
		k.set(k.triangle, i32Const(pending))
		k.br(done)
	})
	away := f64Sub.of(f64Const(0), dot(n, d))
	sign := i64And.of(i64BitsOf.of(away), i64Const(-1<<63))
	inverse := i64BitsOf.of(f64Div.of(f64Const(1), f64Sqrt.of(l)))
	s := k.let(f64, f64OfBits.of(i64Xor.of(inverse, sign)))
	t := k.let(f64, f64OfF32.of(f32OfBits.of(k.high)))
	k.store(i32Store, k.hit, 0, k.high)
	for axis := range 3 {
		start := f64OfF32.of(f32Load.of(k.ray, 4*axis))
		k.store(f32Store, k.hit, hitPoint+4*axis, f32OfF64.of(f64Add.of(start, f64Mul.of(t, d[axis]))))
		unit := f64Add.of(f64Mul.of(n[axis], s), f64Const(0))
		k.store(f32Store, k.hit, hitNormal+4*axis, f32OfF64.of(unit))
	}
	for i, at := range [2]int{hitU, hitV} {
		weight := f32Div.of(f32x4Lane.lane(byte(i+1)).of(k.bestEdges), k.bestDet)
		k.store(f32Store, k.hit, at, f32Add.of(weight, f32Const(0)))
	}
	back := i32Xor.of(f32Gt.of(k.bestDet, f32Const(0)), f32Gt.of(k.dz, f32Const(0)))
	k.store(i32Store16, k.hit, hitSides, back)
}
