//go:build !noasm

#include "textflag.h"
#include "neon_arm64.h"

// Offsets in walk; a test compares them with those of the compiler.
#define NEAR 0
#define SIDE 76
#define AXIS 88
#define TREE 104
#define COUNT 112
#define BLOCK 120

#define UNITS 24 // in Tree
#define CHILD 192 // in node

// Bytes 0, 0, 0, 0, 1, 1, 1, 1, ... 7, which a table lookup takes to repeat indices; and 0, 1, 2, 3, ...
DATA repeat<>+0(SB)/8, $0x0101010100000000
DATA repeat<>+8(SB)/8, $0x0303030302020202
DATA repeat<>+16(SB)/8, $0x0505050504040404
DATA repeat<>+24(SB)/8, $0x0707070706060606
DATA repeat<>+32(SB)/8, $0x0302010003020100
DATA repeat<>+40(SB)/8, $0x0302010003020100
GLOBL repeat<>(SB), RODATA|NOPTR, $48

// The coordinates of four corners in n, in the space of the ray: x − ox − sx·z, with z in V28 or V29.
#define SHEARX(z, n) FSUB4(11, n, n); FMUL4X(14, z, 30); FSUB4(30, n, n)
#define SHEARY(z, n) FSUB4(12, n, n); FMUL4Y(14, z, 30); FSUB4(30, n, n)

// EDGES sets d where the ray passes the three edges of a triangle on different sides, as the edge functions have both signs.
// NaN leaves the decision to Ray.meet. It overwrites V7, V8, V15 and cy.
#define EDGES(ax, ay, bx, by, cx, cy, d) \
	FMUL4(by, cx, 7); FMUL4(bx, cy, 8); FSUB4(8, 7, 7); \
	FMUL4(cy, ax, 8); FMUL4(cx, ay, 15); FSUB4(15, 8, 8); \
	FMUL4(ay, bx, 15); FMUL4(ax, by, cy); FSUB4(cy, 15, 15); \
	FMIN4(8, 7, cy); FMAX4(8, 7, 7); \
	FMIN4(15, cy, cy); FMAX4(15, 7, 7); \
	FCMLTZ4(cy, cy); FCMGTZ4(7, 7); \
	AND4(7, cy, d)

// func nextSIMD(w *walk, stack *stackEntry) bool
//
// R0 w, R1 stack, R3 units, R5 the end of the stack, R6 high, R7–R12 the near and far sides of the first unit's boxes,
// R13–R15 the rows of the ray's axes, R19 a stack entry, R20 a node or leaf, R21 its ref, R26 keys by lane.
// V0–V2 near, V3–V5 far, V6 inverse, V9 low, V10 high, V11–V13 origin, V14 shear. V7, V8, V15 and above are free.
TEXT ·nextSIMD(SB), NOSPLIT, $64-17
	MOVD w+0(FP), R0
	MOVD stack+8(FP), R1
	MOVD TREE(R0), R3
	MOVD UNITS(R3), R3
	MOVD COUNT(R0), R5
	ADD R5<<3, R1, R5
	ADD $NEAR, R0, R17
	VLD1R.P 4(R17), [V0.S4]
	VLD1R.P 4(R17), [V1.S4]
	VLD1R.P 4(R17), [V2.S4]
	VLD1R.P 4(R17), [V3.S4]
	VLD1R.P 4(R17), [V4.S4]
	VLD1R.P 4(R17), [V5.S4]
	VLD1 (R17), [V6.S4]
	ADD $12, R17
	VLD1R.P 4(R17), [V11.S4]
	VLD1R.P 4(R17), [V12.S4]
	VLD1R.P 4(R17), [V13.S4]
	VLD1 (R17), [V14.S4]
	ADD $12, R17
	VLD1R.P 4(R17), [V9.S4]
	VLD1R (R17), [V10.S4]
	MOVW (R17), R6
	MOVWU (SIDE+0)(R0), R7
	MOVWU (SIDE+4)(R0), R8
	MOVWU (SIDE+8)(R0), R9
	EOR $32, R7, R10
	EOR $32, R8, R11
	EOR $32, R9, R12
	ADD R3, R7
	ADD R3, R8
	ADD R3, R9
	ADD R3, R10
	ADD R3, R11
	ADD R3, R12
	MOVWU (AXIS+0)(R0), R13
	MOVWU (AXIS+4)(R0), R14
	MOVWU (AXIS+8)(R0), R15
	MOVD $keys-64(SP), R26

