package rigid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Crates come to rest under 30 times their weight, pressed anywhere on their top, wherever they lie
// on hilly triangles: on one, with corners over its edges, or on several. Of 256 one still rocks,
// from one triangle to the next; nine did when contacts were chosen without regard to their depths.
func TestPressedCratesComeToRest(t *testing.T) {
	testenv.NoRace(t)
	vertices, indices := mesh.Plane(24, 24, 32, 32)
	for i := range vertices {
		v := &vertices[i]
		v.Y = float32(0.35 * math.Sin(0.45*float64(v.X)) * math.Cos(0.4*float64(v.Z)))
	}
	hills, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	d := rigid.New(physics.NewSpace())
	d.Space().Add(physics.Collider{Shape: hills, Static: true})
	n := golden.Numbers(31)
	const side, load, far = 16, 30 * 216 * 9.81, 1000
	type crate struct {
		id        rigid.BodyID
		on        geom.Vec3 // where it is pressed, in its frame
		low, high geom.Vec3 // bounds of that place in the world, in the last second
	}
	var all []crate
	for i := range side * side {
		id, err := d.Add(rigid.Body{NoSleep: true}, d.Space().Add(physics.Collider{Shape: box(0.3), Transform: geom.Transform{
			Position: geom.V(float32(i%side)*1.4-10.5, 0.8, float32(i/side)*1.4-10.5),
			Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), 3*float64(n.Vec(1).X)),
		}}))
		require.NoError(t, err)
		on := n.Vec(0.25)
		on.Y = 0.3
		all = append(all, crate{id, on, geom.V(far, far, far), geom.V(-far, -far, -far)})
	}
	for step := range 360 {
		for i := range all {
			c := &all[i]
			at, _ := d.Transform(c.id)
			on := at.Point(c.on)
			if step >= 60 {
				d.ApplyForceAt(c.id, geom.V(0, -load*min(float32(step-60)/60, 1), 0), on)
			}
			if step >= 300 {
				c.low, c.high = c.low.Min(on), c.high.Max(on)
			}
		}
		d.Step()
	}
	rock := 0
	for _, c := range all {
		if c.high.Sub(c.low).Len() > 0.001 {
			rock++
		}
	}
	require.LessOrEqual(t, rock, 2)
}
