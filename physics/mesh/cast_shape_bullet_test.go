package mesh_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/toi"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestNoBulletPasses shoots bullets of 5 mm at 1,000 m/s, which is 16.7 m in a tick of 1/60 s, at
// walls of 10 m by 10 m that are 1 cm thick, at any place within a kilometre and in any rotation. A
// bullet flies tick by tick: each tick is a cast along its motion, and after a miss the bullet is
// moved to the end of it, in float32. Ticks end anywhere, sometimes where the bullet touches the
// wall; some bullets start inside it. A bullet is lost if it comes out behind, or if its hit is
// later than when its centre is at the centre of the wall.
//
// HITSCAN_CASTS is the number of bullets in all, 60,000 by default.
func TestNoBulletPasses(t *testing.T) {
	total := testenv.Count(t, "HITSCAN_CASTS", 60_000)
	const (
		thick  = 0.01
		radius = 0.005
		tick   = 1000.0 / 60
	)
	boxMesh, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	require.NoError(t, err)
	var vertices []geom.Vec3
	var indices []uint32
	const cells = 9
	for i := range cells + 1 {
		for j := range cells + 1 {
			vertices = append(vertices, geom.V(2*float32(i)/cells-1, 2*float32(j)/cells-1, 0))
			if i < cells && j < cells {
				k := uint32(i*(cells+1) + j)
				indices = append(indices, k, k+1, k+cells+2, k, k+cells+2, k+cells+1)
			}
		}
	}
	layer, err := mesh.New(vertices, indices)
	require.NoError(t, err)

	type wall struct {
		at geom.Transform // of the cube that reaches 1 to all sides
	}
	walls := []struct {
		name  string
		front float64 // from the middle of the wall
		cast  func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool)
	}{
		{"box", thick / 2, func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool) {
			b := toi.Box(geom.Box{Center: w.at.Position, HalfExtents: w.at.Scale.Abs(), Rotation: w.at.Rotation})
			impact, ok := toi.Cast((*toi.Body)(bullet), &b, toiPath(p))
			return mesh.Impact(impact), ok
		}},
		{"mesh with two sides", thick / 2, func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool) {
			return boxMesh.CastConvex(bullet, p, w.at.Affine(), geom.CullNone)
		}},
		{"one layer of triangles", 0, func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool) {
			return layer.CastConvex(bullet, p, w.at.Affine(), geom.CullNone)
		}},
		{"plane", 0, func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool) {
			_, _, z := geom.Box{Rotation: w.at.Rotation}.Axes()
			impact, ok := toi.CastPlane((*toi.Body)(bullet), toi.Plane{Normal: z, Point: w.at.Position.Wide()}, toiPath(p))
			return mesh.Impact(impact), ok
		}},
	}
	bullets := []struct {
		name string
		at   func(p geom.Vec3, turn geom.Quat) mesh.Convex
	}{
		{"sphere", func(p geom.Vec3, _ geom.Quat) mesh.Convex {
			return mesh.ConvexSphere(geom.Sphere{Center: p, Radius: radius})
		}},
		{"box", func(p geom.Vec3, turn geom.Quat) mesh.Convex {
			return mesh.ConvexBox(geom.Box{Center: p, HalfExtents: geom.V(radius, radius, 2*radius), Rotation: turn})
		}},
		{"capsule", func(p geom.Vec3, turn geom.Quat) mesh.Convex {
			axis := turn.Rotate(geom.V(radius, 0, 0))
			return mesh.ConvexCapsule(geom.Capsule{A: p.Sub(axis), B: p.Add(axis), Radius: radius})
		}},
	}
	for _, target := range walls {
		for _, bullet := range bullets {
			t.Run(target.name+"/"+bullet.name, func(t *testing.T) {
				t.Parallel()
				rng := testenv.Rand(41, uint64(len(target.name)*10+len(bullet.name)))
				lost, ticks, starts := 0, 0, 0
				for range total / len(walls) / len(bullets) {
					turn := func() geom.Quat {
						return geom.Quat{X: rng.Float32() - 0.5, Y: rng.Float32() - 0.5, Z: rng.Float32() - 0.5, W: rng.Float32() - 0.5}
					}
					far := float32(math.Pow(1000, rng.Float64()))
					w := wall{geom.Transform{
						Position: geom.V(rng.Float32()-0.5, rng.Float32()-0.5, rng.Float32()-0.5).Mul(far),
						Rotation: turn(), Scale: geom.V(5, 5, thick/2),
					}}
					if rng.IntN(2) == 0 {
						w.at.Scale.X = -5
					}
					x, y, z := geom.Box{Rotation: w.at.Rotation}.Axes()
					// Through a point of the wall, at up to 80° to its normal.
					through := w.at.Position.Wide().AddMul(9.8*(rng.Float64()-0.5), x).AddMul(9.8*(rng.Float64()-0.5), y)
					slope, around := rng.Float64()*80*math.Pi/180, rng.Float64()*2*math.Pi
					dir := z.Mul(math.Cos(slope)).AddMul(math.Sin(slope)*math.Cos(around), x).AddMul(math.Sin(slope)*math.Sin(around), y)
					velocity := dir.Mul(tick)
					back := 3 * tick * rng.Float64()
					switch rng.IntN(4) {
					case 0: // a tick ends about where the bullet touches
						back = tick*float64(1+rng.IntN(2)) + (target.front+radius+1e-4*rng.NormFloat64())/math.Cos(slope)
					case 1: // it leaves the barrel in the wall, its middle just not yet
						back = (target.front + 2*radius*rng.Float64()) / math.Cos(slope)
					}
					at := through.AddMul(-back, dir).Narrow()
					if at.Wide().Sub(w.at.Position.Wide()).Dot(z) > -target.front {
						continue
					}
					orientation := turn().Normalize()
					hit := false
					for range 5 {
						ticks++
						shape := bullet.at(at, orientation)
						impact, ok := target.cast(&w, &shape, &mesh.Path{Motion: velocity, Max: 1, Start: mesh.StartIgnoreSeparating})
						height := -at.Wide().Sub(w.at.Position.Wide()).Dot(z)
						if ok {
							hit = impact.T*velocity.Dot(z) <= height
							if impact.Overlaps {
								starts++
							}
							break
						}
						if at = at.Wide().Add(velocity).Narrow(); height < velocity.Dot(z) {
							break // behind
						}
					}
					if !hit {
						lost++
					}
				}
				t.Logf("%d ticks, %d hits where one began", ticks, starts)
				assert.Zero(t, lost)
				assert.Positive(t, starts)
			})
		}
	}
}

func toiPath(p *mesh.Path) *toi.Path {
	return &toi.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: toi.Start(p.Start)}
}
