package physecs

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// shootingRange is a game with projectiles.
type shootingRange struct {
	*game
	system      ProjectileSystem
	shots       generic.Map2[Transform, Projectile]
	projectiles generic.Map[Projectile]
}

func newShootingRange() *shootingRange {
	g := newGame()
	r := &shootingRange{game: g, shots: generic.NewMap2[Transform, Projectile](g.World), projectiles: generic.NewMap[Projectile](g.World)}
	r.system.Initialize(g.World)
	return r
}

func (r *shootingRange) fire(at geom.Vec3, p Projectile) ecs.Entity {
	t := geom.Transform{Position: at}
	return r.shots.NewWith(&t, &p)
}

// clothe gives a projectile a collider.
func (r *shootingRange) clothe(e ecs.Entity, c Collider) {
	r.Add(e, r.collider)
	*r.colliders.Get(e) = c
}

func (r *shootingRange) tick() []ProjectileHit {
	Sync(r.World)
	r.system.Update(r.World)
	return ecs.GetResource[ProjectileHits](r.World).List
}

func TestProjectileSystem(t *testing.T) {
	r := newShootingRange()
	wall := Box(geom.V(0.005, 5, 5))
	wall.User = 9
	target := r.add(geom.At(10, 0, 0), wall)
	shot := r.fire(geom.Vec3{}, Projectile{Velocity: geom.V(1000, 0, 0), Remove: true})
	slow := r.fire(geom.Vec3{}, Projectile{Velocity: geom.V(60, 0, 0)})
	hits := r.tick()
	require.Len(t, hits, 1)
	h := hits[0]
	assert.Equal(t, shot, h.Projectile)
	assert.Equal(t, target, h.Entity)
	assert.EqualValues(t, 9, h.User)
	assert.Equal(t, physics.ProjectileStopped, h.Event)
	assert.InDelta(t, 0.6, h.T, 1e-3)
	assert.Equal(t, geom.V(-1, 0, 0), h.Normal)
	assert.Equal(t, geom.V(1000, 0, 0), h.VelocityIn)
	assert.InDelta(t, 1, r.transforms.Get(slow).Position.X, 1e-6)
	assert.Equal(t, h.Position, r.transforms.Get(shot).Position)
	require.True(t, r.Alive(shot), "may still be read")
	assert.True(t, r.projectiles.Get(shot).Done)

	query := r.Query(ecs.All())
	assert.Empty(t, r.tick())
	query.Close()
	assert.True(t, r.Alive(shot), "the world was locked")
	assert.Empty(t, r.tick())
	assert.False(t, r.Alive(shot))
	assert.True(t, r.Alive(slow))

	t.Run("reset", func(t *testing.T) {
		r.Reset()
		r.system.Initialize(r.World)
		assert.Empty(t, r.tick())
	})
	r.system.Finalize(r.World)
}

func TestProjectileLeavesOutItsOwn(t *testing.T) {
	r := newShootingRange()
	owner, friend := r.add(geom.At(0, 0, 0), Sphere(1)), r.add(geom.At(3, 0, 0), Sphere(1))
	foe := Sphere(1)
	foe.Layer = 4
	enemy := r.add(geom.At(6, 0, 0), foe)
	fire := func(p Projectile) []ProjectileHit {
		p.Velocity = geom.V(600, 0, 0)
		e := r.fire(geom.V(-2, 0, 0), p)
		c := Sphere(0.25)
		r.clothe(e, c)
		hits := slices.Clone(r.tick())
		r.RemoveEntity(e)
		return hits
	}
	for _, tt := range []struct {
		name string
		p    Projectile
		f    Filter
		want ecs.Entity
	}{
		{"own collider", Projectile{}, Filter{}, owner},
		{"owner", Projectile{Owner: owner}, Filter{}, friend},
		{"filter", Projectile{Owner: owner}, Filter{Exclude: []ecs.Entity{friend}}, enemy},
		{"predicate", Projectile{}, Filter{Predicate: func(e ecs.Entity) bool { return e == enemy }}, enemy},
		{"mask", Projectile{Mask: 4}, Filter{Mask: 1}, enemy},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r.system.Filter = tt.f
			hits := fire(tt.p)
			require.Len(t, hits, 1)
			assert.Equal(t, tt.want, hits[0].Entity)
		})
	}
	r.system.Filter = Filter{}
	t.Run("what the owner carries", func(t *testing.T) {
		gun := r.adopt(r.add(geom.Transform{}, Sphere(0.3)), owner, LocalTransform{Position: geom.V(1.5, 0, 0)})
		Sync(r.World)
		hits := fire(Projectile{Owner: owner})
		require.Len(t, hits, 1)
		assert.Equal(t, friend, hits[0].Entity)
		hits = fire(Projectile{Owner: friend})
		require.Len(t, hits, 1)
		assert.Equal(t, owner, hits[0].Entity)
		r.RemoveEntity(gun)
	})
	Sync(r.World)
	e := r.fire(geom.V(-2, 0, 0), Projectile{Velocity: geom.V(600, 0, 0)})
	r.RemoveEntity(owner) // after the sync
	r.system.Update(r.World)
	hits := ecs.GetResource[ProjectileHits](r.World).List
	require.Len(t, hits, 1)
	assert.Equal(t, e, hits[0].Projectile)
	assert.Equal(t, friend, hits[0].Entity)
}

