package main

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	rl "github.com/gen2brain/raylib-go/raylib"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/xpointer"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// TestGame plays the game with the real pointer of a display: a pin is put where the cursor is,
// and taken out. What is seen is what is picked, and raylib's own cast at the mesh has the same
// answers.
func TestGame(t *testing.T) {
	testenv.Pointer(t)
	pointer, err := xpointer.Open()
	require.NoError(t, err)
	defer pointer.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g := newGame()
	defer rl.CloseWindow()
	g.still = true

	hover := ecs.GetResource[physecs.Hover](&g.world)
	click := func(name string, until func() bool) []xpointer.Step {
		return []xpointer.Step{
			xpointer.Press("press "+name, func() bool { return rl.IsMouseButtonDown(rl.MouseButtonLeft) }),
			xpointer.Release(name, until),
		}
	}
	move := func(name string, x, y int, until func() bool) xpointer.Step {
		return xpointer.Step{Name: name, Until: until, Do: func(p *xpointer.Pointer) error {
			at := rl.GetWindowPosition()
			return p.Move(int(at.X)+x, int(at.Y)+y)
		}}
	}
	var x, y int
	play := func(steps ...xpointer.Step) {
		require.NoError(t, xpointer.Play(pointer, func() error { g.frame(); return nil }, steps...))
	}
	play(move("beside", 20, 20, func() bool { return hover.HasRay && !hover.OK }))
	g.requireSameAnswersAsRaylib(t)
	x, y = g.middleOfKnot()
	play(append(
		[]xpointer.Step{move("over the knot", x, y, func() bool { return hover.OK && hover.Entity == g.knot })},
		click("put a pin", func() bool { return len(g.pins) == 1 })...)...)
	place := hover.Point
	play(move("beside", 20, 20, func() bool { return !hover.OK }))
	g.requireSeenIsPicked(t)
	pin, _ := g.things.Get(g.pins[0])
	assert.InDelta(t, 0, pin.Position.Distance(place), pinRadius+1e-3)

	g.still = false
	play(xpointer.Step{Name: "it turns", Until: func() bool { return g.angle > 0.1 }})
	g.still, g.angle = true, math.Pi
	g.frame()
	g.frame()
	at, _ := g.things.Get(g.pins[0])
	assert.InDelta(t, 0, at.Position.Distance(geom.V(-place.X, place.Y, -place.Z)), 0.05, "the pin turns with the knot")
	g.angle = 0
	play(append(
		[]xpointer.Step{move("over the pin", x, y, func() bool { return hover.OK && hover.Entity == g.pins[0] })},
		click("take it out", func() bool { return len(g.pins) == 0 })...)...)
	assert.Empty(t, physecs.Check(&g.world))
}

// ray returns the ray through a pixel, counted from the upper left.
func (g *game) ray(x, y int) (geom.Ray, physecs.Hit, bool) {
	r, _ := ecs.GetResource[physecs.View](&g.world).Ray(float64(x)+0.5, float64(y)+0.5)
	h, ok := ecs.GetResource[physecs.Space](&g.world).CastRay(r, physecs.Filter{Cull: geom.CullBack})
	return r, h, ok
}

// middleOfKnot returns a pixel of the knot whose neighbourhood is the knot.
func (g *game) middleOfKnot() (x, y int) {
	for y := 200; y < 400; y += 10 {
		for x := 300; x < 500; x += 10 {
			inside := true
			for d := -24; d <= 24; d += 8 {
				_, _, a := g.ray(x+d, y)
				_, _, b := g.ray(x, y+d)
				inside = inside && a && b
			}
			if inside {
				return x, y
			}
		}
	}
	return 400, 300
}

// requireSameAnswersAsRaylib compares casts with raylib's GetRayCollisionMesh, which tests every
// triangle in single precision, from both sides.
func (g *game) requireSameAnswersAsRaylib(t *testing.T) {
	knot, _ := g.things.Get(g.knot)
	hits, n := 0, 0
	for y := 20; y < 600; y += 40 {
		for x := 20; x < 800; x += 60 {
			r, got, ok := g.ray(x, y)
			want := rl.GetRayCollisionMesh(rl.NewRay(rl.Vector3(r.Origin), rl.Vector3(r.Dir)), g.model.GetMeshes()[0], matrixOf(*knot))
			n++
			require.Equal(t, want.Hit, ok, "at %d, %d", x, y)
			if !ok {
				continue
			}
			hits++
			require.InDelta(t, want.Distance, got.T, 1e-4, "at %d, %d", x, y)
			require.InDelta(t, 0, got.Point.Distance(geom.Vec3(want.Point)), 1e-4, "at %d, %d", x, y)
			require.InDelta(t, 1, math.Abs(float64(got.Normal.Dot(geom.Vec3(want.Normal)))), 1e-3, "at %d, %d", x, y)
		}
	}
	t.Logf("%d of %d rays hit", hits, n)
	require.Greater(t, hits, n/8)
}

// requireSeenIsPicked compares the picture with a ray through every fifth pixel, except near edges.
func (g *game) requireSeenIsPicked(t *testing.T) {
	g.frame()
	picture := rl.LoadImageFromScreen()
	defer rl.UnloadImage(picture)
	if dir := os.Getenv("HITSCAN_PICTURES"); dir != "" {
		rl.ExportImage(*picture, filepath.Join(dir, "raylib.png"))
	}
	seen := map[ecs.Entity]int{}
	for y := 5; y < 595; y += 5 {
		for x := 5; x < 795; x += 5 {
			_, h, _ := g.ray(x, y)
			edge := false
			for _, d := range [...][2]int{{-3, 0}, {3, 0}, {0, -3}, {0, 3}} {
				_, n, _ := g.ray(x+d[0], y+d[1])
				edge = edge || n.Entity != h.Entity
			}
			if edge {
				continue
			}
			seen[h.Entity]++
			switch got := rl.GetImageColor(*picture, int32(x), int32(y)); h.Entity {
			case ecs.Entity{}:
				require.Equal(t, background, got, "at %d, %d", x, y)
			case g.knot:
				require.True(t, got.B > got.G && got.G > got.R, "the knot at %d, %d: %v", x, y, got)
			default:
				require.Equal(t, pinColor, color.RGBA(got), "at %d, %d", x, y)
			}
		}
	}
	assert.Len(t, seen, 3, "the background, the knot and a pin")
}
