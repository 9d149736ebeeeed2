package physics

import (
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/internal/broad"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// locals holds the Local of each record whose shape is a mesh, by the index of the record. So a
// query prefetches it together with the record, and does not wait for one after the other. A Local
// never moves, as the record points to it.
type locals []*[localsBlock]placed.Local

// localsBlock is the number of records whose Locals are allocated at once. Greater: more unused
// memory, of 192 bytes a record, where few shapes are meshes. Smaller: a longer list, which queries
// read.
const localsBlock = 8

// of returns the Local of a record.
func (l *locals) of(i int) *placed.Local {
	b := i / localsBlock
	for len(*l) <= b {
		*l = append(*l, nil)
	}
	if (*l)[b] == nil {
		(*l)[b] = new([localsBlock]placed.Local)
	}
	return &(*l)[b][i%localsBlock]
}

// prefetch prefetches the first two cache lines of a Local, if the record has one here.
func (l locals) prefetch(i uint32) {
	if b := int(i / localsBlock); b < len(l) && l[b] != nil {
		broad.Hint(unsafe.Pointer(&l[b][i%localsBlock]))
	}
}
