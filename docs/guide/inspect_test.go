package guide

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/mlange-42/arche/ecs"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/inspect"
)

func Example_inspect() {
	world := ecs.NewWorld()
	sim := physecs.Simulation{Headless: true}
	sim.Initialize(&world)
	dynamics := physecs.Resource[physecs.Dynamics](&world)
	states := make([]physecs.DynamicsState, inspect.Slots)
	inspector := &inspect.Inspector{
		Past: 100, // looks of the last ten seconds, while a browser looks
		More: func(l *inspect.Look) { // while a browser looks
			l.Dynamics(dynamics.Rigid())
			l.Times(sim.Times())
		},
		Control: &inspect.Control{ // without it, pages only read
			Save:    func(slot int) { dynamics.Save(&world, &states[slot]) },
			Restore: func(slot int) { dynamics.Restore(&world, &states[slot]) },
		},
	}
	http.Handle("/debug/hitscan/", http.StripPrefix("/debug/hitscan", inspector))
	// In a game: go http.ListenAndServe("localhost:6060", nil)
	server := httptest.NewServer(http.DefaultServeMux)
	defer server.Close()
	for range 60 {
		if inspector.Runs() {
			sim.Update(&world)
		}
		inspector.Frame(physecs.Resource[physecs.Space](&world).Physics())
	}
	page, _ := http.Get(server.URL + "/debug/hitscan/")
	fmt.Println(page.Status)
	// Output: 200 OK
}
