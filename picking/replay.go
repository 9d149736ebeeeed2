package picking

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// Recorded pointer input is a text that can be played back into the same events: a bug report
// becomes a test. An example:
//
//	hitscan pointers 1
//	# the double click that opened nothing
//	0.016 | size 800x600 1600x1200 | mouse 412 310.5 in
//	0.033 | mouse 412 310.5 in down=left mods=shift+control
//	0.05 | mouse 412 310.5 in pressed=left scroll=0,-1 | 7 90 20 in down=left
//	0.066 | keys down=W+Space pressed=Space
//	0.083 | views 800x1200+0+0 800x1200+800+0
//
// The first line has the version. Every other line is a frame. It begins with its time in seconds;
// the rest is separated by bars:
//
//   - size: the sizes of window and framebuffer, where they change
//   - views: the views of a window with several, where they change, each with width, height, X and
//     Y in its framebuffer
//   - keys: the keys that are down and that went down, by the game's names
//   - a pointer: "mouse" or its number, its place in window pixels, and its state: in, captured,
//     down, pressed, mods, scroll, unfocused, canceled
//
// Names of buttons and keys are joined by "+". In names of keys, bytes with a meaning in the line
// are written as % and two hexadecimal digits. Numbers are written so that they are read back
// exactly. Empty lines and lines that begin with "#" are skipped. Each frame ends with a line
// break, so that a truncated frame is detected.
//
// Keys and views were added later to the same version; a reader without them fails at the first.

const streamHeader = "hitscan pointers 1"

// maxSide is the largest width or height that is read, in pixels: no graphics card has a larger
// framebuffer.
const maxSide = 1 << 15

// maxStreamLine is the longest line that is written and read, in bytes: ten times that of a hundred
// pointers.
const maxStreamLine = 1 << 16

// PointerInput is the input of one of several pointers in a frame.
type PointerInput struct {
	ID PointerID
	Input
	// Captured is set while the pointer belongs to something in front of the view, such as a HUD,
	// wherever it is.
	Captured bool
}

// Frame is the input of all pointers in one frame.
type Frame struct {
	Time                time.Duration // of all inputs
	Window, Framebuffer Size          // see [Viewport]
	Pointers            []PointerInput
	Keys                Keys // the keys that the game reports
	// Views are those of a [Views], all of the frame's Window. It is empty if the window has one
	// view.
	Views []Viewport
}

// Recorder writes frames as text. Make one with [NewRecorder].
type Recorder struct {
	w          io.Writer
	window, fb Size
	views      []Viewport
	line       []byte
	begun      bool
	err        error
}

// NewRecorder returns a recorder that writes to w. It writes each frame at once, so a crash loses
// none.
func NewRecorder(w io.Writer) *Recorder { return &Recorder{w: w} }

// Record writes a frame. The frame's Time replaces those of its inputs, its Window those of its
// views. After an error, of the writer or for a line of more than 64 KiB, it writes nothing more
// and returns the same error again.
//
// Panics if a pointer is in the frame twice, or the name of a key is empty.
func (r *Recorder) Record(f *Frame) error {
	if r.err != nil {
		return r.err
	}
	r.line = r.line[:0]
	first := !r.begun
	if r.begun = true; first {
		r.line = append(r.line, streamHeader+"\n"...)
	}
	r.line = appendSeconds(r.line, f.Time)
	if first || f.Window != r.window || f.Framebuffer != r.fb {
		r.window, r.fb = f.Window, f.Framebuffer
		r.line = fmt.Appendf(r.line, " | size %dx%d %dx%d", f.Window.Width, f.Window.Height, f.Framebuffer.Width, f.Framebuffer.Height)
	}
	if r.updateViews(f) {
		r.line = appendViews(r.line, r.views)
	}
	r.line = f.Keys.append(r.line)
	for i := range f.Pointers {
		for j := range i {
			if f.Pointers[i].ID == f.Pointers[j].ID {
				panic("picking: Recorder.Record: pointer " + f.Pointers[i].ID.String() + " twice in one frame")
			}
		}
		r.line = append(r.line, " | "...)
		r.line = f.Pointers[i].append(r.line)
	}
	r.line = append(r.line, '\n')
	if len(r.line) > maxStreamLine {
		r.err = fmt.Errorf("picking: recording pointers: a line is longer than %d bytes", maxStreamLine)
		return r.err
	}
	if _, err := r.w.Write(r.line); err != nil {
		r.err = fmt.Errorf("picking: recording pointers: %w", err)
	}
	return r.err
}

