package picking

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func TestRecorderWritesWhatIsDocumented(t *testing.T) {
	var b strings.Builder
	r := NewRecorder(&b)
	window, fb := Size{800, 600}, Size{1600, 1200}
	full := FullViewport(window, fb)
	halves := []Viewport{full.Part(0, 0, 0.5, 1), full.Part(0.5, 0, 1, 1)}
	for _, f := range []Frame{
		{Time: 16 * time.Millisecond, Window: window, Framebuffer: fb, Pointers: []PointerInput{{ID: Mouse, Input: Input{X: 412, Y: 310.5, Inside: true}}}},
		{Time: 33 * time.Millisecond, Window: window, Framebuffer: fb, Pointers: []PointerInput{{ID: Mouse, Input: Input{X: 412, Y: 310.5, Inside: true,
			Down: ButtonSet(Left), Mods: ModShift | ModControl}}}},
		{Time: 50 * time.Millisecond, Window: window, Framebuffer: fb, Pointers: []PointerInput{
			{ID: Mouse, Input: Input{X: 412, Y: 310.5, Inside: true, Pressed: ButtonSet(Left), ScrollY: -1}},
			{ID: 7, Input: Input{X: 90, Y: 20, Inside: true, Down: ButtonSet(Left)}},
		}},
		{Time: 66 * time.Millisecond, Window: window, Framebuffer: fb, Keys: Keys{Down: []string{"W", "Space"}, Pressed: []string{"Space"}}},
		{Time: 83 * time.Millisecond, Window: window, Framebuffer: fb, Views: halves},
		{Time: 99 * time.Millisecond, Window: window, Framebuffer: fb, Views: halves, Keys: Keys{Pressed: []string{"+", "|", "é", "a b", "\n%"}}},
		{Time: 100 * time.Millisecond, Window: window, Framebuffer: fb, Views: []Viewport{halves[0], halves[1].Scaled(0.5), {X: -3, Y: 4, Width: -5, Framebuffer: fb}}},
		{Time: 101 * time.Millisecond, Window: window, Framebuffer: fb},
		{Time: -time.Nanosecond, Framebuffer: fb, Pointers: []PointerInput{{ID: 1, Captured: true, Input: Input{X: math.Inf(-1), Unfocused: true, Canceled: true}}}},
	} {
		require.NoError(t, r.Record(&f))
	}
	assert.Equal(t, `hitscan pointers 1
0.016 | size 800x600 1600x1200 | mouse 412 310.5 in
0.033 | mouse 412 310.5 in down=left mods=shift+control
0.05 | mouse 412 310.5 in pressed=left scroll=0,-1 | 7 90 20 in down=left
0.066 | keys down=W+Space pressed=Space
0.083 | views 800x1200+0+0 800x1200+800+0
0.099 | keys pressed=%2B+%7C+é+a%20b+%0A%25
0.1 | views 800x1200+0+0 400x600+400+0/800x600 0x0-3+4
0.101 | views
-0.000000001 | size 0x0 1600x1200 | 1 -Inf 0 captured unfocused canceled
`, b.String())
}

