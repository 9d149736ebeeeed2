package mesh

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

var qualities = []Quality{Medium, Fast, High}

func mustBuild(t require.TestingT, vertices []geom.Vec3, indices []uint32, o BuildOptions) *Mesh {
	m, err := Build(context.Background(), vertices, indices, o)
	require.NoError(t, err)
	require.NoError(t, m.Validate())
	return m
}

func TestBuildRefuses(t *testing.T) {
	ctx := context.Background()
	_, err := Build(ctx, []geom.Vec3{{}}, []uint32{0, 0, 1}, BuildOptions{})
	assert.EqualError(t, err, "mesh: Build: triangle 0: index 1 out of range (1 vertices)")
	_, err = Build(ctx, nil, nil, BuildOptions{Quality: Fast})
	assert.ErrorIs(t, err, ErrEmpty)
	assert.PanicsWithValue(t, "mesh: Build: no quality Quality(3)", func() { _, _ = Build(ctx, nil, nil, BuildOptions{Quality: 3}) })
	assert.PanicsWithValue(t, "mesh: Build: Threads is -1", func() { _, _ = Build(ctx, nil, nil, BuildOptions{Threads: -1}) })
	assert.PanicsWithValue(t, "mesh: Build: no context", func() {
		//lint:ignore SA1012 it must panic
		_, _ = Build(nil, nil, nil, BuildOptions{})
	})
}

func TestQualityString(t *testing.T) {
	for q, want := range map[Quality]string{Medium: "medium", Fast: "fast", High: "high", 9: "Quality(9)"} {
		assert.Equal(t, want, q.String())
	}
}

func TestBuildWithoutOptionsIsNew(t *testing.T) {
	vertices, indices := Torus(3, 1, 40, 12)
	assert.Equal(t, mustNew(t, vertices, indices), mustBuild(t, vertices, indices, BuildOptions{}))
}

func TestProgress(t *testing.T) {
	large := first(Torus(3, 1, 240, 80))
	threads := testenv.Fewer([]int{1, 8}, []int{8})
	for _, q := range qualities {
		for _, threads := range threads {
			t.Run(q.String(), func(t *testing.T) {
				var reports []float64
				var busy atomic.Bool
				mustBuild(t, large, second(Torus(3, 1, 240, 80)), BuildOptions{Quality: q, Threads: threads, Progress: func(f float64) {
					assert.True(t, busy.CompareAndSwap(false, true), "called by one goroutine at a time")
					reports = append(reports, f)
					busy.Store(false)
				}})
				testenv.Drawn(t, len(reports), 40)
				require.Less(t, len(reports), 300)
				last := 0.0
				for i, f := range reports {
					assert.GreaterOrEqual(t, f, last)
					assert.Equal(t, i == len(reports)-1, f == 1)
					last = f
				}
				assert.Less(t, reports[0], 0.2)
			})
		}
	}
	var reports []float64
	mustBuild(t, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))), BuildOptions{Progress: func(f float64) { reports = append(reports, f) }})
	assert.LessOrEqual(t, len(reports), 3, "a short build has little to say")
	assert.Equal(t, 1.0, reports[len(reports)-1])
}

// A build that is cancelled at any time ends when each goroutine next checks the context, and
// leaves none behind.
func TestCancel(t *testing.T) {
	vertices, indices := Torus(3, 1, 120, testenv.Fewer(80, 30))
	threads := testenv.Fewer([]int{1, 8}, []int{8})
	for _, q := range qualities {
		for _, threads := range threads {
			t.Run(q.String(), func(t *testing.T) {
				for _, at := range []float64{0, 0.2, 0.5, 0.9} {
					before := runtime.NumGoroutine()
					ctx, cancel := context.WithCancel(context.Background())
					later := 0
					m, err := Build(ctx, vertices, indices, BuildOptions{Quality: q, Threads: threads, Progress: func(f float64) {
						if ctx.Err() != nil {
							later++
						}
						if f >= at {
							cancel()
						}
					}})
					cancel()
					require.ErrorIs(t, err, context.Canceled, "at %v", at)
					require.ErrorContains(t, err, "mesh: Build: ")
					require.Nil(t, m)
					require.Zero(t, later, "reports after the end of the context, at %v", at)
					for i := 0; i < 1_000_000 && runtime.NumGoroutine() > before; i++ {
						runtime.Gosched() // those that are done may not have gone yet
					}
					require.LessOrEqual(t, runtime.NumGoroutine(), before)
				}
			})
		}
	}
}

