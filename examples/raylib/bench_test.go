package main

import (
	"runtime"
	"testing"

	rl "github.com/gen2brain/raylib-go/raylib"
	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// A ray at the knot of 32,768 triangles: by hitscan, and by raylib's own cast, which tests every
// triangle.
func BenchmarkKnot(b *testing.B) {
	testenv.Display(b)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g := newGame()
	defer rl.CloseWindow()
	g.still = true
	g.frame()
	g.frame()
	x, y := g.middleOfKnot()
	r, _, ok := g.ray(x, y)
	require.True(b, ok)
	space := ecs.GetResource[physecs.Space](&g.world)
	b.Run("hitscan", func(b *testing.B) {
		for b.Loop() {
			space.CastRay(r, physecs.Filter{Cull: geom.CullBack})
		}
	})
	knot, _ := g.things.Get(g.knot)
	m := g.model.GetMeshes()[0]
	b.Run("raylib", func(b *testing.B) {
		for b.Loop() {
			rl.GetRayCollisionMesh(rl.NewRay(rl.Vector3(r.Origin), rl.Vector3(r.Dir)), m, matrixOf(*knot))
		}
	})
}
