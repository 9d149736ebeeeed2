// Package inspect shows the space of a running game in a browser, a headless server's too: the
// boxes of all colliders as they move and, of a ray that is cast by a click, why it hits what it
// hits.
//
//	inspector := &inspect.Inspector{}
//	http.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", inspector))
//	go http.ListenAndServe("localhost:6060", nil)
//	for game.runs() {
//		…
//		inspector.Frame(space) // once a tick
//	}
//
// It answers requests from this machine only, unless Remote is set, and changes nothing. The game
// pays for a snapshot when a request waits for one, and for one atomic read when none does: all
// else, the cast and the encoding, is the work of the request's goroutine, on the snapshot.
package inspect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
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

	wanted atomic.Bool
	mutex  sync.Mutex // of what follows, and never held for longer than a few assignments
	next   *look      // that the requests wait for which have come since the last tick
}

// look is a snapshot, and the requests that read it.
type look struct {
	ready   chan struct{} // closed once there is the snapshot
	space   *physics.Space
	readers int // guarded by the mutex
}

// Frame shows a space as it is now, if a request waits for it: call it once a tick, where no other
// goroutine changes the space. Without a request it takes a nanosecond and allocates nothing.
func (i *Inspector) Frame(s *physics.Space) {
	if !i.wanted.Load() {
		return
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if l := i.next; l != nil {
		l.space = s.Snapshot()
		close(l.ready)
	}
	i.next = nil
	i.wanted.Store(false)
}

var errNoTick = errors.New("inspect: the game has made no tick")

// at calls read with a snapshot of the next tick.
func (i *Inspector) at(ctx context.Context, read func(s *physics.Space)) error {
	i.mutex.Lock()
	if i.next == nil {
		i.next = &look{ready: make(chan struct{})}
	}
	l := i.next
	l.readers++
	i.wanted.Store(true)
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
		read(l.space)
		return nil
	case <-ctx.Done():
		return errNoTick
	}
}

// leave gives the snapshot back after its last reader.
func (i *Inspector) leave(l *look) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if l.readers--; l.readers > 0 {
		return
	}
	if l.space != nil {
		l.space.Release()
	} else if i.next == l {
		i.next = nil
		i.wanted.Store(false)
	}
}

// ServeHTTP answers GET requests for the page, for "/frame" (the boxes of all colliders) and for
// "/cast?from=x,y,z&dir=x,y,z" (an explanation of a ray, with mask, ownlayer and sensors as fields
// of the filter).
func (i *Inspector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !i.Remote && !isLocal(r):
		http.Error(w, "inspect: only for this machine", http.StatusForbidden)
	case r.Method != http.MethodGet:
		http.Error(w, "inspect: only GET", http.StatusMethodNotAllowed)
	case r.URL.Path == "" || r.URL.Path == "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	case r.URL.Path == "/frame":
		i.answer(w, r, frameOf)
	case r.URL.Path == "/cast":
		ray, filter, err := castOf(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		i.answer(w, r, func(s *physics.Space) any { return explain(s, ray, filter) })
	default:
		http.NotFound(w, r)
	}
}

// answer writes what of returns for a snapshot, once that is given back: a slow reader holds none.
func (i *Inspector) answer(w http.ResponseWriter, r *http.Request, of func(s *physics.Space) any) {
	var text []byte
	var failed error
	if err := i.at(r.Context(), func(s *physics.Space) { text, failed = json.Marshal(of(s)) }); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	if failed != nil {
		http.Error(w, failed.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
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

// box is the bounds of a collider or of a node of the tree, and what it is: of a frame "static",
// "sensor" or "", of an explanation a verdict.
type box struct {
	Min, Max [3]float32
	Is       string
}

// boxOf returns the box of finite bounds; ok is false for a plane, which has none, and for what is
// nowhere.
func boxOf(b geom.AABB, is string) (x box, ok bool) {
	return box{b.Min.Array(), b.Max.Array(), is}, !b.IsEmpty() && b.Min.IsFinite() && b.Max.IsFinite()
}

type frame struct {
	Colliders int
	Planar    bool
	Boxes     []box
}

func frameOf(s *physics.Space) any {
	f := frame{Colliders: s.Len(), Planar: s.IsPlanar(), Boxes: make([]box, 0, s.Len())}
	for id, c := range s.All() {
		is := ""
		if c.Sensor {
			is = "sensor"
		} else if c.Static {
			is = "static"
		}
		bounds, _ := s.Bounds(id)
		if b, ok := boxOf(bounds, is); ok {
			f.Boxes = append(f.Boxes, b)
		}
	}
	return f
}

type explanation struct {
	Text   string
	OK     bool
	Point  [3]float32 // of the hit
	Normal [3]float32
	Boxes  []box // of nodes and of colliders that were tested
}

func explain(s *physics.Space, r geom.Ray, f physics.Filter) any {
	e := s.Explain(r, f)
	x := explanation{Text: e.String(), OK: e.OK, Boxes: []box{}}
	if e.OK {
		x.Point, x.Normal = e.Hit.Point.Array(), e.Hit.Normal.Array()
	}
	for _, n := range e.Nodes {
		if b, ok := boxOf(n.Bounds, n.Verdict.String()); ok {
			x.Boxes = append(x.Boxes, b)
		}
	}
	for k := range e.Colliders {
		c := &e.Colliders[k]
		if b, ok := boxOf(c.Bounds, c.Verdict.String()); ok && c.Asked() {
			x.Boxes = append(x.Boxes, b)
		}
	}
	return x
}

// castOf reads a ray and a filter.
func castOf(q url.Values) (r geom.Ray, f physics.Filter, err error) {
	vec := func(name string) (v geom.Vec3) {
		parts := strings.Split(q.Get(name), ",")
		var at [3]float32
		for k := range at {
			x, parsed := 0.0, errors.New("not three numbers")
			if len(parts) == 3 {
				x, parsed = strconv.ParseFloat(parts[k], 32)
			}
			if parsed != nil && err == nil {
				err = fmt.Errorf("inspect: %s: %w", name, parsed)
			}
			at[k] = float32(x)
		}
		return geom.VecOf(at)
	}
	layers := func(name string) physics.Layers {
		if q.Get(name) == "" {
			return 0
		}
		n, parsed := strconv.ParseUint(q.Get(name), 0, 32)
		if parsed != nil && err == nil {
			err = fmt.Errorf("inspect: %s: %w", name, parsed)
		}
		return physics.Layers(n)
	}
	r = geom.NewRay(vec("from"), vec("dir"))
	f = physics.Filter{Mask: layers("mask"), OwnLayer: layers("ownlayer"), Sensors: q.Get("sensors") != ""}
	if err == nil && !r.IsValid() {
		err = errors.New("inspect: the ray is zero, NaN or infinite")
	}
	return r, f, err
}
