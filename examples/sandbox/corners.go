package main

import (
	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The scene of contacts with meshes: shapes a few centimetres deep at the corners, edges and rims
// of triangle meshes, to be moved by the gizmo while their contact points are seen.

// cornersScene is the name of the scene of newCorners.
const cornersScene = "corners"

// cornerBlocks is the number of its entities, the first, that are blocks.
const cornerBlocks = 3

// newCorners fills a world with shapes that touch meshes.
func newCorners(w *ecs.World) (*scene, error) {
	s := newScene(w)
	s.size, s.mark = 3, 0.3
	s.home = picking.Orbit{
		Target: geom.V(0.2, 0.85, 0), Yaw: -0.5, Pitch: 0.3, Distance: 8.4, MinDistance: 0.4, MaxDistance: 60,
		Projection: picking.Perspective(fieldOfView, 0.05, 300),
	}
	block, err := mesh.New(mesh.Box(geom.V(0.7, 0.7, 0.7)))
	if err != nil {
		return nil, err
	}
	gem, err := hull.New([]geom.Vec3{
		{X: 0.5}, {X: -0.5}, {Z: 0.5}, {Z: -0.5}, {Y: 0.62}, {Y: -0.62}, {X: 0.36, Z: 0.36}, {X: -0.36, Z: -0.36}})
	if err != nil {
		return nil, err
	}
	meshes := s.meshes()
	blockID := meshes.Add(block)
	s.addGround(0, render.Material{Color: render.RGB(0xC3C6C9), Gloss: 0.15})
	put := func(name string, at geom.Vec3, turn geom.Quat, c physecs.Collider, rgb uint32) {
		s.add(name, geom.Transform{Position: at, Rotation: turn}, c, glossy(rgb, 0.3))
	}
	// The corners of the blocks that face the camera, and a direction out of each.
	const depth = 0.04
	out := geom.V(1, 1, 1).Normalize()
	var corners [cornerBlocks]geom.Vec3
	for i, name := range [...]string{"left block", "middle block", "right block"} {
		at := geom.V(2.2*float32(i-1), 0.7, 0)
		corners[i] = at.Add(geom.V(0.7, 0.7, 0.7))
		put(name, at, geom.Quat{}, physecs.Mesh(blockID), 0xAEB6BF)
	}
	const crate, ball, rod = 0.34, 0.26, 0.13
	put("crate", corners[0].Add(out.Mul(crate-depth)), geom.QuatLook(out, geom.V(0, 1, 0)), physecs.Box(geom.V(crate, crate, crate)), 0xC4886A)
	put("ball", corners[2].Add(out.Mul(ball-depth)), geom.Quat{}, physecs.Sphere(ball), 0xC97468)
	put("plank", geom.V(0.2, 1.4+0.07-depth, 0.6), geom.QuatEuler(0.5, 0, 0), physecs.Box(geom.V(0.2, 0.07, 0.55)), 0xD3B277)
	put("capsule", geom.V(0.7+rod-depth, 0.8, 0.1), geom.QuatEuler(0, 1.35, 0), physecs.Capsule(0.4, rod), 0x9A92BA)
	put("gem", geom.V(1.75, 1.4+0.62-depth, -0.2), geom.QuatEuler(0.3, 0, 0), physecs.Hull(meshes.AddHull(gem)), 0x79ABA4)
	put("brick", geom.V(-2.3, 1.4+0.12-depth, -0.1), geom.QuatEuler(-0.4, 0.01, 0), physecs.Box(geom.V(0.34, 0.12, 0.24)), 0x7590B3)
	return s, nil
}

// drawManifolds draws the contact points of some entities with all others, with normals that point
// to the entity, and lines as long as the contacts are deep.
func (o *overlays) drawManifolds(l *render.Lines, a *app, entities []ecs.Entity) {
	space := ecs.GetResource[physecs.Space](&a.world)
	near := a.scene.size * 0.01
	var found []ecs.Entity
	var manifolds []physics.Manifold
	for _, e := range entities {
		id, ok := space.Collider(e)
		bounds, _ := space.Bounds(e)
		if !ok {
			continue
		}
		found = space.OverlapAABB(found[:0], bounds.Grow(near), physecs.Filter{})
		for _, other := range found {
			if with, ok := space.Collider(other); ok {
				manifolds = space.Physics().Collide(manifolds[:0], with, id, near)
				o.drawContacts(l, a, manifolds)
			}
		}
	}
}

// drawContacts draws the points and the normals of manifolds.
func (o *overlays) drawContacts(l *render.Lines, a *app, manifolds []physics.Manifold) {
	for i := range manifolds {
		for _, p := range manifolds[i].ContactPoints() {
			if o.normals {
				l.Width = 2.5
				l.Arrow(p.PointA, p.PointA.Add(manifolds[i].Normal.Mul(a.scene.mark)), contactColor)
			}
			l.Width = 2
			l.Segment(p.PointA, p.PointB, freshColor)
			l.Point(p.PointB, 9, pointEdge)
			l.Point(p.PointB, 6, freshColor)
		}
	}
}
