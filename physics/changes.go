package physics

// changes notes when the colliders of a space changed, in versions that count up, so that a
// snapshot copies only what differs.
type changes struct {
	version uint64   // counts changes of the space
	still   uint64   // version at which a static collider changed last
	pages   []uint64 // version at which any of pageSize records changed last
}

// Records are copied by pages in which a record has changed.
const (
	pageBits = 6
	pageSize = 1 << pageBits
)

// touch notes that record i changes.
func (c *changes) touch(i int, static bool) {
	page := i >> pageBits
	if page >= len(c.pages) {
		c.pages = append(c.pages, 0)
	}
	c.pages[page] = c.version
	if static {
		c.still = c.version
	}
}

// visitSince calls visit with the ranges of those of n records that may have changed after a
// version.
func (c *changes) visitSince(version uint64, n int, visit func(start, end int)) {
	for page, changed := range c.pages {
		if changed > version {
			visit(page<<pageBits, min((page+1)<<pageBits, n))
		}
	}
}
