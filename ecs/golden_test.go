package physecs

import (
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The entities of a heap are at the same bits at each of 300 updates on every architecture, between
// the steps as well.
func TestSameBits(t *testing.T) {
	p := newFloorWorld()
	p.system.DT, p.system.Interpolate = 1.0/75, true
	all := fillWithBodies(p, rand.New(rand.NewPCG(1, 1)), false)
	h := golden.New()
	for tick := range 300 {
		if tick == 200 {
			p.dynamics().ApplyImpulse(all[17], geom.V(0, 800, 0))
			*p.transforms.Get(all[3]) = geom.At(1, 6, 0)
		}
		p.run(1)
		for _, e := range all {
			at := p.transforms.Get(e)
			h.Vec(at.Position)
			h.Float(at.Rotation.X, at.Rotation.Y, at.Rotation.Z, at.Rotation.W)
			if p.Has(e, p.velocity) {
				h.Vec(p.velocities.Get(e).Linear, p.velocities.Get(e).Angular)
			}
		}
		d := p.dynamics()
		h.Uint(uint64(len(d.Began))<<32 | uint64(len(d.Hits))<<16 | uint64(len(d.Slept)))
	}
	h.Check(t, "heap of entities", 0xadd010334edff701)
}
