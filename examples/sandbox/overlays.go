package main

import (
	"slices"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/render"
)

// overlays holds which debug lines are shown.
type overlays struct {
	ray, normals, contact, aabbs, bvh, explain, grid, help bool
	forces                                                 bool
	walking                                                bool // in the arena, in which A walks
	bodies                                                 bool // in a scene of rigid bodies
	// Of the BVH: boxes of deeper levels are left out.
	level int
}

// maxLevel is the deepest level of a tree that can be shown; deeper ones have too many boxes to be
// distinguished.
const maxLevel = 12

func defaultOverlays() overlays {
	return overlays{ray: true, normals: true, contact: true, grid: true, level: 2}
}

// overlay is a line of the panel.
type overlay struct {
	name  string // for scripts: panel:name
	label string
	key   rune
	on    *bool
}

// list returns all overlays in the order of the panel.
func (o *overlays) list() []overlay {
	if o.walking {
		return []overlay{
			{"trails", "Bullet trails", 'T', &o.ray},
			{"normals", "Normals", 'N', &o.normals},
			{"contact", "Contact points", 'C', &o.contact},
			{"bvh", "BVH boxes", 'B', &o.bvh},
			{"grid", "Grid", 'G', &o.grid},
			{"help", "Help", 'H', &o.help},
		}
	}
	first := overlay{"ray", "Ray", 'T', &o.ray}
	if o.bodies { // a click leaves no ray
		first = overlay{"forces", "Forces", 'J', &o.forces}
	}
	return []overlay{
		first,
		{"normals", "Normals", 'N', &o.normals},
		{"contact", "Contact points", 'C', &o.contact},
		{"aabbs", "AABBs", 'A', &o.aabbs},
		{"bvh", "BVH boxes", 'B', &o.bvh},
		{"explain", "Explain ray", 'X', &o.explain},
		{"grid", "Grid", 'G', &o.grid},
		{"help", "Help", 'H', &o.help},
	}
}

// toggle switches the overlay of a key and reports whether there is one.
func (o *overlays) toggle(key rune) bool {
	for _, item := range o.list() {
		if item.key == key {
			*item.on = !*item.on
			return true
		}
	}
	return false
}

func (o *overlays) deeper(by int) { o.level = min(max(o.level+by, 0), maxLevel) }

// clickRay is the ray of the last click, left in the world.
type clickRay struct {
	shown bool
	ray   geom.Ray
	hit   physecs.Hit
	ok    bool
}

var (
	rayColor     = render.RGB(0xE0385C)
	normalColor  = render.RGB(0x0E9F6E)
	pointColor   = render.RGB(0xFFFFFF)
	pointEdge    = render.RGB(0x20242B)
	boundsColor  = render.WithAlpha(render.RGB(0x33475F), 0.75)
	triangleEdge = render.RGB(0xFFD166)
)