// updateViews stores the views of a frame and reports whether they have changed.
func (r *Recorder) updateViews(f *Frame) (changed bool) {
	changed = len(f.Views) != len(r.views)
	r.views = slices.Grow(r.views[:0], len(f.Views))[:len(f.Views)]
	for i, v := range f.Views {
		// All empty views are equal.
		v.Window, v.Width, v.Height = f.Window, max(v.Width, 0), max(v.Height, 0)
		// As the reader stores it: a view without a framebuffer of its own follows the frame's, so
		// one that stops following has changed even if its size has not.
		if v.Framebuffer == f.Framebuffer {
			v.Framebuffer = sameFramebuffer
		}
		changed = changed || r.views[i] != v
		r.views[i] = v
	}
	return changed
}

// append appends the pointer in the format of a line.
func (p *PointerInput) append(b []byte) []byte {
	b = append(b, p.ID.String()...)
	b = strconv.AppendFloat(append(b, ' '), p.X, 'g', -1, 64)
	b = strconv.AppendFloat(append(b, ' '), p.Y, 'g', -1, 64)
	if p.Inside {
		b = append(b, " in"...)
	}
	if p.Captured {
		b = append(b, " captured"...)
	}
	b = appendSet(b, " down=", uint8(p.Down), buttonWords[:])
	b = appendSet(b, " pressed=", uint8(p.Pressed), buttonWords[:])
	b = appendSet(b, " mods=", uint8(p.Mods), modWords[:])
	if p.ScrollX != 0 || p.ScrollY != 0 {
		b = strconv.AppendFloat(append(b, " scroll="...), p.ScrollX, 'g', -1, 64)
		b = strconv.AppendFloat(append(b, ','), p.ScrollY, 'g', -1, 64)
	}
	if p.Unfocused {
		b = append(b, " unfocused"...)
	}
	if p.Canceled {
		b = append(b, " canceled"...)
	}
	return b
}

var (
	buttonWords = [numButtons]string{"left", "right", "middle", "back", "forward"}
	modWords    = [...]string{"shift", "control", "alt", "super"}
)

// appendSet appends the words of a set, or nothing if it is empty. Bits without a word are dropped.
func appendSet(b []byte, key string, set uint8, words []string) []byte {
	for i, word := range words {
		if set&(1<<i) != 0 {
			b = append(append(b, key...), word...)
			key = "+"
		}
	}
	return b
}

// appendSeconds appends a time in seconds, exact to the nanosecond.
func appendSeconds(b []byte, d time.Duration) []byte {
	n := uint64(d)
	if d < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1e9, 10)
	if n %= 1e9; n != 0 {
		b = fmt.Appendf(b, ".%09d", n)
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return b
}

// Replay reads the frames that a [Recorder] wrote. Make one with [NewReplay].
type Replay struct {
	name    string
	lines   *bufio.Scanner
	line    int
	read    int64 // bytes
	cut     bool  // the last line has no line break
	version bool
	sizes   [2]Size
	views   []Viewport // with sameFramebuffer, and without the window
	err     error
}

// NewReplay returns a replay of the text in r. Errors contain name, usually that of the file.
func NewReplay(name string, r io.Reader) *Replay {
	replay := &Replay{name: name, lines: bufio.NewScanner(r)}
	replay.lines.Buffer(nil, maxStreamLine)
	replay.lines.Split(func(data []byte, atEOF bool) (advance int, token []byte, err error) {
		advance, token, err = bufio.ScanLines(data, atEOF)
		replay.cut = advance > 0 && data[advance-1] != '\n'
		return advance, token, err
	})
	return replay
}

// ReadFrames reads all frames of a text. Errors contain name, usually that of the file, and the
// line. The frames before the error are returned too.
//
// Frames keep the views of the frame before until these change, so that a short text may stand for
// many. More than 64 times the bytes of the text and 16 MB are an error, which names the limit:
// [Limits.ReadFrames] reads with another one, and [Replay.Next] keeps one frame at a time.
func ReadFrames(name string, r io.Reader) (frames []Frame, err error) {
	return Limits{}.ReadFrames(name, r)
}

