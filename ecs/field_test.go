package physecs

import (
	"math"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// valley is a parade on a height field instead of a floor, or on the mesh of the same triangles.
type valley struct {
	*parade
	sim     Simulation
	asField bool
	ground  MeshID
}

func newValley(t *testing.T, f *mesh.Field, asField bool) *valley {
	v := &valley{parade: newParade(), asField: asField, sim: Simulation{Headless: true, Contact: &ContactSystem{Margin: 0.03}}}
	v.sim.Initialize(v.World)
	v.ground = v.shapes().Add(v.surface(t, f))
	*v.transforms.Get(v.floor) = geom.At(0, -1, 0)
	*v.colliders.Get(v.floor) = Mesh(v.ground)
	v.Add(v.floor, ecs.ComponentID[Static](v.World))
	for i := range 12 {
		v.all = append(v.all, v.crate(geom.At(float32(i%4)*1.3-2, 5+float32(i), float32(i/4)*1.4-3), Body{Bullet: i%5 == 0}))
	}
	return v
}

func (v *valley) surface(t *testing.T, f *mesh.Field) *mesh.Mesh {
	m := f.Mesh()
	if v.asField {
		return m
	}
	// Triangles keep their numbers, by which bodies find the impulses of the last step again: those
	// of a hole are far below.
	vertices, indices := slices.Clone(m.Vertices()), slices.Clone(m.Indices())
	n := uint32(len(vertices))
	vertices = append(vertices, geom.V(0, -1000, 0), geom.V(0, -1000, 1), geom.V(1, -1000, 0))
	for i := range m.NumTriangles() {
		if m.Material(i) == mesh.Hole {
			copy(indices[3*i:], []uint32{n, n + 1, n + 2})
		}
	}
	twin, err := mesh.New(vertices, indices)
	require.NoError(t, err)
	return twin
}

func (v *valley) shapes() *Meshes { return ecs.GetResource[Meshes](v.World) }

func (v *valley) touching() []Contact {
	return keptContacts(ecs.GetResource[Contacts](v.World).All)
}

// down casts a ray from above.
func down(q *Queries, x, z float32) (Hit, bool) {
	return q.CastRay(geom.NewRay(geom.V(x, 50, z), geom.V(0, -1, 0)), Filter{Mask: 1 << 7})
}

// A world on a height field goes as on the mesh of the same triangles, to the bit: bodies, a mover,
// a projectile and contacts, even when it is edited and moved under them. A snapshot keeps the
// heights that it was taken with.
func TestWorldsOnAHeightField(t *testing.T) {
	testenv.NoRace(t)
	const side = 60
	heights := make([]float32, side*side)
	for i := range heights {
		x, z := float64(i%side-side/2), float64(i/side-side/2)
		heights[i] = float32(0.01*(x*x+z*z) + 0.2*math.Sin(x)*math.Cos(z))
	}
	f, err := mesh.NewField(mesh.FieldOptions{Columns: side, Rows: side, CellX: 1, CellZ: 1, StartX: -30, StartZ: -30, Low: -5, High: 40}, heights)
	require.NoError(t, err)
	worlds := [2]*valley{newValley(t, f, true), newValley(t, f, false)}
	for _, v := range worlds {
		v.colliders.Get(v.floor).Layer |= 1 << 7
	}
	field, twin := worlds[0], worlds[1]
	var kept [2]*Snapshot
	var before Hit
	touched, walked := 0, 0
	state := ecs.ComponentID[MoverState](field.World)
	for step := range 240 {
		switch step {
		case 80: // a hill rises, and a hollow opens beside it
			for k, v := range worlds {
				kept[k] = v.space().Snapshot()
			}
			before, _ = down(&kept[0].Queries, 0.3, 0.4)
			require.NoError(t, f.SetHeights(28, 28, 5, []float32{2, 2, 2, 2, 2, 2, 3, 3, 3, 2, 2, 3, 4, 3, 2, 2, 3, 3, 3, 2, 2, 2, 2, 2, 2}))
			require.NoError(t, f.SetMaterials(33, 28, 2, []uint8{mesh.Hole, mesh.Hole, mesh.Hole, mesh.Hole}))
			for _, v := range worlds {
				v.shapes().Set(v.ground, v.surface(t, f))
			}
		case 160:
			for _, v := range worlds {
				v.transforms.Get(v.floor).Position.Y += 0.5
			}
		}
		for _, v := range worlds {
			v.sim.Update(v.World)
		}
		a, at := field.places()
		b, to := twin.places()
		require.Equal(t, b, a, "step %d", step)
		require.Equal(t, to, at, "step %d", step)
		require.Equal(t, twin.touching(), field.touching(), "step %d", step)
		one, other := ecs.GetResource[Contacts](field.World), ecs.GetResource[Contacts](twin.World)
		require.Len(t, one.Began, len(other.Began))
		require.Len(t, one.Ended, len(other.Ended))
		for i := range one.All {
			if one.All[i].Other(field.floor) == field.walker || one.All[i].A == field.floor {
				touched++
			}
		}
		if (*MoverState)(field.Get(field.walker, state)).Ground == physics.OnGround {
			walked++
		}
	}
	assert.Greater(t, touched, 500)
	assert.Greater(t, walked, 100)
	assert.Empty(t, Check(field.World))

	now, ok := down(&field.space().Queries, 0.3, 0.4)
	require.True(t, ok)
	assert.Greater(t, now.Point.Y, before.Point.Y+3)
	_, ok = down(&field.space().Queries, 3.9, -1.1)
	assert.False(t, ok, "through the hole")
	for x := float32(-20); x < 20; x += 0.7 {
		want, _ := down(&kept[1].Queries, x, 0.4)
		got, ok := down(&kept[0].Queries, x, 0.4)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	again, _ := down(&kept[0].Queries, 0.3, 0.4)
	assert.Equal(t, before, again)
}
