package physics_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// The hashes of TestContactsSameBits.
const (
	goldenTouches  = 0x075fa104d7a25f25
	goldenRecycled = 0x49a871ef4dac2a69
	goldenPushes   = 0x7297f2ea0690bef2
)

// Contacts and pushes have the same bits on every architecture.
func TestContactsSameBits(t *testing.T) {
	testenv.Long(t)
	n := golden.Numbers(12)
	s := goldenWorld(t, &n)
	touches, recycled, pushes := golden.New(), golden.New(), golden.New()
	tracker := physics.ContactTracker{Margin: 0.05, RecycleDistance: -1}
	recycler := physics.ContactTracker{Margin: 0.05, RecycleDistance: 0.05}
	var movables []physics.Movable
	for id := range s.All() {
		if id%4 > 0 {
			movables = append(movables, physics.Movable{Collider: id, Weight: float32(id % 3)})
		}
	}
	var p physics.Separator
	for tick := range 3 {
		tracker.Update(s)
		addContacts(touches, &tracker)
		recycler.Update(s)
		addContacts(recycled, &recycler)
		if tick == 2 {
			p.Up = geom.V(1, 3, 0)
		}
		p.Separate(s, movables)
		for _, m := range movables {
			pushes.Vec(m.Push)
			c, _ := s.Collider(m.Collider)
			c.Transform.Position = c.Transform.Position.Add(m.Push)
			s.SetTransform(m.Collider, c.Transform)
		}
	}
	require.NotEmpty(t, tracker.Ended)
	touches.Check(t, "touches", goldenTouches)
	recycled.Check(t, "recycled", goldenRecycled)
	pushes.Check(t, "pushes", goldenPushes)
}

func addContacts(h *golden.Hash, t *physics.ContactTracker) {
	for _, list := range [][]*physics.Contact{t.All, t.Began, t.Ended} {
		h.Uint(uint64(len(list)))
		for _, x := range list {
			h.Uint(uint64(x.A))
			h.Uint(uint64(x.B))
			h.Bool(x.Sensor)
			for _, m := range x.Manifolds {
				h.Vec(m.Normal)
				for _, c := range m.ContactPoints() {
					h.Vec(c.PointA, c.PointB)
					h.Float(c.Depth)
					h.Uint(uint64(c.FeatureA)<<32 | uint64(c.FeatureB))
				}
			}
		}
	}
}

const goldenPlanar = 0xce38b5874820cf66

// Contacts, pushes and answers of a planar space have the same bits on every architecture.
func TestPlanarSameBits(t *testing.T) {
	n := golden.Numbers(16)
	s := physics.NewPlanarSpace()
	kite, err := hull.NewPolygon([]geom.Vec3{{X: -1.2}, {Y: -0.7}, {X: 0.9, Y: 0.1}, {Y: 0.8}})
	require.NoError(t, err)
	shape := func() physics.Shape {
		half := geom.V(0.75+n.Float(0.5), 0.75+n.Float(0.5), 0)
		a, b := n.Vec(1), n.Vec(1)
		a.Z, b.Z = 0, 0
		switch n.Int(5) {
		case 0:
			return geom.AABBAround(a, half)
		case 1:
			q := n.Quat()
			q.X, q.Y = 0, 0
			return geom.Box{Center: a, HalfExtents: half, Rotation: q}
		case 2:
			return geom.Sphere{Center: a, Radius: half.X}
		case 3:
			return geom.Capsule{A: a, B: b, Radius: half.Y}
		}
		return kite
	}
	s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(0.1, 1, 0), D: -6}, Static: true})
	tiles := physics.NewTiles(12, 5, 1, func(x, y int) bool { return n.Int(3) > 0 })
	s.Add(physics.Collider{Shape: tiles, Transform: geom.At(-6, -4, 0), Static: true})
	var movables []physics.Movable
	for i := range 150 {
		c := physics.Collider{Shape: shape(), Transform: geom.Transform{Position: n.Vec(10), Rotation: n.Quat()}}
		if i%3 == 0 {
			c.Shape = physics.NewCompound(physics.Child{Shape: shape()}, physics.Child{Shape: shape(), Transform: geom.Transform{Position: n.Vec(1)}})
		}
		if scale := 1.25 + n.Float(0.75); i%4 == 0 {
			c.Transform.Scale = geom.V(-scale, scale, 1)
		}
		movables = append(movables, physics.Movable{Collider: s.Add(c), Weight: float32(i % 3)})
	}
	h := golden.New()
	tracker, p := physics.ContactTracker{Margin: 0.05, RecycleDistance: 0.05}, physics.Separator{}
	for range 4 {
		tracker.Update(s)
		addContacts(h, &tracker)
		p.Separate(s, movables)
		for _, m := range movables {
			h.Vec(m.Push)
			c, _ := s.Collider(m.Collider)
			c.Transform.Position = c.Transform.Position.Add(m.Push)
			s.SetTransform(m.Collider, c.Transform)
		}
	}
	for range 500 {
		from, way := n.Vec(10), n.Vec(8)
		hit, ok := s.CastRay(geom.Segment(from, from.Add(way)), physics.Filter{})
		h.Hit(hit.Hit, ok)
		struck, ok := s.CastShape(physics.ShapeCast{Shape: shape(), Transform: geom.Transform{Position: from, Rotation: n.Quat()}, Motion: way, MaxT: 1}, physics.Filter{})
		if h.Bool(ok); ok {
			h.Float(struck.T, struck.Depth)
			h.Vec(struck.Point, struck.Normal)
		}
		near, ok := s.NearestToShape(physics.Placed{Shape: shape(), Transform: geom.Transform{Position: from}}, 3, physics.Filter{})
		if h.Bool(ok); ok {
			h.Float(near.Distance)
			h.Vec(near.PointA, near.PointB)
		}
	}
	h.Check(t, "planar", goldenPlanar)
}

const goldenSwings = 0x5016e69f5e5cd120

// Casts that turn have the same bits on every architecture.
func TestCastsSameBits(t *testing.T) {
	n := golden.Numbers(17)
	s := goldenWorld(t, &n)
	h := golden.New()
	for i := range 200 {
		c := physics.Swing{Shape: geom.Box{HalfExtents: geom.V(0.2, 1, 0.1)}, Transform: geom.Transform{Position: n.Vec(15), Rotation: n.Quat()},
			Turn: n.Vec(3), Motion: n.Vec(4), Start: physics.ShapeStartMode(i % 3)}
		c.Pivot = c.Transform.Position.Add(n.Vec(1))
		hit, ok := s.CastSwing(c, physics.Filter{})
		if h.Bool(ok); ok {
			h.Uint(uint64(hit.Collider)<<32 | uint64(uint32(hit.Triangle)))
			h.Float(hit.T, hit.Depth)
			h.Vec(hit.Point, hit.PointOnShape, hit.Normal)
		}
	}
	h.Check(t, "swings", goldenSwings)
}
