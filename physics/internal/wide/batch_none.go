//go:build !js || noasm

package wide

import "github.com/hitscan-go/hitscan/physics/geom"

// Only the kernel for WebAssembly has batches of its own.

func closestBatch(*Tree, []geom.Hit, []geom.Ray, geom.Cull) int { return 0 }

func anyBatch(*Tree, []bool, []geom.Ray, geom.Cull) int { return 0 }
