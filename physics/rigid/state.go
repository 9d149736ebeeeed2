package rigid

import "github.com/hitscan-go/hitscan/physics/geom"

// saved is what a State copies of a Dynamics.
type saved struct {
	bodies       []body // index 0 is all static colliders
	motions      []motion
	contacts     []contact // by slot of the tracker
	memories     []memory
	free         []int32
	freeMemories []int32
	woken        []BodyID // since the last step
	owners       []owner  // by index of the collider
	count        int
	unbound      bool // bodies were added or removed since the contacts were bound to them
	origin       geom.DVec3
}

// changes notes when parts of a Dynamics changed, in versions that count Save and Restore, so that
// only those are copied of which a State has an older version. Bodies and contacts are copied by
// pages.
type changes struct {
	bodies   []uint64
	contacts []uint64
	memories []uint64
	owners   uint64
}

const (
	pageBits = 6
	pageSize = 1 << pageBits
)

// touch notes a change of an element.
func (c *changes) touch(pages *[]uint64, i int32, version uint64) {
	page := int(i >> pageBits)
	for page >= len(*pages) {
		*pages = append(*pages, 0)
	}
	(*pages)[page] = version
}

// mustBeWhole panics if a step has panicked.
func (d *Dynamics) mustBeWhole(call string) {
	if d.stepping {
		panic("rigid: Dynamics." + call + ": an earlier step panicked and left the bodies half-stepped")
	}
}
