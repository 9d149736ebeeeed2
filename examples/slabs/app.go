package main

import (
	"strings"
	"time"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// app is the window around a lesson.
type app struct {
	window   *render.Window
	renderer *render.Renderer
	world    ecs.World
	things   generic.Map3[physecs.Transform, physecs.Collider, render.Material]
	markers  []ecs.Entity // the markers of a spatial page
	lesson   *lesson
	canvas   canvas
}

const spotRadius = 0.1 // metres

func newApp(o render.Options) (*app, error) {
	a := &app{world: ecs.NewWorld()}
	a.things = generic.NewMap3[physecs.Transform, physecs.Collider, render.Material](&a.world)
	var err error
	if a.window, err = render.Open(o); err != nil {
		return nil, err
	}
	if a.renderer, err = render.NewRenderer(); err != nil {
		a.window.Close()
		return nil, err
	}
	s := &a.renderer.Style
	s.SkyTop, s.SkyHorizon, s.SkyBottom = render.RGB(0x222D3A), render.RGB(0x1A232E), render.RGB(ground)
	s.Shadows = false
	theme := render.DefaultTheme()
	theme.Panel, theme.Radius, theme.Shadow.A = render.RGB(0x19212B), 8, 0
	a.renderer.HUD.Theme = theme
	a.lesson = newLesson(a.window.Size())
	return a, nil
}

func (a *app) close() {
	a.renderer.Close()
	a.window.Close()
}

// run shows the lesson until the user closes the window. It sleeps while nothing happens.
func (a *app) run() error {
	for !a.window.ShouldClose() {
		if err := a.frame(); err != nil {
			return err
		}
		a.window.Wait(time.Second)
	}
	return nil
}

// frame handles the events of the last poll and draws.
func (a *app) frame() error {
	a.listen()
	return a.draw()
}

func (a *app) listen() {
	l, w := a.lesson, a.window
	l.resize(w.Size())
	for _, k := range w.Keys().Pressed {
		if k = strings.TrimPrefix(k, "Pad"); len(k) == 1 {
			l.key(rune(k[0]))
		} else if k == "Escape" {
			w.SetShouldClose(true)
		}
	}
	x, y, _ := w.Cursor()
	down, pressed := w.Buttons()
	_, scroll := w.Scroll()
	l.point(input{
		x: x, y: y, down: down.Has(picking.Left), pressed: pressed.Has(picking.Left),
		turn: down.Has(picking.Right) || down.Has(picking.Middle), scroll: scroll,
		lost: !w.Focused(),
		free: w.IsDown("LeftShift") || w.IsDown("RightShift"),
	}, w.FramebufferSize())
}

func (a *app) draw() error {
	l, r := a.lesson, a.renderer
	view, spatial := l.view(a.window.FramebufferSize())
	c := &a.canvas
	*c = canvas{hud: &r.HUD, lines: &r.Lines, layout: l.layout, flat: l.layout.flat(), view: view, hot: l.hot,
		before: l.plot, dragged: l.grab == grabHandle}
	c.reserve(l)
	l.page().draw(c)
	l.plot = c.t.span
	c.finish()
	c.controls(l)
	if p, ok := l.page().(flatPage); ok {
		c.handles(p.handles()) // over the buttons, before which they are found too
	}
	c.table(l.page().explain(), l.page().hint())
	var markers []marker
	if p, ok := l.page().(spatialPage); ok && spatial {
		markers = p.markers()
	}
	a.place(markers)
	if err := r.Draw(&a.world, view); err != nil {
		return err
	}
	a.window.Present(r)
	return nil
}

// reserve keeps labels away from handles and buttons.
func (c *canvas) reserve(l *lesson) {
	c.taken = append(c.taken, l.layout.buttons(l.page().buttons())...)
	if p, ok := l.page().(flatPage); ok {
		for _, h := range p.handles() {
			x, y := c.flat.at(h.at)
			c.taken = append(c.taken, render.Rect{X: x - 10, Y: y - 10, Width: 20, Height: 20})
		}
	}
}

// place updates the marker entities to those of a page.
func (a *app) place(markers []marker) {
	for len(a.markers) > len(markers) {
		last := len(a.markers) - 1
		a.world.RemoveEntity(a.markers[last])
		a.markers = a.markers[:last]
	}
	for i, s := range markers {
		t, c, m := geom.Transform{Position: s.at}, physecs.Sphere(spotRadius), render.Paint(s.color)
		if i == len(a.markers) {
			a.markers = append(a.markers, a.things.NewWith(&t, &c, &m))
			continue
		}
		pt, pc, pm := a.things.Get(a.markers[i])
		*pt, *pc, *pm = t, c, m
	}
}
