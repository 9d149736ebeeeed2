package broad

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Explain calls meet for the same boxes in the same order as a Walk that is shortened the same way,
// in Go and in assembly, and every box is in one step.
func TestExplainIsAWalk(t *testing.T) {
	testenv.NoRace(t)
	walkWithSIMD(t, func(t *testing.T) {
		for _, scene := range walkScenes() {
			t.Run(scene.name, func(t *testing.T) {
				rng := testenv.Rand(3, 4)
				var p Phase
				for i, b := range scene.boxes {
					p.Set(uint32(i), b, i%3 == 0)
				}
				p.Settle(1)
				fates := map[Fate]int{}
				for i, r := range walkRays(rng, &scene, 200) {
					// Every third box is hit, at a random T.
					ends := func() func(uint32) float32 {
						rng := testenv.Rand(uint64(i), 5)
						return func(uint32) float32 {
							if rng.IntN(3) > 0 {
								return inf32
							}
							return rng.Float32() * 4
						}
					}
					var want, got []uint32
					var w Walk
					end := ends()
					if w.Start(&p, r) {
						for n, ok := w.Next(); ok; n, ok = w.Next() {
							want = append(want, n)
							w.SetEnd(end(n))
						}
					}
					_, whole := r.Range()
					end = ends()
					steps := p.Explain(r, whole, func(n uint32) float32 {
						got = append(got, n)
						return end(n)
					})
					require.Equal(t, want, got, "%v", r)
					// In a campaign, the rays of the first half may meet too few fates; then all of
					// the second half are checked.
					if i%10 > 0 && (i < 100 || scene.name != "loose" || len(fates) == 4) {
						continue
					}
					requireWhole(t, &p, steps, got)
					for _, s := range steps {
						fates[s.Fate]++
					}
				}
				if scene.name == "loose" {
					assert.Len(t, fates, 4)
				}
			})
		}
	})
}

// requireWhole requires that the steps form a tree with every box in one step, Entered if it was
// met.
func requireWhole(t *testing.T, p *Phase, steps []Step, met []uint32) {
	entered := map[int]bool{}
	for _, n := range met {
		entered[int(n)] = true
	}
	seen := map[int]bool{}
	for i, s := range steps {
		if s.Parent < 0 {
			require.Zero(t, s.Level)
		} else {
			above := steps[s.Parent]
			if s.Parent >= i || s.Level != above.Level+1 || above.Number >= 0 {
				require.Fail(t, "no parent", "%+v of %+v", above, s)
			}
			if !contains(&above.Bounds, &s.Bounds) || (s.Fate == Skipped) != (above.Fate != Entered) {
				require.Fail(t, "out of place", "%+v in %+v", s, above)
			}
		}
		if s.Number < 0 {
			continue
		}
		if box, ok := p.Box(uint32(s.Number)); !ok || box != s.Bounds || seen[s.Number] || entered[s.Number] != (s.Fate == Entered) {
			require.Fail(t, "wrong", "%+v, a box at %v", s, box)
		}
		seen[s.Number] = true
	}
	require.Len(t, seen, p.Len())
}

func TestExplainOfNothing(t *testing.T) {
	var p Phase
	never := func(uint32) float32 { panic("nothing is there") }
	assert.Empty(t, p.Explain(geom.NewRay(geom.V(0, 0, 0), geom.V(0, 0, 1)), inf32, never))
	p.Set(5, geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), true)
	p.Settle(1)
	steps := p.Explain(geom.Ray{}, inf32, never)
	require.Len(t, steps, 2)
	assert.Equal(t, Passed, steps[0].Fate)
	assert.Equal(t, Step{Bounds: geom.AABBAround(geom.Vec3{}, geom.V(1, 1, 1)), Level: 1, Number: 5, Fate: Skipped}, steps[1])
}
