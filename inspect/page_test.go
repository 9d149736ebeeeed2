package inspect

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The script of the page, in Node: see testdata/page.js.
func TestPage(t *testing.T) {
	testenv.Program(t, "node")
	out, err := exec.Command("node", "testdata/page.js", "page.html").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "true\ntrue\n123 456\n123 456\n123 456\n"+
		"2 /debug/hitscan/frame /debug/hitscan/cast 6 null <why>\n"+
		"tick 5: 2 colliders, 2 bodies, 1 colliders asleep, 1 contact points, 1 rays, 3 not shown Dynamics 250 µs \n"+
		"7.1 true it is farther\n8.1 true it is farther\n"+
		"1 0,0,0 1,2,3 1\n0 0,0,0 1,2,3 1\n1  null\n"+
		"3 now 1 now run\n"+
		"POST /debug/hitscan/control?do=run\nPOST /debug/hitscan/control?do=step\nPOST /debug/hitscan/control?do=back&tick=2\n"+
		"/debug/hitscan/frame?tick=3\n3\n/debug/hitscan/frame\n", string(out))
}