// draw adds the lines of this frame to l.
func (o *overlays) draw(l *render.Lines, a *app) {
	hover := ecs.GetResource[physecs.Hover](&a.world)
	selection := ecs.GetResource[physecs.Selection](&a.world)
	space := ecs.GetResource[physecs.Space](&a.world)
	size := a.scene.size
	if o.bvh {
		o.drawTree(l, a)
	}
	if a.scene.swarm != nil {
		a.scene.swarm.draw(l, a.renderer.Style.SelectedOutline)
	}
	if m := a.scene.simulation; m != nil {
		m.drawDrags(l)
		if o.forces {
			m.drawForces(l)
			l.Joints(ecs.GetResource[physecs.Dynamics](m.world).Rigid(), jointMark, jointColor, limitColor)
		}
	}
	if a.scene.arena != nil {
		a.scene.arena.draw(l, o)
		return
	}
	if o.aabbs {
		for _, e := range a.scene.all {
			c, width := boundsColor, float32(1.5)
			switch swarm := a.scene.swarm; {
			case selection.Contains(e):
				c, width = a.renderer.Style.SelectedOutline, 2.5
			case hover.OK && hover.Entity == e:
				c, width = a.renderer.Style.HoverOutline, 2.5
			case a.shown == cityScene, a.scene.simulation != nil, swarm != nil && swarm.flight.Get(e).touches == 0:
				continue // ten thousand would be a fog
			case swarm != nil:
				c, width = render.WithAlpha(c, 0.4), 1
			}
			if b, ok := space.Bounds(e); ok {
				l.Width = width
				l.AABB(b.Grow(size*0.001), c)
			}
		}
	}
	if g := &a.ray; g.shown {
		l.Width = 2.5
		if o.ray {
			end := g.ray.At(size * 6)
			if g.ok {
				end = g.hit.Point
			}
			l.Segment(g.ray.Origin, end, rayColor)
			l.Point(g.ray.Origin, 9, rayColor)
		}
		if g.ok {
			o.drawHit(l, a, &g.hit, a.scene.mark)
		}
	}
	if hover.OK {
		o.drawHit(l, a, &hover.Hit, a.scene.mark*0.7)
	}
	if o.contact && a.scene.swarm == nil && a.shown != cityScene {
		touching := selection.List()
		if a.shown == cornersScene {
			touching = a.scene.all[cornerBlocks:]
		}
		o.drawManifolds(l, a, touching)
	}
	l.Width = 0
	a.explanation.draw(l, a)
	a.marquee.drawPreview(l, a)
	a.gizmo.draw(l, a)
}

// drawHit draws the triangle, the normal and the point of a hit.
func (o *overlays) drawHit(l *render.Lines, a *app, h *physecs.Hit, length float32) {
	if o.contact && h.Triangle >= 0 && !(a.moving() && h == &a.ray.hit) { // which has flown on
		if t, ok := a.triangle(h); ok {
			l.Width = 2
			l.Triangle(t, triangleEdge)
		}
	}
	if o.normals {
		l.Width = 2.5
		l.Arrow(h.Point, h.Point.Add(h.Normal.Mul(length)), normalColor)
		l.Width = 1.5
		l.Circle(h.Point.Add(h.Normal.Mul(length*0.01)), h.Normal, length*0.25, render.WithAlpha(normalColor, 0.8))
	}
	if o.contact {
		dot := float32(7)
		if a.scene.swarm != nil {
			dot = 3 // or it would hide what it is on
		}
		l.Point(h.Point, dot*1.6, pointEdge)
		l.Point(h.Point, dot, pointColor)
	}
}

// drawTree draws the boxes of the trees of the selected meshes, or of the whole space if there is
// none.
func (o *overlays) drawTree(l *render.Lines, a *app) {
	l.Width = 1.25
	drawn := false
	for _, e := range ecs.GetResource[physecs.Selection](&a.world).List() {
		if m := a.scene.meshOf(e); m != nil {
			l.Levels(slices.Values(a.trees.of(m)), a.transforms.Get(e).Affine(), o.level)
			drawn = true
		}
	}
	if drawn {
		return
	}
	space := ecs.GetResource[physecs.Space](&a.world)
	l.Levels(func(yield func(render.Level) bool) {
		for n := range space.Physics().Nodes() {
			// The ground is unbounded, and so are the boxes that contain it.
			if n.Bounds.Min.IsFinite() && n.Bounds.Max.IsFinite() && !yield(render.Level{Bounds: n.Bounds, Level: n.Level}) {
				return
			}
		}
	}, geom.AffineIdentity(), o.level)
}

// trees caches the upper levels of the trees of meshes, so that a large mesh is traversed once.
type trees struct{ boxes map[*mesh.Mesh][]render.Level }

func (t *trees) of(m *mesh.Mesh) []render.Level {
	if boxes, ok := t.boxes[m]; ok {
		return boxes
	}
	var boxes []render.Level
	for n := range m.Nodes() {
		if n.Level <= maxLevel {
			boxes = append(boxes, render.Level{Bounds: n.Bounds, Level: n.Level})
		}
	}
	if t.boxes == nil {
		t.boxes = map[*mesh.Mesh][]render.Level{}
	}
	t.boxes[m] = boxes
	return boxes
}
