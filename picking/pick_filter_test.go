package picking

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// What a renderer does not draw is not picked: back faces, solids around the camera, and what lies
// outside the clipping planes.
func TestPickFilterSeesWhatIsDrawn(t *testing.T) {
	triangle := func(indices ...uint32) *mesh.Mesh {
		m, err := mesh.New([]geom.Vec3{geom.V(-1, -1, 0), geom.V(1, -1, 0), geom.V(0, 1, 0)}, indices)
		require.NoError(t, err)
		return m
	}
	ball := geom.Sphere{Radius: 1}
	tests := []struct {
		name  string
		shape physics.Shape
		z     float32
		want  bool
	}{
		{"sphere in front of the camera", ball, -5, true},
		{"sphere around the camera", ball, 0, false},
		{"sphere cut by the near plane", ball, -1.4, false},
		{"sphere before the near plane", geom.Sphere{Radius: 0.1}, -0.2, false},
		{"sphere beyond the far plane", ball, -12, false},
		{"sphere behind the camera", ball, 5, false},
		{"front of a mesh", triangle(0, 1, 2), -5, true},
		{"back of a mesh", triangle(0, 2, 1), -5, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			space := physics.NewSpace()
			id := space.Add(physics.Collider{Shape: tt.shape, Transform: geom.At(0, 0, tt.z)})
			view := View{Camera{Projection: Perspective(math.Pi/2, 0.5, 10)}, FullViewport(Size{99, 99}, Size{99, 99})}
			ray, ok := view.Ray(49.5, 49.5)
			require.True(t, ok)
			hit, ok := space.CastRay(ray, PickFilter())
			assert.Equal(t, tt.want, ok)
			if ok {
				assert.Equal(t, id, hit.Collider)
			}
		})
	}
}
