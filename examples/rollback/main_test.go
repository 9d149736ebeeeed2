package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
)

// Over any network, all ticks that the server has confirmed have its hash on both peers, and shots
// hit what the shooter saw.
func TestPeersAgree(t *testing.T) {
	networks := []string{
		"-latency 0 -jitter 0 -loss 0", "-latency 35 -jitter 20 -loss 0.05", "-latency 50 -loss 0.3", "-latency 250 -jitter 90 -loss 0.6",
	}
	if testing.Short() {
		networks = networks[:2] // under the race detector all take long
	}
	for i, network := range networks {
		t.Run(network, func(t *testing.T) {
			args := strings.Fields(fmt.Sprintf("-ticks %d -join %d -bodies 30 -ragdolls 1 -round 64 -seed %d %s", 130+50*i, 25*i, i+1, network))
			o, err := parse(args, nil)
			require.NoError(t, err)
			m := newMatch(o)
			require.NoError(t, m.play(io.Discard))
			var out bytes.Buffer
			require.NoError(t, m.report(&out), "%s", &out)
			shots, hits := 0, 0
			for _, c := range m.clients {
				assert.Equal(t, o.ticks, c.equal+int(c.joined))
				assert.Greater(t, c.mispredicted, 5)
				assert.GreaterOrEqual(t, c.again, c.mispredicted)
				assert.LessOrEqual(t, c.most, window)
				assert.Empty(t, physecs.Check(&c.game.world))
				shots, hits = shots+c.shots, hits+c.hits
			}
			if i < 3 { // else each input is late
				assert.Greater(t, shots, 5)
				assert.Greater(t, hits, 3)
				assert.Zero(t, m.server.refused)
			} else {
				assert.Equal(t, window, m.clients[0].most)
				assert.NotZero(t, m.clients[0].stalled)
			}
		})
	}
}

// A peer whose world is another is found out.
func TestDisagreementIsFound(t *testing.T) {
	o, err := parse(strings.Fields("-ticks 60 -join 0 -bodies 10 -ragdolls 0"), nil)
	require.NoError(t, err)
	m := newMatch(o)
	g := m.clients[1].game
	g.places.Get(g.things[3]).Position.X += 0.001
	g.save(&m.clients[1].at(0).saved)
	require.NoError(t, m.play(io.Discard))
	assert.ErrorContains(t, m.report(new(bytes.Buffer)), "disagree")
	assert.Zero(t, m.clients[0].unequal)
}

func TestFlags(t *testing.T) {
	for _, args := range []string{"-ticks 0", "-join -1", "-loss 1", "-loss NaN", "-latency -1", "-jitter 1e9", "-bodies -1", "-round -1", "-every -1", "extra"} {
		_, err := parse(strings.Fields(args), new(bytes.Buffer))
		assert.Error(t, err, args)
	}
}

// What is dropped from a log changes neither the rest nor what was sent before.
func TestLogDropsWhatEverybodyHas(t *testing.T) {
	l := log{dropped: 5}
	for tick := l.last() + 1; tick <= 5000; tick++ {
		l.list = append(l.list, confirmation{hash: uint64(tick)})
		sent := l.from(tick, 3)
		l.drop(tick - 2)
		require.Equal(t, []confirmation{{hash: uint64(tick)}}, sent)
		require.Equal(t, tick, l.last())
		require.Equal(t, uint64(max(tick-1, 6)), l.at(max(tick-1, 6)).hash)
	}
	require.Less(t, len(l.list), 1100)
	require.Equal(t, []confirmation{{hash: 4999}, {hash: 5000}}, l.from(4999, 40))
}
