package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

func start(t *testing.T, movers int, seed uint64) *game {
	g, err := newGame(options{movers: movers, rate: 30, seed: seed})
	require.NoError(t, err)
	return g
}

// unlessShort returns a number of ticks, or less with -short, where the race detector makes
// everything slow.
func unlessShort(ticks, short int) int {
	if testing.Short() {
		return short
	}
	return ticks
}

// eachBot calls f with every bot's place.
func (g *game) eachBot(f func(at geom.Vec3, s *physecs.MoverState)) {
	query := generic.NewFilter3[physecs.Transform, physecs.MoverState, Bot]().Query(&g.world)
	for query.Next() {
		t, s, _ := query.Get()
		f(t.Position, s)
	}
}

func TestNobodyLeavesTheHallOrEndsInAWall(t *testing.T) {
	const movers = 400
	g := start(t, movers, 3)
	highest := float32(0)
	for range unlessShort(450, 60) {
		g.tick()
		alive := 0
		g.eachBot(func(at geom.Vec3, s *physecs.MoverState) {
			alive++
			require.True(t, g.isFree(at), "tick %d: in the level at %v", g.now, at)
			require.Zero(t, s.Depth)
			require.GreaterOrEqual(t, at.Y, float32(0))
			require.Less(t, max(at.Abs().X, at.Abs().Z), g.hall.reach)
			if s.Ground == physics.OnGround {
				highest = max(highest, at.Y)
			}
		})
		require.Equal(t, movers, alive+len(g.dead))
	}
	assert.Greater(t, highest, float32(1.9), "somebody has climbed a stage")
	assert.Empty(t, physecs.Check(&g.world))
}

func TestWhatIsInTheLevelIsNotFree(t *testing.T) {
	g := start(t, 1, 1) // tiles of four kinds: a capture point, pillars, a stage and crates
	require.NotEmpty(t, g.hall.spawns)
	for name, c := range map[string]struct {
		at   geom.Vec3
		free bool
	}{
		"on the floor":           {geom.V(-8, 0.05, -8), true},
		"in the floor":           {geom.V(-8, -0.05, -8), false},
		"in a pillar":            {geom.V(4, 0.05, -12), false}, // a capsule fits into it
		"beside it":              {geom.V(4.9, 0.05, -12), true},
		"in its side":            {geom.V(4.6, 0.05, -12), false},
		"under the stage":        {geom.V(-8, 0.02, 8), false},
		"on it":                  {geom.V(-8, 2.05, 8), true},
		"in a crate":             {geom.V(4.5, 0.05, 4.5), false},
		"behind the wall":        {geom.V(-17, 0.05, 0), false},
		"in the wall":            {geom.V(-16, 0.05, 0), false},
		"with the head too high": {geom.V(-8, hallHeight-botHeight+0.05, -8), false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.free, g.isFree(c.at)) })
	}
}

func TestStageHasStairsAndRamp(t *testing.T) {
	var b builder
	b.extrude(geom.V(10, 0, 20), stage(), 2)
	m, err := b.mesh()
	require.NoError(t, err)
	for x, height := range map[float32]float32{-5.3: 0.25, -4.9: 0.5, -2.4: 2, 0: 2, 1.4: 2, 3.5: 1, 4.5: 0.5} {
		h, ok := m.CastRay(geom.NewRay(geom.V(10+x, 5, 19), geom.V(0, -1, 0)), geom.CullNone)
		require.True(t, ok, "at %g", x)
		assert.InDelta(t, height, h.Point.Y, 1e-5, "at %g", x)
		assert.False(t, h.BackFace, "seen from above it is seen from outside")
	}
	for _, side := range []geom.Vec3{{X: -1}, {Z: 1}, {Z: -1}} {
		h, ok := m.CastRay(geom.Segment(geom.V(10, 0.2, 20).Add(side.Mul(9)), geom.V(10, 0.2, 20)), geom.CullNone)
		require.True(t, ok, "%v", side)
		assert.Equal(t, side, h.Normal)
		assert.False(t, h.BackFace)
	}
}

func TestEventsBalance(t *testing.T) {
	g := start(t, 600, 5)
	zones := generic.NewFilter1[Zone]()
	for range unlessShort(300, 120) {
		g.tick()
		var touching [kinds]int
		var inside [3]int32
		for i := range g.contacts.All {
			c := &g.contacts.All[i]
			k := kindOf(c)
			touching[k]++
			if k == points {
				inside[min(c.UserA, c.UserB)]++ // the team, which is less than userZone
			}
		}
		for k := range kinds {
			require.Equal(t, touching[k], g.count.began[k]-g.count.ended[k], "tick %d: begun and not ended of kind %d", g.now, k)
		}
		query := zones.Query(&g.world)
		for query.Next() {
			for team, n := range query.Get().Inside {
				inside[team] -= n
			}
		}
		require.Zero(t, inside, "tick %d: who is in the capture points", g.now)
		require.Equal(t, g.count.deaths-g.count.respawns, len(g.dead))
	}
	c := g.count
	for what, n := range map[string]int{
		"bodies": c.ended[bodies], "walls": c.ended[walls], "points": c.ended[points],
		"shots": c.shots, "hits": c.hits, "deaths": c.deaths, "respawns": c.respawns, "captures": c.captures,
	} {
		assert.Positive(t, n, what)
	}
	assert.Less(t, c.hits, c.shots)
	assert.LessOrEqual(t, c.deaths*((fullHealth+bulletDamage-1)/bulletDamage), c.hits, "so many hits take a life")
}

