package physecs

import (
	"strings"
	"testing"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/picking"
)

// splitScreen is a table with a split screen: the left half shows the spheres as the table does,
// the right one at twice the size.
type splitScreen struct {
	*table
	chooser ViewSystem
	views   *Views
}

func newSplitScreen() *splitScreen {
	h := &splitScreen{table: newTable()}
	h.chooser.Initialize(h.World)
	h.views = ecs.GetResource[Views](h.World)
	h.views.List = []View{*h.view, *h.view}
	h.views.List[1].Projection = picking.Orthographic(5, 0.1, 100)
	h.resize(200, 100)
	return h
}

// resize lays out the views for a window with a framebuffer of twice its size.
func (h *splitScreen) resize(width, height int) {
	full := picking.FullViewport(picking.Size{Width: width, Height: height}, picking.Size{Width: 2 * width, Height: 2 * height})
	h.views.List[0].Viewport, h.views.List[1].Viewport = full.Part(0, 0, 0.3, 1), full.Part(0.3, 0, 1, 1)
}

func (h *splitScreen) frame() string {
	h.chooser.Update(h.World)
	h.Update(h.World)
	return h.says()
}

// A session with a split screen: the pointer is outside of all views at first and later, and the
// window is resized while a button is down, while the pointer is outside, and between.
func TestRecordAndPlayViews(t *testing.T) {
	var tape strings.Builder
	first, second := newSplitScreen(), newSplitScreen()
	recorder := picking.NewRecorder(&tape)
	said, hovered, layouts := []string{}, []bool{}, [][2]picking.Viewport{}
	at := func(i, sphere int, down ...picking.Button) func() {
		return func() {
			x, y, _, ok := first.views.List[i].Project(first.transforms.Get(first.e[sphere]).Position)
			require.True(t, ok)
			first.pointer.Input = picking.Input{X: x, Y: y, Inside: true, Down: picking.ButtonSet(down...), Time: first.pointer.Time}
		}
	}
	for _, step := range []func(){
		func() { first.pointer.Inside = false },
		at(0, 2), at(0, 2, picking.Left), at(0, 2), at(1, 1),
		func() { first.resize(400, 100); at(1, 1)() },
		at(1, 1, picking.Left),
		func() { first.resize(400, 300) },
		at(1, 2, picking.Left), at(1, 2),
		func() { first.pointer.Inside = false },
		func() { first.resize(150, 90) },
		at(0, 2), at(1, 2),
	} {
		first.pointer.Time += 16 * time.Millisecond
		step()
		require.NoError(t, Record(first.World, recorder))
		said, hovered = append(said, first.frame()), append(hovered, first.hover.OK)
		layouts = append(layouts, [2]picking.Viewport{first.views.List[0].Viewport, first.views.List[1].Viewport})
	}
	text := tape.String()
	assert.Contains(t, text, "| size 200x100 400x200 | views 120x200+0+0 280x200+120+0 |")
	assert.Equal(t, 4, strings.Count(text, "size "), "sizes are those of the window, wherever the pointer is")
	assert.Contains(t, hovered, true)
	assert.Contains(t, strings.Join(said, ", "), "Drop 2")

	frames, err := picking.ReadFrames("tape", strings.NewReader(text))
	require.NoError(t, err)
	for i := range frames {
		Play(second.World, &frames[i])
		assert.Equal(t, said[i], second.frame(), "frame %d", i)
		assert.Equal(t, hovered[i], second.hover.OK, "frame %d", i)
		assert.Equal(t, layouts[i], [2]picking.Viewport{second.views.List[0].Viewport, second.views.List[1].Viewport}, "frame %d", i)
	}

	second.views.List = second.views.List[:1]
	Play(second.World, &frames[0])
	assert.Equal(t, layouts[0][0], second.views.List[0].Viewport, "a game with less views")
}

// Without the resource no keys are recorded; with it they are recorded and played.
func TestRecordAndPlayKeys(t *testing.T) {
	var tape strings.Builder
	first, second := newTable(), newTable()
	recorder := picking.NewRecorder(&tape)
	require.NoError(t, Record(first.World, recorder))
	assert.Nil(t, findResource[Keys](first.World))
	keys := &Keys{Pressed: []string{"jump"}, Down: []string{"jump", "a+b"}}
	ecs.AddResource(first.World, keys)
	require.NoError(t, Record(first.World, recorder))
	keys.Pressed = nil
	require.NoError(t, Record(first.World, recorder))

	frames, err := picking.ReadFrames("tape", strings.NewReader(tape.String()))
	require.NoError(t, err)
	Play(second.World, &frames[0])
	assert.Nil(t, findResource[Keys](second.World))
	Play(second.World, &frames[1])
	got := ecs.GetResource[Keys](second.World)
	assert.Equal(t, Keys{Pressed: []string{"jump"}, Down: []string{"jump", "a+b"}}, *got)
	got.Down[0] = "changed"
	assert.Equal(t, "jump", frames[1].Keys.Down[0])
	Play(second.World, &frames[2])
	assert.Empty(t, got.Pressed)
	assert.True(t, got.IsDown("jump"))
	Play(second.World, &frames[0])
	assert.Empty(t, got.Down)
}
