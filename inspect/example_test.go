package inspect_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/hitscan-go/hitscan/inspect"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A game that can be looked at while it runs.
func Example() {
	space := physics.NewSpace()
	space.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(5, 0, 0)})
	inspector := &inspect.Inspector{}
	mux := http.NewServeMux()
	mux.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", inspector))
	server := httptest.NewServer(mux) // in a game: http.ListenAndServe("localhost:6060", mux)
	defer server.Close()

	answer := make(chan string)
	go func() { // the browser
		r, err := http.Get(server.URL + "/debug/hitscan/frame")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		answer <- string(text)
	}()
	for {
		inspector.Frame(space) // once a tick
		select {
		case text := <-answer:
			fmt.Println(text)
			return
		default:
		}
	}
	// Output: {"Colliders":1,"Planar":false,"Boxes":[{"Min":[4,-1,-1],"Max":[6,1,1],"Is":""}]}
}
