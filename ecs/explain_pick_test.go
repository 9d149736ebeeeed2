package physecs

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

// Three spheres in a row in front of the camera, 0 nearest.
func TestExplainPick(t *testing.T) {
	type explained struct {
		verdict physics.Verdict
		field   physics.FilterField
		fate    PickFate
	}
	rejected := func(by physics.FilterField) explained { return explained{physics.VerdictRejected, by, FateUnmet} }
	hovered, hiddenBox := explained{physics.VerdictClosest, "", FateHovered}, explained{physics.VerdictBoxBehind, "", FateUnmet}
	glass, behind := explained{physics.VerdictClosest, "", FateThrough}, explained{physics.VerdictFarther, "", FateHovered}
	for _, tt := range []struct {
		name string
		do   func(g *table)
		want [2]explained
		text string
	}{
		{"solid", func(g *table) {}, [2]explained{hovered, hiddenBox}, "the pointer meets entity 1: hovered\n"},
		{"ignored", func(g *table) { g.take(g.e[0], Pickable{Mode: PickIgnore}) }, [2]explained{rejected(FieldPickable), hovered},
			"entity 1: rejected by Pickable\n"},
		{"unpickable", func(g *table) { g.Add(g.e[0], g.unpickable) }, [2]explained{rejected(FieldUnpickable), hovered},
			"entity 1: rejected by Unpickable\n"},
		{"both", func(g *table) {
			g.take(g.e[0], Pickable{Mode: PickIgnore})
			g.Add(g.e[0], g.unpickable)
		}, [2]explained{rejected(FieldUnpickable), hovered}, ""},
		{"a sensor", func(g *table) { g.colliders.Get(g.e[0]).Sensor = true }, [2]explained{rejected(physics.FieldSensors), hovered},
			"entity 1: rejected by Sensors\n"},
		{"a pickable sensor", func(g *table) {
			g.colliders.Get(g.e[0]).Sensor = true
			g.take(g.e[0], Pickable{Sensor: true})
		}, [2]explained{hovered, hiddenBox}, ""},
		{"sensors by the filter", func(g *table) {
			g.colliders.Get(g.e[0]).Sensor = true
			g.Raycast.Filter.Sensors = true
		}, [2]explained{hovered, hiddenBox}, ""},
		{"without", func(g *table) {
			g.Add(g.e[0], g.unpickable)
			g.Raycast.Filter.Without = ecs.All(g.unpickable)
		}, [2]explained{rejected(FieldWithout), hovered}, ""},
		{"predicate", func(g *table) {
			g.Raycast.Filter.Predicate = func(e ecs.Entity) bool { return e != g.e[0] }
		}, [2]explained{rejected(physics.FieldPredicate), hovered}, ""},
		{"around the eye", func(g *table) { g.transforms.Get(g.e[0]).Position.Z = 10 }, [2]explained{rejected(physics.FieldStart), hovered}, ""},
		{"a back", func(g *table) { *g.colliders.Get(g.e[0]) = Plane(geom.V(0, 0, -1), 0) }, [2]explained{rejected(physics.FieldCull), hovered}, ""},
		{"glass", func(g *table) { g.take(g.e[0], Pickable{Mode: PickThrough}) }, [2]explained{glass, behind},
			"the pointer meets entity 1: hovered, and lets through\nthe pointer meets entity 2: hovered\n"},
		{"glass before a cover", func(g *table) {
			g.take(g.e[0], Pickable{Mode: PickThrough})
			g.take(g.e[1], Pickable{Mode: PickCover})
		}, [2]explained{glass, {physics.VerdictFarther, "", FateCover}}, "the pointer meets entity 2: a cover, and not hovered\n"},
		{"a cover", func(g *table) { g.take(g.e[0], Pickable{Mode: PickCover}) }, [2]explained{{physics.VerdictClosest, "", FateCover}, hiddenBox},
			"the pointer meets entity 1: a cover, and not hovered\n"},
		{"a plane behind", func(g *table) {
			*g.colliders.Get(g.e[1]) = Plane(geom.V(0, 0, 1), 0)
		}, [2]explained{hovered, {physics.VerdictFarther, "", FateHidden}}, "hits entity 1"},
		{"glass behind", func(g *table) {
			*g.colliders.Get(g.e[1]) = Plane(geom.V(0, 0, 1), 0)
			g.take(g.e[1], Pickable{Mode: PickThrough})
		}, [2]explained{hovered, {physics.VerdictFarther, "", FateHidden}}, ""},
		{"a backdrop", func(g *table) { g.take(g.e[0], Pickable{Backdrop: true}) }, [2]explained{hovered, hiddenBox},
			"what is in front is a backdrop, and gives way to what the pointer just misses\n"},
		{"dragged", func(g *table) { g.at(0, 0, picking.Left).at(0.6, 0, picking.Left).at(0, 0, picking.Left) }, [2]explained{glass, behind}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newTable()
			g.RemoveEntity(g.e[3])
			g.e = g.e[:3]
			for i, e := range g.e {
				*g.transforms.Get(e) = geom.At(0, 0, float32(-3*i))
			}
			g.at(0, 0)
			tt.do(g)
			Sync(g.World)
			g.Raycast.Update(g.World)
			x := ExplainPick(g.World, g.hover.Ray, g.Raycast.Filter)
			g.requireHovered(t, &x)
			for i, want := range tt.want {
				c := x.of(t, g.e[i])
				got := explained{c.Verdict, c.RejectedBy, 0}
				for k, e := range x.Entities {
					if e == g.e[i] {
						got.fate = x.Fates[k]
					}
				}
				assert.Equal(t, want, got, "sphere %d", i)
			}
			assert.Contains(t, x.String(), tt.text)
			assert.NotContains(t, x.String(), "rejected by through")
		})
	}
	t.Run("nothing", func(t *testing.T) {
		g := newTable()
		x := ExplainPick(g.World, geom.Ray{}, Filter{})
		assert.Empty(t, x.Picks)
		assert.Contains(t, x.String(), "the pointer meets nothing\n")
		assert.Equal(t, "unknown", PickFate(99).String())
		assert.Equal(t, "unmet", FateUnmet.String())
		assert.Equal(t, "hidden", FateHidden.String())
	})
	t.Run("without a Space", func(t *testing.T) {
		assert.PanicsWithValue(t, "physecs: ExplainPick: the world has no Space; initialise a system or call Sync first", func() {
			ExplainPick(newGame().World, forward, Filter{})
		})
	})
	t.Run("without pointers", func(t *testing.T) {
		g := newGame()
		e := g.row(1)
		Sync(g.World)
		assert.Equal(t, e[0], ExplainPick(g.World, forward, Filter{}).Picks[0].Target)
		assert.False(t, g.Resources().Has(ecs.ResourceID[Pointers](g.World)), "a query changes nothing")
	})
}

