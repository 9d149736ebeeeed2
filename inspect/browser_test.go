package inspect

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The page as Chromium makes it after some seconds of its own time: what a browser has that
// testdata/page.js does not, and no error of the script.
func TestPageInChromium(t *testing.T) {
	testenv.Program(t, "chromium")
	s := newSpace()
	url := serve(t, &Inspector{Past: 10, Control: &Control{}, More: func(l *Look) {
		l.Ray(geom.Segment(geom.V(0, 0, 0), geom.V(1, 0, 0)), 0, false)
		l.Time("think <b>", 0)
	}}, s, func() {})
	out, err := exec.CommandContext(t.Context(), "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", url+"/").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Regexp(t, `tick \d+: 5 colliders, 0 contact points, 1 rays`, string(out))
	assert.Contains(t, string(out), "<td>think &lt;b&gt;</td><td>0 µs</td>")
	assert.Contains(t, string(out), `<div id="control">`, "shown")
	assert.NotContains(t, string(out), "CONSOLE", "errors")
}
