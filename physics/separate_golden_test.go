package physics

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// goldenCrowd returns a crowd of so many kinds of shapes, dense enough that most overlap others,
// with obstacles of all kinds, sensors, and a floor of a plane or hills among them.
func goldenCrowd(t *testing.T, n, kinds int, hills bool) *crowd {
	r := golden.Numbers(17)
	g := newCrowd()
	shapes := []Shape{
		geom.Sphere{Radius: 0.4}, geom.Capsule{A: geom.V(0, 0.3, 0), B: geom.V(0, 1.5, 0), Radius: 0.35}, geom.Capsule{B: geom.V(0.5, 0.25, 0), Radius: 0.25},
		geom.Box{HalfExtents: geom.V(0.4, 0.5, 0.25)}, NewCompound(Child{Shape: geom.Sphere{Radius: 0.25}, Transform: geom.At(-0.5, 0, 0)}, Child{Shape: geom.AABBAround(geom.V(0.25, 0, 0), geom.V(0.25, 0.5, 0.25))}),
		geom.Cylinder(geom.V(0, 0, 0), geom.V(0, 1, 0), 0.3),
	}
	columns := 1
	for columns*columns < n {
		columns++
	}
	place := func(i int) geom.Transform {
		v := r.Vec(0.5)
		return geom.At(float32(i%columns)*0.75+v.X, 0.5+v.Y, float32(i/columns)*0.75+v.Z)
	}
	for i := range n {
		c := Collider{Shape: shapes[r.Int(kinds)], Transform: place(i)}
		switch r.Int(8) {
		case 0:
			c.Transform.Rotation = r.Quat().Normalize()
		case 1:
			c.Layer, c.Mask = 2, 2
		}
		g.add(c)
		m := &g.movables[i]
		switch r.Int(6) {
		case 0:
			m.Weight = 1 + r.Float(0.75)
		case 1:
			m.MaxPush = 0.25
		}
		if r.Int(12) == 0 {
			g.Space.Add(Collider{Shape: shapes[r.Int(len(shapes))], Transform: place(i), Static: r.Int(2) == 0, Sensor: r.Int(6) == 0})
		}
	}
	if !hills {
		g.Space.Add(Collider{Shape: ground})
		return g
	}
	vertices, indices := mesh.Plane(float32(columns), float32(columns), columns/2, columns/2)
	for i := range vertices {
		vertices[i] = vertices[i].Add(geom.V(float32(columns)*0.375, r.Float(0.5), float32(columns)*0.375))
	}
	m, err := mesh.New(vertices, indices)
	assert.NoError(t, err)
	g.Space.Add(Collider{Shape: m, Static: true})
	return g
}

// The pushes of some ticks have the same bits on every architecture and with any number of
// processors.
func TestSeparationSameBits(t *testing.T) {
	testenv.Long(t)
	for _, c := range []struct {
		n, kinds  int
		hills, up bool
		want      uint64
	}{
		{700, 6, false, false, 0x97bb79fe76747b77}, {700, 6, true, false, 0x9761b4e436acf621}, {700, 6, true, true, 0x40d46bf6a1754a58}, {90, 6, false, true, 0xd4ceaf21fac79c84},
		// Spheres and capsules alone.
		{700, 3, false, false, 0x738c6701607b404e}, {700, 3, true, true, 0x1acfd9f91a336ebc}, {2000, 2, true, true, 0xf4b5df99e09c48d7},
	} {
		for _, processors := range []int{1, 2, 8} {
			t.Run(fmt.Sprint(c.n, c.kinds, c.hills, c.up, processors), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				g, h := goldenCrowd(t, c.n, c.kinds, c.hills), golden.New()
				if c.up {
					g.Up = geom.V(0, 1, 0)
				}
				g.Ignores = func(movable, other ColliderID) bool { return (movable+other)%7 == 0 }
				for range 4 {
					g.step()
					for _, m := range g.movables {
						h.Bool(m.Push != geom.Vec3{})
						h.Vec(m.Push)
					}
				}
				h.Check(t, "pushes", c.want)
				testenv.Drawn(t, h.Found, c.n)
			})
		}
	}
}
