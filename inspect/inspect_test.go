package inspect

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// newSpace returns three balls in a row along X, a sensor and a floor.
func newSpace() *physics.Space {
	s := physics.NewSpace()
	for i := range 3 {
		s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(4*float32(i), 0, 0), Layer: 1 << i})
	}
	s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(-4, 0, 0), Sensor: true})
	s.Add(physics.Collider{Shape: geom.YPlane(-2), Static: true})
	return s
}

// serve runs a game that ticks until the test ends, and returns the address of its inspector.
func serve(t *testing.T, i *Inspector, s *physics.Space, tick func()) string {
	mux := http.NewServeMux()
	mux.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", i))
	server := httptest.NewServer(mux)
	stop := make(chan struct{})
	var game sync.WaitGroup
	game.Go(func() {
		ticks := time.NewTicker(100 * time.Microsecond)
		defer ticks.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticks.C:
				tick()
				i.Frame(s)
			}
		}
	})
	t.Cleanup(func() {
		server.Close()
		close(stop)
		game.Wait()
	})
	return server.URL + "/debug/hitscan"
}

func get(t *testing.T, url string, into any) {
	r, err := http.Get(url)
	require.NoError(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, r.StatusCode, "%s", text)
	if into != nil {
		require.NoError(t, json.Unmarshal(text, into))
	}
}

func TestFrameAndCast(t *testing.T) {
	s := newSpace()
	url := serve(t, &Inspector{}, s, func() {})
	get(t, url+"/", nil)
	var f frame
	get(t, url+"/frame", &f)
	assert.Equal(t, 5, f.Colliders)
	require.Len(t, f.Boxes, 4, "a plane has none")
	assert.Equal(t, []plane{{"4.1", [3]float32{0, -2, 0}, [3]float32{0, 1, 0}, "static"}}, f.Planes)
	assert.Equal(t, box{ID: "1.1", Min: [3]float32{3, -1, -1}, Max: [3]float32{5, 1, 1}, Shape: 1,
		At: &[12]float32{0: 1, 4: 1, 8: 1, 9: 4}}, f.Boxes[1])
	assert.Equal(t, "sensor", f.Boxes[3].Is)

	ray := geom.NewRay(geom.V(-2, 0, 0), geom.V(1, 0, 0))
	for query, filter := range map[string]physics.Filter{
		"":                      {},
		"&mask=2":               {Mask: 2},
		"&mask=0x4&sensors=1":   {Mask: 4, Sensors: true},
		"&ownlayer=8&sensors=1": {OwnLayer: 8, Sensors: true},
	} {
		var got explanation
		get(t, url+"/cast?from=-2,0,0&dir=1,0,0"+query, &got)
		want := s.Explain(ray, filter)
		assert.Equal(t, want.String(), got.Text, query)
		assert.Equal(t, want.OK, got.OK, query)
		assert.Equal(t, want.Hit.Point.Array(), got.Point, query)
		closest := 0
		for _, b := range got.Boxes {
			if b.Is == physics.VerdictClosest.String() {
				closest++
			}
		}
		assert.Equal(t, 1, closest, query)
	}
}

