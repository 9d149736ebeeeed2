package picking_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/hitscan-go/hitscan/picking"
)

// An inventory of three slots: the sword is dragged from the first to the last.
func ExamplePointer_drag() {
	slots := []string{"sword", "shield", "bag"} // each a hundred wide
	var pointer picking.Pointer[string]
	frame := func(x float64, down picking.Buttons) {
		in := picking.Input{X: x, Y: 50, Inside: true, Down: down}
		for _, e := range pointer.Update(in, slots[int(x)/100], true) {
			switch e.Kind {
			case picking.DragStart:
				fmt.Println(e.Kind, e.Target)
			case picking.DragEnter, picking.DragLeave, picking.Drop, picking.DragEnd:
				fmt.Println(e.Kind, e.Target, e.Related)
			}
		}
	}
	left := picking.ButtonSet(picking.Left)
	frame(50, 0)
	frame(50, left)
	frame(150, left)
	frame(250, left)
	frame(250, 0)
	// Output:
	// DragStart sword
	// DragEnter shield sword
	// DragLeave shield sword
	// DragEnter bag sword
	// Drop bag sword
	// DragLeave bag sword
	// DragEnd sword bag
}

// A click on a part is a click on the whole, unless the part stops the event.
func ExampleEventsOf() {
	parents := map[string]string{"handle": "door", "window": "door"}
	pointer := picking.Pointer[string]{
		Parent: func(s string) (string, bool) { up, ok := parents[s]; return up, ok },
	}
	for _, part := range []string{"handle", "window"} {
		events := pointer.Update(picking.Input{Inside: true, Pressed: picking.ButtonSet(picking.Left)}, part, true)
		for e := range picking.EventsOf(events, "handle") {
			if e.Kind == picking.Click {
				fmt.Println("the handle turns")
				e.Stop()
			}
		}
		for e := range picking.EventsOf(events, "door") {
			if e.Kind == picking.Click {
				fmt.Println("a knock on the door, at its", e.Target)
			}
		}
	}
	// Output:
	// the handle turns
	// a knock on the door, at its window
}

// A HUD in front of the world: its button hides what is behind, its frame does so without being a
// target, and glass hides nothing.
func ExampleMergePicks() {
	for _, p := range picking.MergePicks([]picking.Pick[string]{
		{Target: "mountain", Depth: 500},
		{Target: "window pane", Depth: 2, Through: true},
		{Target: "bird", Depth: 20},
		{Target: "crosshair", Order: 1, Through: true},
	}) {
		fmt.Println(p.Target)
	}
	// Output:
	// crosshair
	// window pane
	// bird
}

// A bug report as a test: the user's input, line by line, and the expected events.
func ExampleReadFrames() {
	const report = `hitscan pointers 1
# a double click on the chest does not open it
0.5   | size 800x600 800x600 | mouse 120 80 in
0.516 | mouse 120 80 in down=left
0.583 | mouse 121 80 in
0.700 | mouse 121 80 in down=left mods=shift
0.733 | mouse 121 81 in
`
	frames, err := picking.ReadFrames("report.txt", strings.NewReader(report))
	if err != nil {
		fmt.Println(err)
		return
	}
	var pointers picking.Pointers[string]
	chest := func(picking.PointerID, picking.Input) []picking.Pick[string] {
		return []picking.Pick[string]{{Target: "chest"}}
	}
	for i := range frames {
		for _, e := range pointers.Play(&frames[i], chest) {
			if e.Kind == picking.Click {
				fmt.Println(e.Time, e.Kind, e.Target, e.Count)
			}
		}
	}
	_, err = picking.ReadFrames("report.txt", strings.NewReader(strings.Replace(report, "in down", "on down", 1)))
	fmt.Println(err)
	// Output:
	// 583ms Click chest 1
	// 733ms Click chest 2
	// picking: report.txt:4: "on" is unknown
}

func ExampleRecorder() {
	recorder := picking.NewRecorder(os.Stdout)
	window := picking.Size{Width: 800, Height: 600}
	for _, in := range []picking.Input{
		{X: 120, Y: 80, Inside: true, Time: 16e6},
		{X: 121, Y: 80.5, Inside: true, Down: picking.ButtonSet(picking.Left), Mods: picking.ModShift, Time: 33e6},
	} {
		frame := picking.Frame{Time: in.Time, Window: window, Framebuffer: window, Pointers: []picking.PointerInput{{Input: in}}}
		if err := recorder.Record(&frame); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// hitscan pointers 1
	// 0.016 | size 800x600 800x600 | mouse 120 80 in
	// 0.033 | mouse 121 80.5 in down=left mods=shift
}