func TestReadFrames(t *testing.T) {
	frames, err := ReadFrames("bug.txt", strings.NewReader("hitscan pointers 1\r\n\n  # by hand\n 1.5|size 4x3 8x6|mouse 1 2 in in\n2 | 9 1 2 pressed=middle+back mods=alt\n"))
	require.NoError(t, err)
	window, fb := Size{4, 3}, Size{8, 6}
	assert.Equal(t, []Frame{
		{Time: 1500 * time.Millisecond, Window: window, Framebuffer: fb, Pointers: []PointerInput{{ID: Mouse, Input: Input{X: 1, Y: 2, Inside: true, Time: 1500 * time.Millisecond}}}},
		{Time: 2 * time.Second, Window: window, Framebuffer: fb, Pointers: []PointerInput{{ID: 9, Input: Input{X: 1, Y: 2, Pressed: ButtonSet(Middle, Back), Mods: ModAlt, Time: 2 * time.Second}}}},
	}, frames)

	for name, tt := range map[string]struct{ text, want string }{
		"empty":              {"", `bug.txt:1: no "hitscan pointers 1" in the first line`},
		"other file":         {"solid cube\n", `bug.txt:1: "solid cube", want "hitscan pointers 1"`},
		"other version":      {"hitscan pointers 2\n", `bug.txt:1: "hitscan pointers 2", want "hitscan pointers 1"`},
		"no time":            {"| mouse 1 2", `bug.txt:3: "" is not a time in seconds`},
		"bad time":           {"1s", `bug.txt:3: "1s" is not a time in seconds`},
		"exact time":         {"0.1234567891", `bug.txt:3: "0.1234567891" is not a time in seconds: it has more than nine decimals`},
		"large time":         {"9999999999999", `bug.txt:3: "9999999999999" is not a time in seconds`},
		"largest time":       {"9223372036.854775808", `bug.txt:3: "9223372036.854775808" is not a time in seconds`},
		"nothing":            {"1 || mouse 1 2", "bug.txt:3: nothing between two bars"},
		"bad pointer":        {"1 | muose 1 2", `bug.txt:3: "muose" is neither mouse nor the number of a pointer`},
		"pointer zero":       {"1 | 0 1 2", `bug.txt:3: "0" is neither mouse nor the number of a pointer`},
		"no place":           {"1 | mouse 1", "bug.txt:3: pointer mouse has no place"},
		"bad place":          {"1 | mouse 1 b", `bug.txt:3: "b" is not a number`},
		"twice":              {"1 | 3 1 2 | 3 1 2", "bug.txt:3: pointer 3 twice in one frame"},
		"bad word":           {"1 | mouse 1 2 inn", `bug.txt:3: "inn" is unknown`},
		"bad button":         {"1 | mouse 1 2 down=left+leff", `bug.txt:3: "leff" is not one of left, right, middle, back, forward`},
		"no button":          {"1 | mouse 1 2 pressed", `bug.txt:3: "" is not one of left, right, middle, back, forward`},
		"bad key":            {"1 | mouse 1 2 mods=meta", `bug.txt:3: "meta" is not one of shift, control, alt, super`},
		"bad scroll":         {"1 | mouse 1 2 scroll=1", `bug.txt:3: "" is not a number`},
		"bad size":           {"1 | size 3x4 3", `bug.txt:3: "3" is not a size`},
		"negative size":      {"1 | size 3x-4 3x4", `bug.txt:3: "3x-4" is not a size`},
		"huge size":          {"1 | size 3x4 32769x4", `bug.txt:3: "32769x4" is not a size`},
		"bad word of keys":   {"1 | keys hit=a", `bug.txt:3: "hit=a" is unknown`},
		"no name":            {"1 | keys down=a+", "bug.txt:3: the name of a key is empty"},
		"no names":           {"1 | keys pressed", "bug.txt:3: the name of a key is empty"},
		"bad name":           {"1 | keys down=a%2", `bug.txt:3: "a%2" is not a key's name: % needs two hexadecimal digits`},
		"worse name":         {"1 | keys down=%+2", `bug.txt:3: "%" is not a key's name: % needs two hexadecimal digits`},
		"bad digits":         {"1 | keys down=%0g", `bug.txt:3: "%0g" is not a key's name: % needs two hexadecimal digits`},
		"no place of a view": {"1 | views 3x4", `bug.txt:3: "3x4" is not a view`},
		"half a place":       {"1 | views 3x4+5", `bug.txt:3: "3x4+5" is not a view`},
		"no size of a view":  {"1 | views +5-6", `bug.txt:3: "+5-6" is not a view`},
		"far view":           {"1 | views 3x4-9223372036854775808+0", `bug.txt:3: "3x4-9223372036854775808+0" is not a view`},
		"view of nothing":    {"1 | views 3x4+0+0/", `bug.txt:3: "3x4+0+0/" is not a view`},
		"half a size":        {"1 | size 3x4", "bug.txt:3: size needs those of the window and the framebuffer"},
		"long":               {"1 | mouse 1 2" + strings.Repeat(" in", maxStreamLine), "bug.txt:3: a line is longer than 65536 bytes"},
		"long, but short":    {"1 | " + strings.Repeat("x", 100) + " 1 2", `bug.txt:3: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is neither mouse nor the number of a pointer`},
	} {
		t.Run(name, func(t *testing.T) {
			text := tt.text
			if strings.Contains(tt.want, ":3:") {
				text = streamHeader + "\n0.5\n" + text + "\n2\n"
			}
			r := NewReplay("bug.txt", strings.NewReader(text))
			var f Frame
			var err error
			for err == nil {
				err = r.Next(&f)
			}
			assert.EqualError(t, err, "picking: "+tt.want)
			assert.Equal(t, err, r.Next(&f), "it comes again")
			_, err = ReadFrames("bug.txt", strings.NewReader(text))
			assert.EqualError(t, err, "picking: "+tt.want)
		})
	}

	whole := "hitscan pointers 1\n0.5 | mouse 412 310.5 in\n1 | mouse 412 310.5 in down=left\n"
	for i := strings.Index(whole, "\n1 |") + 2; i < len(whole); i++ {
		frames, err := ReadFrames("bug.txt", strings.NewReader(whole[:i]))
		require.Len(t, frames, 1, "%q", whole[:i])
		require.EqualError(t, err, "picking: bug.txt:3: the last line is cut off: it does not end with a line break")
	}

	broken := errors.New("broken")
	frames, err = ReadFrames("f", io.MultiReader(strings.NewReader(streamHeader+"\n1\n"), iotest.ErrReader(broken)))
	assert.Len(t, frames, 1)
	assert.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "picking: f:3: ")
}

