package physecs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
)

// Equal colliders share an entry, which is reused when no row has it.
func TestShapeCache(t *testing.T) {
	g := newGame()
	e := g.row(10)
	space := Sync(g.World)
	count := func() int {
		n := 0
		for i, f := range space.shapes.entries {
			assert.Equal(t, f.refs == 0, space.shapes.colliders[i] == Collider{}, "place %d", i)
			if f.refs > 0 {
				n++
			}
		}
		chained := 0
		for hash, i := range space.shapes.heads {
			for ; i != 0; i = space.shapes.entries[i].next {
				assert.Equal(t, hash, space.shapes.bucket(&space.shapes.colliders[i]))
				chained++
			}
		}
		assert.Equal(t, n, chained)
		return n
	}
	assert.Equal(t, 1, count())
	for i, e := range e {
		g.colliders.Get(e).User = uint64(i / 2)
	}
	Sync(g.World)
	assert.Equal(t, 5, count())
	g.check(t)
	for _, e := range e[:9] {
		g.colliders.Get(e).Radius = 2
	}
	Sync(g.World)
	assert.Equal(t, 6, count(), "numbers 8 and 9 differ now")
	for _, e := range e[:9] {
		g.RemoveEntity(e)
	}
	Sync(g.World)
	assert.Equal(t, 1, count())
	g.check(t)

	t.Run("all in one chain", func(t *testing.T) {
		f := newShapeCache(physics.NewSpace())
		f.mask = 0
		places := map[int32]int{}
		c := make([]Collider, 6)
		for i := range c {
			c[i] = Sphere(float32(i))
			places[f.add(&c[i], &Meshes{})] = i
		}
		assert.Len(t, places, len(c))
		assert.Len(t, f.heads, 1)
		for _, i := range []int{2, 5, 0, 4, 3, 1} { // from the middle, from the head, from the end
			for j := range c {
				if at := f.find(&c[j]); at != 0 {
					assert.Equal(t, j, places[at])
				}
			}
			at := f.find(&c[i])
			require.NotZero(t, at)
			f.drop(at)
			assert.Zero(t, f.find(&c[i]))
		}
		assert.Empty(t, f.heads)
		for i := range c {
			assert.Contains(t, places, f.add(&c[i], &Meshes{}), "places are used again")
		}
	})
}
