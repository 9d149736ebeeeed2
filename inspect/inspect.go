// Package inspect shows the space of a running game in a browser, a headless server's too: the
// shapes of all colliders as they move and, of a ray that is cast by a click, why it hits what it
// hits, and why not another collider. What the game adds to a [Look] is shown with them: contacts,
// rays, bodies asleep, and times.
//
//	inspector := &inspect.Inspector{}
//	http.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", inspector))
//	go http.ListenAndServe("localhost:6060", nil)
//	for game.runs() {
//		…
//		inspector.Frame(space) // once a tick
//	}
//
// It answers requests from this machine only, unless Remote is set, and changes nothing, unless
// Control is set, with which a page pauses the game, steps it and takes it back in time. With Past
// the page looks back while the game goes on.
//
// The game pays for a look when a request waits for one, and for some nanoseconds when none does:
// all else, the cast and the encoding, is the work of the request's goroutine, on a snapshot.
package inspect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hitscan-go/hitscan/physics"
)

//go:embed page.html
var page []byte

// Inspector is an [http.Handler] that shows the spaces that Frame is given. The zero Inspector is
// ready for use; it must not be copied.
type Inspector struct {
	// Remote answers other machines, too. Set it before the first request.
	Remote bool
	// Wait is the longest time that a request waits for a tick of the game; 0 means 2 s.
	Wait time.Duration
	// More, unless nil, adds to a look what a space does not hold:
	//
	//	inspector.More = func(l *inspect.Look) {
	//		l.Dynamics(dynamics)
	//		l.Times(sim.Times())
	//	}
	//
	// Frame calls it, in the game's goroutine, when a request waits, and for a look that Past
	// keeps. Set it before the first Frame.
	More func(l *Look)
	// Past is the number of looks that are kept, at which a request can look while the game goes
	// on: 100 reach back for ten seconds, at 60 ticks a second. 0 keeps none. Each costs what a
	// look does, and up to 260 bytes a collider that moves. Looks are kept while a browser has the
	// page open, and until ten seconds later.
	Past int
	// Every is the number of ticks from one look that is kept to the next, and from one Save of the
	// Control; 0 means 6.
	Every int
	// Control, unless nil, lets requests pause the game, step it and take it back in time. Set it
	// before the first Frame.
	Control *Control

	wanted atomic.Bool
	ticks  int          // that the game has made: its goroutine
	watch  int          // calls of Frame in which the past is kept, without a request: likewise
	asked  atomic.Bool  // a request has come since the last call of Frame
	open   atomic.Int32 // requests that are being answered
	mutex  sync.Mutex   // of what follows, and never held for longer than a few assignments
	next   *Look        // that the requests wait for which have come since the last tick
	spare  *Look        // whose memory the next one uses
	past   []*Look      // that are kept, the oldest first
}

// maxOpen is the greatest number of requests that are answered at a time: each may hold an answer
// of some megabytes. More are refused.
const maxOpen = 32

// slowest is the time in which a reader must have taken an answer.
const slowest = 10 * time.Second

// Frame shows a space as it is now, if a request waits for it: call it once a tick, where no other
// goroutine changes the space. While nothing looks it takes some nanoseconds, with Past and Control
// too, and allocates nothing.
func (i *Inspector) Frame(s *physics.Space) {
	every, made := i.Every, true
	if every <= 0 {
		every = 6
	}
	watched := (i.Past > 0 || i.Control != nil) && i.isWatched(every)
	if i.Control == nil {
		i.ticks++
	} else {
		i.ticks, made = i.Control.frame(i.ticks, every, watched)
	}
	if i.Past > 0 && made {
		i.keep(s, every, watched)
	}
	if i.wanted.Load() {
		i.show(s)
	}
}

// show makes the look that requests wait for.
func (i *Inspector) show(s *physics.Space) {
	i.mutex.Lock()
	l := i.next
	if i.next = nil; l != nil {
		l.readers++ // the game itself, so that the look stays while it is made
	}
	i.wanted.Store(false)
	i.mutex.Unlock()
	if l != nil {
		defer i.leave(l)
		defer close(l.ready) // even if More panics
		i.fill(l, s)
	}
}

func (i *Inspector) fill(l *Look, s *physics.Space) {
	l.tick, l.live = i.ticks, s
	if i.More != nil {
		i.More(l)
	}
	l.live, l.space = nil, s.Snapshot()
}