func TestProjectileWithWorldPosition(t *testing.T) {
	r := newShootingRange()
	e := r.fire(geom.Vec3{}, Projectile{Velocity: geom.V(60, 0, 0)})
	r.at(e, WorldPosition{X: 1e6, Y: 5})
	Rebase(r.World, geom.DVec3{X: 1e6})
	for i := range 5 {
		r.tick()
		assert.InDelta(t, 1e6+float64(i+1), r.positions.Get(e).X, 1e-4)
		assert.InDelta(t, float64(i+1), r.transforms.Get(e).Position.X, 1e-4)
	}
}

func TestProjectileStepAndExpiry(t *testing.T) {
	r := newShootingRange()
	r.system.DT = 0.5
	e := r.fire(geom.Vec3{}, Projectile{Velocity: geom.V(2, 0, 0), Life: 0.75, Remove: true})
	assert.Empty(t, r.tick())
	hits := r.tick()
	require.Len(t, hits, 1)
	assert.Equal(t, physics.ProjectileExpired, hits[0].Event)
	assert.True(t, hits[0].Entity.IsZero())
	assert.InDelta(t, 1.5, r.transforms.Get(e).Position.X, 1e-6)
	r.tick()
	assert.False(t, r.Alive(e))
}

// A projectile that another one hits may be removed in the update of that hit, which is dropped
// then.
func TestProjectileHitsAreOfTheLiving(t *testing.T) {
	r := newShootingRange()
	done := r.fire(geom.V(5, 0, 0), Projectile{Done: true, Remove: true})
	c := Sphere(1)
	r.clothe(done, c)
	r.fire(geom.Vec3{}, Projectile{Velocity: geom.V(600, 0, 0)})
	assert.Empty(t, r.tick())
	assert.False(t, r.Alive(done))
}

// The IDs of new entities do not depend on the order in which Arche's tables hold the projectiles.
func TestProjectilesAreRemovedInTheOrderOfIDs(t *testing.T) {
	var next [2][]ecs.Entity
	for i := range next {
		r := newShootingRange()
		var shots []ecs.Entity
		for range 4 {
			shots = append(shots, r.fire(geom.Vec3{}, Projectile{Done: true, Remove: true}))
		}
		if i > 0 { // to the end of the table
			r.clothe(shots[1], Sphere(1))
			r.Remove(shots[1], r.collider)
		}
		r.tick()
		for range shots {
			next[i] = append(next[i], r.NewEntity())
		}
	}
	assert.Equal(t, next[0], next[1])
}

// The brute-force twin moves every projectile by itself, one after the other.
func TestProjectileSystemAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newShootingRange()
		r.system.Filter.Sensors = rapid.Bool().Draw(t, "sensors")
		var live []ecs.Entity
		number := func(name string) float32 { return float32(rapid.IntRange(-40, 40).Draw(t, name)) }
		vec := func(name string) geom.Vec3 { return geom.V(number(name), number(name), number(name)) }
		for range rapid.IntRange(1, 6).Draw(t, "ticks") {
			for range rapid.IntRange(0, 5).Draw(t, "things") {
				r.add(drawTransform(t), drawCollider(t))
			}
			for range rapid.IntRange(0, 40).Draw(t, "shots") {
				p := Projectile{Velocity: vec("velocity").Mul(10), Acceleration: vec("acceleration"), Radius: number("radius") / 20, Bounces: int32(number("bounces")),
					Restitution: number("restitution") / 40, Life: number("life") / 100, Remove: rapid.Bool().Draw(t, "remove")}
				if len(live) > 0 {
					p.Owner = live[rapid.IntRange(0, len(live)-1).Draw(t, "owner")]
				}
				e := r.fire(vec("position").Mul(0.1), p)
				if rapid.IntRange(0, 3).Draw(t, "with collider") == 0 {
					c := drawCollider(t)
					r.clothe(e, c)
				}
				live = append(live, e)
			}
			slices.SortFunc(live, compareEntities)
			space := Sync(r.World)
			type state struct {
				p    Projectile
				at   geom.Vec3
				gone bool
			}
			want := map[ecs.Entity]state{}
			events := []ProjectileHit{}
			over := map[ecs.Entity]bool{}
			for _, e := range live {
				over[e] = r.projectiles.Get(e).Done && r.projectiles.Get(e).Remove
			}
			for _, e := range live {
				p, at := *r.projectiles.Get(e), r.transforms.Get(e).Position
				f := physics.Filter{Sensors: r.system.Filter.Sensors, Predicate: func(id physics.ColliderID) bool {
					owner, _ := space.Entity(id)
					return owner != e && owner != p.Owner
				}}
				body := p.body(at)
				for _, h := range body.Move(nil, space.Physics(), DefaultDT, f) {
					owner, _ := space.Entity(h.Collider)
					if !over[owner] {
						events = append(events, ProjectileHit{h, e, owner})
					}
				}
				p.take(&body)
				want[e] = state{p, body.Position, over[e]}
			}
			r.system.Update(r.World)
			live = slices.DeleteFunc(live, func(e ecs.Entity) bool {
				s := want[e]
				require.Equal(t, s.gone, !r.Alive(e))
				if !s.gone {
					require.Equal(t, s.p, *r.projectiles.Get(e))
					require.Equal(t, s.at, r.transforms.Get(e).Position)
				}
				return s.gone
			})
			require.Equal(t, events, append([]ProjectileHit{}, ecs.GetResource[ProjectileHits](r.World).List...))
		}
	})
}