// requireHovered requires that an explanation agrees with Hover.
func (g *table) requireHovered(t require.TestingT, x *PickExplanation) {
	require.Len(t, x.Fates, len(x.Colliders))
	require.Equal(t, g.hover.Picks, x.Picks)
	require.Equal(t, g.hover.Cover, x.Cover)
	require.Equal(t, g.hover.OK, len(x.Picks) > 0)
	if x.OK && x.Hit.Entity == g.hover.Entity {
		require.Equal(t, g.hover.Hit, x.Hit)
	} else {
		require.Equal(t, x.OK, x.Cover.Cover)
	}
}

// louvre returns three quads in a row that face the same way: a ray may hit several.
func louvre(t require.TestingT) *mesh.Mesh {
	var points []geom.Vec3
	var corners []uint32
	for i := range uint32(3) {
		z := float32(i) - 1
		points = append(points, geom.V(-2, -2, z), geom.V(2, -2, z), geom.V(2, 2, z), geom.V(-2, 2, z))
		corners = append(corners, 4*i, 4*i+1, 4*i+2, 4*i, 4*i+2, 4*i+3)
	}
	m, err := mesh.New(points, corners)
	require.NoError(t, err)
	return m
}

// The picks of an explanation are those of Hover, and every other entity that the ray hits has a
// reason.
func TestExplainPickAgreesWithHover(t *testing.T) {
	testenv.NoRace(t)
	rng := testenv.Rand(3, 5)
	fates, fields, deep := map[PickFate]int{}, map[physics.FilterField]int{}, 0
	for range 60 {
		g := newTable()
		for _, e := range g.e {
			g.RemoveEntity(e)
		}
		g.e = nil
		quads := ecs.GetResource[Meshes](g.World).Add(louvre(t))
		for range 60 {
			at := geom.At(18*rng.Float32()-9, 8*rng.Float32()-4, 22*rng.Float32()-11)
			at.Rotation = geom.QuatEuler(rng.Float64(), rng.Float64()*6, 0)
			c := []Collider{Sphere(1), Box(geom.V(1, 2, 0.5)), Mesh(quads), Capsule(1, 0.5)}[rng.IntN(4)]
			c.Sensor, c.Layer = rng.IntN(4) == 0, 1<<rng.IntN(2)
			e := g.add(at, c)
			g.e = append(g.e, e)
			if rng.IntN(3) > 0 {
				g.take(e, Pickable{Mode: PickMode(rng.IntN(4)), Backdrop: rng.IntN(4) == 0, Sensor: rng.IntN(2) == 0})
			}
			for _, id := range []ecs.ID{g.unpickable, g.ghost} {
				if rng.IntN(5) == 0 {
					g.Add(e, id)
				}
			}
		}
		if rng.IntN(2) == 0 {
			g.take(g.add(Transform{}, Plane(geom.V(0, 0.1, 1), -3)), Pickable{Mode: PickMode(rng.IntN(4)), Backdrop: true})
		}
		f := &g.Raycast.Filter
		f.Sensors, f.Mask = rng.IntN(3) == 0, physics.Layers(rng.IntN(3))
		switch rng.IntN(4) {
		case 0:
			f.Without = ecs.All(g.ghost)
		case 1:
			f.Exclude = g.e[:10]
		case 2:
			f.Predicate = func(e ecs.Entity) bool { return e.ID()%5 > 0 }
		}
		if rng.IntN(2) == 0 {
			g.Raycast.Margin = 5
		}
		x, y := 18*rng.Float32()-9, 8*rng.Float32()-4
		for i := range 20 {
			if i < 4 { // something is dragged through the others
				g.at(x+float32(i), y, picking.Left)
			} else {
				g.at(18*rng.Float32()-9, 8*rng.Float32()-4)
			}
			g.Raycast.Update(g.World)
			x := ExplainPick(g.World, g.hover.Ray, *f)
			g.requireHovered(t, &x)
			if len(x.Picks) > 1 {
				deep++
			}
			// Each entity by itself, without a tree and without the others.
			for k, e := range x.Entities {
				c := &x.Colliders[k]
				fates[x.Fates[k]]++
				fields[c.RejectedBy]++
				met := x.Fates[k] != FateUnmet
				require.Equal(t, met, c.Verdict == physics.VerdictClosest || c.Verdict == physics.VerdictFarther)
				if !c.Asked() || c.Verdict == physics.VerdictMissed {
					continue
				}
				see := picking.PickFilter()
				alone := Filter{Start: see.Start, Cull: see.Cull, Sensors: true, Predicate: func(o ecs.Entity) bool { return o == e }}
				h, ok := g.space().CastRay(g.hover.Ray, alone)
				if met {
					require.True(t, ok)
					require.Equal(t, h.Hit, c.Hit)
					p, _ := pickableOf(g, e)
					require.NotEqual(t, PickIgnore, p.Mode)
				}
				switch p, tag := pickableOf(g, e); c.RejectedBy {
				case FieldUnpickable:
					require.True(t, ok && tag)
				case FieldPickable:
					require.True(t, ok && !tag && p.Mode == PickIgnore)
				case physics.FieldSensors:
					require.True(t, ok && !tag && !p.Sensor && g.colliders.Get(e).Sensor && !f.Sensors)
				}
			}
		}
	}
	assert.Len(t, fates, 5, "%v", fates)
	for _, field := range []physics.FilterField{FieldUnpickable, FieldPickable, physics.FieldSensors, physics.FieldPredicate, physics.FieldMask} {
		assert.NotZero(t, fields[field], field)
	}
	testenv.Drawn(t, deep, 30, fmt.Sprint(fates, fields))
}

// pickableOf returns the Pickable of an entity, and whether it is Unpickable.
func pickableOf(g *table, e ecs.Entity) (p Pickable, tag bool) {
	if id := ecs.ComponentID[Pickable](g.World); g.Has(e, id) {
		p = *(*Pickable)(g.World.Get(e, id))
	}
	return p, g.Has(e, g.unpickable)
}
