package physics_test

import (
	"fmt"
	"testing"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func TestTryMover(t *testing.T) {
	s := physics.NewSpace()
	s.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(-50, -1, -50), Max: geom.V(50, 0, 50)}, Static: true})
	s.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(3, 0, -50), Max: geom.V(3.3, 0.25, 50)}, Static: true})
	s.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(3.3, 0, -50), Max: geom.V(3.6, 0.5, 50)}, Static: true})
	s.Add(physics.Collider{Shape: geom.AABB{Min: geom.V(5, 0, -50), Max: geom.V(6, 3, 50)}, Static: true})
	m := physics.Mover{}
	st := physics.MoverState{Transform: geom.At(0, 1, 0)}
	var hits []physics.MoverHit
	for i := range 120 {
		v := geom.V(4, 0, 1)
		if st.Ground != physics.OnGround {
			v = st.Velocity.Add(geom.V(0, -9.81/60, 0))
		}
		hits = m.Move(s, &st, v, 1./60, physics.Filter{}, hits[:0])
		fmt.Println(i, st.Transform.Position, st.Velocity, st.Ground, st.GroundNormal, len(hits))
	}
}
