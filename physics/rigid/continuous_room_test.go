package rigid

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Bodies that are cast only where their core may touch something move as if all that is fast were:
// thin and thick ones, off their centres and scaled, in rooms of boxes and of triangles.
func TestCoresAreCastWhereTheyMayTouch(t *testing.T) {
	r := testenv.Rand(25, 1)
	vec := func(most float32) geom.Vec3 {
		return geom.V(most*(2*r.Float32()-1), most*(2*r.Float32()-1), most*(2*r.Float32()-1))
	}
	// A tetrahedron, of which the ball around the centre is smaller than the inertia says.
	spike, err := hull.New([]geom.Vec3{{X: 0.3}, {Y: 0.2}, {Z: 0.1}, {X: -0.1, Y: -0.1, Z: -0.1}})
	require.NoError(t, err)
	inside, err := mesh.New(mesh.Box(geom.V(1, 1, 1)))
	require.NoError(t, err)
	skipped, cast := 0, 0
	for try := range testenv.Count(t, "HITSCAN_BULLETS", 20) {
		make := func() *Dynamics { return New(physics.NewSpace()) }
		all := [2]*Dynamics{make(), make()}
		all[1].cautious = true
		add := func(b *Body, c physics.Collider) {
			for _, d := range all {
				if id := d.space.Add(c); b != nil {
					_, err := d.Add(*b, id)
					require.NoError(t, err)
				}
			}
		}
		if try%3 == 0 {
			add(nil, physics.Collider{Shape: inside})
		} else {
			for axis := range geom.Axis(3) {
				for _, side := range []float32{-1, 1} {
					at := geom.Transform{Position: geom.Vec3{}.WithAxis(axis, side*1.1)}
					add(&Body{Kind: Kinematic, AngularVelocity: vec(0.2)}, physics.Collider{
						Shape: geom.Box{HalfExtents: geom.V(1.2, 1.2, 1.2).WithAxis(axis, 0.1)}, Transform: at})
				}
			}
		}
		for range 6 {
			shape := []physics.Shape{geom.Sphere{Radius: 0.1, Center: vec(0.05)}, geom.Box{HalfExtents: geom.V(0.2, 0.1, 0.05), Center: vec(0.1)},
				geom.Capsule{A: vec(0.2), B: vec(0.2), Radius: 0.05 + 0.1*r.Float32()}, spike}[r.IntN(4)]
			scale := geom.V(1, 1, 1)
			if r.IntN(2) == 0 {
				scale = geom.V(0.5+r.Float32(), 0.5+r.Float32(), -1)
			}
			at := geom.Transform{Position: vec(0.6), Rotation: geom.QuatAxisAngle(vec(1), 3*r.Float64()), Scale: scale}
			add(&Body{Velocity: vec(20), AngularVelocity: vec(20), Bullet: r.IntN(8) == 0}, physics.Collider{Shape: shape, Transform: at})
		}
		for range 30 {
			for _, d := range all {
				d.Step()
			}
			require.Equal(t, all[1].motions, all[0].motions)
			for i := range all[0].bodies[1:] {
				b, c := &all[0].bodies[1+i], &all[1].bodies[1+i]
				require.Equal(t, c.center, b.center)
				moved, room := all[0].motions[1+i].moved, all[0].passages[1+i].room
				if b.moves && all[0].isFast(b, moved) {
					if moved.LenSq() <= room*room {
						skipped++
					} else {
						cast++
					}
				}
			}
		}
	}
	testenv.Drawn(t, skipped, 100)
	testenv.Drawn(t, cast, 100)
}
