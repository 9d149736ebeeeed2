package physics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// TestCrossingsAreTheInside compares stretches with overlaps of points, which share no code with
// casts: the middle of a stretch is in the collider, and that of a gap between two is not.
func TestCrossingsAreTheInside(t *testing.T) {
	inside, between := 0, 0
	check := func(t *rapid.T, c Collider, r geom.Ray) {
		s := NewSpace()
		c.Sensor = false
		id := s.Add(c)
		bounds, ok := s.Bounds(id)
		if !ok || s.IsNowhere(id) {
			return
		}
		if !bounds.HalfExtents().IsFinite() { // a plane has
			bounds = geom.AABBAround(geom.Vec3{}, geom.V(10, 10, 10))
		} else if r.Dir == (geom.Vec3{}) {
			r.Dir = bounds.Center().Add(drawPoint(t, 1)).Sub(r.Origin)
		}
		all := s.CastRayAll(nil, r, Filter{})
		crossings := s.Crossings(nil, r, Filter{})
		require.Equal(t, len(all) > 0, len(crossings) > 0)
		require.LessOrEqual(t, len(crossings), len(all))

		// unclear is some 80 roundings of the coordinates: so near the surface, rounding decides.
		unclear := 80 * 0x1p-24 * (bounds.HalfExtents().Len() + r.Origin.Len() + bounds.Center().Len())
		isDeep := func(p geom.Vec3) bool {
			// Along the axes alone, two surfaces at a right angle would do.
			for i := range 27 {
				by := geom.V(float32(i%3-1), float32(i/3%3-1), float32(i/9-1))
				if len(s.OverlapPoint(nil, p.Add(by.Mul(unclear)), Filter{})) == 0 {
					return false
				}
			}
			return true
		}
		var last *Crossing
		for i := range crossings {
			c := &crossings[i]
			require.Equal(t, id, c.Exit.Collider)
			if i > 0 {
				require.Negative(t, crossings[i-1].Enter.Compare(c.Enter))
			}
			if c.Enter == c.Exit {
				continue // a surface
			}
			require.LessOrEqual(t, c.Enter.T, c.Exit.T)
			require.True(t, c.Exit.BackFace && !c.Exit.Inside)
			_, near := s.Nearest(c.Enter.Point.Lerp(c.Exit.Point, 0.5), unclear, Filter{})
			require.True(t, near, "%+v", c)
			inside++
			if last != nil {
				require.Less(t, last.Exit.T, c.Enter.T)
				if last.Exit.Point.Distance(c.Enter.Point) > 2*unclear { // else they touch
					require.False(t, isDeep(last.Exit.Point.Lerp(c.Enter.Point, 0.5)), "%+v %+v", last, c)
					between++
				}
			}
			last = c
		}
		if last != nil {
			beyond := r.At(last.Exit.T + (last.Exit.T+1)*1e-4)
			require.False(t, isDeep(beyond), "%+v", last)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			check(t, drawCollider(t), drawRay(t))
			check(t, drawCollider(t), geom.Ray{Origin: drawPoint(t, 12)})
			var row []Child
			for i := range 3 {
				row = append(row, Child{drawSimpleShape(t), geom.Transform{Position: geom.V(float32(4*i), 0, 0), Rotation: drawRotation(t)}})
			}
			check(t, Collider{Shape: NewCompound(row...)}, geom.NewRay(drawPoint(t, 1).Sub(geom.V(6, 0, 0)), geom.V(1, 0, 0)))
		}
	})
	testenv.Drawn(t, inside, 20, "stretches")
	testenv.Drawn(t, between, 1, "gaps")
}

