package inspect

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// counter is a game whose state is its tick.
type counter struct {
	inspector Inspector
	space     *physics.Space
	ticks     int
	states    [Slots]int
}

func newCounter(every int) *counter {
	g := &counter{space: newSpace()}
	g.inspector.asked.Store(true) // a browser has the page open
	g.inspector.Every = every
	g.inspector.Control = &Control{
		Save:    func(slot int) { g.states[slot] = g.ticks },
		Restore: func(slot int) { g.ticks = g.states[slot] },
	}
	return g
}

func (g *counter) turn() {
	if g.inspector.Runs() {
		g.ticks++
	}
	g.inspector.Frame(g.space)
}

func (g *counter) turns(n int) {
	for range n {
		g.inspector.asked.Store(true)
		g.turn()
	}
}

// ask posts a request for "/control" and returns the status of the answer.
func (g *counter) ask(query string, change ...func(r *http.Request)) int {
	r := httptest.NewRequest("POST", "/control?"+query, nil)
	r.RemoteAddr, r.Host = "127.0.0.1:1234", "localhost:6060"
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	g.inspector.ServeHTTP(w, r)
	return w.Code
}

func (g *counter) saves() []int {
	_, ticks := g.inspector.Control.state()
	return ticks
}

func TestPauseStepAndBack(t *testing.T) {
	g := newCounter(3)
	g.turns(10)
	assert.Equal(t, 10, g.ticks)
	assert.Equal(t, []int{1, 4, 7, 10}, g.saves())

	assert.Equal(t, http.StatusNoContent, g.ask("do=pause"))
	g.turns(5)
	assert.Equal(t, 10, g.ticks)
	assert.Equal(t, http.StatusNoContent, g.ask("do=step"))
	assert.Equal(t, http.StatusNoContent, g.ask("do=step"))
	g.turns(5)
	assert.Equal(t, 12, g.ticks)
	assert.Equal(t, 12, g.inspector.ticks)

	for asked, want := range map[int]int{8: 7, 1: 1, 10: 10, 99: 10, 4: 4} {
		assert.Equal(t, http.StatusNoContent, g.ask(fmt.Sprint("do=back&tick=", asked)))
		g.turns(3)
		assert.Equal(t, want, g.ticks, "%d", asked)
		assert.Equal(t, want, g.inspector.ticks)
		assert.Equal(t, []int{1, 4, 7, 10}, g.saves(), "a game that stands still keeps the states of later ticks, too")
	}
	g.ask("do=back&tick=5")
	g.ask("do=step") // after the way back, if both come between two ticks
	g.turns(3)
	assert.Equal(t, 5, g.ticks)
	assert.Equal(t, []int{1, 4}, g.saves(), "and one that goes on drops them")
	g.ask("do=run")
	g.turns(3)
	assert.Equal(t, 8, g.ticks)
	assert.Equal(t, []int{1, 4, 7}, g.saves())
}

// The states are those of the last ticks, and each is in the slot from which it is restored.
func TestSlots(t *testing.T) {
	g := newCounter(0)
	g.turns(6*Slots*2 + 50)
	saves := g.saves()
	require.Len(t, saves, Slots)
	assert.Less(t, g.ticks-saves[Slots-1], 6)
	assert.Equal(t, 6*(Slots-1), saves[Slots-1]-saves[0], "ten seconds, at 60 ticks each")
	for _, k := range []int{Slots - 1, 0, 50, 99, 3} {
		g.ask(fmt.Sprint("do=back&tick=", saves[k]))
		g.turn()
		assert.Equal(t, saves[k], g.ticks)
	}
	g.ask("do=run")
	g.turns(6 * Slots * 3)
	saves = g.saves()
	require.Len(t, saves, Slots)
	for _, tick := range slices.Backward(saves) {
		g.ask(fmt.Sprint("do=back&tick=", tick))
		g.turn()
		require.Equal(t, tick, g.ticks)
	}
}

func TestControlRefuses(t *testing.T) {
	g := newCounter(3)
	g.turns(10)
	for _, query := range []string{"", "do=", "do=quit", "do=back", "do=back&tick=x", "do=back&tick=0", "do=back&tick=-3", "do=back&tick=1e99"} {
		assert.Equal(t, http.StatusBadRequest, g.ask(query), query)
	}
	get := func(r *http.Request) { r.Method = http.MethodGet }
	assert.Equal(t, http.StatusMethodNotAllowed, g.ask("do=pause", get), "a link, or a picture in a page")
	far := func(r *http.Request) { r.RemoteAddr = "10.0.0.7:1234" }
	assert.Equal(t, http.StatusForbidden, g.ask("do=pause", far), "another machine")
	site := func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }
	assert.Equal(t, http.StatusForbidden, g.ask("do=pause", site), "a form of another site")
	cross := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	assert.Equal(t, http.StatusForbidden, g.ask("do=pause", cross))
	g.turns(2)
	assert.Equal(t, 12, g.ticks, "nothing has stopped it")
	own := func(r *http.Request) { r.Header.Set("Origin", "http://localhost:6060") }
	assert.Equal(t, http.StatusNoContent, g.ask("do=pause", own), "its own page")

	for range 2 * maxSteps {
		g.ask("do=step")
	}
	before := g.ticks
	g.turns(3 * maxSteps)
	assert.Equal(t, maxSteps, g.ticks-before)

	g.inspector.Control = nil
	assert.Equal(t, http.StatusForbidden, g.ask("do=pause"), "off, as in the zero Inspector")
	g.turn()
	assert.Equal(t, maxSteps+before+1, g.ticks)
}

