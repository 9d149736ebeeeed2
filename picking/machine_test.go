package picking

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// pointerModel is the expected state of one pointer: everything that has begun and not ended.
type pointerModel struct {
	over, entered map[int]bool
	down          map[Button]map[int]bool // targets of a press; 0: the background
	dragged       map[Button]map[int]bool
	// Pairs of the target under the drag and the dragged one.
	dragOver  map[Button]map[[2]int]bool
	clickable map[Button]bool
	captor    int
}

func newPointerModel() *pointerModel {
	return &pointerModel{
		over: map[int]bool{}, entered: map[int]bool{}, down: map[Button]map[int]bool{}, dragged: map[Button]map[int]bool{},
		dragOver: map[Button]map[[2]int]bool{}, clickable: map[Button]bool{},
	}
}

// begin and end check the pairs of events.
func begin[B, K comparable](t require.TestingT, sets map[B]map[K]bool, b B, k K) {
	require.NotContains(t, sets[b], k)
	if sets[b] == nil {
		sets[b] = map[K]bool{}
	}
	sets[b][k] = true
}

func end[B, K comparable](t require.TestingT, sets map[B]map[K]bool, b B, k K) {
	require.Contains(t, sets[b], k)
	if delete(sets[b], k); len(sets[b]) == 0 {
		delete(sets, b)
	}
}

// removeDead removes a dead target. It returns how many DragLeaves without Related each living
// target must get for it.
func (h *pointerModel) removeDead(dead int) (leaves map[int]int) {
	leaves = map[int]int{}
	delete(h.over, dead)
	delete(h.entered, dead)
	for _, sets := range []map[Button]map[int]bool{h.down, h.dragged} {
		for b := range sets {
			if delete(sets[b], dead); len(sets[b]) == 0 {
				delete(sets, b)
			}
		}
	}
	for b, set := range h.dragOver {
		for pair := range maps.Clone(set) {
			switch dead {
			case pair[0]:
				delete(set, pair)
			case pair[1]:
				delete(set, pair)
				leaves[pair[0]]++
			}
		}
		if len(set) == 0 {
			delete(h.dragOver, b)
		}
	}
	return leaves
}

// stages is the order of the events of an update. With buttons set, a stage repeats for each
// button.
var stages = []struct {
	kinds   []EventKind
	buttons bool
}{
	{[]EventKind{LostCapture}, false}, {[]EventKind{DragLeave}, false}, // of dead targets
	{[]EventKind{LostCapture}, false}, {[]EventKind{GotCapture}, false},
	{[]EventKind{Cancel, Up, DragLeave, DragEnd}, true},
	{[]EventKind{LostCapture}, false},
	{[]EventKind{DragStart}, true}, {[]EventKind{GotCapture}, false}, {[]EventKind{DragStart}, true},
	{[]EventKind{Out}, false}, {[]EventKind{Leave}, false}, {[]EventKind{Over}, false}, {[]EventKind{Enter}, false},
	{[]EventKind{Move}, false}, {[]EventKind{Scroll}, false},
	{[]EventKind{Drag, DragLeave, DragEnter, DragOver, Down, Up, Click, Drop, DragEnd}, true},
	{[]EventKind{LostCapture}, false},
	{[]EventKind{Out}, false}, {[]EventKind{Leave}, false}, {[]EventKind{Over}, false}, {[]EventKind{Enter}, false},
}

func requireOrder(t require.TestingT, events []Event[int]) {
	stage, button := 0, Left
	for _, e := range events {
		for stage < len(stages) && (!slices.Contains(stages[stage].kinds, e.Kind) || stages[stage].buttons && e.Button < button) {
			stage, button = stage+1, Left
		}
		require.Less(t, stage, len(stages), "%v comes too late", e.Kind)
		if stages[stage].buttons {
			button = e.Button
		}
	}
}

