package main

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// castClosest casts all rays for the closest hit, one a call.
func (w *world) castClosest(rays []geom.Ray, answers []worldfile.Answer) {
	inChunks(len(rays), w.threads, func(from, to int) {
		for i := from; i < to; i++ {
			answers[i] = worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
			if h, ok := w.space.CastRay(rays[i], physics.Filter{}); ok {
				answers[i] = worldfile.Answer{T: h.T, Collider: int32(h.User), Triangle: h.Triangle}
			}
		}
	})
}

// castAny casts all rays for any hit, one a call.
func (w *world) castAny(rays []geom.Ray, answers []bool) {
	inChunks(len(rays), w.threads, func(from, to int) {
		for i := from; i < to; i++ {
			answers[i] = w.space.CastRayAny(rays[i], physics.Filter{})
		}
	})
}

// measureCasts casts the rays in four ways, prints the measurements, and returns the closest hits.
// It is an error if the ways disagree.
func (w *world) measureCasts(stdout io.Writer, rays []geom.Ray, runs int) ([]worldfile.Answer, error) {
	answers, any := make([]worldfile.Answer, len(rays)), make([]bool, len(rays))
	batch, batchAny := make([]physics.Hit, 0, len(rays)), make([]bool, 0, len(rays))
	ways := []struct {
		name, call string
		cast       func()
		differs    func(i int, want worldfile.Answer) bool
	}{
		{"closest", "CastRay", func() { w.castClosest(rays, answers) }, func(int, worldfile.Answer) bool { return false }},
		{"any", "CastRayAny", func() { w.castAny(rays, any) }, func(i int, want worldfile.Answer) bool {
			return any[i] != want.Hits()
		}},
		{"castrays", "CastRays", func() { batch = w.space.CastRays(batch[:0], rays, physics.Filter{}) }, func(i int, want worldfile.Answer) bool {
			got := worldfile.Answer{Collider: worldfile.Miss, Triangle: -1}
			if h := &batch[i]; h.Collider != 0 {
				got = worldfile.Answer{T: h.T, Collider: int32(h.User), Triangle: h.Triangle}
			}
			return got != want
		}},
		{"castraysany", "CastRaysAny", func() { batchAny = w.space.CastRaysAny(batchAny[:0], rays, physics.Filter{}) }, func(i int, want worldfile.Answer) bool {
			return batchAny[i] != want.Hits()
		}},
	}
	rates := make([]float64, len(ways))
	for k, way := range ways {
		took, _ := measureRuns(runs, w.threads, way.cast)
		rates[k] = rate(len(rays), took)
	}
	hits, sum := 0, 0.0
	for _, a := range answers {
		if a.Hits() {
			hits++
			sum += float64(a.T)
		}
	}
	fmt.Fprintf(stdout, "rays %d\nhits %d\nsum_t %.6f\n", len(rays), hits, sum)
	for k, way := range ways {
		fmt.Fprintf(stdout, "%s_mrays_per_s %.4f Mrays/s\n", way.name, rates[k])
	}
	for _, way := range ways {
		differ := 0
		for i, a := range answers {
			if way.differs(i, a) {
				differ++
			}
		}
		if differ > 0 {
			return nil, fmt.Errorf("CastRay and %s differ on what %d of %d rays hit", way.call, differ, len(rays))
		}
	}
	return answers, nil
}

// rate returns millions of rays a second.
func rate(rays int, took time.Duration) float64 { return float64(rays) / took.Seconds() * 1e-6 }

// rims is the share of the rays at instances, one in so many, that may differ. A [geom.Transform]
// holds a rotation as a quaternion in single precision and so differs from the matrix in the file
// by about 1e-7 of the mesh: a ray closer than that to a silhouette may be decided otherwise.
const rims = 10_000

// check compares the first answers with the true ones, prints the comparison, and returns an error
// if too many differ.
func (w *world) check(stdout io.Writer, answers, truth []worldfile.Answer, name string) error {
	lost, invented, others, off, worst := 0, 0, 0, 0, 0.0
	for i, want := range truth {
		got := answers[i]
		switch {
		case !got.Hits() && !want.Hits():
		case !got.Hits():
			lost++
		case !want.Hits():
			invented++
		default:
			if got.Collider != want.Collider || got.Triangle != want.Triangle {
				others++
			}
			if got.T == want.T { // where both are 0 the quotient would be NaN
				continue
			}
			wrong := math.Abs(float64(got.T)-float64(want.T)) / float64(want.T)
			worst = max(worst, wrong)
			if wrong > tolerance {
				off++
			}
		}
	}
	fmt.Fprintf(stdout, "lost %d\ninvented %d\nother_collider %d\nworst_t_relative %.3g\n", lost, invented, others, worst)
	allowed := 0
	if w.mesh != nil {
		allowed = len(truth) / rims
	}
	if lost+invented+off > allowed {
		return fmt.Errorf("%s: the answers differ: %d lost, %d invented, %d with T off by more than %.3g (%d are allowed)",
			name, lost, invented, off, tolerance, allowed)
	}
	return nil
}
