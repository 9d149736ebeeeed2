package rigid

import "fmt"

// Validate returns what is inconsistent after a step: a color that two constraints of a dynamic
// body have, memory that is used twice, or an island that is not one ring of sleeping bodies.
func (d *Dynamics) Validate() error {
	if d.unbound {
		return nil // the next step binds the contacts
	}
	colors := make([]uint32, len(d.bodies))
	used := map[int32]bool{}
	for _, at := range d.freeMemories {
		if used[at] {
			return fmt.Errorf("memory %d is free twice", at)
		}
		used[at] = true
	}
	for _, t := range d.tracker.All {
		c := d.contacts.at(t.Slot)
		if a, b := d.owner(t.A).body, d.owner(t.B).body; c.solid && (c.a != a || c.b != b) {
			return fmt.Errorf("contact %d is of bodies %d and %d, not %d and %d", t.Slot, c.a, c.b, a, b)
		}
		n := int32(0)
		for at := c.first; at != 0; at, n = d.memories.at(at-1).next, n+1 {
			if used[at] {
				return fmt.Errorf("memory %d of contact %d is used twice", at, t.Slot)
			}
			used[at] = true
			color := d.memories.at(at - 1).color
			if n >= c.colored || color == overflow {
				continue
			}
			for _, i := range [...]int32{c.a, c.b} {
				if !d.bodies[i].moves {
					continue
				}
				if colors[i]>>color&1 != 0 {
					return fmt.Errorf("body %d has color %d twice", i, color)
				}
				colors[i] |= 1 << color
			}
		}
		if n < c.colored || c.held > n {
			return fmt.Errorf("contact %d has %d colors and %d manifolds, but %d memories", t.Slot, c.colored, c.held, n)
		}
	}
	for i := range d.bodies {
		b := &d.bodies[i]
		if b.moves && b.colors != colors[i] {
			return fmt.Errorf("body %d has the colors %#x, its constraints %#x", i, b.colors, colors[i])
		}
		for k, n := b.next, 0; k != 0 && k != int32(i); k, n = d.bodies[k].next, n+1 {
			if n > len(d.bodies) || d.bodies[k].awake || d.bodies[k].next == 0 {
				return fmt.Errorf("the island of body %d is no ring of sleeping bodies", i)
			}
		}
	}
	return nil
}
