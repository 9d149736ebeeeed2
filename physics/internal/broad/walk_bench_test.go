package broad

import (
	"testing"
	"unsafe"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// walkWorld returns the boxes of the measuring world after some ticks, and its rays.
func walkWorld(t testing.TB, ticks int) ([]geom.AABB, []geom.Ray) {
	words := measuring.Words(t, 8, "worlds/boxes100k.wld")
	var boxes []geom.AABB
	for ; len(words) > 0; words = words[10:] {
		c, h, v := measuring.Vec(words[1:]), measuring.Vec(words[4:]), measuring.Vec(words[7:])
		for range ticks {
			c = c.Add(v)
		}
		boxes = append(boxes, geom.AABBAround(c, h))
	}
	return boxes, measuring.Rays(t, "worlds/boxes100k.rays")
}

// walkBoth runs a benchmark with the assembly and without.
func walkBoth(b *testing.B, f func(b *testing.B)) {
	was := useAVX2
	defer func() { useAVX2 = was }()
	for _, simd := range []bool{true, false} {
		useAVX2 = simd && was
		name := "portable"
		if simd {
			name = "simd"
		}
		b.Run(name, f)
	}
}

// BenchmarkWalk finds the box that each of 4096 rays of the measuring world enters first.
func BenchmarkWalk(b *testing.B) {
	boxes, rays := walkWorld(b, 0)
	p := walkPhase(boxes, 0)
	rays = rays[:4096]
	walkBoth(b, func(b *testing.B) {
		var w Walk
		for b.Loop() {
			for i := range rays {
				for ok := w.Start(p, rays[i]); ok; {
					var n uint32
					if n, ok = w.Next(); ok {
						if h, hit := boxes[n].CastRay(rays[i], geom.Solid); hit {
							w.SetEnd(h.T)
						}
					}
				}
			}
		}
	})
}

// BenchmarkWalks is BenchmarkWalk with rays that take turns.
func BenchmarkWalks(b *testing.B) {
	boxes, rays := walkWorld(b, 0)
	p := walkPhase(boxes, 0)
	rays = rays[:4096]
	records := make([]struct {
		box geom.AABB
		_   [104]byte
	}, len(boxes))
	for i := range records {
		records[i].box = boxes[i]
	}
	walkBoth(b, func(b *testing.B) {
		w := new(Walks)
		w.Records(unsafe.Pointer(&records[0]), unsafe.Sizeof(records[0]))
		for b.Loop() {
			walkInTurn(w, p, rays, func(ray int, n uint32) (float32, bool) {
				h, hit := records[n].box.CastRay(rays[ray], geom.Solid)
				return h.T, hit
			})
		}
	})
}

func BenchmarkWalkStart(b *testing.B) {
	boxes, rays := walkWorld(b, 0)
	p := walkPhase(boxes[:8], 0)
	walkBoth(b, func(b *testing.B) {
		var w Walk
		for b.Loop() {
			w.Start(p, rays[0])
		}
	})
}
