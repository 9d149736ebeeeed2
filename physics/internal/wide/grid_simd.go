//go:build (amd64 || arm64) && !noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

//go:generate go run -C gen . -grid -out ../grid_amd64.s
//go:generate go run -C gen . -grid -neon ../grid_arm64.s

// closestGridSIMD is closestSIMD of a height field.
//
//go:noescape
func closestGridSIMD(t *Grid, r *geom.Ray, hit *geom.Hit, at float32, triangle int32, cull geom.Cull) uint32

// anyGridSIMD is anySIMD of a height field.
//
//go:noescape
func anyGridSIMD(t *Grid, r *geom.Ray, cull geom.Cull) uint32