pop:
	MOVD.W -8(R5), R19
	ASR $32, R19, R20
	CMP R6, R20
	BGT pop
	TBNZ $63, R19, end

open:
	MOVWU R19, R21
	TBNZ $0, R21, leaf
	LSL $3, R21, R20
	ADD R20, R7, R17
	VLD1 (R17), [V16.S4, V17.S4]
	ADD R20, R8, R17
	VLD1 (R17), [V18.S4, V19.S4]
	ADD R20, R9, R17
	VLD1 (R17), [V20.S4, V21.S4]
	ADD R20, R10, R17
	VLD1 (R17), [V22.S4, V23.S4]
	ADD R20, R11, R17
	VLD1 (R17), [V24.S4, V25.S4]
	ADD R20, R12, R17
	VLD1 (R17), [V26.S4, V27.S4]
	ADD R3, R20
	FSUB4(16, 0, 16)
	FSUB4(17, 0, 17)
	FSUB4(18, 1, 18)
	FSUB4(19, 1, 19)
	FSUB4(20, 2, 20)
	FSUB4(21, 2, 21)
	FSUB4(22, 3, 22)
	FSUB4(23, 3, 23)
	FSUB4(24, 4, 24)
	FSUB4(25, 4, 25)
	FSUB4(26, 5, 26)
	FSUB4(27, 5, 27)
	FMUL4X(6, 16, 16)
	FMUL4X(6, 17, 17)
	FMUL4Y(6, 18, 18)
	FMUL4Y(6, 19, 19)
	FMUL4Z(6, 20, 20)
	FMUL4Z(6, 21, 21)
	FMUL4X(6, 22, 22)
	FMUL4X(6, 23, 23)
	FMUL4Y(6, 24, 24)
	FMUL4Y(6, 25, 25)
	FMUL4Z(6, 26, 26)
	FMUL4Z(6, 27, 27)
	SMAX4(9, 16, 16)
	SMAX4(9, 17, 17)
	SMAX4(18, 20, 20)
	SMAX4(19, 21, 21)
	SMIN4(10, 22, 22)
	SMIN4(10, 23, 23)
	SMIN4(24, 26, 26)
	SMIN4(25, 27, 27)
	SMAX4(20, 16, 16)
	SMAX4(21, 17, 17)
	SMIN4(26, 22, 22)
	SMIN4(27, 23, 23)
	CMGE4(16, 22, 22)
	CMGE4(17, 23, 23)
	VUZP1 V23.H8, V22.H8, V22.H8
	VUZP1 V22.B16, V22.B16, V22.B16
	VMOV V22.D[0], R22
	ANDS $0x0101010101010101, R22
	BEQ pop

	// R22 has a bit at eight times each crossed lane.
	RBIT R22, R23
	CLZ R23, R23
	SUB $1, R22, R24
	ANDS R24, R22
	BNE several
	ADD R23>>1, R20, R20
	MOVWU CHILD(R20), R19
	B open

several:
	ADD $CHILD, R20, R17
	VLD1 (R17), [V18.S4, V19.S4]
	VZIP1 V16.S4, V18.S4, V20.S4
	VZIP2 V16.S4, V18.S4, V21.S4
	VZIP1 V17.S4, V19.S4, V22.S4
	VZIP2 V17.S4, V19.S4, V23.S4
	VST1 [V20.S4, V21.S4, V22.S4, V23.S4], (R26)
	MOVD (R26)(R23), R19
	RBIT R22, R23
	CLZ R23, R23
	MOVD (R26)(R23), R24
	CMP R19, R24
	CSEL LT, R19, R24, R25 // the farther of two
	CSEL LT, R24, R19, R19
	SUB $1, R22, R24
	ANDS R24, R22
	BNE more
	MOVD.P R25, 8(R5)
	B open

	// Three or more: insertion sort, the nearest at the end.
more:
	MOVD R5, R2
	MOVD.P R25, 8(R5)
	MOVD.P R19, 8(R5)
insert:
	RBIT R22, R23
	CLZ R23, R23
	MOVD (R26)(R23), R19
	MOVD R5, R4
shift:
	MOVD -8(R4), R25
	CMP R19, R25
	BGE found
	MOVD R25, (R4)
	SUB $8, R4
	CMP R2, R4
	BNE shift
found:
	MOVD R19, (R4)
	ADD $8, R5
	SUB $1, R22, R24
	ANDS R24, R22
	BNE insert
	MOVD.W -8(R5), R19
	B open

