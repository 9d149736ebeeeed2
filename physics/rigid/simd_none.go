//go:build (!amd64 && !arm64) || noasm

package rigid

// useSIMD is never true here. It is a variable as in simd.go, where tests set it.
var useSIMD = false

func fillSIMD(*octet, *start, *softness, int) uint32 { return 0 }

func weighSIMD(*octet, int, *motion, *inertia, float32) {}

func warmStartSIMD(*octet, int, *motion, *inertia) {}

func solveSIMD(*octet, int, *motion, float32, float32) {}

func relaxSIMD(*octet, int, *motion, *inertia, float32) {}

func solveFlatSIMD(*octet, int, *motion, float32, float32) {}

func relaxFlatSIMD(*octet, int, *motion, *inertia, float32) {}

func partSIMD(*parting, *memory, *frame, *frame, float32, float32) uint32 { return 0 }

func accelerateSIMD(*drives, int, *motion, *substep) {}

func moveSIMD(*drives, int, *motion, *substep) {}

func partFlatSIMD(*octet, *anchors, *frame, float32) uint32 { return 0 }

func refreshSIMD(*octet, *anchors, *softness, float32, float32) {}

func aimJointsSIMD(*jointOctet, int, *motion, *inertia, *jointPass) {}

func solveJointsSIMD(*jointOctet, int, *motion, *inertia, *jointPass) {}

func aimMotorsSIMD(*motorOctet, int, *motion, *inertia, *jointPass) {}

func solveMotorsSIMD(*motorOctet, int, *motion, *inertia, *jointPass) {}