// Limits bounds what reading recorded frames may cost.
type Limits struct {
	// Memory is how much the frames may take, with what is needed to read them, in bytes. 0 is 64
	// times the bytes that are read, plus 16 MB. It panics if negative.
	Memory int64
}

// ReadFrames is [ReadFrames] within the limits.
func (l Limits) ReadFrames(name string, r io.Reader) (frames []Frame, err error) {
	if l.Memory < 0 {
		panic(fmt.Sprintf("picking: Limits: a Memory of %d bytes", l.Memory))
	}
	size := int64(0)
	for replay := NewReplay(name, r); ; {
		var f Frame
		if err := replay.Next(&f); err == io.EOF {
			return frames, nil
		} else if err != nil {
			return frames, err
		}
		// A slice that grows by appending takes up to four times its length in all.
		size += int64(4*unsafe.Sizeof(f)) + int64(3*len(f.Pointers))*int64(unsafe.Sizeof(PointerInput{})) + int64(3*len(f.Views))*int64(unsafe.Sizeof(Viewport{}))
		limit := l.Memory
		if limit == 0 {
			limit = 64*replay.read + 16<<20
		}
		if size > limit {
			replay.fail(0, fmt.Errorf("the frames up to here take more than %d bytes of memory, the limit of picking.Limits", limit))
			return frames, replay.err
		}
		frames = append(frames, f)
	}
}

// Next reads the next frame into f and reuses its memory. At the end of the text it returns io.EOF.
// An error contains the name and the line; every further call returns it again.
func (r *Replay) Next(f *Frame) error {
	for r.err == nil {
		if !r.lines.Scan() {
			switch err := r.lines.Err(); {
			case errors.Is(err, bufio.ErrTooLong):
				r.fail(1, fmt.Errorf("a line is longer than %d bytes", maxStreamLine))
			case err != nil:
				r.fail(1, err)
			case !r.version:
				r.fail(1, fmt.Errorf("no %q in the first line", streamHeader))
			default:
				r.err = io.EOF
			}
			break
		}
		r.line++
		r.read += int64(len(r.lines.Bytes())) + 1
		text := strings.TrimSpace(r.lines.Text())
		switch {
		case !r.version:
			if text != streamHeader {
				r.fail(0, fmt.Errorf("%q, want %q", clip(text), streamHeader))
			}
			r.version = true
		case text == "" || text[0] == '#':
		case r.cut: // it may read as another frame: 3 for 310, no button for one that is down
			r.fail(0, errors.New("the last line is cut off: it does not end with a line break"))
		default:
			if err := r.parse(f, text); err != nil {
				r.fail(0, err)
				break
			}
			return nil
		}
	}
	return r.err
}

// fail sets the error of the last line, or of a line further on.
func (r *Replay) fail(further int, err error) {
	r.err = fmt.Errorf("picking: %s:%d: %w", r.name, r.line+further, err)
}

// clip shortens a quotation in a message.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// parse parses a frame's line.
func (r *Replay) parse(f *Frame, text string) error {
	first, rest, more := strings.Cut(text, "|")
	var err error
	if f.Time, err = parseSeconds(strings.TrimSpace(first)); err != nil {
		return err
	}
	f.Pointers, f.Views = f.Pointers[:0], f.Views[:0]
	f.Keys.Down, f.Keys.Pressed = f.Keys.Down[:0], f.Keys.Pressed[:0]
	for more {
		first, rest, more = strings.Cut(rest, "|")
		words := strings.Fields(first)
		if len(words) == 0 {
			return errors.New("nothing between two bars")
		}
		switch words[0] {
		case "size":
			err = r.parseSizes(words[1:])
		case "views":
			r.views, err = parseViews(r.views[:0], words[1:])
		case "keys":
			err = parseKeys(&f.Keys, words[1:])
		default:
			err = f.parsePointer(words)
		}
		if err != nil {
			return err
		}
	}
	f.Window, f.Framebuffer = r.sizes[0], r.sizes[1]
	f.Views = slices.Grow(f.Views, len(r.views))
	for _, v := range r.views {
		v.Window = f.Window
		if v.Framebuffer == sameFramebuffer {
			v.Framebuffer = f.Framebuffer
		}
		f.Views = append(f.Views, v)
	}
	return nil
}