leaf:
	LSL $3, R21, R20
	ADD R3, R20
	TBNZ $1, R21, loose
	SUB $8, R20
	ADD R13, R20, R17
	VLD1 (R17), [V16.S4, V17.S4]
	ADD R14, R20, R17
	VLD1 (R17), [V18.S4, V19.S4]
	ADD R15, R20, R17
	VLD1 (R17), [V28.S4, V29.S4]
	ADD $96, R20, R17
	VLD1 (R17), [V22.B8, V23.B8, V24.B8]
	MOVD $repeat<>(SB), R17
	VLD1 (R17), [V25.B16, V26.B16, V27.B16]
	FSUB4(13, 28, 28)
	FSUB4(13, 29, 29)
	SHEARX(28, 16)
	SHEARX(29, 17)
	SHEARY(28, 18)
	SHEARY(29, 19)
	VSHL $2, V22.B16, V22.B16
	VSHL $2, V23.B16, V23.B16
	VSHL $2, V24.B16, V24.B16
#define HALF(rep, d) \
	VTBL rep, [V22.B16], V20.B16; \
	VTBL rep, [V23.B16], V21.B16; \
	VTBL rep, [V24.B16], V28.B16; \
	VADD V27.B16, V20.B16, V20.B16; \
	VADD V27.B16, V21.B16, V21.B16; \
	VADD V27.B16, V28.B16, V28.B16; \
	VTBL V20.B16, [V16.B16, V17.B16], V29.B16; \
	VTBL V20.B16, [V18.B16, V19.B16], V30.B16; \
	VTBL V21.B16, [V16.B16, V17.B16], V31.B16; \
	VTBL V21.B16, [V18.B16, V19.B16], V20.B16; \
	VTBL V28.B16, [V16.B16, V17.B16], V21.B16; \
	VTBL V28.B16, [V18.B16, V19.B16], V28.B16; \
	EDGES(29, 30, 31, 20, 21, 28, d)
	HALF(V25.B16, 25)
	HALF(V26.B16, 26)
	VUZP1 V26.H8, V25.H8, V25.H8
	MOVBU 124(R20), R22
	B lanes

loose:
	SUB $24, R20
#define CORNER(x, y, at) \
	ADD R15, R20, R17; \
	ADD $at, R17; \
	VLD1 (R17), [V28.S4, V29.S4]; \
	FSUB4(13, 28, 28); \
	FSUB4(13, 29, 29); \
	SHEARX(28, x); \
	SHEARX(29, x+1); \
	SHEARY(28, y); \
	SHEARY(29, y+1)
	ADD R13, R20, R17
	VLD1 (R17), [V16.S4, V17.S4]
	ADD $96, R17
	VLD1 (R17), [V20.S4, V21.S4]
	ADD $96, R17
	VLD1 (R17), [V24.S4, V25.S4]
	ADD R14, R20, R17
	VLD1 (R17), [V18.S4, V19.S4]
	ADD $96, R17
	VLD1 (R17), [V22.S4, V23.S4]
	ADD $96, R17
	VLD1 (R17), [V26.S4, V27.S4]
	CORNER(16, 18, 0)
	CORNER(20, 22, 96)
	CORNER(24, 26, 192)
	EDGES(16, 18, 20, 22, 24, 26, 16)
	EDGES(17, 19, 21, 23, 25, 27, 17)
	VUZP1 V17.H8, V16.H8, V25.H8
	MOVBU 292(R20), R22

	// The sixteen-bit lanes of V25 that are missed, to a bit mask of the others; R22 the lanes with triangles.
lanes:
	VUZP1 V25.B16, V25.B16, V25.B16
	VMOV V25.D[0], R23
	MOVD $0x0101010101010101, R24
	BIC R23, R24, R23
	MOVD $0x0102040810204080, R24
	MUL R24, R23, R23
	LSR $56, R23, R23
	ANDS R23, R22
	BEQ pop
	MOVW R21, (BLOCK+0)(R0)
	MOVW R22, (BLOCK+4)(R0)
	SUB R1, R5
	LSR $3, R5
	MOVD R5, COUNT(R0)
	MOVD $1, R2
	MOVB R2, ret+16(FP)
	RET

end:
	MOVD $1, R2
	MOVD R2, COUNT(R0) // only the sentinel is left
	MOVB ZR, ret+16(FP)
	RET
