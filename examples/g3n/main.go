// G3n is a small game for g3n, whose world is Arche's: balls roll in a ring, and a click lets one
// hop. Out of the ring is won.
//
//	go run .
//
// The scene is made in g3n: its nodes become colliders by their matrices and their buffers. The
// program uses g3n's window and renderer, but not its package app, which needs OpenAL.
package main

import (
	"fmt"
	"log"

	"github.com/g3n/engine/camera"
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"
	"github.com/g3n/engine/light"
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
	"github.com/g3n/engine/renderer"
	"github.com/g3n/engine/window"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/picking"
)

func main() {
	g, err := newGame()
	if err != nil {
		log.Fatal(err)
	}
	for !g.window.ShouldClose() {
		if err := g.frame(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%d balls are out\n", g.out())
	g.window.Destroy()
}

type game struct {
	window   *window.GlfwWindow
	renderer *renderer.Renderer
	scene    *core.Node
	camera   *camera.Camera

	world  ecs.World
	sim    physecs.Simulation
	things generic.Map2[physecs.Transform, physecs.Collider]
	bodies generic.Map1[physecs.Body]
	nodes  map[ecs.Entity]*graphic.Mesh
	balls  []ecs.Entity
}

const radius = 0.4

func newGame() (*game, error) {
	if err := window.Init(800, 600, "hitscan with g3n"); err != nil {
		return nil, err
	}
	g := &game{window: window.Get().(*window.GlfwWindow), scene: core.NewNode(), world: ecs.NewWorld(), nodes: map[ecs.Entity]*graphic.Mesh{}}
	g.renderer = renderer.NewRenderer(g.window.Gls())
	if err := g.renderer.AddDefaultShaders(); err != nil {
		return nil, err
	}
	g.camera = camera.New(800.0 / 600)
	g.camera.SetPosition(0, 7, 8)
	g.camera.LookAt(math32.NewVec3(), math32.NewVector3(0, 1, 0))
	g.scene.Add(g.camera)
	g.scene.Add(light.NewAmbient(&math32.Color{R: 1, G: 1, B: 1}, 0.6))
	sun := light.NewDirectional(&math32.Color{R: 1, G: 1, B: 1}, 0.7)
	sun.SetPosition(-1, 2, 1)
	g.scene.Add(sun)

	g.sim.Initialize(&g.world)
	g.things = generic.NewMap2[physecs.Transform, physecs.Collider](&g.world)
	g.bodies = generic.NewMap1[physecs.Body](&g.world)
	ring := graphic.NewMesh(geometry.NewTorus(3, 0.5, 24, 64, 2*math32.Pi), material.NewStandard(&math32.Color{R: 0.45, G: 0.5, B: 0.58}))
	ring.SetRotationX(-math32.Pi / 2)
	buffers := ring.GetGeometry()
	triangles, err := mesh.Of(*buffers.VBO(gls.VertexPosition).Buffer(), buffers.Indices())
	if err != nil {
		return nil, err
	}
	if _, err = g.add(ring, physecs.Mesh(ecs.GetResource[physecs.Meshes](&g.world).Add(triangles))); err != nil {
		return nil, err
	}
	floor := graphic.NewMesh(geometry.NewBox(10, 0.2, 10), material.NewStandard(&math32.Color{R: 0.72, G: 0.74, B: 0.7}))
	floor.SetPosition(0, -0.4, 0)
	if _, err = g.add(floor, physecs.Box(geom.V(5, 0.1, 5))); err != nil {
		return nil, err
	}
	for i := range 5 {
		ball := graphic.NewMesh(geometry.NewSphere(radius, 32, 24), material.NewStandard(&math32.Color{R: 0.85, G: 0.25 + 0.12*float32(i), B: 0.2}))
		angle := 2 * math32.Pi * float32(i) / 5
		ball.SetPosition(1.4*math32.Cos(angle), 0.3, 1.4*math32.Sin(angle))
		e, err := g.add(ball, physecs.Sphere(radius))
		if err != nil {
			return nil, err
		}
		g.bodies.Assign(e, &physecs.Body{AngularDamping: 1})
		g.balls = append(g.balls, e)
	}
	return g, nil
}

// add makes an entity where a node of g3n is, at any depth of its scene.
func (g *game) add(node *graphic.Mesh, c physecs.Collider) (ecs.Entity, error) {
	g.scene.Add(node)
	g.scene.UpdateMatrixWorld()
	m, _ := geom.Mat4Of(node.MatrixWorld()).Affine()
	t, ok := geom.TransformOf(m)
	if !ok {
		return ecs.Entity{}, fmt.Errorf("g3n: the matrix of %q is no transform", node.Name())
	}
	e := g.things.NewWith(&t, &c)
	g.nodes[e] = node
	return e, nil
}

// frame is a frame of the game. The glue is in join.
func (g *game) frame() error {
	g.window.PollEvents()
	g.join()
	g.sim.Update(&g.world)
	g.tick()
	for e, node := range g.nodes {
		t, _ := g.things.Get(e)
		q := t.Rotation.Normalize()
		node.SetPosition(t.Position.X, t.Position.Y, t.Position.Z)
		node.SetQuaternion(q.X, q.Y, q.Z, q.W)
	}
	err := g.draw()
	g.window.SwapBuffers()
	return err
}

func (g *game) draw() error {
	g.window.Gls().ClearColor(0.86, 0.89, 0.92, 1)
	g.window.Gls().Clear(gls.COLOR_BUFFER_BIT | gls.DEPTH_BUFFER_BIT)
	return g.renderer.Render(g.scene, g.camera)
}

// join passes the camera and the mouse of g3n to the world. GLFW's Press is 1, and so is the set of
// the left button.
func (g *game) join() {
	var view, projection, product math32.Matrix4
	g.camera.ViewMatrix(&view)
	g.camera.ProjMatrix(&projection)
	width, height := g.window.GetSize()
	x, y := g.window.GetCursorPos()
	*ecs.GetResource[physecs.View](&g.world) = picking.ViewOf(geom.Mat4Of(*product.MultiplyMatrices(&projection, &view)), picking.ClipMinusOneToOne, picking.Size{Width: width, Height: height}, g.framebuffer())
	ecs.GetResource[physecs.Pointer](&g.world).Input = picking.Input{X: x, Y: y, Inside: true, Down: picking.Buttons(g.window.GetMouseButton(glfw.MouseButtonLeft))}
}

func (g *game) framebuffer() picking.Size {
	width, height := g.window.GetFramebufferSize()
	return picking.Size{Width: width, Height: height}
}

// tick lets the ball that was clicked hop, away from the middle.
func (g *game) tick() {
	for _, e := range ecs.GetResource[physecs.Events](&g.world).List {
		if e.Kind == picking.Click && !e.Background && g.bodies.Get(e.Target) != nil {
			t, _ := g.things.Get(e.Target)
			away := t.Position.Normalize()
			ecs.GetResource[physecs.Dynamics](&g.world).SetVelocity(e.Target, geom.V(3*away.X, 5, 3*away.Z), geom.Vec3{})
		}
	}
}

// out returns the number of balls that are out of the ring.
func (g *game) out() (n int) {
	for _, e := range g.balls {
		if t, _ := g.things.Get(e); geom.V(t.Position.X, 0, t.Position.Z).Len() > 3 {
			n++
		}
	}
	return n
}
