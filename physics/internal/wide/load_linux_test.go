package wide

import (
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// guarded returns units directly before an inaccessible page: an access past their end ends the
// program.
func guarded(t *testing.T, n int) []Unit {
	page := syscall.Getpagesize()
	size := n * int(unsafe.Sizeof(Unit{}))
	pages := (size + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, page+pages+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	testenv.Needs(t, err == nil, "mmap")
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(memory)) })
	require.NoError(t, syscall.Mprotect(memory[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(memory[page+pages:], syscall.PROT_NONE))
	return unsafe.Slice((*Unit)(unsafe.Pointer(&memory[page+pages-size])), n)
}

// For any change of the words of a tree: a traversal of what Load accepts ends, and stays within
// the tree.
func TestLoadedTreesStayWithinThemselves(t *testing.T) {
	testenv.NoRace(t)
	rounds := 10_000
	if testing.Short() {
		rounds = 1000
	}
	withSIMD(t, func(t *testing.T) {
		for _, s := range []surface{grid(1), grid(4), soup(40), mixed()} {
			t.Run(s.name, func(t *testing.T) {
				rng := testenv.Rand(6, uint64(s.count()))
				tree := Build(s.vertices, s.indices, 1)
				rays := aims(rng, &s, 20)
				good := copied(&tree)
				units := guarded(t, len(good.Units))
				ids := make([]int32, len(good.IDs))
				accepted, refused := 0, 0
				for range rounds * 20 / (20 + s.count()) {
					copy(units, good.Units)
					copy(ids, good.IDs)
					p := damaged(rng, Parts{good.Bounds, good.Root, ids, units})
					if other, err := Load(p, s.count()); err != nil {
						refused++
					} else {
						accepted++
						exercise(&other, rays)
					}
				}
				t.Logf("%d accepted, %d refused", accepted, refused)
				assert.Positive(t, accepted)
				assert.Positive(t, refused)
			})
		}
	})
}
