package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/hitscan-go/hitscan/inspect"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A game that can be looked at while it runs.
func Example() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(5, 0, 0), Layer: 1})
	inspector := &inspect.Inspector{More: func(l *inspect.Look) {
		l.Time("think", 250*time.Microsecond)
	}}
	mux := http.NewServeMux()
	mux.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", inspector))
	server := httptest.NewServer(mux) // in a game: http.ListenAndServe("localhost:6060", mux)
	defer server.Close()

	answer := make(chan string)
	go func() { // the browser: why does this ray not hit the collider 0.1?
		r, err := http.Get(server.URL + "/debug/hitscan/cast?from=0,0,0&dir=1,0,0&mask=2&why=0.1")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		var why struct{ Why string }
		_ = json.NewDecoder(r.Body).Decode(&why)
		answer <- why.Why
	}()
	for {
		inspector.Frame(space) // once a tick
		select {
		case text := <-answer:
			fmt.Println(strings.ReplaceAll(text, "; ", ";\n"))
			return
		default:
		}
	}
	// Output:
	// collider 0.1 is rejected by Mask;
	// without that Mask, collider 0.1 is what the ray hits, at T 4
}