func TestRecorderError(t *testing.T) {
	full := errors.New("full")
	r := NewRecorder(writerFunc(func([]byte) (int, error) { return 0, full }))
	err := r.Record(&Frame{})
	require.ErrorIs(t, err, full)
	require.Equal(t, err, r.Record(&Frame{}))
}

// A frame that could not be read back is not written: a window that hung may report a key a
// thousand times, but a line has a limit.
func TestRecorderRefusesLongLines(t *testing.T) {
	var b strings.Builder
	r := NewRecorder(&b)
	require.NoError(t, r.Record(&Frame{Keys: Keys{Pressed: slices.Repeat([]string{"a"}, 10_000)}}))
	const bare = len("0 | keys pressed=\n")
	require.NoError(t, r.Record(&Frame{Keys: Keys{Pressed: []string{strings.Repeat("a", maxStreamLine-bare)}}}))
	frames, err := ReadFrames("tape", strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Len(t, frames, 2)
	before := b.String()
	err = r.Record(&Frame{Keys: Keys{Pressed: []string{strings.Repeat("a", maxStreamLine-bare+1)}}})
	require.EqualError(t, err, "picking: recording pointers: a line is longer than 65536 bytes")
	require.Equal(t, err, r.Record(&Frame{}))
	require.Equal(t, before, b.String())
	assert.PanicsWithValue(t, "picking: Recorder.Record: the name of a key is empty", func() {
		_ = NewRecorder(&b).Record(&Frame{Keys: Keys{Down: []string{"a", ""}}})
	})
}

// A Frame that is read into again has no keys of the frame before, and its views until they change.
func TestReplayUsesAFrameAgain(t *testing.T) {
	r := NewReplay("tape", strings.NewReader(streamHeader+`
1 | size 4x4 8x8 | views 4x8+0+0 2x4+4+0/4x4 | keys down=a pressed=a
2 | keys pressed=b
3 | size 8x4 16x8
4 | views
`))
	var f Frame
	views := []Viewport{
		{Width: 4, Height: 8, Window: Size{4, 4}, Framebuffer: Size{8, 8}},
		{X: 4, Width: 2, Height: 4, Window: Size{4, 4}, Framebuffer: Size{4, 4}},
	}
	require.NoError(t, r.Next(&f))
	assert.True(t, f.Keys.IsDown("a"))
	assert.Equal(t, views, f.Views)
	require.NoError(t, r.Next(&f))
	assert.False(t, f.Keys.IsDown("a"))
	assert.Equal(t, []string{"b"}, f.Keys.Pressed)
	assert.Equal(t, views, f.Views)
	require.NoError(t, r.Next(&f))
	assert.Empty(t, f.Keys.Pressed)
	views[0].Window, views[1].Window, views[0].Framebuffer = Size{8, 4}, Size{8, 4}, Size{16, 8}
	assert.Equal(t, views, f.Views)
	require.NoError(t, r.Next(&f))
	assert.Empty(t, f.Views)
}

// A view whose framebuffer stays when the frame's changes has stopped following it.
func TestRecordedViewStopsFollowing(t *testing.T) {
	view := []Viewport{{Width: 4, Height: 4, Window: Size{4, 4}, Framebuffer: Size{8, 8}}}
	frames := []Frame{
		{Window: Size{4, 4}, Framebuffer: Size{8, 8}, Views: view},
		{Window: Size{4, 4}, Framebuffer: Size{16, 16}, Views: view},
	}
	var b strings.Builder
	r := NewRecorder(&b)
	for i := range frames {
		require.NoError(t, r.Record(&frames[i]))
	}
	got, err := ReadFrames("tape", strings.NewReader(b.String()))
	require.NoError(t, err)
	require.Equal(t, frames, got)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A recording is read back exactly.
func TestRecordedFramesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), 1e300, 0.1}))
		size := rapid.Custom(func(t *rapid.T) Size {
			return Size{rapid.IntRange(0, maxSide).Draw(t, "w"), rapid.IntRange(0, 9).Draw(t, "h")}
		})
		var frames []Frame
		var b bytes.Buffer
		r := NewRecorder(&b)
		f := Frame{}
		for range rapid.IntRange(1, 5).Draw(t, "frames") {
			f.Time = time.Duration(rapid.Int64().Draw(t, "time"))
			if rapid.Bool().Draw(t, "resize") {
				f.Window, f.Framebuffer = size.Draw(t, "window"), size.Draw(t, "framebuffer")
			}
			name := rapid.OneOf(rapid.StringN(1, 6, -1), rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 6), func(b []byte) string { return string(b) }))
			f.Keys = Keys{}
			for range rapid.IntRange(0, 3).Draw(t, "keys") {
				f.Keys.Down = append(f.Keys.Down, name.Draw(t, "down"))
				f.Keys.Pressed = append(f.Keys.Pressed, name.Draw(t, "pressed"))
			}
			if rapid.Bool().Draw(t, "layout") {
				f.Views = nil
				for range rapid.IntRange(0, 3).Draw(t, "views") {
					place := rapid.IntRange(-maxSide, maxSide)
					w, fb := size.Draw(t, "view"), size.Draw(t, "own framebuffer")
					f.Views = append(f.Views, Viewport{X: place.Draw(t, "x"), Y: place.Draw(t, "y"), Width: w.Width, Height: w.Height, Framebuffer: fb})
				}
			}
			f.Views = slices.Clone(f.Views)
			for i := range f.Views {
				if f.Views[i].Window = f.Window; rapid.Bool().Draw(t, "same framebuffer") {
					f.Views[i].Framebuffer = f.Framebuffer
				}
			}
			f.Pointers = nil
			for _, id := range rapid.SliceOfNDistinct(rapid.Uint32(), 0, 3, rapid.ID).Draw(t, "ids") {
				f.Pointers = append(f.Pointers, PointerInput{ID: PointerID(id), Captured: rapid.Bool().Draw(t, "captured"), Input: Input{
					X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Inside: rapid.Bool().Draw(t, "in"), Time: f.Time,
					Down: Buttons(rapid.Uint8Range(0, 31).Draw(t, "down")), Pressed: Buttons(rapid.Uint8Range(0, 31).Draw(t, "pressed")),
					Mods: Mods(rapid.Uint8Range(0, 15).Draw(t, "mods")), ScrollX: number.Draw(t, "sx"), ScrollY: number.Draw(t, "sy"),
					Unfocused: rapid.Bool().Draw(t, "unfocused"), Canceled: rapid.Bool().Draw(t, "canceled"),
				}})
			}
			frames = append(frames, f)
			require.NoError(t, r.Record(&f))
		}
		got, err := ReadFrames("tape", &b)
		require.NoError(t, err)
		require.Equal(t, frames, got)
	})
}

