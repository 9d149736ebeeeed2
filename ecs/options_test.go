package physecs

import (
	"math"
	"reflect"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// options are all components and systems of this package that move entities by numbers.
type options struct {
	Mover       Mover
	Projectile  Projectile
	Movable     Movable
	Body        Body
	Material    Material
	Movers      MoverSystem
	Projectiles ProjectileSystem
	Separate    SeparateSystem
	Contacts    ContactSystem
}

// A number that is NaN, infinite or negative stops what has it, or is no limit; it neither panics
// nor makes another number NaN. A finite one does not stop anything, so that the test sees motion.
func TestOptionsThatAreNotFinite(t *testing.T) {
	var paths []string
	testenv.VisitNumbers(reflect.ValueOf(options{}), func(path string, _ reflect.Value) { paths = append(paths, path) })
	testenv.Drawn(t, len(paths), 40)
	inf := math.Inf(1)
	for _, path := range append(paths, "none") {
		for _, bad := range []float64{inf, -inf, math.NaN(), -1} {
			o := options{
				Mover:      Mover{Velocity: geom.V(3, 0, 1), Jump: 5, AirControl: 3},
				Projectile: Projectile{Velocity: geom.V(9, 1, 1), Radius: 0.1, Bounces: 3, Restitution: 0.5},
			}
			testenv.VisitNumbers(reflect.ValueOf(&o).Elem(), func(at string, x reflect.Value) {
				if at == path {
					x.SetFloat(bad)
				}
			})
			y := newWalkedWorld()
			material := ecs.ComponentID[Material](y.World)
			e := []ecs.Entity{
				y.walker(0, 0, o.Mover),
				put(y.game, o.Projectile, y.transform),
				put(y.game, o.Movable, y.transform, y.collider),
				put(y.game, Movable{}, y.transform, y.collider),
				put(y.game, o.Body, y.transform, y.collider, material),
			}
			*y.transforms.Get(e[1]) = geom.At(0, 2, 5)
			for i, x := range []float32{20, 20.5, 30} {
				*y.transforms.Get(e[2+i]), *y.colliders.Get(e[2+i]) = geom.At(x, 0.7, 0), Sphere(0.5)
			}
			*(*Material)(y.Get(e[4], material)) = o.Material
			dynamics := DynamicsSystem{}
			assert.NotPanics(t, func() {
				for range 10 {
					Sync(y.World)
					o.Separate.Update(y.World)
					o.Movers.Update(y.World)
					o.Projectiles.Update(y.World)
					dynamics.Update(y.World)
					o.Contacts.Update(y.World)
				}
			}, "%s = %v", path, bad)
			for i, e := range e {
				if y.Alive(e) {
					at := y.transforms.Get(e)
					assert.True(t, at.IsFinite(), "%s = %v: entity %d: %v", path, bad, i, at)
					assert.True(t, path != "none" || at.Position != geom.At(0, 2, 5).Position, "it moves")
				}
			}
		}
	}
}
