//go:build !amd64 || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// useAVX2 is never true here; it is a variable because the tests set it elsewhere.
var useAVX2 = false

func closestAVX2(*walk, *geom.Ray) {}

func anyAVX2(*walk, *geom.Ray) bool { return false }

func nextAVX2(*blocks, *waiting) bool { return false }
