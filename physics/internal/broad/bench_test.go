package broad

import (
	"math"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/measuring"
)

// body is one of the boxes and spheres of boxes100k.
type body struct {
	half, at, velocity geom.Vec3
}

func (b *body) box() geom.AABB { return geom.AABBAround(b.at, b.half) }

func bodies(t testing.TB) []body {
	w := measuring.Words(t, 8, "worlds", "boxes100k.wld")
	list := make([]body, 0, len(w)/10)
	for ; len(w) > 0; w = w[10:] {
		b := body{at: measuring.Vec(w[1:]), half: measuring.Vec(w[4:]), velocity: measuring.Vec(w[7:])}
		if w[0] == math.Float32bits(1) {
			b.half = geom.V(b.half.X, b.half.X, b.half.X)
		}
		list = append(list, b)
	}
	return list
}

// tick moves a body, and turns it round at the sides of the cube.
func (b *body) tick() {
	move := func(at, v *float32) {
		*at += *v
		if *at < 0 && *v < 0 || *at > 200 && *v > 0 {
			*v = -*v
		}
	}
	move(&b.at.X, &b.velocity.X)
	move(&b.at.Y, &b.velocity.Y)
	move(&b.at.Z, &b.velocity.Z)
}

func BenchmarkBuild(b *testing.B) {
	list := bodies(b)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), false)
	}
	p.Settle(1)
	for b.Loop() {
		p.change()
		p.build(moving, 1)
	}
}

func BenchmarkBuildFirst(b *testing.B) {
	list := bodies(b)
	var p Phase
	for b.Loop() {
		p.Clear()
		for i := range list {
			p.Set(uint32(i), list[i].box(), false)
		}
		p.Settle(1)
	}
}

func BenchmarkSet(b *testing.B) {
	list := bodies(b)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), false)
	}
	p.Settle(1)
	boxes := make([]geom.AABB, len(list))
	for i := range boxes {
		boxes[i] = list[i].box()
	}
	for b.Loop() {
		for i := range list {
			p.Set(uint32(i), boxes[i], false)
		}
	}
}

func BenchmarkRefit(b *testing.B) {
	list := bodies(b)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), false)
	}
	p.Settle(1)
	for b.Loop() {
		b.StopTimer()
		for i := range list {
			p.Set(uint32(i), list[i].box(), false)
		}
		b.StartTimer()
		p.refit(moving, 1)
	}
}

func BenchmarkVisitAABB(b *testing.B) {
	list := bodies(b)
	var p Phase
	for i := range list {
		p.Set(uint32(i), list[i].box(), false)
	}
	p.Settle(1)
	i, found := 0, 0
	for b.Loop() {
		box := list[i%len(list)].box()
		p.VisitAABB(box, func(uint32) bool { found++; return true })
		i++
	}
}