// parsePointer parses a pointer and appends it to the frame.
func (f *Frame) parsePointer(words []string) error {
	p, err := parsePointer(words)
	if err != nil {
		return err
	}
	for i := range f.Pointers {
		if f.Pointers[i].ID == p.ID {
			return fmt.Errorf("pointer %v twice in one frame", p.ID)
		}
	}
	p.Time = f.Time
	f.Pointers = append(f.Pointers, p)
	return nil
}

func (r *Replay) parseSizes(words []string) error {
	if len(words) != 2 {
		return errors.New("size needs those of the window and the framebuffer")
	}
	for i, word := range words {
		size, ok := parseSize(word)
		if !ok {
			return fmt.Errorf("%q is not a size", clip(word))
		}
		r.sizes[i] = size
	}
	return nil
}

func parsePointer(words []string) (p PointerInput, err error) {
	if words[0] != Mouse.String() {
		id, err := strconv.ParseUint(words[0], 10, 32)
		if err != nil || id == 0 {
			return p, fmt.Errorf("%q is neither mouse nor the number of a pointer", clip(words[0]))
		}
		p.ID = PointerID(id)
	}
	if len(words) < 3 {
		return p, fmt.Errorf("pointer %v has no place", p.ID)
	}
	if p.X, err = parseNumber(words[1]); err != nil {
		return p, err
	}
	if p.Y, err = parseNumber(words[2]); err != nil {
		return p, err
	}
	for _, word := range words[3:] {
		key, value, _ := strings.Cut(word, "=")
		var set uint8
		switch key {
		case "in":
			p.Inside = true
		case "captured":
			p.Captured = true
		case "unfocused":
			p.Unfocused = true
		case "canceled":
			p.Canceled = true
		case "down":
			set, err = parseSet(value, buttonWords[:])
			p.Down = Buttons(set)
		case "pressed":
			set, err = parseSet(value, buttonWords[:])
			p.Pressed = Buttons(set)
		case "mods":
			set, err = parseSet(value, modWords[:])
			p.Mods = Mods(set)
		case "scroll":
			x, y, _ := strings.Cut(value, ",")
			if p.ScrollX, err = parseNumber(x); err == nil {
				p.ScrollY, err = parseNumber(y)
			}
		default:
			err = fmt.Errorf("%q is unknown", clip(word))
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// parseSet returns the set of words joined by "+".
func parseSet(value string, words []string) (set uint8, err error) {
	for name := range strings.SplitSeq(value, "+") {
		i := 0
		for i < len(words) && words[i] != name {
			i++
		}
		if i == len(words) {
			return 0, fmt.Errorf("%q is not one of %s", clip(name), strings.Join(words, ", "))
		}
		set |= 1 << i
	}
	return set, nil
}

func parseNumber(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", clip(s))
	}
	return x, nil
}

// parseSeconds parses a time in seconds, exact to the nanosecond.
func parseSeconds(s string) (time.Duration, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, part, _ := strings.Cut(digits, ".")
	bad := fmt.Errorf("%q is not a time in seconds", clip(s))
	if len(part) > 9 {
		return 0, fmt.Errorf("%w: it has more than nine decimals", bad)
	}
	n, err := strconv.ParseUint(whole+(part + "000000000")[:9], 10, 64)
	if err != nil || whole == "" || n > 1<<63 || n == 1<<63 && !negative {
		return 0, bad
	}
	if negative {
		return -time.Duration(n), nil
	}
	return time.Duration(n), nil
}

// Play plays a frame: [Pointers.Begin], Update for each pointer of f, and End, whose events it
// returns. picks returns what is under a pointer, as [MergePicks] does; its slice may be reused at
// the next call. A captured pointer is passed with Inside false.
func (p *Pointers[T]) Play(f *Frame, picks func(id PointerID, in Input) []Pick[T]) []Event[T] {
	p.Begin()
	for i := range f.Pointers {
		one := &f.Pointers[i]
		in := one.Input
		in.Inside = in.Inside && !one.Captured
		p.Update(one.ID, in, picks(one.ID, in))
	}
	return p.End()
}
