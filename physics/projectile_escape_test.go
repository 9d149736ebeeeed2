package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

func plusMinus(r *rand.Rand) float32 { return r.Float32()*2 - 1 }

func vecWithin(r *rand.Rand, reach float32) geom.Vec3 {
	return geom.V(plusMinus(r)*reach, plusMinus(r)*reach, plusMinus(r)*reach)
}

// TestNoProjectilePassesAWall moves projectiles at 1,000 m/s at walls that are 1 cm thick, at any
// place within 10 km of the origin and at any rotation. The centre of each projectile must stay on
// the side of the wall on which it began.
func TestNoProjectilePassesAWall(t *testing.T) {
	const thick = 0.01
	r := testenv.Rand(1, 2)
	layer := mustMesh([]geom.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}, []uint32{0, 1, 2, 0, 2, 3})
	walls := []Shape{unitBox, boxMesh, layer, geom.Plane{Normal: geom.V(0, 0, 1)}, NewCompound(Child{unitBox, geom.Transform{}})}
	const each = 40
	lost, tries := 0, 0
	for tries < testenv.Count(t, "HITSCAN_PROJECTILES", 20_000) {
		s := NewSpace()
		at := vecWithin(r, []float32{10, 1000, 10_000}[r.IntN(3)])
		turn := geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6)
		wall := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(50, 50, thick/2)}
		s.Add(Collider{Shape: walls[r.IntN(len(walls))], Transform: wall})
		front := turn.Rotate(geom.V(0, 0, 1))
		for range each {
			tries++
			way := turn.Rotate(geom.V(plusMinus(r)*0.6, plusMinus(r)*0.6, -1).Normalize())
			start := at.Add(turn.Rotate(geom.V(plusMinus(r)*4, plusMinus(r)*4, 0))).Sub(way.Mul(1 + 30*r.Float32()))
			p := Projectile{Position: start, Velocity: way.Mul(1000), Radius: []float32{0, 0.005}[r.IntN(2)],
				Bounces: int32(r.IntN(2)), Restitution: r.Float32(), Acceleration: geom.V(0, -9.81*float32(r.IntN(2)), 0)}
			hits := 0
			var events [4]ProjectileHit
			for range 4 {
				hits += len(p.Move(events[:0], s, flightTick, Filter{}))
			}
			side := float64(front.Wide().Dot(p.Position.Wide().Sub(at.Wide())))
			if hits == 0 || side < float64(p.Radius) {
				lost++
				t.Logf("lost: %+v at side %g of %v %v", p, side, at, turn)
			}
		}
	}
	assert.Zero(t, lost, "of %d", tries)
	t.Logf("%d tries, %d lost", tries, lost)
}

// room is closed on all sides. clearance returns the distance in metres from a point inside to the
// nearest wall, computed in double precision without code of the package under test.
type room struct {
	name      string
	space     *Space
	clearance func(p geom.DVec3) float64
}

// ballMesh returns a sphere of about 1 m radius, made of triangles that face inward, and the planes
// of these triangles.
func ballMesh(rings, sectors int) (vertices []geom.Vec3, indices []uint32) {
	for i := range rings + 1 {
		for j := range sectors {
			a, b := math.Pi*float64(i)/float64(rings), 2*math.Pi*float64(j)/float64(sectors)
			vertices = append(vertices, geom.V(float32(math.Sin(a)*math.Cos(b)), float32(math.Cos(a)), float32(math.Sin(a)*math.Sin(b))))
		}
	}
	for i := range rings {
		for j := range sectors {
			k := (j + 1) % sectors
			a, b, c, d := uint32(i*sectors+j), uint32(i*sectors+k), uint32((i+1)*sectors+j), uint32((i+1)*sectors+k)
			if i > 0 {
				indices = append(indices, a, b, c)
			}
			if i < rings-1 {
				indices = append(indices, b, d, c)
			}
		}
	}
	return vertices, indices
}

func rooms(at geom.Vec3, turn geom.Quat, half float32) []room {
	place := geom.Transform{Position: at, Rotation: turn, Scale: geom.V(half, half, half)}
	var axes [3]geom.DVec3
	for i, v := range []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		axes[i] = turn.Rotate(v).Wide()
	}
	inBox := func(p geom.DVec3) float64 {
		least := math.Inf(1)
		for _, axis := range axes {
			least = min(least, float64(half)-math.Abs(axis.Dot(p.Sub(at.Wide()))))
		}
		return least
	}
	// Walls of 1 cm that overlap at the edges.
	walls, compound := NewSpace(), []Child{}
	for i := range 6 {
		axis := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[i/2].Mul(float32(1 - i%2*2))
		h := geom.V(half+0.01, half+0.01, half+0.01).WithAxis(geom.Axis(i/2), 0.005)
		child := Child{geom.Box{Center: axis.Mul(half + 0.005), HalfExtents: h}, geom.Transform{}}
		compound = append(compound, child)
		walls.Add(Collider{Shape: child.Shape, Transform: geom.Transform{Position: at, Rotation: turn}, Static: true})
	}
	whole := NewSpace()
	whole.Add(Collider{Shape: NewCompound(compound...), Transform: geom.Transform{Position: at, Rotation: turn}})
	mesh := NewSpace()
	mesh.Add(Collider{Shape: boxMesh, Transform: place})

	vertices, indices := ballMesh(12, 20)
	ball := NewSpace()
	ball.Add(Collider{Shape: mustMesh(vertices, indices), Transform: place})
	affine := place.Affine()
	to := func(v geom.Vec3) geom.DVec3 {
		w := v.Wide()
		return affine.Origin.Wide().AddMul(w.X, affine.X.Wide()).AddMul(w.Y, affine.Y.Wide()).AddMul(w.Z, affine.Z.Wide())
	}
	// The mesh of a sphere is nearly convex, so the distance from a point inside to the mesh is
	// that to the nearest plane.
	type side struct{ n, p geom.DVec3 }
	var sides []side
	for i := 0; i < len(indices); i += 3 {
		a, b, c := to(vertices[indices[i]]), to(vertices[indices[i+1]]), to(vertices[indices[i+2]])
		n := b.Sub(a).Cross(c.Sub(a)).Normalize()
		if n.Dot(at.Wide().Sub(a)) < 0 {
			n = n.Neg()
		}
		sides = append(sides, side{n, a})
	}
	inBall := func(p geom.DVec3) float64 {
		least := math.Inf(1)
		for _, s := range sides {
			least = min(least, s.n.Dot(p.Sub(s.p)))
		}
		return least
	}
	return []room{{"boxes", walls, inBox}, {"compound", whole, inBox}, {"mesh", mesh, inBox}, {"ball", ball, inBall}}
}

