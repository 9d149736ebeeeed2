package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A browser sees what the game has, pauses it, looks back, and takes it back; the game has the same
// hash as one at which nothing looks, even when it has gone on from there.
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
		Saves           []int
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

	require.Greater(t, len(later.Saves), 10)
	then := later.Saves[len(later.Saves)-10]
	ask("POST", fmt.Sprint("control?do=back&tick=", then), nil)
	ask("GET", "frame", &now)
	assert.Equal(t, then, now.Tick)
	assert.Equal(t, then, g.now)
	ask("POST", "control?do=run", nil)
	for g.now <= other.now {
		ask("GET", "frame", nil)
	}
	for other.now < g.now {
		other.tick()
	}
	assert.Equal(t, other.hash(), g.hash(), "from tick %d to %d", then, g.now)
}

func TestRunWithInspector(t *testing.T) {
	var out bytes.Buffer
	args := []string{"-movers", "20", "-time", "200ms", "-inspect", "localhost:0", "-control"}
	require.NoError(t, run(t.Context(), args, &out, io.Discard))
	assert.Contains(t, out.String(), "the inspector is at http://127.0.0.1:")
	args = []string{"-movers", "20", "-time", "200ms", "-inspect", "nowhere:port"}
	assert.ErrorContains(t, run(t.Context(), args, io.Discard, io.Discard), "-inspect: ")
}
