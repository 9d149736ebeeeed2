package main

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// hash returns a hash of the whole state of the game; it changes with any bit of a position.
func (g *game) hash() uint64 {
	sum := fnv.New64a()
	var buf []byte
	add := func(values ...any) {
		for _, v := range values {
			// Field by field and little-endian, since padding between fields is undefined and byte
			// orders differ.
			var err error
			if buf, err = binary.Append(buf[:0], binary.LittleEndian, v); err != nil {
				panic(err) // a field whose size depends on the machine
			}
			sum.Write(buf)
		}
	}
	add(int64(g.now), int64(len(g.dead)))
	for _, d := range g.dead {
		add(d.team, int64(d.tick))
	}
	chance, err := g.source.MarshalBinary()
	if err != nil {
		panic(err) // it never fails
	}
	add(chance)

	bots := generic.NewFilter5[physecs.Transform, physecs.Mover, physecs.MoverState, physecs.RayCaster, Bot]().Query(&g.world)
	for bots.Next() {
		t, m, s, c, b := bots.Get()
		add(bots.Entity(), t, m, s, c, b)
	}
	bullets := generic.NewFilter2[physecs.Transform, physecs.Projectile]().Query(&g.world)
	for bullets.Next() {
		t, p := bullets.Get()
		add(bullets.Entity(), t, p)
	}
	zones := generic.NewFilter1[Zone]().Query(&g.world)
	for zones.Next() {
		add(zones.Entity(), zones.Get())
	}
	return sum.Sum64()
}
