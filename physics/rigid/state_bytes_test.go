package rigid_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// follow makes o, whose world was set up as that of l, the state of l by bytes.
func (l *life) follow(o *life, b []byte) {
	require.NoError(l.t, l.LoadState(b))
	require.NoError(l.t, l.Space().Validate())
	l.n, l.bodies, l.ground, l.joints = o.n, slices.Clone(o.bodies), slices.Clone(o.ground), slices.Clone(o.joints)
}

// A life that goes on in another world, from bytes, has the same bits at every step.
func TestStateToAnotherWorld(t *testing.T) {
	const ticks, ahead = 120, 25
	lives := testenv.Count(t, "HITSCAN_LIVES", testenv.Fewer(4, 0))
	for i := range lives + 1 {
		seed := uint64(i)
		if i == lives {
			seed = 26 // in which contacts lose manifolds and find others
		}
		want := make([]uint64, ticks+ahead)
		l, choices := newLife(t, seed), golden.Numbers(seed+2000)
		followers, left := make([]*life, 6), make([]int, 6)
		for tick := range want {
			h := golden.New()
			l.tick(h)
			want[tick] = h.Sum()
			for i, f := range followers {
				if left[i] == 0 {
					continue
				}
				left[i]--
				h := golden.New()
				f.tick(h)
				require.Equal(t, want[tick], h.Sum(), "seed %d, tick %d, %d ticks after the state", seed, tick, ahead-left[i])
			}
			k := choices.Int(len(followers))
			if left[k] > 0 || tick >= ticks {
				continue
			}
			// Also between two steps, after changes that no step has seen.
			what, where := choices.Int(3), choices.Vec(2)
			for i, f := range append(slices.Clip(followers), l) {
				switch {
				case i < len(left) && left[i] == 0:
				case what == 0:
					f.Space().Rebase(f.Space().Origin().Add(where.Wide()))
				case what == 1:
					f.Space().Remove(f.Space().Add(physics.Collider{Shape: box(1)}))
				}
			}
			b := l.AppendState(nil)
			if followers[k] == nil || choices.Int(2) == 0 {
				followers[k] = newLife(t, seed)
			}
			f := followers[k]
			f.n = choices
			for range choices.Int(5) {
				f.tick(golden.New())
			}
			f.follow(l, b)
			require.True(t, bytes.Equal(b, f.AppendState(nil)), "seed %d, tick %d", seed, tick)
			left[k] = ahead
		}
	}
}

// Damaged bytes are refused, and the world is as before.
func TestDamagedStates(t *testing.T) {
	l := newLife(t, 6)
	for range 60 {
		l.tick(golden.New())
	}
	b := l.AppendState(nil)
	other := newLife(t, 6)
	before := other.AppendState(nil)
	n := golden.Numbers(9)
	for range 50 {
		d := slices.Clone(b)
		d[n.Int(len(d))] ^= 1 << n.Int(8)
		require.ErrorContains(t, other.LoadState(d), "rigid: Dynamics.LoadState")
		require.Error(t, other.LoadState(b[:n.Int(len(b))]))
	}
	require.Error(t, other.LoadState(nil))
	require.Equal(t, before, other.AppendState(nil))
	bare := rigid.New(physics.NewSpace())
	err := bare.LoadState(b)
	require.ErrorContains(t, err, "it has a mesh of 512 triangles that no collider of the space has")
	assert.Zero(t, bare.Space().Len())
}

// A shape that no collider has any more is found in the list.
func TestStateWithShapes(t *testing.T) {
	prism := func() *hull.Hull {
		h, err := hull.New([]geom.Vec3{geom.V(-1, 0, 0), geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1)})
		require.NoError(t, err)
		return h
	}
	s := newScene(t)
	id := s.add(rigid.Body{}, prism(), geom.At(0, 3, 0))
	s.steps(20)
	want, _ := s.Transform(id)
	b := s.AppendState(nil)
	o := newScene(t)
	require.Error(t, o.LoadState(b))
	require.NoError(t, o.LoadState(b, prism()))
	got, _ := o.Transform(id)
	require.Equal(t, want, got)
	require.NoError(t, o.LoadState(b), "now the space has it")
}

// reseal gives bytes that were changed the checksums of undamaged ones.
func reseal(b []byte) {
	const header = 20 // format, length, checksum
	seal := func(b []byte) {
		sum := crc32.Checksum(b[header:], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(b[header-4:], sum)
	}
	if n := int(binary.LittleEndian.Uint32(b[header:])); n >= header && n <= len(b)-header-4 {
		seal(b[header+4:][:n])
	}
	seal(b)
}

// FuzzLoadState loads states with wrong numbers and right checksums. Each is refused, and the world
// is as before; or it can be stepped, without a panic and with a valid space. The input is places
// of the state and what is changed there, in groups of four bytes.
func FuzzLoadState(f *testing.F) {
	n := golden.Numbers(11)
	for range 60 {
		b := make([]byte, 4*(1+n.Int(3)))
		for i := range b {
			b[i] = byte(n.Int(256))
		}
		f.Add(b)
	}
	l := newLife(f, 7)
	for range 80 {
		l.tick(golden.New())
	}
	state := l.AppendState(nil)
	other := newLife(f, 7)
	f.Fuzz(func(t *testing.T, input []byte) {
		b := slices.Clone(state)
		for ; len(input) >= 4; input = input[4:] {
			at := int(input[0])<<16 | int(input[1])<<8 | int(input[2])
			b[20+at%(len(b)-20)] ^= input[3]
		}
		reseal(b)
		whole := false
		defer func() {
			if !whole { // or all inputs would fail from now on
				other = newLife(t, 7)
			}
		}()
		before := other.AppendState(nil)
		if err := other.LoadState(b); err != nil {
			require.Equal(t, before, other.AppendState(nil), "after %v", err)
			whole = true
			return
		}
		other.Settings = rigid.DefaultSettings()
		for range 3 {
			other.Step()
		}
		require.NoError(t, other.Space().Validate())
		var s rigid.State
		other.Save(&s)
		for id := range other.All() {
			other.Remove(id)
		}
		other.Step()
		other.Restore(&s)
		other.Step()
		// Its mesh may have gone with the collider that had it.
		if err := other.LoadState(state); err != nil {
			require.ErrorContains(t, err, "that no collider of the space has")
			return
		}
		whole = true
	})
}

// A state has the settings of its world.
func TestStateHasSettings(t *testing.T) {
	d := rigid.New(physics.NewSpace())
	d.Settings.Gravity = geom.V(1, 2, 3)
	o := rigid.New(physics.NewSpace())
	require.NoError(t, o.LoadState(d.AppendState(nil)))
	require.Equal(t, d.Settings, o.Settings)
}
