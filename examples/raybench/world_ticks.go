package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/internal/cputime"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// ticked is the cost of some ticks.
type ticked struct {
	update, find []time.Duration // to move everything, and to find the pairs
	pairs        int             // at the last tick
	colliders    int
	grown        int64 // bytes that the space keeps afterwards, more than before
}

// print prints the costs; bytes is the memory of the space when it was filled.
func (t ticked) print(stdout io.Writer, filled uint64) {
	fmt.Fprintf(stdout, "update_ms %.3f ms\nworst_tick_ms %.3f ms\n",
		milliseconds(middleTime(t.update)), milliseconds(slices.Max(t.update)))
	if t.find != nil {
		fmt.Fprintf(stdout, "pairs_ms %.3f ms\npairs_at_tick_%d %d\n", milliseconds(middleTime(t.find)), len(t.find), t.pairs)
	}
	fmt.Fprintf(stdout, "bytes_per_collider %.1f B\n", float64(int64(filled)+t.grown)/float64(t.colliders))
}

// measureTicks moves everything for a number of ticks and, if pairs is set, finds the pairs after
// each.
func (w *world) measureTicks(n int, pairs bool) ticked {
	now := cputime.Of(w.threads)
	before := heap()
	t := ticked{colliders: w.len()}
	var found []physics.Pair
	for range n {
		start := now()
		w.tick()
		moved := now()
		t.update = append(t.update, moved-start)
		if pairs {
			found = w.space.Pairs(found[:0])
			t.find = append(t.find, now()-moved)
		}
	}
	t.pairs = len(found)
	t.grown = int64(heap()) - int64(before)
	return t
}

const (
	snapshots = 10   // how many are taken; even, as worldPlaces is
	asked     = 1024 // number of rays by which two spaces are compared
)

// measureSnapshots takes a snapshot before each of some ticks and releases it after. A snapshot may
// leave work to the next tick, so the tick is measured too. It is an error if the snapshot's
// answers differ from those of the space before the tick.
func (w *world) measureSnapshots(stdout io.Writer, rays []geom.Ray) error {
	now := cputime.Of(w.threads)
	rays = rays[:min(asked, len(rays))]
	before, after := make([]worldfile.Answer, len(rays)), make([]worldfile.Answer, len(rays))
	var take, tick []time.Duration
	for range snapshots {
		w.castClosest(rays, before)
		w.move()
		start := now()
		s := w.space.Snapshot()
		taken := now()
		w.apply()
		told := now()
		frozen := *w
		frozen.space = s
		frozen.castClosest(rays, after)
		if !slices.Equal(before, after) {
			return fmt.Errorf("a snapshot answers otherwise than the space did when it was taken")
		}
		released := now()
		s.Release()
		take, tick = append(take, taken-start+now()-released), append(tick, told-taken)
	}
	fmt.Fprintf(stdout, "snapshot_ms %.3f ms\nsnapshot_update_ms %.3f ms\n", milliseconds(middleTime(take)), milliseconds(middleTime(tick)))
	return nil
}

// measureLife moves all bodies for many ticks between walls, so that the density stays the same,
// and casts the rays in turn at this space and at a fresh one with the same bodies. It is an error
// if the answers differ.
func (w *world) measureLife(stdout io.Writer, rays []geom.Ray, o options) error {
	w.shut = true
	t := w.measureTicks(o.ticks, false)
	fresh := w.again()
	old, young := make([]worldfile.Answer, len(rays)), make([]worldfile.Answer, len(rays))
	now := cputime.Of(w.threads)
	var movedTimes, freshTimes []time.Duration
	for run := range o.runs + 1 {
		start := now()
		w.castClosest(rays, old)
		half := now()
		fresh.castClosest(rays, young)
		if run > 0 { // once to warm up
			movedTimes, freshTimes = append(movedTimes, half-start), append(freshTimes, now()-half)
		}
	}
	if !slices.Equal(old, young) {
		return fmt.Errorf("after %d ticks the space answers otherwise than a fresh one", o.ticks)
	}
	times := make([]float64, o.runs)
	for i := range times {
		times[i] = movedTimes[i].Seconds() / freshTimes[i].Seconds()
	}
	slices.Sort(times)
	fmt.Fprintf(stdout, "lived_ticks %d\nlived_update_ms %.3f ms\nlived_worst_tick_ms %.3f ms\n",
		o.ticks, milliseconds(middleTime(t.update)), milliseconds(slices.Max(t.update)))
	fmt.Fprintf(stdout, "lived_mrays_per_s %.4f Mrays/s\nfresh_mrays_per_s %.4f Mrays/s\nlived_cost %.3f times\n",
		rate(len(rays), middleTime(movedTimes)), rate(len(rays), middleTime(freshTimes)), times[o.runs/2])
	return nil
}