// volley fires n bullets from within a box, every other one with gravity and bounces.
func (r *shootingRange) volley(n int, bounds geom.AABB) {
	middle, half := bounds.Center(), bounds.HalfExtents().Mul(0.9)
	for i := range n {
		a, b := float64(i)*2.399963, float64(i)*0.7548777
		y := 2*(b-math.Floor(b)) - 1
		dir := geom.V(float32(math.Cos(a)), float32(y)*0.3, float32(math.Sin(a))).Normalize()
		c := float64(i) * 0.5698403
		at := middle.Add(half.MulVec(geom.V(float32(y), float32(2*(c-math.Floor(c))-1), float32(math.Cos(7*a)))))
		p := Projectile{Velocity: dir.Mul(300), Bounces: -1, Restitution: 1}
		if i%2 == 0 {
			p = Projectile{Velocity: dir.Mul(20), Acceleration: geom.V(0, -9.81, 0), Radius: 0.05, Bounces: -1, Restitution: 0.6, Friction: 0.3}
		}
		r.fire(at, p)
	}
}

// Projectiles do the same on any number of processors.
func TestProjectileSystemIsReproducible(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first []ProjectileHit
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		r := newShootingRange()
		for i := range 200 {
			r.add(geom.At(float32(i%10*3), float32(i/10%5*3), float32(i/50*3)), Sphere(1))
		}
		r.volley(1000, geom.AABB{Max: geom.V(30, 15, 12)})
		var all []ProjectileHit
		for range 20 {
			all = append(all, r.tick()...)
		}
		require.NotEmpty(t, all)
		if first == nil {
			first = all
		}
		require.Equal(t, first, all)
	}
}

func BenchmarkProjectileSystem(b *testing.B) {
	const n = 10_000
	model, err := meshio.ReadFile(testenv.Data(b, "meshes/arena1.obj"))
	require.NoError(b, err)
	arena, err := model.Mesh()
	require.NoError(b, err)
	r := newShootingRange()
	r.add(Transform{}, Mesh(ecs.GetResource[Meshes](r.World).Add(arena)))
	var shots []geom.Ray
	setup := func(b *testing.B) {
		ecs.GetResource[ProjectileHits](r.World).List = nil
		filter := ecs.All(ecs.ComponentID[Projectile](r.World))
		r.Batch().RemoveEntities(&filter)
		r.volley(n, arena.Bounds())
		Sync(r.World)
		shots = shots[:0]
		query := r.Query(&filter)
		for query.Next() {
			at, p := r.transforms.Get(query.Entity()).Position, r.projectiles.Get(query.Entity())
			shots = append(shots, geom.Ray{Origin: at, Dir: p.Velocity.Mul(DefaultDT), MaxT: 1})
		}
	}
	b.Run("bullets", func(b *testing.B) {
		setup(b)
		hits := 0
		b.ReportAllocs()
		for b.Loop() {
			r.system.Update(r.World)
			hits += len(ecs.GetResource[ProjectileHits](r.World).List)
		}
		perEntity(b, n)
		b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
	})
	b.Run("one ray each", func(b *testing.B) {
		setup(b)
		found := 0
		for b.Loop() {
			for i := range shots {
				if _, ok := r.space().CastRay(shots[i], Filter{}); ok {
					found++
				}
			}
		}
		perEntity(b, n)
		b.ReportMetric(float64(found)/float64(b.N), "hits/op")
	})
}