// For random input of several pointers, and random deaths and changes of parents: everything that
// begins ends exactly once; dead targets get no events; the order is the documented one; and a
// recording plays back to the same events.
func TestPointersMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const targets = 6
		alive, parents := map[int]bool{}, map[int]int{}
		for i := 1; i <= targets; i++ {
			alive[i] = true
			parents[i] = rapid.IntRange(0, targets).Draw(t, "parent")
		}
		isAlive := func(i int) bool { return alive[i] }
		parent := func(i int) (int, bool) { return parents[i], parents[i] != 0 }
		pointers, twin := Pointers[int]{Alive: isAlive, Parent: parent}, Pointers[int]{Alive: isAlive, Parent: parent}
		models := map[PointerID]*pointerModel{}
		var tape bytes.Buffer
		recorder, replay := NewRecorder(&tape), NewReplay("tape", &tape)
		buttons := rapid.Custom(func(t *rapid.T) Buttons { return Buttons(rapid.IntRange(0, 3).Draw(t, "set")) })
		var f Frame
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			if id := PointerID(rapid.IntRange(0, 2).Draw(t, "captured")); rapid.IntRange(0, 4).Draw(t, "capture") == 0 {
				if one, ok := pointers.Pointer(id); ok {
					other, _ := twin.Pointer(id)
					if to := rapid.IntRange(0, targets).Draw(t, "captor"); to == 0 {
						one.ReleaseCapture()
						other.ReleaseCapture()
					} else {
						require.Equal(t, one.SetCapture(to), other.SetCapture(to))
					}
				}
			}
			leaves := map[PointerID]map[int]int{}
			if rapid.IntRange(0, 5).Draw(t, "kill") == 0 {
				dead := rapid.IntRange(1, targets).Draw(t, "victim")
				alive[dead] = false
				for id, h := range models {
					leaves[id] = h.removeDead(dead)
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "adopt") == 0 {
				parents[rapid.IntRange(1, targets).Draw(t, "child")] = rapid.IntRange(0, targets).Draw(t, "to")
			}

			f.Time += time.Duration(rapid.IntRange(0, 3e8).Draw(t, "dt"))
			f.Pointers = f.Pointers[:0]
			under := map[PointerID][]Pick[int]{}
			for id := range PointerID(3) {
				if id > 0 && rapid.IntRange(0, 2).Draw(t, "there") == 0 {
					continue
				}
				f.Pointers = append(f.Pointers, PointerInput{ID: id, Captured: rapid.IntRange(0, 9).Draw(t, "captured") == 0, Input: Input{
					X: rapid.Float64Range(0, 12).Draw(t, "x"), Y: rapid.SampledFrom([]float64{1, 2}).Draw(t, "y"),
					Inside: rapid.IntRange(0, 5).Draw(t, "inside") > 0,
					Down:   buttons.Draw(t, "down"), Pressed: buttons.Draw(t, "pressed"), Mods: Mods(rapid.IntRange(0, 15).Draw(t, "mods")),
					ScrollY: rapid.SampledFrom([]float64{0, 0, -1, 0.5}).Draw(t, "scroll"), Time: f.Time,
					Unfocused: rapid.IntRange(0, 9).Draw(t, "unfocused") == 0, Canceled: rapid.IntRange(0, 9).Draw(t, "canceled") == 0,
				}})
				for range rapid.IntRange(0, 3).Draw(t, "picks") {
					under[id] = append(under[id], Pick[int]{
						Target: rapid.IntRange(1, targets).Draw(t, "target"), Depth: rapid.Float64Range(0, 1).Draw(t, "depth"),
						Through: rapid.Bool().Draw(t, "through"), Cover: rapid.IntRange(0, 9).Draw(t, "backdrop") == 0,
					})
				}
				under[id] = MergePicks(under[id])
			}
			picks := func(id PointerID, _ Input) []Pick[int] { return under[id] }
			events := slices.Clone(pointers.Play(&f, picks))

			require.NoError(t, recorder.Record(&f))
			var played Frame
			require.NoError(t, replay.Next(&played))
			require.Equal(t, f.Time, played.Time)
			require.Equal(t, events, slices.Clone(twin.Play(&played, picks)), "of the replay")

			for id := range PointerID(3) {
				mine := slices.DeleteFunc(slices.Clone(events), func(e Event[int]) bool { return e.Pointer != id })
				if models[id] == nil {
					models[id] = newPointerModel()
				}
				requireOrder(t, mine)
				models[id].follow(t, mine, alive, leaves[id])
				one, ok := pointers.Pointer(id)
				if !ok {
					require.Equal(t, newPointerModel(), models[id], "nothing is left when it is gone")
					continue
				}
				models[id].compare(t, one, parents, alive)
			}
		}
		pointers.Begin()
		pointers.Update(Mouse, Input{Canceled: true}, nil)
		last := slices.Clone(pointers.End())
		for id, h := range models {
			h.follow(t, slices.DeleteFunc(slices.Clone(last), func(e Event[int]) bool { return e.Pointer != id }), alive, map[int]int{})
			require.Equal(t, newPointerModel(), h, "nothing is left when all are gone")
		}
	})
}

