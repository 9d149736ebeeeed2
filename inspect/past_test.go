package inspect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ball climbs a metre a tick. Requests look at ticks that have been, with what the game added
// then, while the game makes none, and cast rays there.
func TestLooksAtThePast(t *testing.T) {
	s := physics.NewSpace()
	id := s.Add(physics.Collider{Shape: geom.Sphere{Radius: 0.25}})
	tick := 0
	i := &Inspector{Past: 5, Every: 3, More: func(l *Look) {
		l.Ray(geom.Segment(geom.V(0, float32(tick), 0), geom.V(1, 0, 0)), 0, false)
	}}
	run := func(ticks int) {
		for range ticks {
			tick++
			i.asked.Store(true)
			s.SetTransform(id, geom.At(0, float32(tick), 0))
			i.Frame(s)
		}
	}
	ask := func(path string, into any) int {
		r := httptest.NewRequest("GET", path, nil)
		r.RemoteAddr, r.Host = "127.0.0.1:1234", "localhost:6060"
		w := httptest.NewRecorder()
		i.ServeHTTP(w, r)
		if into != nil {
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), into), w.Body)
		}
		return w.Code
	}
	height := func(asked int) (y int, f frame) {
		require.Equal(t, http.StatusOK, ask(fmt.Sprint("/frame?tick=", asked), &f))
		require.Len(t, f.Boxes, 1)
		require.Len(t, f.Rays, 1)
		y = int(f.Boxes[0].Max[1] - 0.25)
		assert.Equal(t, float32(y), f.Rays[0].From[1])
		assert.Equal(t, y, f.Tick)
		return y, f
	}
	run(8)
	for asked, want := range map[int]int{1: 1, 2: 1, 3: 1, 4: 4, 6: 4, 7: 7, 8: 7, 99: 7} {
		y, f := height(asked)
		assert.Equal(t, want, y, "%d", asked)
		assert.Equal(t, []int{1, 4, 7}, f.Looks)
	}
	run(100)
	y, f := height(1)
	assert.Equal(t, []int{94, 97, 100, 103, 106}, f.Looks)
	assert.Equal(t, 94, y, "the oldest")
	for asked, want := range map[int]bool{97: true, 100: false} {
		var x explanation
		path := fmt.Sprint("/cast?from=-5,97,0&dir=1,0,0&tick=", asked)
		require.Equal(t, http.StatusOK, ask(path, &x))
		assert.Equal(t, want, x.OK, "%d", asked)
	}
	for _, bad := range []string{"0", "-1", "x", "1e3", "99999999999999999999"} {
		assert.Equal(t, http.StatusBadRequest, ask("/frame?tick="+bad, nil), bad)
	}

	// A game that is taken back leaves the time that it has left.
	i.ticks, tick = 100, 100
	run(4)
	_, f = height(104)
	assert.Equal(t, []int{94, 97, 100, 103}, f.Looks)
}

// Readers of a look that is dropped meanwhile still see it. The race detector runs this too.
func TestPastBetweenReaders(t *testing.T) {
	s := newSpace()
	ball := s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}})
	y := float32(0)
	url := serve(t, &Inspector{Past: 2, Every: 1}, s, func() {
		y++
		s.SetTransform(ball, geom.At(0, y, 0))
	})
	for tick := range 100 {
		var f frame
		get(t, fmt.Sprintf("%s/frame?tick=%d", url, tick+1), &f)
		require.Len(t, f.Boxes, 5)
		assert.Equal(t, float32(f.Tick), f.Boxes[4].Min[1]+1)
	}
}