// TestCrossingsOfSolids has thicknesses by hand.
func TestCrossingsOfSolids(t *testing.T) {
	for name, tt := range map[string]struct {
		shape  Shape
		scale  geom.Vec3
		ray    geom.Ray
		start  geom.StartMode
		enter  []float32
		exit   []float32
		inside bool
	}{
		"box":                   {shape: unitBox, enter: []float32{4}, exit: []float32{6}},
		"ball":                  {shape: unitSphere, enter: []float32{4}, exit: []float32{6}},
		"ellipsoid":             {shape: unitSphere, scale: geom.V(1, 1, 2), enter: []float32{3}, exit: []float32{7}},
		"hull":                  {shape: mustHull(boxCorners(geom.V(1, 1, 2))), enter: []float32{3}, exit: []float32{7}},
		"cylinder":              {shape: geom.Cylinder(geom.V(0, 0, -1), geom.V(0, 0, 2), 1), enter: []float32{3}, exit: []float32{6}},
		"ray that ends inside":  {shape: unitBox, ray: geom.Ray{MaxT: 5}, enter: []float32{4}, exit: []float32{6}},
		"ray that ends before":  {shape: unitBox, ray: geom.Ray{MaxT: 3}},
		"ray that begins after": {shape: unitBox, ray: geom.Ray{MinT: 7}},
		"start inside":          {shape: unitBox, ray: geom.Ray{MinT: 5}, enter: []float32{5}, exit: []float32{6}, inside: true},
		"start inside, Exit":    {shape: unitBox, ray: geom.Ray{MinT: 5}, start: geom.Exit, enter: []float32{5}, exit: []float32{6}, inside: true},
		"start inside, Ignore":  {shape: unitBox, ray: geom.Ray{MinT: 5}, start: geom.Ignore},
		"plane":                 {shape: geom.Plane{Normal: geom.V(0, 0, 1)}, enter: []float32{5}, exit: []float32{5}},
		"mesh":                  {shape: boxMesh, enter: []float32{4, 6}, exit: []float32{4, 6}},
		"touched in a corner":   {shape: unitSphere, ray: geom.Ray{Origin: geom.V(1, 0, 5)}, enter: []float32{5}, exit: []float32{5}},
		"flat box":              {shape: geom.Box{HalfExtents: geom.V(1, 1, 0)}, enter: []float32{5}, exit: []float32{5}},
		"two children apart": {shape: NewCompound(Child{unitSphere, geom.At(0, 0, 2)}, Child{unitSphere, geom.At(0, 0, -2)}),
			enter: []float32{2, 6}, exit: []float32{4, 8}},
		"two children overlap": {shape: NewCompound(Child{unitSphere, geom.At(0, 0, -0.5)}, Child{unitSphere, geom.At(0, 0, 0.5)}),
			enter: []float32{3.5}, exit: []float32{6.5}},
		"two children touch": {shape: NewCompound(Child{unitBox, geom.At(0, 0, 1)}, Child{unitBox, geom.At(0, 0, -1)}),
			enter: []float32{3}, exit: []float32{7}},
		"a child in another": {shape: NewCompound(Child{unitBox, geom.Transform{}}, Child{geom.Sphere{Radius: 0.5}, geom.Transform{}}),
			enter: []float32{4}, exit: []float32{6}},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewSpace()
			s.Add(Collider{Shape: tt.shape, Transform: geom.Transform{Scale: tt.scale}})
			r := tt.ray
			if r.Dir = geom.V(0, 0, -1); r.Origin == (geom.Vec3{}) {
				r.Origin = geom.V(0.25, 0.125, 5)
				if _, isMesh := tt.shape.(*mesh.Mesh); !isMesh {
					r.Origin = geom.V(0, 0, 5)
				}
			}
			var enter, exit []float32
			for _, c := range s.Crossings(nil, r, Filter{Start: tt.start}) {
				enter, exit = append(enter, c.Enter.T), append(exit, c.Exit.T)
				assert.Equal(t, tt.inside, c.Enter.Inside)
				assert.InDelta(t, c.Exit.T-c.Enter.T, c.Thickness(), 1e-6)
			}
			assert.Equal(t, tt.enter, enter)
			assert.Equal(t, tt.exit, exit)
		})
	}
}
