package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
	"github.com/hitscan-go/hitscan/picking"
)

// put adds an entity with a component of any type besides others.
func put[T any](g *game, value T, others ...ecs.ID) ecs.Entity {
	id := ecs.ComponentID[T](g.World)
	e := g.NewEntity(append([]ecs.ID{id}, others...)...)
	*(*T)(g.Get(e, id)) = value
	return e
}

// shown is a view with rays.
func shown() View {
	size := picking.Size{Width: 100, Height: 100}
	return View{Camera: picking.Camera{Projection: picking.Perspective(1, 1, 9)}, Viewport: picking.FullViewport(size, size)}
}

// look returns a RaycastSystem of a view.
func look(g *game, v View) *RaycastSystem {
	s := &RaycastSystem{}
	s.Initialize(g.World)
	*ecs.GetResource[View](g.World) = v
	return s
}

// Every line of the list is a case: what is wrong, and the problem in words.
func TestCheck(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	type systems []interface{ Update(*ecs.World) }
	for name, c := range map[string]struct {
		make func(g *game) systems
		want []string
	}{
		"nothing": {func(g *game) systems {
			g.add(geom.At(1, 2, 3), Sphere(1))
			return nil
		}, nil},
		"mover without state and collider": {func(g *game) systems {
			put(g, Mover{}, g.transform)
			return systems{&MoverSystem{}}
		}, []string{"entity 1: Mover: no Collider: it does not move", "entity 1: Mover: no MoverState: it does not move"}},
		"mover with a plane": {func(g *game) systems {
			e := put(g, Mover{}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Plane(geom.V(0, 1, 0), 0)
			return systems{&MoverSystem{}}
		}, []string{"entity 1: Mover: it does not move: a plane cannot, only a convex shape"}},
		"mover with an unknown mesh": {func(g *game) systems {
			e := put(g, Mover{}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Mesh(7)
			return systems{&MoverSystem{}}
		}, []string{"entity 1: Collider: no query finds it: unknown mesh", "entity 1: Mover: it does not move: a mesh cannot, only a convex shape"}},
		"mover with bad numbers": {func(g *game) systems {
			e := put(g, Mover{Velocity: geom.V(nan, 0, 0), StepHeight: inf, Strength: nan, Mass: nan}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Sphere(1)
			return systems{&MoverSystem{}}
		}, []string{"entity 1: Mover: Velocity is not finite", "entity 1: Mover: StepHeight is not finite", "entity 1: Mover: Strength is not finite", "entity 1: Mover: Mass is not finite"}},
		"mover with a bad state, and bad gravity": {func(g *game) systems {
			e := put(g, MoverState{Velocity: geom.V(0, nan, 0)}, g.transform, g.collider, ecs.ComponentID[Mover](g.World))
			*g.colliders.Get(e) = Sphere(1)
			return systems{&MoverSystem{Gravity: geom.V(0, inf, 0)}}
		}, []string{"MoverSystem: Gravity is not finite: what is in the air does not move", "entity 1: MoverState: it does not move: Velocity is not finite"}},
		"projectile of a negative mass": {func(g *game) systems {
			put(g, Projectile{Mass: -1}, g.transform)
			return systems{&ProjectileSystem{}}
		}, []string{"entity 1: Projectile: it pushes nothing: Mass is -1"}},
		"mover that follows": {func(g *game) systems {
			to := g.add(geom.At(9, 0, 0), Sphere(1))
			e := put(g, Mover{}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Sphere(1)
			g.adopt(e, to, LocalTransform{})
			return systems{&MoverSystem{}}
		}, []string{"entity 2: Mover: it follows its Parent: the next Sync moves it back"}},
		"no system": {func(g *game) systems {
			e := put(g, Mover{}, g.transform, g.collider, ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Sphere(1)
			put(g, Projectile{}, g.transform)
			put(g, Body{}, g.transform)
			return nil
		}, []string{"MoverSystem: 1 entities have a Mover, and no MoverSystem updates", "ProjectileSystem: 1 entities have a Projectile, and no ProjectileSystem updates",
			"DynamicsSystem: 1 entities have a Body, and no DynamicsSystem updates"}},
		"steps of two lengths": {func(g *game) systems {
			return systems{&MoverSystem{DT: 0.02}, &ProjectileSystem{}}
		}, []string{"ProjectileSystem: DT is 0.016666668 s, and that of MoverSystem 0.02 s"}},
		"step that is no number": {func(g *game) systems { return systems{&MoverSystem{DT: nan}} }, []string{"MoverSystem: DT is NaN"}},
		"two of one system": {func(g *game) systems { return systems{&ContactSystem{}, &ContactSystem{}} },
			[]string{"ContactSystem: two of them update: they write the same components and resources"}},
		"two that move the same": {func(g *game) systems { return systems{&MoverSystem{}, &MoverSystem{}} },
			[]string{"MoverSystem: two of them update: they write the same components and resources"}},
		"filter that nothing passes": {func(g *game) systems {
			return systems{&MoverSystem{Filter: Filter{With: ecs.All(g.team), Without: ecs.All(g.team, g.ghost)}}}
		}, []string{"MoverSystem: nothing passes its Filter: With and Without name the same component"}},
		"masks of layers that nothing is on": {func(g *game) systems {
			wall := Sphere(1)
			wall.Layer = 1 << 3
			g.add(geom.At(9, 0, 0), wall)
			put(g, RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0)), Mask: 1 << 4}, g.transform)
			put(g, ShapeCaster{Shape: Sphere(1), Mask: 1<<3 | 1<<5}, g.transform)
			put(g, Projectile{Mask: 1}, g.transform)
			return systems{&CasterSystem{}, &ProjectileSystem{Filter: Filter{Mask: 1 << 9}}}
		}, []string{"ProjectileSystem: no collider is on a layer of its Mask: it hits nothing", "entity 2: RayCaster: no collider is on a layer of its Mask: it hits nothing", "entity 4: Projectile: no collider is on a layer of its Mask: it hits nothing"}},
		"masks of sensors that are not seen": {func(g *game) systems {
			zone := Sphere(1)
			zone.Layer, zone.Sensor = 1<<3, true
			g.add(geom.At(9, 0, 0), zone)
			put(g, Projectile{Mask: 1 << 3}, g.transform)
			put(g, RayCaster{Ray: geom.NewRay(geom.Vec3{}, geom.V(1, 0, 0)), Mask: 1 << 3, Sensors: true}, g.transform)
			return systems{&CasterSystem{}, &ProjectileSystem{}}
		}, []string{"entity 2: Projectile: only sensors are on the layers of its Mask, and it does not see Sensors: it hits nothing"}},
		"masks of sensors that are seen": {func(g *game) systems {
			zone := Sphere(1)
			zone.Layer, zone.Sensor = 1<<3, true
			g.add(geom.At(9, 0, 0), zone)
			put(g, Projectile{Mask: 1 << 3}, g.transform)
			return systems{&ProjectileSystem{Filter: Filter{Sensors: true}}}
		}, nil},
		"wrong order": {func(g *game) systems { return systems{&MoverSystem{}, &SeparateSystem{}} },
			[]string{"MoverSystem: it updates before SeparateSystem, and belongs after it"}},
		"pick before raycast": {func(g *game) systems {
			ray := &RaycastSystem{}
			ray.Initialize(g.World)
			*ecs.GetResource[View](g.World) = shown()
			return systems{&PickSystem{}, ray}
		}, []string{"PickSystem: it updates before RaycastSystem, and belongs after it"}},
		"view without viewport": {func(g *game) systems {
			v := shown()
			v.Viewport = picking.Viewport{}
			return systems{look(g, v)}
		}, []string{"View: its Viewport is empty: the pointer hovers nothing"}},
		"view without projection": {func(g *game) systems {
			v := shown()
			v.Projection = picking.Projection{}
			return systems{look(g, v)}
		}, []string{"View: its Projection was never set: the pointer hovers nothing"}},
		"view from nowhere": {func(g *game) systems {
			v := shown()
			v.Position.Y = nan
			return systems{look(g, v)}
		}, []string{"View: a number of its camera is NaN or infinite: the pointer hovers nothing"}},
		"settings that are not those of DefaultSettings": {func(g *game) systems {
			return systems{&DynamicsSystem{Settings: rigid.Settings{Step: DefaultDT, Substeps: 4}}}
		}, []string{"DynamicsSystem: Settings.MaxSpeed is 0, and no body moves: begin with rigid.DefaultSettings", "DynamicsSystem: Settings.MaxSpin is 0, and no body turns", "DynamicsSystem: Settings.ContactHertz is 0, and bodies sink into each other",
			"DynamicsSystem: Settings.PushSpeed is 0, and bodies that overlap stay so", "DynamicsSystem: Settings.JointHertz is 0, and limits that are exceeded stay so"}},
		"gravity in pixels": {func(g *game) systems {
			settings := rigid.DefaultSettings()
			settings.Gravity = geom.V(0, 980, 0)
			return systems{&DynamicsSystem{Settings: settings}, &MoverSystem{Gravity: geom.V(0, -320, 0)}}
		}, []string{"DynamicsSystem: Gravity is 980 m/s²: units are metres; draw metres as pixels by the view", "MoverSystem: Gravity is 320 m/s²: units are metres"}},
		"faster than the settings": {func(g *game) systems {
			for _, b := range []Body{{}, {MaxSpeed: 5}} { // the latter is slow on purpose
				e := put(g, b, g.transform, g.collider, ecs.ComponentID[Velocity](g.World))
				*g.transforms.Get(e), *g.colliders.Get(e) = geom.At(5*b.MaxSpeed, 0, 0), Sphere(1)
				*(*Velocity)(g.Get(e, ecs.ComponentID[Velocity](g.World))) = Velocity{Linear: geom.V(2000, 0, 0)}
			}
			return systems{&DynamicsSystem{}}
		}, []string{"entity 1: Body: it goes no faster than DynamicsSystem.Settings.MaxSpeed, 1000 m/s"}},
		"contacts with bad numbers": {func(g *game) systems { return systems{&ContactSystem{Margin: nan}} }, []string{"ContactSystem: Margin is NaN and RecycleDistance 0"}},
		"rebase to the dead": {func(g *game) systems {
			e := g.add(geom.At(0, 0, 0), Sphere(1))
			g.RemoveEntity(e)
			return systems{&RebaseSystem{Target: e}}
		}, []string{"RebaseSystem: Target is dead: nothing is rebased"}},
		"rebase at no distance": {func(g *game) systems {
			return systems{&RebaseSystem{Target: g.add(geom.At(0, 0, 0), Sphere(1)), Distance: -1}}
		}, []string{"RebaseSystem: Distance is -1: it rebases at every update, or never"}},
		"bodies that meet nothing": {func(g *game) systems {
			ground := Plane(geom.V(0, 1, 0), 0)
			ground.Layer, ground.Mask = 1<<1, 1<<2|1<<3
			g.add(geom.Transform{}, ground)
			zone := Sphere(1)
			zone.Layer, zone.Sensor = 1<<5, true
			g.add(geom.Transform{}, zone)
			for _, of := range [][2]physics.Layers{{1 << 2, 0}, {1 << 4, 1 << 1}, {1 << 3, 1 << 5}} {
				c := Sphere(1)
				c.Layer, c.Mask = of[0], of[1]
				*g.colliders.Get(put(g, Body{}, g.transform, g.collider)) = c
			}
			return systems{&DynamicsSystem{}}
		}, []string{"entity 4: Collider: the body collides with no other collider: ", "entity 5: Collider: the body collides with no other collider: "}},
		"view never set": {func(g *game) systems { return systems{&RaycastSystem{}} }, []string{"View: it was never set: the pointer hovers nothing"}},
		"views without a system": {func(g *game) systems {
			resourceOf[Views](g.World).List = make([]View, 2)
			return systems{&RaycastSystem{}}
		}, []string{"Views: 2 views, and no ViewSystem updates: the pointer sees View alone"}},
		"views with a system": {func(g *game) systems {
			resourceOf[Views](g.World).List = make([]View, 2)
			return systems{&ViewSystem{}, &RaycastSystem{}}
		}, nil},
		"physics.Collider as component": {func(g *game) systems {
			put(g, physics.Collider{}, g.transform)
			return nil
		}, []string{"entity 1: physics.Collider: no component that any system reads: use physecs.Collider"}},
		"collider without transform": {func(g *game) systems { put(g, Sphere(1)); return nil }, []string{"entity 1: Collider: no Transform: no query finds it"}},
		"collider nowhere": {func(g *game) systems { g.add(geom.At(nan, 0, 0), Sphere(1)); return nil },
			[]string{"entity 1: Collider: no query finds it: shape or transform empty or not finite"}},
		"parent without local transform": {func(g *game) systems {
			to := g.add(geom.At(9, 0, 0), Sphere(1))
			put(g, Parent{to}, g.transform)
			return nil
		}, []string{"entity 2: Parent: no LocalTransform: events bubble to it, and the entity does not follow it"}},
		"terrain that is not static": {func(g *game) systems {
			for level := range 2 { // 320 triangles, which may be anything, and 1280
				m, err := mesh.New(mesh.Icosphere(1, 2+level))
				require.NoError(t, err)
				for _, id := range []ecs.ID{g.team, g.static} {
					g.Add(g.add(geom.At(9, 0, 0).Scaled(geom.V(30, 1, 30)), Mesh(resourceOf[Meshes](g.World).Add(m))), id)
				}
			}
			g.add(geom.At(9, 0, 0), Mesh(2)) // a model of 2 m
			return nil
		}, []string{"entity 3: Collider: a mesh of 1280 triangles without Static: if it seldom moves, Static makes each tick cheaper"}},
		"orphan": {func(g *game) systems {
			to := g.add(geom.At(9, 0, 0), Sphere(1))
			g.adopt(g.add(geom.At(8, 0, 0), Sphere(1)), to, LocalTransform{})
			g.RemoveEntity(to)
			return nil
		}, []string{"entity 2: Parent: it does not follow: parent gone"}},
		"body that is a plane": {func(g *game) systems {
			e := put(g, Body{}, g.transform, g.collider)
			*g.colliders.Get(e) = Plane(geom.V(0, 1, 0), 0)
			return systems{&DynamicsSystem{}}
		}, []string{"a plane has no inside, and no mass"}},
		"bodies that others move": {func(g *game) systems {
			e := put(g, Body{Driven: true}, g.transform, g.collider, ecs.ComponentID[Mover](g.World), ecs.ComponentID[MoverState](g.World))
			*g.colliders.Get(e) = Sphere(1)
			put(g, Body{Kind: rigid.Kinematic, Driven: true}, g.transform, g.collider, ecs.ComponentID[Projectile](g.World))
			return systems{&DynamicsSystem{}, &MoverSystem{}, &ProjectileSystem{}}
		}, []string{"entity 1: Body: Driven does nothing: the Kind is not rigid.Kinematic", "entity 1: Mover: the entity has a dynamic Body too, which DynamicsSystem moves",
			"entity 2: Collider: no query finds it: no shape", "entity 2: DynamicsSystem: "}},
		"joint of nothing": {func(g *game) systems { put(g, Joint{}); return systems{&DynamicsSystem{}} }, []string{"entity 1: DynamicsSystem: physecs: "}},
		"joint without a system": {func(g *game) systems { put(g, Joint{}); return nil },
			[]string{"DynamicsSystem: 1 entities have a Joint, and no DynamicsSystem updates"}},
		"joints with fields that do nothing": {func(g *game) systems {
			e := put(g, Body{}, g.transform, g.collider)
			*g.colliders.Get(e) = Sphere(1)
			for _, j := range []rigid.Joint{
				{Kind: rigid.HingeJoint, MotorSpeed: 1, Lower: -1, Target: 0.1},
				{Kind: rigid.HingeJoint, MotorSpeed: 1, MotorForce: 1, Limited: true, Lower: -1, Target: 0.1, SpringHertz: 1},
				{Kind: rigid.FixedJoint, MotorForce: 1, Limited: true, Cone: 1, Steering: 1, Brake: 1, MaxForce: 1, SpringHertz: 1},
				{Kind: rigid.MotorJoint},
				{Kind: rigid.FixedJoint, MotorForce: 1, Disabled: true},
				{Kind: rigid.DistanceJoint},
				{Kind: rigid.BallJoint, Damping: 1, SpringDamping: 1},
				{Kind: rigid.SliderJoint, SpringDamping: 1},
				{Kind: rigid.DistanceJoint, Target: 1},
				{Kind: rigid.DistanceJoint, Limited: true, Upper: 1},
				{Kind: rigid.DistanceJoint, SpringHertz: 1},
			} {
				put(g, Joint{B: e, Joint: j})
			}
			return systems{&DynamicsSystem{}}
		}, []string{
			"entity 2: Joint: MotorSpeed: without effect, since MotorForce is 0, which is no motor", "entity 2: Joint: Lower and Upper: without effect, since Limited is not set", "entity 2: Joint: Target: without effect, since SpringHertz is 0, which is no spring",
			"entity 4: Joint: MotorForce: a fixed joint has no use for it", "entity 4: Joint: Limited: ", "entity 4: Joint: SpringHertz: ", "entity 4: Joint: Cone: ", "entity 4: Joint: Steering: ", "entity 4: Joint: Brake: ", "entity 4: Joint: MaxForce and MaxTorque: ",
			"entity 5: Joint: it pulls with no force: MaxForce and MaxTorque are 0",
			"entity 7: Joint: its length is 0, which keeps two points together",
			"entity 8: Joint: Damping: without effect, since Hertz is 0", "entity 8: Joint: SpringDamping: a ball joint has no use for it",
			"entity 9: Joint: SpringDamping: without effect, since SpringHertz is 0, which is no spring",
		}},
		"velocity without body": {func(g *game) systems { put(g, Velocity{}, g.transform); return nil }, []string{"entity 1: Velocity: no Body: nothing reads it"}},
		"casters that hit nothing": {func(g *game) systems {
			put(g, RayCaster{}, g.transform)
			put(g, ShapeCaster{Shape: Plane(geom.V(0, 1, 0), 0)}, g.transform)
			put(g, RayCaster{Disabled: true}, g.transform)
			return systems{&CasterSystem{}}
		}, []string{"entity 1: RayCaster: its ray is not valid, and misses: ", "entity 2: ShapeCaster: it hits nothing: Shape is plane, and only a convex shape is cast"}},
		"projectile of no number": {func(g *game) systems {
			put(g, Projectile{Velocity: geom.V(inf, 0, 0)}, g.transform)
			put(g, Projectile{Life: nan}, g.transform)
			put(g, Projectile{Radius: -1}, g.transform)
			e := put(g, Projectile{}, g.transform)
			(*Transform)(g.Get(e, g.transform)).Position.Y = inf
			return systems{&ProjectileSystem{}}
		}, []string{
			"entity 1: Projectile: it does not fly: its numbers are not finite", "entity 2: Projectile: it does not fly: its numbers are not finite",
			"entity 3: Projectile: it does not fly: Radius is -1", "entity 4: Projectile: it does not fly: its position is not finite",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame()
			list := c.make(g)
			for range 3 {
				Sync(g.World)
				for _, s := range list {
					s.Update(g.World)
				}
			}
			var got []string
			for _, p := range Check(g.World) {
				got = append(got, p.String())
			}
			require.Len(t, got, len(c.want), "%q", got)
			for i := range got {
				assert.Contains(t, got[i], c.want[i])
			}
			query := g.Query(ecs.All()) // a locked world
			assert.Len(t, Check(g.World), len(c.want))
			query.Close()
		})
	}
}

func TestCheckWithoutSync(t *testing.T) {
	g := newGame()
	put(g, Projectile{Velocity: geom.V(1, 0, 0)}, g.transform)
	assert.Equal(t, "Space: the world has none: nothing has called Sync", Check(g.World)[0].String())
	var s ProjectileSystem
	for range 5 {
		s.Update(g.World)
	}
	list := Check(g.World)
	require.Len(t, list, 1)
	assert.Equal(t, "ProjectileSystem: it has updated 5 times since the last Sync: it sees the world as it was then", list[0].String())
}

func TestCheckOfPointer(t *testing.T) {
	g := newGame()
	var s Simulation
	s.Initialize(g.World)
	*ecs.GetResource[View](g.World) = shown()
	for range inputPatience + 1 {
		s.Update(g.World)
	}
	require.Len(t, Check(g.World), 1)
	assert.Equal(t, "Pointer", Check(g.World)[0].Component)
	ecs.GetResource[Pointer](g.World).Inside = true
	s.Update(g.World)
	assert.Empty(t, Check(g.World))
}

// A system updates still, however often the tick syncs.
func TestCheckOfManySyncs(t *testing.T) {
	g := newGame()
	s := Simulation{Headless: true, History: &HistorySystem{}}
	s.AfterStep("look", func(w *ecs.World) {
		for range 5 {
			Sync(w)
		}
	})
	s.Initialize(g.World)
	e := put(g, Body{}, g.transform, g.collider)
	*g.colliders.Get(e) = Sphere(1)
	for range 9 {
		s.Update(g.World)
	}
	require.Empty(t, Check(g.World))
	for range 4 {
		s.Mover.Update(g.World)
		Sync(g.World)
	}
	require.Equal(t, "DynamicsSystem: 1 entities have a Body, and no DynamicsSystem updates", Check(g.World)[0].String())
}