func TestBuildPastTheDeadline(t *testing.T) {
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	_, err := Build(ctx, first(Box(geom.V(1, 1, 1))), second(Box(geom.V(1, 1, 1))), BuildOptions{
		Progress: func(float64) { t.Error("progress of a build that never starts") },
	})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// At any quality, every form of cast gives what the brute-force reference gives.
func TestQualitiesAgainstTwin(t *testing.T) {
	testenv.NoRace(t)
	for _, q := range qualities {
		t.Run(q.String(), func(t *testing.T) {
			eachScene(t, func(t *testing.T, s scene, _ *Mesh, rng *rand.Rand) {
				if q == High && !s.sound {
					return // package wide tests what may be left out of those
				}
				m := mustBuild(t, s.vertices, s.indices, BuildOptions{Quality: q})
				list := singles(t, m)
				var buffer []geom.Hit
				for i, r := range rays(rng, m, 200) {
					buffer = requireCasts(t, m, r, culls[i%3], castAllTwin(m, r, culls[i%3]), buffer)
					if i%10 == 0 {
						shape, path := sphereOn(r, m.Bounds().HalfExtents().Len()*0.2*rng.Float32())
						requireConvex(t, m, list, &shape, &path, geom.AffineIdentity(), culls[i%3])
					}
				}
			})
		})
	}
}

// Triangles of a mesh of high quality are in several leaves, and each answer has them once.
func TestHighTellsOnce(t *testing.T) {
	testenv.NoRace(t)
	vertices, indices := Plane(20, 20, 40, 40)
	rng := testenv.Rand(7, 8)
	for range 3 * 60 {
		indices = append(indices, uint32(len(vertices)))
		vertices = append(vertices, around(rng, 10).MulVec(geom.V(1, 0.2, 1)))
	}
	m, medium := mustBuild(t, vertices, indices, BuildOptions{Quality: High}), mustNew(t, vertices, indices)
	require.True(t, m.tree.HasDuplicates())
	assert.Equal(t, medium.NumTriangles(), m.NumTriangles())
	twice := 0
	for range 500 {
		from, to := around(rng, 20), around(rng, 9).MulVec(geom.V(1, 0.2, 1))
		r := geom.NewRay(from, to.Sub(from))
		want := medium.CastRayAll(nil, r, geom.CullNone)
		got := m.CastRayAll([]geom.Hit{{T: 99}, {T: 99}}, r, geom.CullNone)
		require.Equal(t, geom.Hit{T: 99}, got[1], "what was there before stays")
		require.Equal(t, want, append([]geom.Hit(nil), got[2:]...))
		twice += len(m.tree.CastRayAll(nil, &r, geom.CullNone)) - len(want)

		shape, path := sphereOn(r, 2*rng.Float32())
		require.Equal(t, medium.CastConvexAll(nil, &shape, &path, geom.AffineIdentity(), geom.CullNone),
			m.CastConvexAll(nil, &shape, &path, geom.AffineIdentity(), geom.CullNone))

		box := geom.AABBAround(to, geom.V(1, 1, 1))
		require.Equal(t, medium.OverlapAABB(nil, box), m.OverlapAABB(nil, box))
		ball := geom.Sphere{Center: to, Radius: 1.5}
		require.Equal(t, medium.OverlapSphere(nil, ball), m.OverlapSphere(nil, ball))
		near, _ := medium.ClosestPoint(from, inf32)
		also, _ := m.ClosestPoint(from, inf32)
		require.Equal(t, near, also)
	}
	testenv.Drawn(t, twice, 100, "hits in two leaves")
}
