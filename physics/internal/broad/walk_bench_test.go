package broad

import (
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/measuring"
)

// walkWorld returns the boxes of the measuring world after some ticks, and its rays.
func walkWorld(t testing.TB, ticks int) ([]geom.AABB, []geom.Ray) {
	words := measuring.Words(t, 8, "worlds", "boxes100k.wld")
	var boxes []geom.AABB
	for ; len(words) > 0; words = words[10:] {
		c, h, v := measuring.Vec(words[1:]), measuring.Vec(words[4:]), measuring.Vec(words[7:])
		for range ticks {
			c = c.Add(v)
		}
		boxes = append(boxes, geom.AABBAround(c, h))
	}
	return boxes, measuring.Rays(t, "worlds", "boxes100k.rays")
}

// BenchmarkWalk finds for each ray of the measuring world the box that it enters first.
func BenchmarkWalk(b *testing.B) {
	boxes, rays := walkWorld(b, 0)
	p := walkPhase(boxes, 0)
	for _, c := range []struct {
		name string
		end  bool
		simd bool
	}{{"start", false, true}, {"closest", true, true}, {"all", true, true}, {"closest portable", true, false}} {
		b.Run(c.name, func(b *testing.B) {
			was := useAVX2
			useAVX2 = was && c.simd
			defer func() { useAVX2 = was }()
			var w Walk
			candidates, n := 0, 0
			for b.Loop() {
				r := &rays[n%len(rays)]
				n++
				if !w.Start(p, *r) || !c.end {
					continue
				}
				ox, oy, oz := r.Origin.X, r.Origin.Y, r.Origin.Z
				ix, iy, iz := 1/r.Dir.X, 1/r.Dir.Y, 1/r.Dir.Z
				for {
					i, ok := w.Next()
					if !ok {
						break
					}
					candidates++
					if c.name == "all" {
						continue
					}
					k := &boxes[i]
					x0, x1 := (k.Min.X-ox)*ix, (k.Max.X-ox)*ix
					y0, y1 := (k.Min.Y-oy)*iy, (k.Max.Y-oy)*iy
					z0, z1 := (k.Min.Z-oz)*iz, (k.Max.Z-oz)*iz
					from := max(min(x0, x1), min(y0, y1), min(z0, z1), 0)
					to := min(max(x0, x1), max(y0, y1), max(z0, z1), math.MaxFloat32)
					if from <= to {
						w.SetEnd(from)
					}
				}
			}
			b.ReportMetric(float64(candidates)/float64(n), "candidates/op")
		})
	}
}
