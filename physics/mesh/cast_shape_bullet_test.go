package mesh_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/narrow"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestNoBulletPasses shoots bullets of 5 mm at 1,000 m/s, which is 16.7 m in a tick of 1/60 s, at
// walls of 10 m by 10 m that are 1 cm thick, at any place within a kilometre and in any rotation. A
// bullet flies tick by tick: each tick is a cast along its motion, and after a miss the bullet is
// moved to the end of it, in float32. Ticks end anywhere, sometimes where the bullet touches the
// wall; some bullets start inside it. A bullet is lost if it comes out behind, or if its hit is
// later than when its centre is at the centre of the wall. A bullet that starts about halfway
// through a layer of triangles may be nearer to the back of each triangle that it overlaps than to
// the front; it separates then, and comes out behind.
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
	layer := bulletLayer(t)

	type wall struct {
		at geom.Transform // of the cube that reaches 1 to all sides
	}
	walls := []struct {
		name  string
		front float64 // from the middle of the wall
		cast  func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool)
	}{
		{"box", thick / 2, func(w *wall, bullet *mesh.Convex, p *mesh.Path) (mesh.Impact, bool) {
			b := narrow.Box(geom.Box{Center: w.at.Position, HalfExtents: w.at.Scale.Abs(), Rotation: w.at.Rotation})
			impact, ok := narrow.Cast((*narrow.Shape)(bullet), &b, narrowPath(p))
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
			impact, ok := narrow.CastPlane((*narrow.Shape)(bullet), narrow.Plane{Normal: z, Point: w.at.Position.Wide()}, narrowPath(p))
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
						isLayer, middle := target.name == "one layer of triangles", height/velocity.Dot(z)
						if ok {
							// Ahead of the middle it may have left triangles, as it should, and hit
							// others behind.
							hit = impact.T <= middle || isLayer && separates(layer, &shape, velocity, w.at.Affine(), middle)
							if impact.Overlaps {
								starts++
							}
							break
						}
						if isLayer && separates(layer, &shape, velocity, w.at.Affine(), 1) {
							hit = true // ignored, as it should be
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

func narrowPath(p *mesh.Path) *narrow.Path {
	return &narrow.Path{Motion: p.Motion, Min: p.Min, Max: p.Max, Start: narrow.Start(p.Start)}
}

// bulletLayer returns a square that reaches 1 m to both sides in X and Y, of 162 triangles that
// face +Z.
func bulletLayer(t *testing.T) *mesh.Mesh {
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
	return layer
}

// separates reports whether a shape overlaps some triangles of a mesh at the start of its path,
// touches no others until a T, and moves against the shortest way out of none of them. The ways are
// not trusted: moved along one by its depth, the shape must be beyond all corners of the triangle,
// and the way must be no longer than the one along the triangle's normal on the side that the shape
// comes from.
func separates(m *mesh.Mesh, shape *mesh.Convex, motion geom.DVec3, to geom.Affine, until float64) bool {
	body := (*narrow.Shape)(shape)
	// The least distance along v by which the shape must move to be beyond a triangle.
	distance := func(v geom.DVec3, tri geom.Triangle) float64 {
		least, _ := body.Span(v)
		most := math.Inf(-1)
		for _, p := range []geom.Vec3{tri.A, tri.B, tri.C} {
			w := to.Origin.Wide().AddMul(float64(p.X), to.X.Wide()).AddMul(float64(p.Y), to.Y.Wide()).AddMul(float64(p.Z), to.Z.Wide())
			most = max(most, w.Sub(body.Origin()).Dot(v))
		}
		return most - least
	}
	// All coordinates are below 2¹⁰ m, so that the sum of the sizes is below 2¹², and distances
	// below 2⁻⁴² of that count as touching.
	const near = 0x1p-30
	list := m.CastConvexAll(nil, shape, &mesh.Path{Motion: motion, Max: until}, to, geom.CullNone)
	for _, hit := range list {
		tri := m.Triangle(int(hit.Triangle))
		normal := to.X.Wide().Cross(to.Y.Wide()).Normalize()
		if normal.Dot(motion) > 0 {
			normal = normal.Neg()
		}
		if !hit.Overlaps || hit.Normal.Dot(motion) < 0 || distance(hit.Normal, tri) > hit.Depth+near || hit.Depth > distance(normal, tri)+near {
			return false
		}
	}
	return len(list) > 0
}

// A box, 0.11 mm in front of being halfway through a layer, over the edge between two triangles.
// The shortest way out of the one is backward and across an edge, 7.66 mm against 7.98 mm to the
// front, and of the other along the layer, away from it. The motion is against neither.
func TestBulletSeparatesFromEachTriangle(t *testing.T) {
	layer := bulletLayer(t)
	wall := geom.Transform{
		Position: geom.V(235.16048, -246.4204, -301.38208),
		Rotation: geom.Quat{X: 0.3594352, Y: 0.42634183, Z: -0.08753294, W: -0.21204448}, Scale: geom.V(-5, 5, 0.005),
	}
	bullet := mesh.ConvexBox(geom.Box{
		Center: geom.V(238.86432, -247.84381, -305.30502), HalfExtents: geom.V(0.005, 0.005, 0.01),
		Rotation: geom.Quat{X: -0.59364676, Y: -0.029636879, Z: 0.13196239, W: 0.7932787},
	})
	x, y, z := geom.Box{Rotation: wall.Rotation}.Axes()
	slope, around := 6.042456757624928*math.Pi/180, 5.631465249874106
	motion := z.Mul(math.Cos(slope)).AddMul(math.Sin(slope)*math.Cos(around), x).AddMul(math.Sin(slope)*math.Sin(around), y).Mul(1000. / 60)
	path := mesh.Path{Motion: motion, Max: 1, Start: mesh.StartIgnoreSeparating}
	_, ok := layer.CastConvex(&bullet, &path, wall.Affine(), geom.CullNone)
	assert.False(t, ok)
	assert.True(t, separates(layer, &bullet, motion, wall.Affine(), 1))
	path.Start = mesh.StartReport
	assert.Len(t, layer.CastConvexAll(nil, &bullet, &path, wall.Affine(), geom.CullNone), 2)
}