func TestRefusals(t *testing.T) {
	ask := func(i *Inspector, method, target, from, host string) int {
		r := httptest.NewRequest(method, target, nil)
		r.RemoteAddr, r.Host = from, host
		w := httptest.NewRecorder()
		i.ServeHTTP(w, r)
		return w.Code
	}
	const here, local = "127.0.0.1:1234", "localhost:6060"
	i := &Inspector{Wait: time.Millisecond}
	assert.Equal(t, http.StatusOK, ask(i, "GET", "/", here, local))
	assert.Equal(t, http.StatusOK, ask(i, "GET", "/", "[::1]:99", "[::1]:6060"))
	assert.Equal(t, http.StatusForbidden, ask(i, "GET", "/", "10.0.0.7:1234", local), "another machine")
	assert.Equal(t, http.StatusForbidden, ask(i, "GET", "/", here, "evil.example:6060"), "under another's name")
	assert.Equal(t, http.StatusForbidden, ask(i, "GET", "/", "nonsense", local))
	assert.Equal(t, http.StatusOK, ask(&Inspector{Remote: true}, "GET", "/", "10.0.0.7:1234", "game.example"))
	assert.Equal(t, http.StatusMethodNotAllowed, ask(i, "POST", "/frame", here, local))
	assert.Equal(t, http.StatusNotFound, ask(i, "GET", "/page.html", here, local))
	assert.Equal(t, http.StatusNotFound, ask(i, "GET", "/../inspect.go", here, local))
	assert.Equal(t, http.StatusServiceUnavailable, ask(i, "GET", "/frame", here, local), "no tick")
	assert.False(t, i.wanted.Load(), "and none is waited for")
	for _, query := range []string{
		"", "?from=1,2&dir=1,0,0", "?from=1,2,3", "?from=a,b,c&dir=1,0,0", "?from=0,0,0&dir=0,0,0", "?from=NaN,0,0&dir=1,0,0",
		"?from=0,0,0&dir=1,0,0&maxt=-1", "?from=0,0,0&dir=1,0,0&maxt=x", "?from=0,0,0&dir=1,0,0&start=inside", "?from=0,0,0&dir=1,0,0&cull=3", "?from=0,0,0&dir=1,0,0&exclude=" + strings.Repeat("1.1,", 200),
		"?from=0,0,0&dir=Inf,0,0", "?from=0,0,1e99&dir=1,0,0", "?from=0,0,0&dir=1,0,0&mask=-1", "?from=0,0,0&dir=1,0,0&ownlayer=x",
	} {
		assert.Equal(t, http.StatusBadRequest, ask(i, "GET", "/cast"+query, here, local), query)
		assert.False(t, i.wanted.Load(), "the game does nothing for it")
	}
}

// Without a request a tick costs no memory, and no snapshot.
func TestFrameAllocatesNothing(t *testing.T) {
	i, s := &Inspector{}, newSpace()
	testenv.AllocatesNothing(t, 100, func() { i.Frame(s) })
}

// stuck is a reader that takes nothing until it is closed.
type stuck struct {
	httptest.ResponseRecorder
	until, reached chan struct{}
	deadline       time.Time
}

// SetWriteDeadline is what a connection of a server has.
func (s *stuck) SetWriteDeadline(t time.Time) error {
	s.deadline = t
	return nil
}

func (s *stuck) Write(b []byte) (int, error) {
	close(s.reached)
	<-s.until
	return len(b), nil
}

// A reader that is stuck holds neither the game nor its snapshot, nor other readers: and a lot of
// them do not hold more memory than maxOpen answers.
func TestSlowReaders(t *testing.T) {
	i, s := &Inspector{}, newSpace()
	url := serve(t, i, s, func() {})
	var done sync.WaitGroup
	until := make(chan struct{})
	for range maxOpen - 1 {
		slow := &stuck{until: until, reached: make(chan struct{})}
		done.Go(func() {
			r := httptest.NewRequest("GET", "/frame", strings.NewReader(""))
			r.RemoteAddr, r.Host = "127.0.0.1:1", "localhost"
			i.ServeHTTP(slow, r)
		})
		<-slow.reached
		assert.WithinDuration(t, time.Now().Add(slowest), slow.deadline, time.Minute, "then its connection is closed")
	}
	for range 3 {
		var f frame
		get(t, url+"/frame", &f)
		assert.Equal(t, 5, f.Colliders)
	}
	i.open.Add(1) // one more
	r, err := http.Get(url + "/frame")
	require.NoError(t, err)
	assert.NoError(t, r.Body.Close())
	assert.Equal(t, http.StatusServiceUnavailable, r.StatusCode)
	i.open.Add(-1)
	close(until)
	done.Wait()
	get(t, url+"/frame", nil)
	assert.Zero(t, i.open.Load())
}

// Many readers look at a game that moves its colliders: each sees one tick, in which all are at the
// same height. The race detector runs this too.
func TestReadersSeeOneTick(t *testing.T) {
	s := physics.NewSpace()
	var ids []physics.ColliderID
	for k := range 200 {
		ids = append(ids, s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(3*float32(k), 0, 0)}))
	}
	height := float32(0)
	url := serve(t, &Inspector{}, s, func() {
		height += 0.25
		for k, id := range ids {
			s.SetTransform(id, geom.At(3*float32(k), height, 0))
		}
	})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 10 {
				r, err := http.Get(url + "/frame")
				if !assert.NoError(t, err) {
					return
				}
				var f frame
				assert.NoError(t, json.NewDecoder(r.Body).Decode(&f))
				r.Body.Close()
				if assert.Len(t, f.Boxes, 200) {
					for _, b := range f.Boxes {
						assert.Equal(t, f.Boxes[0].Min[1], b.Min[1])
					}
				}
			}
		})
	}
	readers.Wait()
}
