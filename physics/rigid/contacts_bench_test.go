package rigid_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// BenchmarkSettledContacts measures the ticks of a ContactTracker in which a solver has 10,000
// crates that have come to rest on hills of triangles, in stacks of two, and none of which sleeps.
func BenchmarkSettledContacts(b *testing.B) {
	vertices, indices := mesh.Plane(160, 160, 160, 160)
	for i := range vertices {
		v := &vertices[i]
		v.Y = float32(0.1 * math.Sin(float64(v.X)) * math.Cos(0.7*float64(v.Z)))
	}
	hills, err := mesh.New(vertices, indices)
	require.NoError(b, err)
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: hills, Static: true})
	d := rigid.New(space)
	var ids []physics.ColliderID
	for i := range 10_000 {
		ids = append(ids, space.Add(physics.Collider{Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Transform: geom.Transform{
			Position: geom.V(float32(i/2%70)*2-70, float32(i%2)*1.01+0.62, float32(i/140)*2-70),
			Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), float64(i)),
		}}))
		_, err := d.Add(rigid.Body{NoSleep: true}, ids[i])
		require.NoError(b, err)
	}
	for range 600 {
		d.Step()
	}
	// The same poses in a space of their own.
	t := physics.ContactTracker{Margin: 0.02}
	other := space.Snapshot()
	t.Update(other)
	var spent []time.Duration
	fast := 0 // further than a millimetre
	for b.Loop() {
		last := other
		d.Step()
		other = space.Snapshot()
		from := time.Now()
		t.Update(other)
		spent = append(spent, time.Since(from))
		for _, id := range ids {
			p, _ := last.Collider(id)
			q, _ := other.Collider(id)
			if p.Transform.Position.Distance(q.Transform.Position) > 0.001 {
				fast++
			}
		}
		last.Release()
	}
	slices.Sort(spent)
	b.ReportMetric(float64(spent[0].Microseconds()), "least-µs/update")
	b.ReportMetric(float64(spent[len(spent)/2].Microseconds()), "median-µs/update")
	b.ReportMetric(float64(len(t.All)), "contacts")
	b.ReportMetric(float64(fast)/float64(b.N), "crates>1mm/update")
}
