package broad

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/hitscan-go/hitscan/internal/measuring"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// bodies returns the boxes and spheres of boxes100k, in their cube of 200 m.
func bodies(t testing.TB) []mover {
	w := measuring.Words(t, 8, "worlds/boxes100k.wld")
	list := make([]mover, 0, len(w)/10)
	for ; len(w) > 0; w = w[10:] {
		m := mover{at: measuring.Vec(w[1:]), half: measuring.Vec(w[4:]), velocity: measuring.Vec(w[7:]), cube: 200}
		if w[0] == math.Float32bits(1) {
			m.half = geom.V(m.half.X, m.half.X, m.half.X)
		}
		list = append(list, m)
	}
	return list
}

func settled(b *testing.B) ([]mover, *Phase) {
	list, p := bodies(b), new(Phase)
	setAll(p, list)
	p.Settle(1)
	return list, p
}

func BenchmarkBuild(b *testing.B) {
	_, p := settled(b)
	for b.Loop() {
		p.build(moving, 1)
	}
}

// BenchmarkBuildFirst also sets the boxes, in no order.
func BenchmarkBuildFirst(b *testing.B) {
	list := bodies(b)
	for b.Loop() {
		p := new(Phase)
		setAll(p, list)
		p.Settle(1)
	}
}

func BenchmarkSet(b *testing.B) {
	list, p := settled(b)
	boxes := make([]geom.AABB, len(list))
	for i := range boxes {
		boxes[i] = list[i].box()
	}
	for b.Loop() {
		for i := range boxes {
			p.Set(uint32(i), boxes[i], false)
		}
	}
}

func BenchmarkRefit(b *testing.B) {
	_, p := settled(b)
	t := &p.trees[moving]
	for b.Loop() {
		for i := range t.nodes {
			if i > 0 && t.nodes[i].level == 0 {
				t.dirty[0].add(int32(i))
			}
		}
		p.refit(moving, 1)
	}
}

// BenchmarkOne sets a single box of many and settles.
func BenchmarkOne(b *testing.B) {
	list, p := settled(b)
	i := 0
	for b.Loop() {
		m := &list[i%len(list)]
		m.tick()
		p.Set(uint32(i%len(list)), m.box(), false)
		p.Settle(1)
		i++
	}
}

// BenchmarkTick moves some of the boxes of boxes100k, sets them and settles.
func BenchmarkTick(b *testing.B) {
	for _, test := range []struct {
		name    string
		moved   int
		others  bool // are static
		workers int
	}{
		{"all move", 1, false, 1},
		{"all move, 2 workers", 1, false, 2},
		{"a tenth moves", 10, false, 1},
		{"one in a hundred moves", 100, false, 1},
		{"one in a hundred moves, the rest stands", 100, true, 1},
	} {
		b.Run(test.name, func(b *testing.B) {
			list := bodies(b)
			var p Phase
			for i := range list {
				p.Set(uint32(i), list[i].box(), test.others && i%test.moved != 0)
			}
			p.Settle(1)
			boxes := make([]geom.AABB, len(list))
			worst := time.Duration(0)
			for b.Loop() {
				b.StopTimer()
				for i := 0; i < len(list); i += test.moved {
					list[i].tick()
					boxes[i] = list[i].box()
				}
				b.StartTimer()
				start := time.Now()
				for i := 0; i < len(list); i += test.moved {
					p.Set(uint32(i), boxes[i], false)
				}
				p.Settle(test.workers)
				worst = max(worst, time.Since(start))
			}
			b.ReportMetric(float64(worst.Nanoseconds()), "ns/worst")
		})
	}
}

func BenchmarkVisitAABB(b *testing.B) {
	list, p := settled(b)
	i, found := 0, 0
	for b.Loop() {
		p.VisitAABB(list[i%len(list)].box(), func(uint32) bool { found++; return true })
		i++
	}
}

func BenchmarkVisitNearest(b *testing.B) {
	list, p := settled(b)
	i := 0
	for b.Loop() {
		best := math.Inf(1)
		at := geom.V(list[i%len(list)].at.Y, list[i%len(list)].at.X, list[i%len(list)].at.Z)
		p.VisitNearest(at, best, nil, func(n uint32) float64 {
			box, _ := p.Box(n)
			best = min(best, float64(box.Distance(at)))
			return best
		})
		i++
	}
}

func BenchmarkFront(b *testing.B) {
	_, p := settled(b)
	rays := measuring.Rays(b, "worlds/boxes100k.rays")
	var f Front
	i := 0
	for b.Loop() {
		f.Start(p, rays[i%len(rays)])
		f.Next(math.Inf(1))
		i++
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	for name, moved := range map[string]int{"all moved": 1, "one in a thousand moved": 1000} {
		b.Run(name, func(b *testing.B) {
			list, p := settled(b)
			var c Phase
			for b.Loop() {
				b.StopTimer()
				for i := 0; i < len(list); i += moved {
					p.Set(uint32(i), list[i].box(), false)
				}
				p.Settle(1)
				b.StartTimer()
				c.CopyFrom(p)
			}
		})
	}
}

// BenchmarkPairs finds all pairs in the measuring world after 60 ticks.
func BenchmarkPairs(b *testing.B) {
	boxes, _ := walkWorld(b, 60)
	p := walkPhase(boxes, 0)
	walkBoth(b, func(b *testing.B) {
		var list []Pair
		for b.Loop() {
			list = p.Pairs(list[:0], 1)
		}
		b.ReportMetric(float64(len(list)), "pairs")
	})
}

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
	was := useSIMD
	defer func() { useSIMD = was }()
	for _, simd := range []bool{true, false} {
		useSIMD = simd && was
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

// BenchmarkWalks is BenchmarkWalk with interleaved rays.
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
			walkInterleaved(w, p, rays, func(ray int, n uint32) (float32, bool) {
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