func TestSameSeedSameGame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	play := func(processors int, seed uint64) []uint64 {
		runtime.GOMAXPROCS(processors)
		g := start(t, 600, seed)
		var hashes []uint64
		for range 5 {
			for range unlessShort(30, 8) {
				g.tick()
			}
			hashes = append(hashes, g.hash())
		}
		return hashes
	}
	one := play(1, 7)
	assert.Equal(t, one, play(4, 7), "on four processors")
	assert.Equal(t, one, play(3, 7), "on three processors")
	assert.NotEqual(t, one, play(1, 8), "of another seed")
}

func TestHashSeesEverything(t *testing.T) {
	g := start(t, 300, 1)
	for range 60 {
		g.tick()
	}
	require.NotEmpty(t, g.dead)
	before := g.hash()
	require.Equal(t, before, g.hash())
	nudge := func(f *float32) (undo func()) { old := *f; *f++; return func() { *f = old } }
	query := g.thinking.Query(&g.world)
	query.Next()
	transform, mover, state, caster, bot := query.Get()
	query.Close()
	shots := generic.NewFilter1[physecs.Projectile]().Query(&g.world)
	require.True(t, shots.Next())
	bullet := shots.Get()
	shots.Close()
	zones := generic.NewFilter1[Zone]().Query(&g.world)
	zones.Next()
	zone := zones.Get()
	zones.Close()
	for name, change := range map[string]func() (undo func()){
		"Transform":  func() func() { return nudge(&transform.Position.Y) },
		"Mover":      func() func() { return nudge(&mover.Velocity.X) },
		"MoverState": func() func() { return nudge(&state.GroundPoint.X) },
		"RayCaster": func() func() {
			caster.Disabled = !caster.Disabled
			return func() { caster.Disabled = !caster.Disabled }
		},
		"Bot":        func() func() { bot.Health++; return func() { bot.Health-- } },
		"Projectile": func() func() { return nudge(&bullet.Life) },
		"Zone":       func() func() { zone.Inside[Red]++; return func() { zone.Inside[Red]-- } },
		"dead":       func() func() { g.dead[0].tick++; return func() { g.dead[0].tick-- } },
		"tick":       func() func() { g.now++; return func() { g.now-- } },
	} {
		undo := change()
		assert.NotEqual(t, before, g.hash(), name)
		undo()
	}
	require.Equal(t, before, g.hash())
	g.chance.Uint64()
	assert.NotEqual(t, before, g.hash(), "chance")
}

func TestSavings(t *testing.T) {
	s := savings{tick: 10}
	for i, c := range []struct {
		passed    time.Duration
		due, lost int
	}{{9, 0, 0}, {1, 1, 0}, {25, 2, 0}, {4, 0, 0}, {1, 1, 0}, {0, 0, 0}, {50, 5, 0}, {79, 5, 2}, {1, 1, 0}} {
		due, lost := s.spend(c.passed)
		assert.Equal(t, c.due, due, "%d", i)
		assert.Equal(t, c.lost, lost, "%d", i)
	}
}

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no movers":      {[]string{"-movers", "0"}, "-movers 0: want from 1 to 1000000"},
		"too many":       {[]string{"-movers", "1000001"}, "-movers 1000001: want from 1 to 1000000"},
		"negative ticks": {[]string{"-ticks", "-1"}, "-ticks -1: want at least 1, or 0 for real time"},
		"negative time":  {[]string{"-time", "-1s"}, "-time -1s: want more than 0, or 0 for no end"},
		"negative every": {[]string{"-every", "-1"}, "-every -1: want at least 1, or 0 for never"},
		"slow":           {[]string{"-rate", "9"}, "-rate 9: want from 10 to 1000 ticks a second"},
		"fast":           {[]string{"-rate", "1001"}, "-rate 1001: want from 10 to 1000 ticks a second"},
		"no flag":        {[]string{"500"}, `what is "500"? All arguments are flags; -help lists them`},
		"inspect":        {[]string{"-inspect", "localhost:0", "-ticks", "5"}, "-inspect localhost:0: only in real time, without -ticks"},
		"control":        {[]string{"-control"}, "-control: nothing is inspected; want -inspect"},
		"no number":      {[]string{"-seed", "x"}, `invalid value "x" for flag -seed: parse error`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.EqualError(t, run(t.Context(), c.args, io.Discard, io.Discard), c.want)
		})
	}
	assert.ErrorIs(t, run(t.Context(), []string{"-help"}, io.Discard, io.Discard), flag.ErrHelp)
}

func TestRunPrintsOnceASecondAndTheHash(t *testing.T) {
	args := []string{"-ticks", "25", "-rate", "10", "-movers", "60", "-every", "12"}
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), args, &out, io.Discard))
	for what, n := range map[string]int{
		`(?m)^tick (10|20|25): \d+ shots, \d+ hits, \d+ deaths, \d+ respawns, \d+ captures; [\d.]+ allocations a tick$`: 3,
		`(?m)^  began/ended  bot with bot \+\d+ -\d+  bot with level \+\d+ -\d+  bot in capture point \+\d+ -\d+$`:      3,
		`(?m)^  ms a tick +think .* Contact .* Mover .* all$`:                                                           3,
		`(?m)^  (mean|worst) ( +\d+\.\d\d){15}$`:                                                                        6,
		`(?m)^tick (12|24) hash [0-9a-f]{16} live \d+$`:                                                                 2,
		`(?m)^after 25 ticks the hash is [0-9a-f]{16}$`:                                                                 1,
	} {
		assert.Len(t, regexp.MustCompile(what).FindAllString(out.String(), -1), n, "%s in\n%s", what, out.String())
	}

	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"-ticks", "25"}, {"-time", "0"}} {
		out.Reset()
		require.NoError(t, run(over, append(args, "-movers", "10"), &out, io.Discard))
		assert.Regexp(t, `after [01] ticks the hash is`, out.String(), "interrupted")
	}
}
