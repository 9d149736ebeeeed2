package rigid

import "slices"

// sunkGap is the depth, in metres, from which a manifold counts as sunk. Less: what lies in a pile
// comes apart more slowly.
const sunkGap = 0.05

// spread divides the speed at which sunk manifolds push a body out among them. The velocities by
// which many of them do so add up, and one sweep takes too little of their sum back: 200 balls in
// one place flew apart at 72 m/s, and faster the longer they overlapped.
func (d *Dynamics) spread() {
	first := 0
	for first < len(d.jobs) && !d.jobs[first].sunk {
		first++
	}
	if first == len(d.jobs) {
		return
	}
	jobs := d.jobs[first:]
	d.sunk = slices.Grow(d.sunk[:0], len(d.bodies))[:len(d.bodies)]
	clear(d.sunk)
	for i := range jobs {
		if j := &jobs[i]; j.sunk {
			d.sunk[j.kept.a]++
			d.sunk[j.kept.b]++
		}
	}
	for i := range d.bodies {
		if !d.bodies[i].moves {
			d.sunk[i] = 1
		}
	}
	for i := range jobs {
		j := &jobs[i]
		if !j.sunk {
			continue
		}
		c := d.start(j)
		if n, bias := max(d.sunk[j.kept.a], d.sunk[j.kept.b]), d.softness[c.stiff].bias; n > 1 && bias > 0 {
			least := -d.Settings.PushSpeed / float32(bias*float32(n))
			for k := range c.points[:c.n] {
				c.points[k].gap = max(c.points[k].gap, least)
			}
		}
	}
}
