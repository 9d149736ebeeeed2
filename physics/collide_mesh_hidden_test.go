package physics

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// What is over the slope of a flat pyramid, near its lower edge, has no contact with the base,
// which is within the margin too, but beyond the slope.
func TestNoContactThroughASharpEdge(t *testing.T) {
	corners := []geom.Vec3{{X: -1, Z: -1}, {X: 1, Z: -1}, {X: 1, Z: 1}, {X: -1, Z: 1}, {Y: 0.3}}
	pyramid := mustMesh(corners, []uint32{0, 1, 2, 0, 2, 3, 4, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3})
	solid := &judged{size: 1}
	for _, c := range corners {
		solid.points = append(solid.points, c.Wide())
	}
	slope := geom.DVec3{X: 0.3, Y: 1}.Normalize()
	r := testenv.Rand(4, 2)
	for range tries(300) {
		kind := []string{"box", "plank", "sphere", "capsule"}[r.IntN(4)]
		tr := geom.Transform{Rotation: randomTurn(r), Scale: geom.V(1, 1, 1)}
		j := judge(judgedKinds[kind](r), tr)
		// Its lowest point, across the slope, is 1 mm over a place of the slope near the edge.
		low := j.points[0]
		for _, p := range j.points {
			if p.Dot(slope) < low.Dot(slope) {
				low = p
			}
		}
		x := 0.9 + 0.09*r.Float64()
		at := geom.DVec3{X: x, Y: 0.3 * (1 - x), Z: r.Float64() - 0.5}.AddMul(0.001+j.radius, slope).Sub(low)
		tr.Position = at.Narrow()
		j = judge(judgedKinds[kind](r), tr)
		all := Collide(nil, Placed{Shape: pyramid}, j.placed, 0.05)
		require.NotEmpty(t, all)
		assert.InDelta(t, -0.001, all[0].Depth(), 1e-5)
		for i := range all {
			n := all[i].Normal.Wide()
			require.Less(t, solid.reach(n)+j.reach(n.Neg())-float64(all[i].Depth()), 1e-3, "%s at %v: %v", kind, tr, all[i])
		}
	}
}

// A frustum is deep in a ball of small triangles by a point 0.02 mm beside the triangle whose
// normal is the way out, and has another point within the margin.
func TestDeepestPointBesideItsTriangle(t *testing.T) {
	ball := Placed{mustMesh(mesh.Icosphere(1, 3)), geom.Transform{
		Rotation: geom.Quat{X: -0.49958807, Y: -0.108938776, Z: 0.6377978, W: -0.5759844}, Scale: geom.V(-0.46850735, 1.0049301, -1.732875)}}
	frustum := Placed{geom.Cone{A: geom.V(0, -0.31184086, 0), B: geom.V(0, 0.31184086, 0), RadiusA: 0.33562592, RadiusB: 0.4684539}, geom.Transform{
		Position: geom.V(-1.374913, -0.9205218, 1.2742252), Rotation: geom.Quat{X: -0.3111439, Y: 0.4923853, Z: 0.67459506, W: 0.45350596}, Scale: geom.V(0.83561254, 1.638072, 1.2384495)}}
	for _, margin := range []float32{0, 0.02} {
		deepest := math.Inf(-1)
		for _, m := range Collide(nil, ball, frustum, margin) {
			deepest = max(deepest, float64(m.Depth()))
		}
		assert.InDelta(t, 0.0036, deepest, 1e-4, "margin %g", margin)
	}
}

// A box over a ramp of triangles, one of its edges along the ramp, is as near to it as the edge is,
// whichever end rounding takes for the lower one. A kilometre from the origin the triangles are in
// one plane to a tenth of a millimetre only.
func TestEdgeOverARamp(t *testing.T) {
	r := testenv.Rand(8, 3)
	vertices, indices := mesh.Plane(4, 4, 16, 16)
	for i := range vertices {
		v := &vertices[i]
		*v = v.Add(geom.V(0.1*r.Float32(), 0, 0.1*r.Float32()))
		v.Y = 0.3 * v.X
	}
	ramp := mustMesh(vertices, indices)
	up := geom.DVec3{X: -0.3, Y: 1}.Normalize()
	tilt := geom.QuatAxisAngle(geom.V(0, 0, 1), math.Atan(0.3))
	for _, far := range []float32{0, 1000} {
		off := 1e-5 + 1e-7*float64(far)
		for range tries(2000) {
			turn := tilt.Mul(geom.QuatAxisAngle(geom.V(0, 1, 0), 6*r.Float64())).Mul(geom.QuatAxisAngle(geom.V(1, 0, 0), 0.3+r.Float64()))
			tr := geom.Transform{Position: geom.V(4*r.Float32()-2, 0, 4*r.Float32()-2), Rotation: turn, Scale: geom.V(1, 1, 1)}
			box := geom.Box{HalfExtents: geom.V(0.1+0.5*r.Float32(), 0.3, 0.3), Rotation: geom.QuatIdentity()}
			tr.Position.Y = float32((judge(box, tr).reach(up.Neg()) + 0.001) / up.Y)
			tr.Position.X += far
			all := Collide(nil, Placed{ramp, geom.At(far, 0, 0)}, Placed{box, tr}, 0.02)
			require.Len(t, all, 1, "%v at %v", box, tr)
			require.InDelta(t, -0.001, all[0].Depth(), off)
		}
	}
}

// A tip is past both sides of the corner between two arms of a cross, by 8 and by 11.3 mm. It
// leaves past both at once, and not past the end of one, which it does not touch.
func TestTipInTheCornerOfACross(t *testing.T) {
	var vertices []geom.Vec3
	var indices []uint32
	outline := [][2]float32{{-0.9, 0.25}, {-0.65, 0.25}, {-0.65, 0.75}, {0.65, 0.75}, {0.65, 0.25}, {0.9, 0.25},
		{0.9, -0.25}, {0.65, -0.25}, {0.65, -0.75}, {-0.65, -0.75}, {-0.65, -0.25}, {-0.9, -0.25}}
	n := uint32(len(outline))
	for i, p := range outline {
		vertices = append(vertices, geom.V(p[0], -1.05, p[1]), geom.V(p[0], 0.25, p[1]))
		a, b := uint32(2*i), 2*((uint32(i)+1)%n)
		indices = append(indices, a, b, b+1, a, b+1, a+1)
	}
	box := Placed{
		geom.Box{HalfExtents: geom.V(0.3, 0.25, 0.2), Rotation: geom.Quat{X: 0.2837246, Y: -0.42411774, Z: -0.84823316, W: -0.14186269}},
		geom.Transform{Position: geom.V(-1.0436339, 0.10961263, -0.5699698), Scale: geom.V(1.2, 0.6, 0.9),
			Rotation: geom.Quat{X: -0.95752704, Y: -0.07465887, Z: -0.27034256, W: 0.06695416}},
	}
	all := Collide(nil, Placed{Shape: mustMesh(vertices, indices)}, box, 0)
	require.Len(t, all, 3)
	tip := geom.V(0.0079784, 0, 0.01133147)
	assert.InDelta(t, tip.Len(), all[0].Depth(), 1e-5)
	assert.Greater(t, -all[0].Normal.Dot(tip.Normalize()), float32(0.9999))
	for i := range all[1:] {
		assert.Less(t, all[1+i].Depth(), float32(0.012), "%v", all[1+i].Normal)
	}
}
