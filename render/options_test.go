package render

import (
	"math"
	"reflect"
	"testing"

	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// options are all settings of this package with numbers.
type options struct {
	Style    Style
	Material Material
	Theme    Theme
	Text     TextStyle
	Lines    struct{ Width float32 }
}

// An option that is NaN, infinite, negative or 0 neither panics nor makes OpenGL report an error,
// and the next frame with good ones is as if it had never been set.
func TestOptionsThatAreNotFinite(t *testing.T) {
	r := newTestRenderer(t)
	w := newWorld()
	w.put(geom.Transform{}, physecs.Plane(geom.V(0, 1, 0), 0), Paint(0x808080))
	w.put(geom.At(-1, 1, 0), physecs.Sphere(1), Paint(0xff0000))
	glass := Paint(0x00ff00)
	glass.Color.A = 100
	w.put(geom.At(0, 1, 2), physecs.Box(geom.V(0.3, 1, 0.3)), glass)
	e := w.put(geom.At(1, 1, 0), physecs.Box(geom.V(1, 1, 1)), Paint(0x0000ff))
	hover(w, e)
	view := viewFrom(geom.V(2, 3, 6), geom.V(0, 1, 0), projection, wide(48, 32))
	materials := generic.NewMap1[Material](&w.World)
	draw := func(o *options) []byte {
		r.Style, r.HUD.Theme, r.Lines.Width, *materials.Get(e) = o.Style, o.Theme, o.Lines.Width, o.Material
		r.Lines.Segment(geom.V(0, 0, 0), geom.V(1, 2, 1), RGB(0xffffff))
		r.HUD.Card(2, 2, 30, "A", Row{Key: "k", Value: "v"})
		r.HUD.Text(4, 20, o.Text, "text")
		return r.mustDraw(t, w, view).Pix
	}
	good := options{Style: DefaultStyle(), Theme: DefaultTheme(), Material: Paint(0x0000ff)}
	var paths []string
	testenv.VisitNumbers(reflect.ValueOf(good), func(path string, _ reflect.Value) { paths = append(paths, path) })
	require.Greater(t, len(paths), 15)
	bare := good // which draws faster
	bare.Style.Shadows = false
	differ := 0
	for _, path := range paths {
		usual := bare
		if path == ".Style.ShadowRange" || path == ".Style.KeyLight.X" {
			usual = good
		}
		want := string(draw(&usual))
		for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), -1, 0} {
			o := usual
			testenv.VisitNumbers(reflect.ValueOf(&o).Elem(), func(p string, x reflect.Value) {
				if p == path {
					x.SetFloat(bad)
				}
			})
			require.NotPanics(t, func() {
				if string(draw(&o)) != want {
					differ++
				}
			}, "%s = %v", path, bad)
		}
		require.Equal(t, want, string(draw(&usual)), "after %s", path)
	}
	assert.Greater(t, differ, 20, "pictures that an option has changed")
}