// A Control without Save and Restore pauses and steps, and without requests costs no memory.
func TestControlWithoutStates(t *testing.T) {
	g := newCounter(3)
	g.inspector.Control = &Control{}
	g.turns(9)
	g.ask("do=back&tick=4")
	g.turns(3)
	assert.Equal(t, 9, g.ticks)
	g.ask("do=run")
	testenv.AllocatesNothing(t, 100, g.turn)
}

// While nothing looks, Past and Control keep nothing and cost no memory. What was kept stays.
func TestNothingIsKeptForNobody(t *testing.T) {
	g := newCounter(3)
	g.inspector.asked.Store(false)
	g.inspector.Past = 10
	testenv.AllocatesNothing(t, 100, g.turn)
	assert.Empty(t, g.saves())
	assert.Empty(t, g.inspector.past)

	g.turns(12)
	first := g.saves()
	assert.Len(t, first, 4)
	assert.Len(t, g.inspector.past, 4)
	for range 3 * Slots {
		g.turn()
	}
	assert.Len(t, g.inspector.past, 10)
	before := g.saves()
	testenv.AllocatesNothing(t, 100, g.turn)
	assert.Equal(t, before, g.saves(), "ten seconds after the last request")
	assert.Len(t, g.inspector.past, 10)
}

// A game of bodies that is taken back goes on with the bits that it had, while a browser looks.
func TestBackWithTheSameBits(t *testing.T) {
	s := physics.NewSpace()
	d := rigid.New(s)
	s.Add(physics.Collider{Shape: geom.YPlane(0), Static: true})
	var ids []rigid.BodyID
	for k := range 8 {
		id, err := d.Add(rigid.Body{}, s.Add(physics.Collider{
			Shape: geom.Box{HalfExtents: geom.V(0.5, 0.5, 0.5)}, Transform: geom.At(0.2*float32(k%3), 1+1.3*float32(k), 0),
		}))
		require.NoError(t, err)
		ids = append(ids, id)
	}
	states := make([]rigid.State, Slots)
	i := &Inspector{More: func(l *Look) { l.Dynamics(d) }, Every: 10}
	i.Control = &Control{
		Save: func(slot int) { d.Save(&states[slot]) }, Restore: func(slot int) { d.Restore(&states[slot]) },
	}
	var mutex sync.Mutex
	seen := map[int][]geom.Transform{} // by tick
	differ := 0
	again := 0 // ticks that were made twice
	tick := 0
	url := serve(t, i, s, func() {
		if !i.Runs() {
			return
		}
		d.Step()
		mutex.Lock()
		defer mutex.Unlock()
		tick = i.ticks + 1
		var now []geom.Transform
		for _, id := range ids {
			at, _ := d.Transform(id)
			now = append(now, at)
		}
		if before := seen[tick]; before != nil {
			again++
			if !slices.Equal(before, now) {
				differ++
			}
		}
		seen[tick] = now
	})
	post := func(query string) {
		r, err := http.Post(url+"/control?"+query, "", nil)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusNoContent, r.StatusCode)
	}
	until := func(ready func(f *frame) bool) (f frame) {
		for start := time.Now(); ; {
			f = frame{}
			get(t, url+"/frame", &f)
			if ready(&f) {
				return f
			}
			require.Less(t, time.Since(start), 20*time.Second)
		}
	}
	until(func(f *frame) bool { return f.Control && len(f.Saves) > 6 }) // from the first look on
	post("do=pause")
	f := until(func(f *frame) bool { return f.Paused })
	last, then := f.Tick, f.Saves[len(f.Saves)-6]
	post(fmt.Sprint("do=back&tick=", then+3))
	until(func(f *frame) bool { return f.Paused && f.Tick == then })
	post("do=step")
	until(func(f *frame) bool { return f.Paused && f.Tick == then+1 && f.Saves[len(f.Saves)-1] == then })
	post("do=run")
	until(func(f *frame) bool { return !f.Paused && f.Tick > last })
	mutex.Lock()
	defer mutex.Unlock()
	assert.GreaterOrEqual(t, again, last-then)
	assert.Zero(t, differ)
}
