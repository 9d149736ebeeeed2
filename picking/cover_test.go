package picking

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The cover is the one that a direct search finds, and the picks are those of MergePicks.
func TestMergeCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		picks := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Pick[int] {
			return Pick[int]{
				Target: rapid.IntRange(0, 3).Draw(t, "target"), Order: rapid.IntRange(0, 2).Draw(t, "order"), Depth: float64(rapid.IntRange(0, 2).Draw(t, "depth")),
				Through: rapid.Bool().Draw(t, "through"), Cover: rapid.Bool().Draw(t, "backdrop"),
			}
		}), 0, 6).Draw(t, "picks")
		for i := range picks {
			picks[i].Hit.User = uint64(i)
		}
		first := -1 // the first that is not Through
		for i, p := range picks {
			if !p.Through && (first < 0 || p.Order > picks[first].Order || p.Order == picks[first].Order && p.Depth < picks[first].Depth) {
				first = i
			}
		}
		var want Pick[int]
		if first >= 0 && picks[first].Cover {
			want = picks[first]
		}
		merged := MergePicks(slices.Clone(picks))
		left, cover, ok := MergeCover(slices.Clone(picks))
		require.Equal(t, merged, left)
		require.Equal(t, want, cover)
		require.Equal(t, want.Cover, ok)
	})
}

// Events of the background carry the place where the pointer's ray hit the ground.
//
//	ggggg.....aaa   the ground g, nothing, a target
func TestBackgroundHasTheHitOfTheGround(t *testing.T) {
	under := func(x float64) []Pick[string] {
		switch p := (Pick[string]{HasHit: true}); {
		case x < 15:
			p.Target, p.Cover, p.Hit.User = "ground", true, uint64(x)
			return []Pick[string]{p}
		case x >= 30:
			p.Target, p.Hit.User = "a", uint64(x)
			return []Pick[string]{p}
		}
		return nil
	}
	type seenEvent struct {
		Kind   EventKind
		Target string
		HasHit bool
		User   uint64
	}
	var p Pointer[string]
	at := func(x float64, do func(*Input)) (all []seenEvent) {
		in := Input{X: x, Inside: true}
		if do != nil {
			do(&in)
		}
		for _, e := range p.UpdatePicks(in, under(x)) {
			require.Equal(t, e.Target == "", e.Background)
			all = append(all, seenEvent{e.Kind, e.Target, e.HasHit, e.Hit.User})
		}
		return all
	}
	left := func(in *Input) { in.Down = ButtonSet(Left) }
	assert.Empty(t, at(2, nil))
	assert.Equal(t, []seenEvent{{Move, "", true, 4}}, at(4, nil))
	assert.Equal(t, []seenEvent{{Scroll, "", true, 4}, {Down, "", true, 4}}, at(4, func(in *Input) { left(in); in.ScrollY = 1 }))
	assert.Equal(t, []seenEvent{{Move, "", true, 5}, {Up, "", true, 5}, {Click, "", true, 5}}, at(5, nil))
	assert.Equal(t, []seenEvent{{Down, "", true, 5}}, at(5, left))
	assert.Equal(t, []seenEvent{{DragStart, "", true, 5}, {Move, "", true, 12}, {Drag, "", true, 12}}, at(12, left), "it starts where it was grabbed")
	assert.Equal(t, []seenEvent{{Move, "", false, 0}, {Drag, "", false, 0}}, at(20, left), "beside the ground")
	assert.Equal(t, []seenEvent{{Move, "", false, 0}, {Drag, "", false, 0}}, at(35, left), "before the ground")
	assert.Equal(t, []seenEvent{{Move, "", true, 8}, {Drag, "", true, 8}}, at(8, left))
	assert.Equal(t, []seenEvent{{Cancel, "", true, 8}, {Up, "", true, 8}, {DragEnd, "", true, 8}}, at(8, func(in *Input) { left(in); in.Unfocused = true }))
	assert.Empty(t, at(8, nil))
	assert.Equal(t, []seenEvent{{Over, "a", true, 31}, {Enter, "a", true, 31}, {Move, "a", true, 31}}, at(31, nil))
	assert.Equal(t, []seenEvent{{Down, "a", true, 31}}, at(31, left))

	dead := false
	p.Alive = func(string) bool { return !dead }
	assert.Equal(t, []seenEvent{{DragStart, "a", true, 31}, {GotCapture, "a", false, 0}, {Move, "a", false, 0}, {Drag, "a", false, 0}}, at(7, left))
	dead = true
	assert.Equal(t, []seenEvent{{LostCapture, "", false, 0}}, at(7, left), "that did not happen on the ground")
	assert.Equal(t, []seenEvent{{Move, "", true, 8}}, at(8, nil))
}

// Glass in front of the ground is hovered, and the ground is not.
func TestBackdropIsNotHovered(t *testing.T) {
	var p Pointer[string]
	picks := []Pick[string]{{Target: "glass", Through: true}, {Target: "ground", Cover: true, HasHit: true}}
	for _, e := range p.UpdatePicks(Input{Inside: true, Pressed: ButtonSet(Left)}, picks) {
		assert.Equal(t, "glass", e.Target)
		assert.False(t, e.HasHit)
	}
	assert.Equal(t, picks[:1], p.Hovered())
}

// An event of the background can be stopped, though it reaches no target.
func TestStopOnTheBackground(t *testing.T) {
	var p Pointer[string]
	e := &p.UpdatePicks(Input{Inside: true, Pressed: ButtonSet(Left)}, nil)[0]
	require.True(t, e.Background)
	assert.False(t, e.Stopped())
	e.Stop()
	assert.True(t, e.Stopped())
	assert.False(t, e.Reaches(""))
}
