package rigid

import "slices"

// landing is a constraint of which several points met at the same speed in this step. One sweep
// over them, one after the other, turns what lands flat, and what is tall topples.
type landing struct{ octet, lane int32 }

const (
	// landSweeps is how often the points of a landing are solved, beside the sweep that all have.
	// With three, the slimmest of TestTallLandsFlat still topple.
	landSweeps = 12
	// landShare is by how much the speeds of the points differ at most. Greater: more time for what
	// turns anyway.
	landShare = 0.05
)

// landsFlat reports whether the constraint of a lane, which has met, is a landing.
func (o *octet) landsFlat(l int) bool {
	n := int(o.count[l])
	least, most := o.points[0].speed[l], o.points[0].speed[l]
	for k := range o.points[:n] {
		least, most = min(least, o.points[k].speed[l]), max(most, o.points[k].speed[l])
	}
	return n > 1 && most-least <= float32(-landShare*least)
}

// land solves the points of the landings in a range of octets.
func (d *Dynamics) land(from, to int, soft bool) {
	first, _ := slices.BinarySearchFunc(d.landings, int32(from), func(x landing, from int32) int { return int(x.octet - from) })
	for _, x := range d.landings[first:] {
		if int(x.octet) >= to {
			return
		}
		o, l := &d.octets[x.octet], int(x.lane)
		a, b := &d.motions[o.a[l]], &d.motions[o.b[l]]
		u := velocitiesOf(a, b)
		for range landSweeps {
			if o.flat {
				o.pushFlat(l, a, b, &u, soft, d.Settings.PushSpeed, 1/d.h)
			} else {
				o.push(l, a, b, &u, soft, d.Settings.PushSpeed, 1/d.h)
			}
		}
		o.set(l, a, b, &u)
	}
}
