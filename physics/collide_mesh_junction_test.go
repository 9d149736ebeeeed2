package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// junctionBox returns a cube of 2 m. Each of its faces is a grid of its own, so that there are
// T-junctions along the edges.
func junctionBox() *mesh.Mesh {
	var vertices []geom.Vec3
	var indices []uint32
	grids := [6]uint32{1, 2, 3, 1, 2, 4}
	for f := range 6 {
		axis, up := geom.Axis(f/2), f%2 == 1
		a := geom.V(-1, -1, -1)
		u, v := geom.Axis((f/2+1)%3).Unit().Mul(2), geom.Axis((f/2+2)%3).Unit().Mul(2)
		if up {
			a = a.WithAxis(axis, 1)
		} else {
			u, v = v, u
		}
		columns, rows, base := grids[f], grids[(f+1)%6], uint32(len(vertices))
		for j := range rows + 1 {
			for i := range columns + 1 {
				vertices = append(vertices, a.Add(u.Mul(float32(i)/float32(columns))).Add(v.Mul(float32(j)/float32(rows))))
				if i > 0 && j > 0 {
					k := base + j*(columns+1) + i
					b := k - columns - 1
					indices = append(indices, b-1, b, k, b-1, k, k-1)
				}
			}
		}
	}
	return mustMesh(vertices, indices)
}

// What is over an edge of a solid with T-junctions has the contacts that it has with the solid. Of
// 10,000 random poses 1 to 41 were like one of these, with contacts that push inward or are beside
// the shape; the last pose is beside a triangle whose nearest point is on an edge to one that is
// not near.
func TestContactsAtJunctions(t *testing.T) {
	box := solidMesh{"box with T-junctions", junctionBox(), judge(geom.Box{HalfExtents: geom.V(1, 1, 1), Rotation: geom.QuatIdentity()}, geom.Transform{})}
	tip := mustMesh([]geom.Vec3{{}, {X: 0.75}, {Y: 0.75}, {Z: 0.75}}, []uint32{0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3})
	for name, tt := range map[string]struct {
		shape Shape
		depth float64
		at    geom.Vec3
		turn  geom.Quat
	}{
		"flat": {
			geom.Box{HalfExtents: geom.V(0.5, 0, 0.3125), Rotation: geom.QuatIdentity()}, 0.001,
			geom.V(0.6125352, 1.2951831, 0.49454033), geom.Quat{X: -0.15975533, Y: 0.8930947, Z: 0.2055375, W: -0.36689842},
		},
		"tip": {
			tip, 0.01,
			geom.V(0.5429957, -0.6716156, -0.99558467), geom.Quat{X: -0.6422281, Y: 0.39810398, Z: 0.5593927, W: 0.34078744},
		},
		"box": {
			geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5), Rotation: geom.QuatIdentity()}, 0.01,
			geom.V(-0.23349825, -0.9444734, 1.5988114), geom.Quat{X: -0.6077476, Y: -0.29673898, Z: -0.70235306, W: 0.22201115},
		},
	} {
		s := judge(tt.shape, geom.Transform{Position: tt.at, Rotation: tt.turn, Scale: geom.V(1, 1, 1)})
		assert.Empty(t, box.fault(s, tt.depth, 0.02), name)
	}
}

// A ball touches a ridge where its rim meets a T-junction. No triangle there is missing: the edges
// along the ridge have no more than that end in common.
func TestContactsWhereJunctionsEnd(t *testing.T) {
	end, ball := geom.V(-0.6193873, -0.29539445, -0.30379677), geom.V(-0.98882973, -0.39044735, -0.42075083)
	ridge := mustMesh([]geom.Vec3{
		{X: -0.50701064, Y: 0.53041327, Z: -1.1978393}, end, {X: 0.11237665, Y: 0.82580775, Z: -0.8940425}, {},
		{X: -0.23036392, Y: -1.2135105, Z: -0.121398136}, {X: -0.20646244, Y: -0.09846482, Z: -0.10126559}, {X: 0.18256095, Y: -1.0165808, Z: 0.08113304},
		{X: 0.73176396, Y: 1.1212022, Z: -0.5902458}, end.Neg(),
		{X: 0.20646244, Y: 0.09846482, Z: 0.10126559}, {X: 0.5954858, Y: -0.8196512, Z: 0.28366423}, {X: 1.0084107, Y: -0.62272155, Z: 0.4861954},
	}, []uint32{0, 1, 3, 0, 3, 2, 2, 3, 8, 2, 8, 7, 1, 4, 6, 1, 6, 5, 5, 6, 10, 5, 10, 9, 9, 10, 11, 9, 11, 8})
	all := Collide(nil, Placed{Shape: ridge}, Placed{Shape: geom.Sphere{Radius: 0.4}, Transform: geom.Transform{Position: ball}}, 0.02)
	if assert.Len(t, all, 1) {
		c := all[0].ContactPoints()[0]
		assert.InDelta(t, 0.4-ball.Sub(end).Len(), c.Depth, 1e-5)
		assert.InDelta(t, 0.4, c.PointB.Sub(ball).Len(), 1e-5)
	}
}
