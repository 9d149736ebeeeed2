package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// checks returns twelve checks, a second of CPU time each.
func checks() (c []check) {
	for i := range 12 {
		c = append(c, check{tick: 100 * (i + 1), hash: "a", live: 1e6, resident: 2e6, cpu: float64(i)})
	}
	return c
}

func TestJudgesWhatChanges(t *testing.T) {
	for want, change := range map[string]func(p *pair){
		"": func(*pair) {},
		"g: tick 300 has the hash a in one process, and tick 300 b in the other": func(p *pair) { p.checks[1][2].hash = "b" },
		"g: memory grows by 1.10 %": func(p *pair) {
			for i := range p.checks[1] {
				p.checks[1][i].live = 1e6 * (1 + 0.011*float64(i/9))
			}
		},
		"g: ticks take 50.0 % longer": func(p *pair) {
			for i := 8; i < 12; i++ {
				p.checks[0][i].cpu += 0.5 * float64(i-8)
			}
		},
	} {
		p := &pair{game: game{name: "g", rate: 60}, checks: [2][]check{checks(), checks()}}
		change(p)
		line, err := p.judge(options{growth: 0.01, drift: 0.25})
		assert.Contains(t, line, "g: 1200 ticks, 0.01 h of the game; ")
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

// Two games run for six seconds, and agree.
func TestGamesAgree(t *testing.T) {
	testenv.Program(t, "git")
	var out bytes.Buffer
	require.NoError(t, soak(t.Context(), options{minutes: 0.1, load: 0.02, growth: 1, drift: 10, only: "server,swarm"}, &out), "%s", &out)
	assert.Regexp(t, `server: [1-9]\d* ticks, .* hashes equal[^$]*\nswarm: [1-9]\d* ticks`, out.String())
}
