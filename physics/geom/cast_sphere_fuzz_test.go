package geom

import "testing"

// Any bits at all: nothing may panic, and a hit must keep what hits promise.
func FuzzTriangleCastSphere(f *testing.F) {
	seed(f, 0.5, 0, 0, 0, 4, 0, 0, 0, 4, 0)
	seed(f, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0)
	seed(f, 1e19, 0, 0, 0, 1e19, 0, 0, 0, 1e19, 0)
	seed(f, 1e-45, 0, 0, 0, 1e-45, 0, 0, 0, 3e38, 0)
	f.Fuzz(func(t *testing.T, data []byte) {
		n := &numbers{data}
		r, radius := n.ray(), n.next()
		tri := Triangle{n.vec(), n.vec(), n.vec()}
		both, found := tri.CastSphere(r, radius, CullNone)
		for _, cull := range []Cull{CullNone, CullBack, CullFront} {
			h, ok := tri.CastSphere(r, radius, cull)
			if !ok && h != (Hit{}) {
				t.Fatalf("a miss with %+v", h)
			}
			if ok != (found && !cull.Culls(both.BackFace)) || ok && h != both {
				t.Fatalf("%v: culling only leaves out: %+v, %+v", cull, both, h)
			}
		}
		if !found {
			return
		}
		if !(radius >= 0) || tri.IsEmpty() {
			t.Fatalf("radius %v, %v: %+v", radius, tri, both)
		}
		checkHit(t, r, Hit{T: both.T, Point: both.Point, Normal: both.Normal, U: both.U, V: both.V})
		if lo, _ := r.Range(); both.Inside && both.T != lo {
			t.Fatalf("start of %+v", both)
		}
		if both.U < 0 || both.V < 0 || both.U > 1 || both.V > 1 {
			t.Fatalf("weights of %+v", both)
		}
	})
}
