// Vector instructions of arm64 that Go's assembler does not know, by their encodings (Arm Architecture Reference Manual,
// C7.2), on four 32-bit lanes. Operands are numbers of registers in Go's order, the destination last.

// d = n − m, n·m, min(n, m), max(n, m), in float32; NaN wins.
#define FSUB4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMUL4(m, n, d) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FMIN4(m, n, d) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define FMAX4(m, n, d) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))

// d = n times the lane 0, 1 or 2 of m.
#define FMUL4X(m, n, d) WORD $(0x4F809000 | (m)<<16 | (n)<<5 | (d))
#define FMUL4Y(m, n, d) WORD $(0x4FA09000 | (m)<<16 | (n)<<5 | (d))
#define FMUL4Z(m, n, d) WORD $(0x4F809800 | (m)<<16 | (n)<<5 | (d))

// d = max(n, m), min(n, m), n ≥ m, of signed integers.
#define SMAX4(m, n, d) WORD $(0x4EA06400 | (m)<<16 | (n)<<5 | (d))
#define SMIN4(m, n, d) WORD $(0x4EA06C00 | (m)<<16 | (n)<<5 | (d))
#define CMGE4(m, n, d) WORD $(0x4EA03C00 | (m)<<16 | (n)<<5 | (d))

// d = n < 0, n > 0, in float32; false for NaN.
#define FCMLTZ4(n, d) WORD $(0x4EA0E800 | (n)<<5 | (d))
#define FCMGTZ4(n, d) WORD $(0x4EA0C800 | (n)<<5 | (d))

// d = n and m, of all bits.
#define AND4(m, n, d) WORD $(0x4E201C00 | (m)<<16 | (n)<<5 | (d))
