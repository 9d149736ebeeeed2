package picking

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Every projection comes back from JSON with the same bits, in a camera too.
func TestProjectionsAsJSON(t *testing.T) {
	all := []Projection{
		{}, Perspective(0.7, 0.1, 1000), Perspective(1.1, 1e-3, math.Inf(1)).WithReversedDepth(), PerspectiveOffCenter(-1, 2, 0.5, -1, 1, 9),
		Orthographic(10, -5, 5).WithDepthZeroToOne(), Ortho(3, -1, 0, 2, 0, 1), Orthographic(10, -5, 5).scaled(1.0 / 3),
		ProjectionOf(Perspective(0.3, 1, 2).Matrix(1.5), ClipZeroToOne), ProjectionOf(geom.Mat4{}, ClipMinusOneToOne),
	}
	for _, p := range all {
		text, err := json.Marshal(View{Camera: Camera{Projection: p}})
		require.NoError(t, err)
		got := View{Camera: Camera{Projection: all[1]}}
		require.NoError(t, json.Unmarshal(text, &got), "%s", text)
		assert.Equal(t, p, got.Projection, "%s", text)
	}
	nan := geom.Mat4{math.NaN()}
	_, err := json.Marshal(ProjectionOf(nan, ClipMinusOneToOne))
	assert.Error(t, err)
	p := all[1]
	for _, text := range []string{
		`[]`, `{"Kind":"fisheye"}`, `{"Kind":"matrix"}`, `{"Kind":"perspective"}`, `{"Kind":"perspective","Clip":"2..3"}`,
		`{"Kind":"perspective","Symmetric":true,"Rectangle":[0,0,-1,1],"Near":1}`,
		`{"Kind":"perspective","Symmetric":true,"Rectangle":[0,0,-1,1],"Near":1,"Far":0.5}`,
		`{"Kind":"perspective","Symmetric":true,"Rectangle":[0,0,-1,1],"Near":1,"Far":"NaN"}`,
		`{"Kind":"perspective","Symmetric":true,"Rectangle":[0,0,-1,2],"Near":1,"Far":5}`,
		`{"Kind":"perspective","Rectangle":[0,0,-1,2],"Near":1,"Far":5}`, `{"Kind":"perspective","Rectangle":[0,1,-1,2],"Near":0,"Far":5}`,
		`{"Kind":"orthographic","Rectangle":[0,1,-1,2],"Near":0,"Far":"+Inf"}`,
	} {
		err := json.Unmarshal([]byte(text), &p)
		assert.Error(t, err, text)
		assert.Equal(t, all[1], p, "%s changes nothing", text)
	}
}