// blank returns a look to be made. The mutex is locked.
func (i *Inspector) blank() *Look {
	l := i.spare
	if i.spare = nil; l == nil {
		l = &Look{}
	}
	l.ready, l.readers = make(chan struct{}), 1
	return l
}

var errNoTick = errors.New("inspect: the game has made no tick")

// at calls read with a look at the next tick or, unless the tick is 0, with the one that is kept of
// that tick.
func (i *Inspector) at(ctx context.Context, tick int, read func(l *Look)) error {
	i.asked.Store(true)
	i.mutex.Lock()
	l := i.kept(tick)
	switch {
	case l != nil:
		l.readers++
	case i.next != nil:
		l = i.next
		l.readers++
	default:
		l = i.blank()
		i.next = l
		i.wanted.Store(true)
	}
	i.mutex.Unlock()
	defer i.leave(l)

	wait := i.Wait
	if wait <= 0 {
		wait = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-l.ready:
		if l.space == nil { // More has panicked
			return errNoTick
		}
		read(l)
		return nil
	case <-ctx.Done():
		return errNoTick
	}
}

// leave gives the memory of the look back after its last reader.
func (i *Inspector) leave(l *Look) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if l.readers--; l.readers > 0 {
		return
	}
	if i.next == l {
		i.next = nil
		i.wanted.Store(false)
	}
	l.reset()
	i.spare = l
}

// ServeHTTP answers GET requests for the page, for "/frame" (the boxes of all colliders, the lines
// of their shapes, and what More has added) and for "/cast?from=x,y,z&dir=x,y,z" (an explanation of
// a ray, which ends at maxt=t if it does). A cast has the fields of [physics.Filter] as mask,
// ownlayer, sensors=1, exclude=id,id, start=solid, exit or ignore, and cull=none, back or front;
// with why=id it answers why the ray does not hit that collider, and which fields would have to be
// left out. With tick=n both are about a look that is kept: see Past. With a [Control] it answers
// POST requests for "/control?do=", which is pause, run, step, or back with a tick.
func (i *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer i.open.Add(-1)
	switch open := i.open.Add(1); {
	case !i.Remote && !isLocal(r):
		http.Error(w, "inspect: only for this machine", http.StatusForbidden)
	case r.URL.Path == "/control":
		i.control(w, r)
	case r.Method != http.MethodGet:
		http.Error(w, "inspect: only GET", http.StatusMethodNotAllowed)
	case open > maxOpen:
		http.Error(w, "inspect: too many requests at a time", http.StatusServiceUnavailable)
	case r.URL.Path == "" || r.URL.Path == "/":
		send(w, "text/html; charset=utf-8", page)
	case r.URL.Path == "/frame":
		i.answer(w, r, func(l *Look) any { return i.complete(frameOf(l)) })
	case r.URL.Path == "/cast":
		c, err := castOf(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		i.answer(w, r, func(l *Look) any { return c.explain(l.space) })
	default:
		http.NotFound(w, r)
	}
}

// answer writes what of returns for a look, once that is given back: a slow reader holds none.
func (i *Inspector) answer(w http.ResponseWriter, r *http.Request, of func(l *Look) any) {
	tick, text, failed := 0, []byte(nil), error(nil)
	if of := r.URL.Query().Get("tick"); of != "" {
		if tick, failed = strconv.Atoi(of); failed != nil || tick <= 0 {
			http.Error(w, "inspect: tick: not a number above 0", http.StatusBadRequest)
			return
		}
	}
	if err := i.at(r.Context(), tick, func(l *Look) { text, failed = json.Marshal(of(l)) }); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	if failed != nil {
		http.Error(w, failed.Error(), http.StatusInternalServerError)
		return
	}
	send(w, "application/json", text)
}

// send writes an answer to a reader who has a limited time to take it.
func send(w http.ResponseWriter, kind string, text []byte) {
	// A writer without deadlines, as in tests, has none.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowest))
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(text)
}

// isLocal reports whether a request comes from this machine, and was sent to it by its own name: a
// page of another site cannot make the browser read from here under a name of that site.
func isLocal(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !from.Addr().Unmap().IsLoopback() {
		return false
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if host == "localhost" {
		return true
	}
	to, err := netip.ParseAddr(host)
	return err == nil && to.Unmap().IsLoopback()
}
