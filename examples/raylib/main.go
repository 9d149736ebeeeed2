// Raylib is a small game for raylib, whose world is Arche's: a knot of 32,768 triangles turns, and
// each click on it puts a pin where the cursor is. A click on a pin takes it out again.
//
//	go run -tags x11 .     (without the tag, where the libraries of Wayland are installed too)
package main

import (
	"image/color"
	"runtime"
	"unsafe"

	rl "github.com/gen2brain/raylib-go/raylib"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/lines"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

func main() {
	runtime.LockOSThread()
	g := newGame()
	defer rl.CloseWindow()
	rl.SetTargetFPS(60)
	for !rl.WindowShouldClose() {
		g.frame()
	}
}

type game struct {
	world  ecs.World
	sim    physecs.Simulation
	things generic.Map2[physecs.Transform, physecs.Collider]
	parts  generic.Map4[physecs.Transform, physecs.LocalTransform, physecs.Collider, physecs.Parent]
	knot   ecs.Entity
	model  rl.Model
	camera rl.Camera
	angle  float64
	still  bool // the knot does not turn
	pins   []ecs.Entity
	debug  lines.List
}

// newGame opens the window, without which raylib makes no mesh.
func newGame() *game {
	rl.SetTraceLogLevel(rl.LogWarning)
	rl.InitWindow(800, 600, "hitscan with raylib")
	g := &game{world: ecs.NewWorld(), model: rl.LoadModelFromMesh(rl.GenMeshKnot(1, 2, 128, 128))}
	g.model.Materials.Shader = rl.LoadShaderFromMemory(vertexShader, fragmentShader)
	g.camera = rl.NewCamera3D(rl.NewVector3(0, 2, 6), rl.NewVector3(0, 0, 0), rl.NewVector3(0, 1, 0), 50, rl.CameraPerspective)
	g.sim.Initialize(&g.world)
	g.things = generic.NewMap2[physecs.Transform, physecs.Collider](&g.world)
	g.parts = generic.NewMap4[physecs.Transform, physecs.LocalTransform, physecs.Collider, physecs.Parent](&g.world)

	m := g.model.GetMeshes()[0]
	triangles, err := mesh.Of(unsafe.Slice(m.Vertices, 3*m.VertexCount), unsafe.Slice(m.Indices, indexCount(&m)))
	if err != nil {
		panic(err)
	}
	g.knot = g.things.NewWith(&physecs.Transform{}, new(physecs.Mesh(ecs.GetResource[physecs.Meshes](&g.world).Add(triangles))))
	return g
}

// indexCount returns the number of indices of a mesh, which has none if its triangles share no
// vertices.
func indexCount(m *rl.Mesh) int32 {
	if m.Indices == nil {
		return 0
	}
	return 3 * m.TriangleCount
}

// frame is a frame of the game. The glue is in join.
func (g *game) frame() {
	rl.BeginDrawing()
	rl.ClearBackground(background)
	rl.BeginMode3D(g.camera)
	g.join()
	g.sim.Update(&g.world)
	g.tick()
	g.draw()
	rl.EndMode3D()
	rl.EndDrawing()
}

// join passes the camera and the mouse of raylib to the world: between BeginMode3D and EndMode3D
// raylib has the matrices with which it draws.
func (g *game) join() {
	m := rl.MatrixToFloatV(rl.MatrixMultiply(rl.GetMatrixModelview(), rl.GetMatrixProjection()))
	*ecs.GetResource[physecs.View](&g.world) = picking.ViewOf(geom.Mat4Of(m), picking.ClipMinusOneToOne,
		picking.Size{Width: rl.GetScreenWidth(), Height: rl.GetScreenHeight()}, picking.Size{Width: rl.GetRenderWidth(), Height: rl.GetRenderHeight()})
	in := picking.Input{X: float64(rl.GetMousePosition().X), Y: float64(rl.GetMousePosition().Y), Inside: rl.IsCursorOnScreen()}
	if rl.IsMouseButtonDown(rl.MouseButtonLeft) {
		in.Down = picking.ButtonSet(picking.Left)
	}
	ecs.GetResource[physecs.Pointer](&g.world).Input = in
}

// tick turns the knot, and puts pins in and takes them out.
func (g *game) tick() {
	t, _ := g.things.Get(g.knot)
	for _, e := range ecs.GetResource[physecs.Events](&g.world).List {
		switch {
		case e.Kind != picking.Click || e.Background:
		case e.Target == g.knot:
			back, _ := t.Affine().Inverse()
			at := physecs.LocalTransform{Position: back.Point(e.Hit.Point)}
			g.pins = append(g.pins, g.parts.NewWith(&physecs.Transform{}, &at, new(physecs.Sphere(pinRadius)), &physecs.Parent{Entity: g.knot}))
		default:
			for i, pin := range g.pins {
				if pin == e.Target {
					g.world.RemoveEntity(pin)
					g.pins = append(g.pins[:i], g.pins[i+1:]...)
					break
				}
			}
		}
	}
	if !g.still {
		g.angle += 0.01
	}
	t, _ = g.things.Get(g.knot)
	t.Rotation = geom.QuatAxisAngle(geom.V(0, 1, 0), g.angle)
}

const pinRadius = 0.12

var (
	background = color.RGBA{228, 232, 236, 255}
	pinColor   = color.RGBA{226, 60, 72, 255}
)

// matrixOf returns the matrix of a transform as raylib has it.
func matrixOf(t physecs.Transform) rl.Matrix {
	m := t.Affine()
	return rl.NewMatrix(m.X.X, m.Y.X, m.Z.X, m.Origin.X, m.X.Y, m.Y.Y, m.Z.Y, m.Origin.Y, m.X.Z, m.Y.Z, m.Z.Z, m.Origin.Z, 0, 0, 0, 1)
}

// draw draws the knot where the casts of this frame have met it.
func (g *game) draw() {
	space := ecs.GetResource[physecs.Space](&g.world)
	c, _ := space.Physics().Collider(must(space.Collider(g.knot)))
	rl.DrawMesh(g.model.GetMeshes()[0], *g.model.Materials, matrixOf(c.Transform))
	for _, pin := range g.pins {
		if id, ok := space.Collider(pin); ok { // else it was put in this frame
			p, _ := space.Physics().Collider(id)
			rl.DrawSphereEx(rl.Vector3(p.Transform.Position), pinRadius, 24, 24, pinColor)
		}
	}
	g.debug.Clear()
	if hover := ecs.GetResource[physecs.Hover](&g.world); hover.OK {
		g.debug.Arrow(hover.Point, hover.Point.Add(hover.Normal.Mul(0.4)), lines.RGB(0x202830))
	}
	for _, s := range g.debug.Segments() {
		rl.DrawLine3D(rl.Vector3(s.A), rl.Vector3(s.B), color.RGBA(s.Color))
	}
}

func must[T any](x T, ok bool) T {
	if !ok {
		panic("raylib: no collider")
	}
	return x
}

// Light from the upper left.
const (
	vertexShader = `#version 330
in vec3 vertexPosition; in vec3 vertexNormal;
uniform mat4 mvp; uniform mat4 matModel;
out vec3 normal;
void main() { normal = mat3(matModel) * vertexNormal; gl_Position = mvp * vec4(vertexPosition, 1.0); }`
	fragmentShader = `#version 330
in vec3 normal;
out vec4 color;
void main() { color = vec4(vec3(0.25, 0.5, 0.75) * (0.55 + 0.5 * dot(normalize(normal), normalize(vec3(-1.0, 2.0, 1.5)))), 1.0); }`
)
