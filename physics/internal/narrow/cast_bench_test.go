package narrow

import (
	"math/rand/v2"
	"testing"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Every operation is one cast of a body of some half a metre at another one, some three metres
// away; about two of three hit.
func BenchmarkCast(b *testing.B) {
	for _, ka := range castKinds {
		for _, kb := range castKinds {
			b.Run(ka+"/"+kb, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(11, 12))
				const n = 256
				var as, bs [n]castShape
				var ps [n]Path
				hits := 0
				for i := range n {
					at := vec(rng).Normalize().Mul(3)
					as[i], bs[i] = castRandom(rng, ka, at.Narrow(), 0.5), castRandom(rng, kb, geom.Vec3{}, 0.5)
					ps[i] = Path{Motion: vec(rng).Mul(0.2).Sub(at), Max: 2}
					if _, ok := Cast(&as[i].body, &bs[i].body, &ps[i]); ok {
						hits++
					}
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					Cast(&as[i%n].body, &bs[i%n].body, &ps[i%n])
				}
				b.ReportMetric(float64(hits)/n, "hits/op")
			})
		}
	}
}
