package wide

import (
	"context"
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

var qualities = []Quality{Medium, Fast, High}

func build(t require.TestingT, s *surface, o Options) *Tree {
	tree, err := BuildWith(context.Background(), s.vertices, s.indices, o)
	require.NoError(t, err)
	require.NoError(t, tree.Validate(s.count(), s.triangle))
	return &tree
}

func TestQualitiesAreTheSameOnAnyNumberOfGoroutines(t *testing.T) {
	threads := testenv.Fewer([]int{8, 2, 0}, []int{8})
	for _, q := range qualities {
		for _, s := range shapes() {
			t.Run(fmt.Sprint(q, s.name), func(t *testing.T) {
				one := build(t, &s, Options{Quality: q, Threads: 1})
				for _, threads := range threads {
					require.Equal(t, one, build(t, &s, Options{Quality: q, Threads: threads}))
				}
			})
		}
	}
	empty, err := BuildWith(context.Background(), nil, nil, Options{Quality: Fast})
	assert.NoError(t, err)
	assert.True(t, empty.IsEmpty())
}

func TestSpread(t *testing.T) {
	for x := range uint32(1 << mortonBits) {
		want := uint32(0)
		for bit := range mortonBits {
			want |= x >> bit & 1 << (3 * bit)
		}
		require.Equal(t, want, spread(x))
	}
}

// The curve is sorted by codes and then by triangles, and goes through the centres of the boxes.
func TestCurve(t *testing.T) {
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			b := &builder{vertices: s.vertices, indices: s.indices}
			b.reset(s.count())
			all := b.lay(s.count())
			curve := b.curve(&all.centers)
			sortCurve(curve)
			seen := make([]bool, s.count())
			for i, a := range curve {
				require.True(t, i == 0 || curve[i-1] < a)
				require.False(t, seen[uint32(a)])
				seen[uint32(a)] = true
			}
			if low, high := curve[0].code(), curve[len(curve)-1].code(); low != high {
				bit := bits.Len32(low^high) - 1
				at := firstWith(curve, bit)
				require.Zero(t, curve[at-1].code()>>bit&1)
				require.NotZero(t, curve[at].code()>>bit&1)
			}
		})
	}
	// Two triangles at opposite corners of a cube have the first and the last code.
	b := &builder{vertices: []geom.Vec3{{}, {X: 8, Y: 8, Z: 8}}, indices: []uint32{0, 0, 0, 1, 1, 1}}
	b.reset(2)
	all := b.lay(2)
	curve := b.curve(&all.centers)
	assert.Equal(t, []ranked{0, (1<<(3*mortonBits)-1)<<32 | 1}, curve)
}