// Any text is read, or gives an error with its place. What was read and is written again reads the
// same.
func FuzzReadFrames(f *testing.F) {
	f.Add("1.5 | size 4x3 8x6 | mouse 1 2 in\n")
	f.Add("2 | 9 1 2 pressed=middle+back mods=alt scroll=1,NaN\n# no\n\n3 | mouse -0 1e40\n")
	f.Add("1 | size 4x4 8x8 | views 4x8+0-1 2x4+4+0/4x4 | keys down=a+%7c pressed=a\n2 | keys pressed=\u00e9 | views\n")
	f.Add("-9223372036.854775808 | 1 0x1p-3 .5 down=left unfocused canceled\n")
	f.Fuzz(func(t *testing.T, text string) {
		frames, err := ReadFrames("fuzz", strings.NewReader(streamHeader+"\n"+text))
		if err != nil {
			require.Contains(t, err.Error(), "picking: fuzz:")
		}
		if strings.Contains(strings.ToLower(text), "nan") {
			return // is not equal to itself
		}
		var b bytes.Buffer
		r := NewRecorder(&b)
		for i := range frames {
			require.NoError(t, r.Record(&frames[i]))
		}
		if len(frames) == 0 {
			return
		}
		again, err := ReadFrames("again", &b)
		require.NoError(t, err)
		require.Equal(t, len(frames), len(again))
		for i := range frames {
			a, b := frames[i], again[i]
			require.Equal(t, append([]PointerInput{}, a.Pointers...), append([]PointerInput{}, b.Pointers...))
			require.Equal(t, append([]Viewport{}, a.Views...), append([]Viewport{}, b.Views...))
			a.Pointers, b.Pointers, a.Views, b.Views = nil, nil, nil, nil
			require.Equal(t, a, b)
		}
	})
}

