package physics

import "sync/atomic"

// changes notes when the colliders of a space changed, in versions that count up, so that a
// snapshot copies only what differs. No two states of a space have the same version.
type changes struct {
	version uint64   // of what the space holds
	newest  uint64   // the greatest number given out; more than version after Space.Restore
	still   uint64   // version at which a static collider changed last
	each    []uint64 // version at which each record changed last
	pages   pages    // of the records; newer than version where they were restored
	undone  []undone // the last of the ranges of versions that Space.Restore has undone, in order
	oldest  uint64   // versions before this one may have been undone, too
	taken   uint64   // of a snapshot: the newest number of the space when the two were the same
}

// undone is a range of versions without its ends. After the version before it came that after it.
type undone struct{ from, to uint64 }

// maxUndone is the number of ranges kept. A tracker that has missed more restores finds all its
// contacts again.
const maxUndone = 16

// change makes a new version.
func (c *changes) change() {
	from := c.version
	c.newest++
	if c.version = c.newest; c.version == from+1 {
		return
	}
	if len(c.undone) == maxUndone {
		c.oldest = c.undone[0].to
		c.undone = c.undone[:copy(c.undone, c.undone[1:])]
	}
	c.undone = append(c.undone, undone{from, c.version})
}

// follows reports whether the present state came from that of a version, by changes after it.
func (c *changes) follows(version uint64) bool {
	if version > c.version || version < c.oldest {
		return false
	}
	for _, u := range c.undone {
		if u.from < version && version < u.to {
			return false
		}
	}
	return true
}

// copyFrom copies all of o that is not by record or page.
func (c *changes) copyFrom(o *changes) {
	c.version, c.still, c.oldest = o.version, o.still, o.oldest
	c.undone = append(c.undone[:0], o.undone...)
}

// pages holds, for each page of pageSize elements of a list, the number of the last change of any
// of them. Numbers count up. A copy of the list is brought up to date by the pages that changed
// since. Blocks of pages without a change are skipped, so that the search for them costs nothing in
// a world of a million static colliders.
type pages struct {
	each   []uint64
	blocks []uint64 // for each blockSize pages, the number of the last change of any of them
}

const (
	pageBits  = 6
	pageSize  = 1 << pageBits
	blockBits = 6
	blockSize = 1 << blockBits
)

// touch notes that element i changes.
func (p *pages) touch(i int, now uint64) {
	page := i >> pageBits
	if page >= len(p.each) {
		p.resize(page + 1)
	}
	p.each[page], p.blocks[page>>blockBits] = now, now
}

// touchShared is touch of an element that has a page, by many goroutines at once.
func (p *pages) touchShared(i int, now uint64) {
	atomic.StoreUint64(&p.each[i>>pageBits], now)
	atomic.StoreUint64(&p.blocks[i>>(pageBits+blockBits)], now)
}

// resize makes p hold n pages. New ones have not changed.
func (p *pages) resize(n int) {
	if before := len(p.each); n <= before {
		p.each = p.each[:n]
		return
	}
	p.each = append(p.each, make([]uint64, n-len(p.each))...)
	if blocks := (n + blockSize - 1) / blockSize; blocks > len(p.blocks) {
		p.blocks = append(p.blocks, make([]uint64, blocks-len(p.blocks))...)
	}
}

func (p *pages) copyFrom(o *pages) {
	p.each, p.blocks = append(p.each[:0], o.each...), append(p.blocks[:0], o.blocks...)
}

// touchAll notes that the first n elements change.
func (p *pages) touchAll(n int, now uint64) {
	for i := 0; i < n; i += pageSize {
		p.touch(i, now)
	}
}

// visitSince calls visit with the ranges of those of n elements that may have changed after a
// number.
func (p *pages) visitSince(since uint64, n int, visit func(start, end int)) {
	for block, changed := range p.blocks {
		if changed <= since {
			continue
		}
		for page := block << blockBits; page < min((block+1)<<blockBits, len(p.each)); page++ {
			if start := page << pageBits; p.each[page] > since && start < n {
				visit(start, min(start+pageSize, n))
			}
		}
	}
}

// touch notes that record i changes.
func (c *changes) touch(i int, static bool) {
	c.each[i] = c.version
	c.pages.touch(i, c.version)
	if static {
		c.still = c.version
	}
}
