package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A browser sees what the game has, pauses it, and looks back, and the game has the same hash as
// one at which nothing looks.
func TestInspected(t *testing.T) {
	g, other := start(t, 100, 3), start(t, 100, 3)
	i := newInspector(g, true)
	at, stop, err := serve("localhost:0", i)
	require.NoError(t, err)
	defer stop()
	client := http.Client{Timeout: 30 * time.Second}
	ask := func(method, path string, into any) {
		answer := make(chan error)
		go func() {
			request, err := http.NewRequest(method, at+path, nil)
			if err != nil {
				answer <- err
				return
			}
			r, err := client.Do(request)
			if err == nil {
				defer r.Body.Close()
				if into != nil {
					err = json.NewDecoder(r.Body).Decode(into)
				}
			}
			answer <- err
		}()
		for {
			if i.Runs() {
				g.tick()
			}
			i.Frame(g.space.Physics())
			select {
			case err := <-answer:
				require.NoError(t, err)
				return
			default:
			}
		}
	}
	type frame struct {
		Tick, Colliders int
		Boxes           []struct{ Is string }
		Contacts        []struct{ Depth float32 }
		Rays            []struct{ Hit bool }
		Times           []struct{ Name string }
		Looks           []int
		Paused          bool
	}
	var now, before, later frame
	for now.Tick < 60 || len(now.Contacts) == 0 || len(now.Rays) == 0 {
		now = frame{}
		ask("GET", "frame", &now)
		require.Less(t, now.Tick, 2000)
	}
	assert.Equal(t, "think", now.Times[0].Name)
	ask("GET", "frame?tick=31", &before)
	assert.Less(t, before.Tick, now.Tick)

	ask("POST", "control?do=pause", nil)
	ask("GET", "frame", &later)
	assert.True(t, later.Paused)
	assert.Equal(t, later.Tick, g.now)
	assert.Equal(t, later.Colliders, g.space.Len(), "bots, zones and the hall")
	ask("GET", "frame", nil)
	assert.Equal(t, later.Tick, g.now, "no tick is made")

	for other.now < g.now {
		other.tick()
	}
	assert.Equal(t, other.hash(), g.hash())
}

func TestRunWithInspector(t *testing.T) {
	var out bytes.Buffer
	args := []string{"-movers", "20", "-time", "200ms", "-inspect", "localhost:0", "-control"}
	require.NoError(t, run(t.Context(), args, &out, io.Discard))
	assert.Contains(t, out.String(), "the inspector is at http://127.0.0.1:")
	args = []string{"-movers", "20", "-time", "200ms", "-inspect", "nowhere:port"}
	assert.ErrorContains(t, run(t.Context(), args, io.Discard, io.Discard), "-inspect: ")
}
