//go:build cgo

package systemtest

import (
	"image"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/picking"
)

// hoverPlaces is how many places of the pointer are compared in each of four worlds.
const hoverPlaces = 250

// TestWindowHoversWhatIsSeen moves the display's pointer to a thousand places of a window, a third
// of them beside a silhouette, and asserts that what is hovered is what the ID buffer shows there.
func TestWindowHoversWhatIsSeen(t *testing.T) {
	openPointer(t)
	var total tally
	for i, st := range stages[:4] {
		camera := cameras[[]int{0, 3, 4, 5}[i]]
		t.Run(st.name+", "+camera.name, func(t *testing.T) {
			s := newStage()
			st.build(s)
			d := newTestWindowOf(t, s.world)
			size := d.win.FramebufferSize()
			view := ecs.GetResource[physecs.View](d.world)
			*view = camera.view(s, size)
			d.leave() // from here on the view has the sizes of the window
			require.Equal(t, picking.Size{Width: 900, Height: 600}, view.Window)
			require.NoError(t, d.ids.Draw(d.world, *view))
			truth := newTruth(t, d.world, *view, d.ids.Cull)
			sum := &tally{shown: map[ecs.Entity]bool{}}
			for _, at := range d.places(hoverPlaces) {
				d.move(float64(at.X), float64(at.Y))
				px, py := at.X, size.Height-1-at.Y
				sum.count(truth, px, py, d.ids, d.hovered())
			}
			t.Logf("%v", sum)
			assert.Zero(t, sum.verdicts[outside], sum.first)
			assert.LessOrEqual(t, sum.differ, 1, "hardly ever a place is at an edge by chance")
			testenv.Drawn(t, len(sum.shown), 10)
			total.add(*sum)
		})
	}
	assert.Equal(t, 4*hoverPlaces, total.pixels)
	assert.Greater(t, total.pixels-total.seen, hoverPlaces/2, "some are over nothing")
}

// places returns places in the window. Every third is within two pixels of a silhouette in the ID
// buffer.
func (d *testWindow) places(n int) (list []image.Point) {
	size := d.ids.Size()
	at := func(x, y int) ecs.Entity {
		e, _ := d.ids.Entity(x, size.Height-1-y)
		return e
	}
	var rim []image.Point // pixels whose entity differs from a neighbour's
	for y := 1; y < size.Height; y++ {
		for x := 1; x < size.Width; x++ {
			if e := at(x, y); e != at(x-1, y) || e != at(x, y-1) {
				rim = append(rim, image.Pt(x, y))
			}
		}
	}
	require.Greater(d.t, len(rim), n)
	rng := testenv.Rand(11, 12)
	for i := range n {
		p := image.Pt(rng.IntN(size.Width), rng.IntN(size.Height))
		if i%3 == 0 {
			p = rim[rng.IntN(len(rim))].Add(image.Pt(rng.IntN(4)-2, rng.IntN(4)-2))
			p.X, p.Y = min(max(p.X, 0), size.Width-1), min(max(p.Y, 0), size.Height-1)
		}
		list = append(list, p)
	}
	return list
}
