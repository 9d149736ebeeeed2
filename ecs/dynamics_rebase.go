package physecs

import (
	"math"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A Rebase moves all Transforms. Those that were as DynamicsSystem left them have to be so after
// it, or Sync would take them for teleports.

// beginRebase lists the entities of bodies whose Transform the game has not written, and makes sure
// that the others differ from all that they may be after the rebase.
func (d *Dynamics) beginRebase(w *ecs.World) {
	d.makes.dormant = d.makes.dormant[:0]
	nan := float32(math.NaN())
	d.visitTransforms(w, func(e ecs.Entity, now, last *Transform) {
		if sameTransform(now, last) {
			d.makes.dormant = append(d.makes.dormant, e)
		} else if now.IsFinite() {
			last.Position.X = nan
		}
	})
}

// endRebase takes the new Transforms of the listed entities, and moves what d keeps.
func (d *Dynamics) endRebase(w *ecs.World, shift geom.DVec3) {
	list := d.makes.dormant
	d.visitTransforms(w, func(e ecs.Entity, now, last *Transform) {
		if len(list) > 0 && list[0] == e {
			*last, list = *now, list[1:]
		}
	})
	d.rebaseJoints(w, shift)
	d.rebaseDrags(w, shift)
	for i := range d.bodies.rows {
		b := &d.bodies.rows[i]
		for _, p := range [...]*geom.Vec3{&b.before.Position, &b.now.Position} {
			*p = p.Wide().Add(shift).Narrow()
		}
	}
}

// visitTransforms visits the entities of bodies and parts with their Transform and the last one
// that is known.
func (d *Dynamics) visitTransforms(w *ecs.World, visit func(e ecs.Entity, now, last *Transform)) {
	one := func(e ecs.Entity, shown *Transform) {
		if !alive(w, e) {
			return
		}
		now, last := d.space.ids.transform.of(w, e), shown
		if r := d.space.rowOfEntity(e); r != nil && r.id != 0 {
			last = &r.transform
		}
		if now != nil && last != nil {
			visit(e, now, last)
		}
	}
	for i, e := range d.bodies.entities {
		one(e, &d.bodies.rows[i].shown)
	}
	for _, e := range d.parts.entities {
		if d.bodies.find(e) == nil {
			one(e, nil)
		}
	}
}
