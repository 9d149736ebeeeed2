//go:build !amd64 || noasm

package rigid

// useAVX2 is never true here. It is a variable as in simd_amd64.go, where tests set it.
var useAVX2 = false

func weighAVX2(*octet, int, *motion, *inertia, float32) {}

func warmStartAVX2(*octet, int, *motion, *inertia) {}

func solveAVX2(*octet, int, *motion, float32, float32) {}

func relaxAVX2(*octet, int, *motion, *inertia, float32) {}

func solveFlatAVX2(*octet, int, *motion, float32, float32) {}

func relaxFlatAVX2(*octet, int, *motion, *inertia, float32) {}

func partAVX2(*parting, *memory, *frame, *frame, float32, float32) uint32 { return 0 }

func aimJointsAVX2(*jointOctet, int, *motion, *inertia, *jointPass) {}

func solveJointsAVX2(*jointOctet, int, *motion, *inertia, *jointPass) {}
