package mesh

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// FuzzRefit moves the vertices of a small mesh to arbitrary positions: the error names what is not
// finite, and all else is answered as by the brute-force reference.
func FuzzRefit(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte("\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\x80\x7f"), uint8(1))
	f.Add([]byte("vertices that are moved to places which are written like this"), uint8(2))
	vertices, indices := Icosphere(1, 1)
	for i := range indices { // a soup in which all corners lie on others
		vertices = append(vertices, vertices[indices[i]])
		indices[i] = uint32(len(vertices) - 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, q uint8) {
		m := mustBuild(t, vertices, indices, BuildOptions{Quality: Quality(q % 3)})
		moved := append([]geom.Vec3(nil), vertices...)
		for i := range moved {
			for axis := range 3 {
				if len(data) < 4 {
					break
				}
				x := math.Float32frombits(binary.LittleEndian.Uint32(data))
				moved[i] = moved[i].WithAxis(geom.Axis(axis), x)
				data = data[4:]
			}
		}
		var dst Mesh
		err := m.Refit(&dst, moved)
		if bad := checkVertices(moved); bad != nil {
			require.ErrorContains(t, err, bad.Error())
			return
		}
		require.NoError(t, err)
		require.NoError(t, dst.Validate())
		for _, r := range []geom.Ray{
			geom.NewRay(geom.V(-3, 0.1, 0.2), geom.V(1, 0, 0)),
			geom.NewRay(moved[0], moved[len(moved)-1].Sub(moved[0])),
			geom.NewRay(geom.V(0, 0, 9), geom.V(0.1, 0.1, -1)),
		} {
			requireCasts(t, &dst, r, geom.CullNone, castAllTwin(&dst, r, geom.CullNone), nil)
		}
	})
}