// TestNoProjectileEscapes moves bouncing projectiles in closed rooms, near the origin and 10 km
// away. Each must stay inside, at least its radius and a quarter of the skin away from the walls,
// and must not gain speed.
func TestNoProjectileEscapes(t *testing.T) {
	testenv.NoRace(t)
	const ticks = 60
	r := testenv.Rand(3, 4)
	total, escaped, tries, bounces := testenv.Count(t, "HITSCAN_PROJECTILES", 800), 0, 0, 0
	closest := math.Inf(1) // to a wall, in skins
	var events []ProjectileHit
	for tries < total {
		at := vecWithin(r, []float32{0, 10, 1000, 10_000}[r.IntN(4)])
		turn := geom.QuatEuler(r.Float64()*6, r.Float64()*6, r.Float64()*6)
		if r.IntN(3) == 0 {
			turn = geom.Quat{}
		}
		half := 0.5 + 20*r.Float32()*r.Float32()
		for _, room := range rooms(at, turn, half) {
			for range 10 {
				tries++
				p := Projectile{Position: at.Add(turn.Rotate(vecWithin(r, half*0.3))), Velocity: vecWithin(r, 1).Normalize().Mul([]float32{3, 30, 1000}[r.IntN(3)]),
					Radius: []float32{0, 0.005, 0.2}[r.IntN(3)], Bounces: -1, Restitution: []float32{1, 1, r.Float32()}[r.IntN(3)],
					Friction: []float32{0, r.Float32()}[r.IntN(2)]}
				if r.IntN(5) == 0 { // along a wall, into an edge or a corner
					p.Velocity = turn.Rotate(geom.V(float32(r.IntN(3)-1), float32(r.IntN(3)-1), float32(r.IntN(3)-1)).Mul(100))
				}
				gravity := r.IntN(2) == 0
				if gravity {
					p.Acceleration = geom.V(0, -9.81, 0)
				}
				began := p
				for range ticks {
					before := p.Velocity.Wide()
					events = p.Move(events[:0], room.space, flightTick, Filter{})
					bounces += len(events)
					after := p.Velocity.Wide()
					if !gravity && after.Dot(after) > before.Dot(before) {
						t.Errorf("%s: faster: %v → %v of %+v", room.name, before, after, p)
					}
					reach := float64(placed.Largest(p.Position)) + float64(p.Radius) + after.Len()*float64(flightTick)
					c := (room.clearance(p.Position.Wide()) - float64(p.Radius)) / skinOf(reach)
					if closest = min(closest, c); !(c >= 0.25) {
						escaped++
						t.Logf("%s: %g skins inside: %+v → %+v, room of %g at %v %v", room.name, c, began, p, half, at, turn)
						break
					}
				}
			}
			if escaped > 20 {
				t.FailNow()
			}
		}
	}
	assert.Zero(t, escaped, "of %d", tries)
	assert.Greater(t, bounces, tries)
	t.Logf("%d tries of %d ticks, %d hits, %d escaped, closest to a wall %.3f skins", tries, ticks, bounces, escaped, closest)
}

// Under gravity, a projectile gets no higher than its energy allows, with bounces and without.
func TestProjectileGainsNoEnergy(t *testing.T) {
	testenv.Long(t)
	const g = 9.81
	r := testenv.Rand(5, 6)
	for _, restitution := range []float32{0.3, 0.9, 1} {
		t.Run(fmt.Sprint(restitution), func(t *testing.T) {
			s := rooms(geom.Vec3{}, geom.QuatEuler(0.3, 0.2, 0.1), 5)[2].space
			for range 30 {
				p := Projectile{Position: vecWithin(r, 2), Velocity: vecWithin(r, 10), Acceleration: geom.V(0, -g, 0), Radius: 0.1, Bounces: -1, Restitution: restitution}
				energy := func() float64 {
					v := p.Velocity.Wide()
					return v.Dot(v)/2 + g*float64(p.Position.Y)
				}
				before := energy()
				// A projectile that is within its skin by rounding is moved out by up to a skin,
				// which may lift it. Free flight rounds speed² and height in each of 1,000 ticks,
				// by up to 2⁻²³ of each. The two terms cancel in the energy, so the bound is
				// relative to each term and not to their sum.
				lift := g * skinOf(10) // the room's corners are no further from the origin
				most := before + lift + 1000*0x1p-23*(p.Velocity.Wide().Dot(p.Velocity.Wide())/2+g*10)
				for range 1000 {
					p.Move(nil, s, flightTick, Filter{})
					now := energy()
					require.LessOrEqual(t, now, before+lift, "%+v", p)
					require.LessOrEqual(t, now, most, "%+v", p)
					before = now
				}
			}
		})
	}
}
