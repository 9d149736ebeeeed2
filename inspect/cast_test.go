package inspect

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Why a ray along X does not hit one of the things in its way, and in whose way which field stands.
func TestWhyNot(t *testing.T) {
	s := physics.NewSpace()
	ball := func(x float32, layer physics.Layers, sensor bool) string {
		return nameOf(s.Add(physics.Collider{
			Shape: geom.Sphere{Radius: 1}, Transform: geom.At(x, 0, 0), Layer: layer, Mask: layer, Sensor: sensor,
		}))
	}
	first, behind, sensor := ball(5, 1, false), ball(10, 2, false), ball(15, 4, true)
	beside := nameOf(s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(3, 0.9, 0.9)}))
	far := nameOf(s.Add(physics.Collider{Shape: geom.Sphere{Radius: 1}, Transform: geom.At(3, 50, 0)}))
	nan := nameOf(s.Add(physics.Collider{Shape: geom.Sphere{Radius: -1}}))
	wall := nameOf(s.Add(physics.Collider{Shape: geom.Plane{Normal: geom.V(1, 0, 0), D: 20}}))
	for _, c := range []struct{ query, why, want string }{
		{"", first, "collider " + first + " is what the ray hits, at T 4"},
		{"&maxt=4", first, "collider " + first + " is what the ray hits, at T 4"},
		{"&maxt=3.5", first, "is missed, and so is its box"},
		{"", behind, "collider " + behind + " is hit at T 9, behind collider " + first + " at T 4"},
		{"&exclude=" + first, behind, "collider " + behind + " is what the ray hits, at T 9"},
		{"&exclude=" + first, first, "rejected by Exclude; without that Exclude, collider " + first + " is what the ray hits, at T 4"},
		{"&mask=2", first, "rejected by Mask; without that Mask, collider " + first + " is what"},
		{"&ownlayer=2", first, "rejected by OwnLayer; without that OwnLayer, collider " + first + " is what"},
		{"&mask=8&ownlayer=8&exclude=" + first + "," + behind + "," + wall, sensor,
			"rejected by Sensors; without that Sensors, collider " + sensor + " is rejected by Mask; without that Mask, collider " +
				sensor + " is rejected by OwnLayer; without that OwnLayer, collider " + sensor + " is what the ray hits, at T 14"},
		{"&mask=8", sensor, "rejected by Mask; without that Mask, collider " + sensor + " is hit at T 14, behind"},
		{"", beside, "is missed, and its box is hit"},
		{"", far, "is missed, and so is its box"},
		{"", nan, "is nowhere: no query finds it"},
		{"&mask=0x8&cull=back", wall, "Cull; without that Cull, collider " + wall + " is hit at T 20, behind"},
		{"", "99.9", "no collider is 99.9"},
		{"", "<script>", "no collider is <script>"},
	} {
		values, err := url.ParseQuery("from=0,0,0&dir=1,0,0" + c.query + "&why=" + c.why)
		require.NoError(t, err)
		asked, err := castOf(values)
		require.NoError(t, err)
		got := asked.explain(s)
		assert.Contains(t, got.Why, c.want, "%s of %s", c.query, c.why)
	}

	inside, err := castOf(url.Values{"from": {"5,0,0"}, "dir": {"1,0,0"}, "start": {"ignore"}, "why": {first}})
	require.NoError(t, err)
	assert.Contains(t, inside.explain(s).Why, "rejected by Start; without that Start, collider "+first+" is what the ray hits, at T 0")
}
