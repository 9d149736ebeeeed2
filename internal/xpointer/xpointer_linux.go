package xpointer

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// Errors are returned. xgb also logs that it found no file with the user's authorization, which is
// not an error.
func init() { xgb.Logger = log.New(io.Discard, "", 0) }

// Pointer is a connection to a display that can move its pointer. It is for one goroutine at a
// time.
type Pointer struct {
	conn  *xgb.Conn
	root  xproto.Window
	codes map[Key]xproto.Keycode
	held  []held
}

// held is a button or a key that is down, and the event that releases it.
type held struct{ up, detail byte }

// Open connects to the display named by the environment variable DISPLAY. If there is none, or it
// cannot be used, the error wraps [ErrUnavailable].
//
// A display has one pointer and one keyboard focus. If another process of the same user has opened
// its pointer, Open waits until that process has ended.
func Open() (*Pointer, error) {
	if os.Getenv("DISPLAY") == "" {
		return nil, fmt.Errorf("xpointer: Open: %w: DISPLAY is not set", ErrUnavailable)
	}
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("xpointer: Open: %w: %w", ErrUnavailable, err)
	}
	p := &Pointer{conn: conn}
	if err := alone(os.Getenv("DISPLAY")); err != nil {
		p.Close()
		return nil, fmt.Errorf("xpointer: Open: %w", err)
	}
	if err := xtest.Init(conn); err != nil {
		p.Close()
		return nil, fmt.Errorf("xpointer: Open: %w: %w", ErrUnavailable, err)
	}
	setup := xproto.Setup(conn)
	p.root = setup.DefaultScreen(conn).Root
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	mapping, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, count).Reply()
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("xpointer: Open: keyboard: %w", err)
	}
	p.codes = map[Key]xproto.Keycode{}
	width := int(mapping.KeysymsPerKeycode)
	for i := range int(count) {
		// The first symbol of a key is the one without a modifier.
		symbol := Key(mapping.Keysyms[i*width])
		if _, taken := p.codes[symbol]; !taken && symbol != 0 {
			p.codes[symbol] = setup.MinKeycode + xproto.Keycode(i)
		}
	}
	return p, nil
}

var locks struct {
	sync.Mutex
	of map[string]*os.File // by display; open, and locked, until the process ends
}

// alone waits until no other process holds the lock of a display, and takes it.
func alone(display string) error {
	locks.Lock()
	defer locks.Unlock()
	if locks.of[display] != nil {
		return nil
	}
	name := fmt.Sprintf("xpointer-%d-%s.lock", os.Getuid(), strings.NewReplacer("/", "_", ":", "_").Replace(display))
	f, err := os.OpenFile(filepath.Join(os.TempDir(), name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	if locks.of == nil {
		locks.of = map[string]*os.File{}
	}
	locks.of[display] = f
	return nil
}

// Close releases all buttons and keys that are down, and ends the connection. Without that they
// would stay down, and repeat, for the next window.
func (p *Pointer) Close() {
	for _, h := range slices.Clone(p.held) {
		_ = p.fake("Close", h.up, h.detail, 0, 0) // the display may be gone
	}
	p.conn.Close()
}

// Move moves the pointer to a place on the screen, in screen pixels from its upper left corner, Y
// downward.
func (p *Pointer) Move(x, y int) error {
	return p.fake("Move", xproto.MotionNotify, 0, int16(x), int16(y))
}

// MoveBy moves the pointer by screen pixels, as a mouse does. A window that has locked the cursor
// takes the places of Move for movements.
func (p *Pointer) MoveBy(dx, dy int) error {
	return p.fake("MoveBy", xproto.MotionNotify, 1, int16(dx), int16(dy))
}

// Position returns the place of the pointer on the screen, in screen pixels.
func (p *Pointer) Position() (x, y int, err error) {
	reply, err := xproto.QueryPointer(p.conn, p.root).Reply()
	if err != nil {
		return 0, 0, fmt.Errorf("xpointer: Position: %w", err)
	}
	return int(reply.RootX), int(reply.RootY), nil
}

// Press presses a button and holds it.
func (p *Pointer) Press(b Button) error { return p.fake("Press", xproto.ButtonPress, byte(b), 0, 0) }

// Release releases a button.
func (p *Pointer) Release(b Button) error {
	return p.fake("Release", xproto.ButtonRelease, byte(b), 0, 0)
}

// Scroll turns the wheel by notches, positive away from the user.
func (p *Pointer) Scroll(notches int) error {
	b := wheelUp
	if notches < 0 {
		b, notches = wheelDown, -notches
	}
	for range notches {
		if err := p.Press(b); err != nil {
			return err
		}
		if err := p.Release(b); err != nil {
			return err
		}
	}
	return nil
}

// KeyDown presses a key and holds it. It returns an error if the keyboard has no such key.
func (p *Pointer) KeyDown(k Key) error { return p.key("KeyDown", xproto.KeyPress, k) }

// KeyUp releases a key.
func (p *Pointer) KeyUp(k Key) error { return p.key("KeyUp", xproto.KeyRelease, k) }

func (p *Pointer) key(caller string, kind byte, k Key) error {
	code, ok := p.codes[k]
	if !ok {
		return fmt.Errorf("xpointer: %s: the keyboard has no key that is %q (%#x) without Shift", caller, rune(k), uint32(k))
	}
	return p.fake(caller, kind, byte(code), 0, 0)
}

func (p *Pointer) fake(caller string, kind, detail byte, x, y int16) error {
	if err := xtest.FakeInputChecked(p.conn, kind, detail, 0, p.root, x, y, 0).Check(); err != nil {
		return fmt.Errorf("xpointer: %s: %w", caller, err)
	}
	switch kind {
	case xproto.ButtonPress, xproto.KeyPress:
		p.held = append(p.held, held{kind + 1, detail}) // the release follows the press
	case xproto.ButtonRelease, xproto.KeyRelease:
		p.held = slices.DeleteFunc(p.held, func(h held) bool { return h == held{kind, detail} })
	}
	return nil
}