// Frames with views that each of them keeps, and frames of next to nothing, take at most 64 times
// the text and 16 MB, in all that is ever allocated.
func TestMemoryByTextSize(t *testing.T) {
	testenv.NoRace(t)
	views := "0|views" + strings.Repeat(" 1x1+0+0", 2000)
	for name, text := range map[string]string{
		"views":          views + "\n" + strings.Repeat("0\n", 4000),
		"views and size": views + "\n" + strings.Repeat("0|size 1x1 1x1\n", 4000),
		"empty":          strings.Repeat("0\n", 200000),
	} {
		text = "hitscan pointers 1\n" + text
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		frames, err := ReadFrames("a.txt", strings.NewReader(text))
		runtime.ReadMemStats(&after)
		assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(64*len(text)+16<<20), name)
		assert.ErrorContains(t, err, "bytes of memory, the limit of picking.Limits", name)
		assert.NotEmpty(t, frames)
		if n := strings.Count(text, "\n") - 1; n < 10_000 {
			all, err := Limits{Memory: 1 << 40}.ReadFrames("a.txt", strings.NewReader(text))
			assert.NoError(t, err)
			assert.Len(t, all, n)
		}
		// One at a time they can all be read.
		replay := NewReplay("a.txt", strings.NewReader(text))
		var f Frame
		n := 0
		for err = replay.Next(&f); err == nil; err = replay.Next(&f) {
			n++
		}
		assert.Equal(t, io.EOF, err, name)
		assert.Greater(t, n, len(frames), name)
	}
	assert.PanicsWithValue(t, "picking: Limits: a Memory of -1 bytes", func() { _, _ = Limits{Memory: -1}.ReadFrames("", nil) })
}
