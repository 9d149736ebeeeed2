package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// After any sequence of changes the Space is equal to a new one.
func TestSyncAnything(t *testing.T) { rapid.Check(t, syncAnything) }

func FuzzSync(f *testing.F) { f.Fuzz(rapid.MakeFuzz(syncAnything)) }

func syncAnything(t *rapid.T) {
	g := newGame()
	ghosts := generic.NewMap3[Transform, Collider, Ghost](g.World)
	var live []ecs.Entity
	anyOf := func(t *rapid.T) ecs.Entity {
		if len(live) == 0 { // an action without effect, not a skipped one, on which rapid gives up
			live = append(live, g.add(drawTransform(t), drawCollider(t)))
		}
		return rapid.SampledFrom(live).Draw(t, "entity")
	}
	alter := func(t *rapid.T, e ecs.Entity, id ecs.ID) { // adds or removes the component
		if g.Has(e, id) {
			g.Remove(e, id)
		} else {
			g.Add(e, id)
		}
	}
	var dead []ecs.Entity
	forget := func() {
		kept := live[:0]
		for _, e := range live {
			if g.Alive(e) {
				kept = append(kept, e)
			} else {
				dead = append(dead, e)
			}
		}
		live = kept
	}
	syncAndCheck := func(t *rapid.T) {
		Sync(g.World)
		g.check(t)
	}
	Sync(g.World)
	t.Repeat(map[string]func(*rapid.T){
		"add": func(t *rapid.T) { live = append(live, g.add(drawTransform(t), drawCollider(t))) },
		"add ghost": func(t *rapid.T) {
			live = append(live, ghosts.NewWith(new(drawTransform(t)), new(drawCollider(t)), &Ghost{}))
		},
		"add bare": func(t *rapid.T) { live = append(live, g.NewEntity(g.team)) },
		"add batch": func(t *rapid.T) {
			g.addBatch(rapid.IntRange(1, 5).Draw(t, "n"), func(e ecs.Entity, tr *Transform, c *Collider) {
				*tr, *c = drawTransform(t), drawCollider(t)
				live = append(live, e)
			})
		},
		"remove": func(t *rapid.T) { g.RemoveEntity(anyOf(t)); forget() },
		"remove and add": func(t *rapid.T) {
			g.RemoveEntity(anyOf(t))
			live = append(live, g.add(drawTransform(t), drawCollider(t)))
			forget()
		},
		"remove ghosts": func(t *rapid.T) { g.Batch().RemoveEntities(ecs.All(g.ghost)); forget() },
		"exchange": func(t *rapid.T) {
			g.Batch().Exchange(new(ecs.All(g.collider).Without(g.team)), []ecs.ID{g.team}, []ecs.ID{g.collider})
		},
		"collider":  func(t *rapid.T) { alter(t, anyOf(t), g.collider) },
		"transform": func(t *rapid.T) { alter(t, anyOf(t), g.transform) },
		"static":    func(t *rapid.T) { alter(t, anyOf(t), g.static) },
		"team":      func(t *rapid.T) { alter(t, anyOf(t), g.team) },
		"move": func(t *rapid.T) {
			if e := anyOf(t); g.Has(e, g.transform) {
				*g.transforms.Get(e) = drawTransform(t)
			}
		},
		"adopt": func(t *rapid.T) {
			parents := append(append([]ecs.Entity{{}}, live...), dead...)
			g.adopt(anyOf(t), rapid.SampledFrom(parents).Draw(t, "parent"), LocalTransform(drawTransform(t)))
		},
		"adopt by the one before": func(t *rapid.T) { // long chains
			if i := rapid.IntRange(0, len(live)).Draw(t, "i"); i > 0 && i < len(live) {
				g.adopt(live[i], live[i-1], LocalTransform(drawTransform(t)))
			}
		},
		"parent": func(t *rapid.T) { alter(t, anyOf(t), g.parent) },
		"local": func(t *rapid.T) {
			if e := anyOf(t); g.Has(e, g.local) && rapid.Bool().Draw(t, "there") {
				*g.locals.Get(e) = LocalTransform(drawTransform(t))
			} else {
				alter(t, e, g.local)
			}
		},
		"position": func(t *rapid.T) {
			if e, f := anyOf(t), rapid.Float64Range(-12, 12); rapid.IntRange(0, 4).Draw(t, "there") > 0 {
				o := g.space().Origin()
				g.at(e, WorldPosition{o.X + f.Draw(t, "x"), o.Y + f.Draw(t, "y"), o.Z + f.Draw(t, "z")})
			} else {
				alter(t, e, g.position)
			}
		},
		"rebase": func(t *rapid.T) {
			f := rapid.Float64Range(-8, 8)
			to := geom.DVec3{X: f.Draw(t, "x"), Y: f.Draw(t, "y"), Z: f.Draw(t, "z")}
			if rapid.IntRange(0, 3).Draw(t, "far") == 0 {
				to = to.Mul(1e5)
			}
			Rebase(g.World, to)
			assert.Equal(t, to, g.space().Origin())
		},
		"reshape": func(t *rapid.T) {
			if e := anyOf(t); g.Has(e, g.collider) {
				*g.colliders.Get(e) = drawCollider(t)
			}
		},
		"mesh": func(t *rapid.T) {
			meshes, id := ecs.GetResource[Meshes](g.World), MeshID(rapid.IntRange(1, 2).Draw(t, "mesh"))
			if rapid.Bool().Draw(t, "there") {
				meshes.Set(id, quad(t))
			} else {
				meshes.Remove(id)
			}
		},
		"compound": func(t *rapid.T) {
			ecs.GetResource[Meshes](g.World).SetCompound(1, physics.NewCompound(
				physics.Child{Shape: geom.Sphere{Radius: 1}, Transform: drawTransform(t)},
				physics.Child{Shape: geom.Box{HalfExtents: geom.V(1, 2, 1)}},
			))
		},
		"hull": func(t *rapid.T) {
			meshes := ecs.GetResource[Meshes](g.World)
			switch rapid.IntRange(0, 2).Draw(t, "hull") {
			case 0:
				meshes.SetHull(1, wedge(t))
			case 1:
				meshes.SetHull(1, crate(t))
			default:
				meshes.RemoveHull(1)
			}
		},
		"reset": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
				g.Reset()
				dead, live = append(dead, live...), live[:0]
				assert.Zero(t, g.space().Origin())
				Sync(g.World)
			}
		},
		"sync":       syncAndCheck,
		"sync again": syncAndCheck,
	})
	syncAndCheck(t)
}

func drawTransform(t *rapid.T) Transform {
	f := rapid.Float32Range(-12, 12)
	tr := geom.At(f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z"))
	switch rapid.IntRange(0, 9).Draw(t, "transform") {
	case 0:
		tr.Rotation = geom.QuatAxisAngle(geom.V(1, 2, 3), float64(f.Draw(t, "angle")))
	case 1:
		tr.Scale = geom.V(2, -1, 0.5)
	case 2:
		tr.Position.Y = float32(math.NaN())
	}
	return tr
}

func drawCollider(t *rapid.T) Collider {
	f := rapid.Float32Range(0, 5)
	r := f.Draw(t, "r")
	c := []Collider{
		{}, AABB(geom.V(r, 1, r)), Box(geom.V(1, r, 2)), Sphere(r), Capsule(r, 1), Plane(geom.V(0, 1, r), 2),
		Mesh(1), Mesh(2), Compound(1), Sphere(-r), Hull(1),
	}[rapid.IntRange(0, 10).Draw(t, "shape")]
	c.Sensor = rapid.IntRange(0, 5).Draw(t, "sensor") == 0
	c.User = uint64(r)
	return c
}
