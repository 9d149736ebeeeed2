package main

import "fmt"

// neonMacro is a vector instruction that Go's assembler does not know, by its encoding (Arm
// Architecture Reference Manual, C7.2). Operands of the macro are numbers of registers in Go's
// order, the destination last: m, n, d or n, d.
type neonMacro struct {
	name     string
	encoding uint32
	operands int
	syntax   string // what the encoding is, of registers m 1, n 2 and d 3
}

func (m neonMacro) define() string {
	if m.operands == 2 {
		return fmt.Sprintf("#define %s(n, d) WORD $(0x%08X | (n)<<5 | (d))", m.name, m.encoding)
	}
	return fmt.Sprintf("#define %s(m, n, d) WORD $(0x%08X | (m)<<16 | (n)<<5 | (d))", m.name, m.encoding)
}

// d is n op m. The numbers in the names are those of the lanes.
var neonMacros = []neonMacro{
	{"FADD4", 0x4E20D400, 3, "fadd v3.4s, v2.4s, v1.4s"},
	{"FSUB4", 0x4EA0D400, 3, "fsub v3.4s, v2.4s, v1.4s"},
	{"FMUL4", 0x6E20DC00, 3, "fmul v3.4s, v2.4s, v1.4s"},
	{"FDIV4", 0x6E20FC00, 3, "fdiv v3.4s, v2.4s, v1.4s"},
	{"FCMEQ4", 0x4E20E400, 3, "fcmeq v3.4s, v2.4s, v1.4s"},
	{"FCMGE4", 0x6E20E400, 3, "fcmge v3.4s, v2.4s, v1.4s"},
	{"FCMGT4", 0x6EA0E400, 3, "fcmgt v3.4s, v2.4s, v1.4s"},
	{"FADD2", 0x4E60D400, 3, "fadd v3.2d, v2.2d, v1.2d"},
	{"FSUB2", 0x4EE0D400, 3, "fsub v3.2d, v2.2d, v1.2d"},
	{"FMUL2", 0x6E60DC00, 3, "fmul v3.2d, v2.2d, v1.2d"},
	{"FDIV2", 0x6E60FC00, 3, "fdiv v3.2d, v2.2d, v1.2d"},
	{"FCMEQ2", 0x4E60E400, 3, "fcmeq v3.2d, v2.2d, v1.2d"},
	{"FCMGE2", 0x6E60E400, 3, "fcmge v3.2d, v2.2d, v1.2d"},
	{"FCMGT2", 0x6EE0E400, 3, "fcmgt v3.2d, v2.2d, v1.2d"},
	{"ADD4", 0x4EA08400, 3, "add v3.4s, v2.4s, v1.4s"},
	{"SUB4", 0x6EA08400, 3, "sub v3.4s, v2.4s, v1.4s"},
	{"MUL4", 0x4EA09C00, 3, "mul v3.4s, v2.4s, v1.4s"},
	{"SMAX4", 0x4EA06400, 3, "smax v3.4s, v2.4s, v1.4s"},
	{"SMIN4", 0x4EA06C00, 3, "smin v3.4s, v2.4s, v1.4s"},
	{"USHL4", 0x6EA04400, 3, "ushl v3.4s, v2.4s, v1.4s"},
	{"UMAX4", 0x6EA06400, 3, "umax v3.4s, v2.4s, v1.4s"},
	{"UMIN4", 0x6EA06C00, 3, "umin v3.4s, v2.4s, v1.4s"},
	{"UMAX8", 0x6E606400, 3, "umax v3.8h, v2.8h, v1.8h"},
	{"UMIN8", 0x6E606C00, 3, "umin v3.8h, v2.8h, v1.8h"},
	{"CMGT4", 0x4EA03400, 3, "cmgt v3.4s, v2.4s, v1.4s"},
	{"CMEQ4", 0x6EA08C00, 3, "cmeq v3.4s, v2.4s, v1.4s"},
	{"CMEQ16", 0x6E208C00, 3, "cmeq v3.16b, v2.16b, v1.16b"},
	{"AND16", 0x4E201C00, 3, "and v3.16b, v2.16b, v1.16b"},
	{"BIC16", 0x4E601C00, 3, "bic v3.16b, v2.16b, v1.16b"}, // n and not m
	{"ORR16", 0x4EA01C00, 3, "orr v3.16b, v2.16b, v1.16b"},
	{"EOR16", 0x6E201C00, 3, "eor v3.16b, v2.16b, v1.16b"},
	{"BSL16", 0x6E601C00, 3, "bsl v3.16b, v2.16b, v1.16b"}, // d ? n : m
	{"BIT16", 0x6EA01C00, 3, "bit v3.16b, v2.16b, v1.16b"}, // m ? n : d
	{"BIF16", 0x6EE01C00, 3, "bif v3.16b, v2.16b, v1.16b"}, // m ? d : n
	{"ZIPL4", 0x4E803800, 3, "zip1 v3.4s, v2.4s, v1.4s"},
	{"ZIPH4", 0x4E807800, 3, "zip2 v3.4s, v2.4s, v1.4s"},
	{"ZIPL2", 0x4EC03800, 3, "zip1 v3.2d, v2.2d, v1.2d"},
	{"ZIPH2", 0x4EC07800, 3, "zip2 v3.2d, v2.2d, v1.2d"},
	{"UZPL8", 0x4E401800, 3, "uzp1 v3.8h, v2.8h, v1.8h"},
	{"UZPL16", 0x4E001800, 3, "uzp1 v3.16b, v2.16b, v1.16b"},
	{"UZPL4", 0x4E801800, 3, "uzp1 v3.4s, v2.4s, v1.4s"},
	{"TBLPAIR", 0x4E002000, 3, "tbl v3.16b, {v2.16b, v3.16b}, v1.16b"},
	{"FSQRT4", 0x6EA1F800, 2, "fsqrt v3.4s, v2.4s"},
	{"FSQRT2", 0x6EE1F800, 2, "fsqrt v3.2d, v2.2d"},
	{"FNEG4", 0x6EA0F800, 2, "fneg v3.4s, v2.4s"},
	{"NEGATIVE4", 0x4EA0A800, 2, "cmlt v3.4s, v2.4s, #0"},
	{"NEGATIVE16", 0x4E20A800, 2, "cmlt v3.16b, v2.16b, #0"},
	{"NEGATIVE2", 0x4EE0A800, 2, "cmlt v3.2d, v2.2d, #0"},
	{"UMAXV4", 0x6EB0A800, 2, "umaxv s3, v2.4s"},
	{"ADDV8", 0x4E71B800, 2, "addv h3, v2.8h"},
	{"SCVTF4", 0x4E21D800, 2, "scvtf v3.4s, v2.4s"},
	{"SCVTF2", 0x4E61D800, 2, "scvtf v3.2d, v2.2d"},
	{"FCVTZS4", 0x4EA1B800, 2, "fcvtzs v3.4s, v2.4s"},
	{"FCVTLL", 0x0E617800, 2, "fcvtl v3.2d, v2.2s"},
	{"FCVTLH", 0x4E617800, 2, "fcvtl2 v3.2d, v2.4s"},
	{"FCVTNL", 0x0E616800, 2, "fcvtn v3.2s, v2.2d"},
	{"FCVTNH", 0x4E616800, 2, "fcvtn2 v3.4s, v2.2d"},
	{"SXTLL2", 0x0F20A400, 2, "sxtl v3.2d, v2.2s"},
	{"SXTLH2", 0x4F20A400, 2, "sxtl2 v3.2d, v2.4s"},
	{"UXTL8", 0x2F08A400, 2, "uxtl v3.8h, v2.8b"},
	{"UXTLL4", 0x2F10A400, 2, "uxtl v3.4s, v2.4h"},
	{"UXTLH4", 0x6F10A400, 2, "uxtl2 v3.4s, v2.8h"},
}