// follow applies the events of an update to the model.
func (h *pointerModel) follow(t require.TestingT, events []Event[int], alive map[int]bool, leaves map[int]int) {
	for i, e := range events {
		require.Equal(t, e.Background, e.Target == 0)
		require.True(t, e.Background || alive[e.Target], "%v for the dead target %v", e.Kind, e.Target)
		require.Equal(t, e.Target, e.Current)
		if e.HasRelated {
			require.True(t, alive[e.Related], "%v relates to the dead target %v", e.Kind, e.Related)
		}
		for j, up := range e.Path {
			require.True(t, alive[up])
			require.Equal(t, j == 0, up == e.Target)
			require.NotContains(t, e.Path[:j], up)
		}
		require.Equal(t, !e.Background && (e.Kind == Enter || e.Kind == Leave), !e.Background && !e.Kind.bubbles())
		over := map[int]map[int]bool{0: h.over}
		entered := map[int]map[int]bool{0: h.entered}
		switch e.Kind {
		case Over:
			begin(t, over, 0, e.Target)
		case Out:
			end(t, over, 0, e.Target)
		case Enter:
			begin(t, entered, 0, e.Target)
		case Leave:
			end(t, entered, 0, e.Target)
		case Down:
			if h.down[e.Button] == nil {
				h.clickable[e.Button] = true
			}
			begin(t, h.down, e.Button, e.Target)
			require.Positive(t, e.Count)
		case Up:
			end(t, h.down, e.Button, e.Target)
			if e.Canceled {
				h.clickable[e.Button] = false
			}
		case Click:
			require.True(t, h.clickable[e.Button], "a click after a drag or a cancel")
			require.NotContains(t, h.down, e.Button, "it follows its Up")
			last := events[i-1].Kind
			require.True(t, last == Up || last == Click)
		case DragStart:
			begin(t, h.dragged, e.Button, e.Target)
			require.Contains(t, h.down[e.Button], e.Target)
			h.clickable[e.Button] = false
		case Drag:
			require.Contains(t, h.dragged[e.Button], e.Target)
		case DragEnd:
			end(t, h.dragged, e.Button, e.Target)
			require.NotContains(t, h.dragOver, e.Button, "all is left")
		case DragEnter:
			begin(t, h.dragOver, e.Button, [2]int{e.Target, e.Related})
			require.Contains(t, h.dragged[e.Button], e.Related)
		case DragOver, Drop:
			require.Contains(t, h.dragOver[e.Button], [2]int{e.Target, e.Related})
		case DragLeave:
			if !e.HasRelated {
				leaves[e.Target]--
				break
			}
			end(t, h.dragOver, e.Button, [2]int{e.Target, e.Related})
		case GotCapture:
			require.Zero(t, h.captor)
			h.captor = e.Target
		case LostCapture:
			if e.Background {
				require.NotZero(t, h.captor)
				require.False(t, alive[h.captor])
			} else {
				require.Equal(t, h.captor, e.Target)
			}
			h.captor = 0
		}
	}
	for target, n := range leaves {
		require.Zero(t, n, "DragLeaves without Related for %v", target)
	}
	maps.DeleteFunc(h.clickable, func(b Button, _ bool) bool { return h.down[b] == nil })
}

// compare compares the model with the state of the pointer.
func (h *pointerModel) compare(t require.TestingT, p *Pointer[int], parents map[int]int, alive map[int]bool) {
	over, entered := map[int]bool{}, map[int]bool{}
	for _, pick := range p.Hovered() {
		over[pick.Target] = true
		for at := pick.Target; at != 0 && alive[at] && !entered[at]; at = parents[at] {
			entered[at] = true
		}
	}
	require.Equal(t, over, h.over)
	require.Equal(t, entered, h.entered)
	front, ok := p.Hover()
	require.Equal(t, ok, len(over) > 0)
	require.True(t, !ok || over[front])
	captor, _ := p.Captor()
	require.Equal(t, captor, h.captor)
	for b := Left; b < numButtons; b++ {
		id, ok := p.Pressed(b)
		require.Equal(t, ok, len(h.down[b]) > 0 && !h.down[b][0])
		require.True(t, !ok || h.down[b][id])
		id, ok = p.Dragged(b)
		require.Equal(t, ok, len(h.dragged[b]) > 0 && !h.dragged[b][0])
		if require.True(t, !ok || h.dragged[b][id]); ok {
			require.True(t, p.Drags(id))
		}
	}
}

func TestPointersAllocateNothing(t *testing.T) {
	p := Pointers[int]{
		Alive:  func(i int) bool { return i != 3 },
		Parent: func(i int) (int, bool) { return i / 2, i > 1 },
	}
	picks := make([]Pick[int], 0, 8)
	frame := 0
	kinds := map[EventKind]bool{}
	for k := range numKinds {
		kinds[k] = false
	}
	run := func() {
		frame++
		p.Begin()
		for id := range PointerID(3) {
			if id > 0 && frame/16%3 == int(id) {
				continue // touches begin and end
			}
			in := Input{X: float64(frame % 16 * 5), Inside: true, ScrollY: 1, Time: time.Duration(frame) * time.Millisecond, Canceled: frame%80 == 71}
			if frame%16 > 4 && frame%16 < 10 {
				in.Down = ButtonSet(Left, Right)
			}
			in.Pressed = ButtonSet(Middle)
			at := frame/4%7 + int(id)
			picks = append(picks[:0], Pick[int]{Target: at, Through: true}, Pick[int]{Target: at + 4, Depth: 1})
			p.Update(id, in, MergePicks(picks))
		}
		for _, e := range p.End() {
			if !kinds[e.Kind] {
				kinds[e.Kind] = true
			}
		}
	}
	for range 1000 {
		run()
	}
	for k, seen := range kinds {
		require.True(t, seen, "%v was not tried", k)
	}
	testenv.AllocatesNothing(t, 1000, run)
}

func TestPointersPanics(t *testing.T) {
	var p Pointers[int]
	p.Begin()
	p.Update(4, Input{}, nil)
	require.PanicsWithValue(t, "picking: Pointers.Update: pointer 4 a second time in one frame", func() { p.Update(4, Input{}, nil) })
	r := NewRecorder(io.Discard)
	require.PanicsWithValue(t, "picking: Recorder.Record: pointer mouse twice in one frame", func() {
		_ = r.Record(&Frame{Pointers: make([]PointerInput, 2)})
	})
}
