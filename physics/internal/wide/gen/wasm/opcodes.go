package main

// The instructions, by their names in the specification.

var (
	i32Load  = access{op{0x28}, 2}
	i64Load  = access{op{0x29}, 3}
	f32Load  = access{op{0x2a}, 2}
	i32Load8 = access{op{0x2d}, 0}

	i32Store   = access{op{0x36}, 2}
	i64Store   = access{op{0x37}, 3}
	f32Store   = access{op{0x38}, 2}
	i32Store16 = access{op{0x3b}, 1}

	v128Load        = access{vector(0), 2}
	v128Store       = access{vector(11), 2}
	v128Load32Lane  = access{vector(86), 2}
	v128Store64Lane = access{vector(91), 2}
	v128Load32Zero  = access{vector(92), 2}
	v128Load64Zero  = access{vector(93), 3}
)

var (
	choose = op{0x1b} // select

	i32Eqz = op{0x45}
	i32Eq  = op{0x46}
	i32LtS = op{0x48}
	i32GtS = op{0x4a}
	i32LeS = op{0x4c}
	i32GeS = op{0x4e}
	i64LtS = op{0x53}
	f32Eq  = op{0x5b}
	f32Lt  = op{0x5d}
	f32Gt  = op{0x5e}
	f32Le  = op{0x5f}
	f32Ge  = op{0x60}
	f64Lt  = op{0x63}
	f64Gt  = op{0x64}
	f64Ge  = op{0x66}

	i32Ctz  = op{0x68}
	i32Add  = op{0x6a}
	i32Sub  = op{0x6b}
	i32And  = op{0x71}
	i32Or   = op{0x72}
	i32Xor  = op{0x73}
	i32Shl  = op{0x74}
	i32ShrU = op{0x76}

	i64Add  = op{0x7c}
	i64Sub  = op{0x7d}
	i64And  = op{0x83}
	i64Or   = op{0x84}
	i64Xor  = op{0x85}
	i64Shl  = op{0x86}
	i64ShrS = op{0x87}

	f32Add = op{0x92}
	f32Sub = op{0x93}
	f32Mul = op{0x94}
	f32Div = op{0x95}

	f64Sqrt = op{0x9f}
	f64Add  = op{0xa0}
	f64Sub  = op{0xa1}
	f64Mul  = op{0xa2}
	f64Div  = op{0xa3}

	i32OfI64    = op{0xa7} // i32.wrap_i64
	i64OfU32    = op{0xad} // i64.extend_i32_u
	f32OfF64    = op{0xb6} // f32.demote_f64
	f64OfF32    = op{0xbb} // f64.promote_f32
	i32BitsOf   = op{0xbc} // i32.reinterpret_f32
	i64BitsOf   = op{0xbd}
	f32OfBits   = op{0xbe}
	f64OfBits   = op{0xbf}
	i32x4Splat  = vector(17)
	f32x4Splat  = vector(19)
	i8x16Splat  = vector(15)
	swizzle     = vector(14) // i8x16.swizzle
	i32x4Lane   = vector(27) // i32x4.extract_lane
	f32x4Lane   = vector(31)
	i8x16Sub    = vector(113)
	i32x4GtS    = vector(59)
	f32x4Lt     = vector(67)
	f32x4Gt     = vector(68)
	v128And     = vector(78)
	v128Or      = vector(80)
	v128Xor     = vector(81)
	bitselect   = vector(82)
	v128AnyTrue = vector(83)
	i32x4Signs  = vector(164) // i32x4.bitmask
	i32x4Shl    = vector(171)
	i32x4ShrS   = vector(172)
	i32x4Add    = vector(174)
	i32x4Sub    = vector(177)
	i32x4MinS   = vector(182)
	i32x4MaxS   = vector(184)
	f32x4Neg    = vector(225)
	f32x4Sqrt   = vector(227)
	f32x4Add    = vector(228)
	f32x4Sub    = vector(229)
	f32x4Mul    = vector(230)
	f32x4Div    = vector(231)
	f32x4Lesser = vector(234) // f32x4.pmin: b < a ? b : a
	f32x4Larger = vector(235) // f32x4.pmax: a < b ? b : a
)
