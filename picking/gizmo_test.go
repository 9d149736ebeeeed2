package picking

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// gizmoView looks at the origin from the right, above and in front. The window is half as large as
// its framebuffer.
func gizmoView() View {
	c := Camera{Projection: Perspective(0.8, 0.1, 1000)}
	c.LookAt(geom.V(6, 5, 9), geom.Vec3{}, unitY)
	return View{c, FullViewport(Size{800, 600}, Size{1600, 1200})}
}

// over returns the ray through the place in the window where a view shows a point.
func over(t require.TestingT, v View, p geom.Vec3) geom.Ray {
	x, y, _, ok := v.Project(p)
	require.True(t, ok)
	fx, fy := v.toFramebuffer(x, y)
	return v.RayAt(fx, fy)
}

// part returns a point of a gizmo, world: x, y and z count along its axes, in lengths of an arrow.
func part(t require.TestingT, g *Gizmo, v View, at geom.Transform, x, y, z float64) geom.Vec3 {
	f, ok := g.frameOf(v, at)
	require.True(t, ok)
	return f.origin.AddMul(x*f.size, f.axes[0]).AddMul(y*f.size, f.axes[1]).AddMul(z*f.size, f.axes[2]).Narrow()
}

func TestGizmoHandles(t *testing.T) {
	v := gizmoView()
	turned := geom.Transform{Position: geom.V(1, 0.5, -2), Rotation: geom.QuatEuler(0.4, 0.2, -0.3)}
	straight := geom.Transform{Position: geom.V(1, 0.5, -2)}
	r := math.Sqrt(0.5)
	for _, tt := range []struct {
		name    string
		gizmo   Gizmo
		x, y, z float64 // in sizes
		want    GizmoHandle
	}{
		{"X arrow", Gizmo{}, 0.7, 0, 0, HandleX},
		{"Y arrow", Gizmo{}, 0, 0.95, 0, HandleY},
		{"Z arrow", Gizmo{}, 0, 0, 0.4, HandleZ},
		{"beside the X arrow, within the margin", Gizmo{}, 0.7, 0.055, 0, HandleX},
		{"beside the X arrow, beyond it", Gizmo{}, 0.8, 0.12, 0, NoHandle},
		{"beside it, with a wide margin for fingers", Gizmo{Margin: 16}, 0.8, 0.12, 0, HandleX},
		{"past the end", Gizmo{}, 1.2, 0, 0, NoHandle},
		{"a smaller gizmo ends sooner", Gizmo{Size: 40}, 1.3, 0, 0, NoHandle},
		{"square of X and Y", Gizmo{}, 0.45, 0.45, 0, HandleXY},
		{"square of Y and Z", Gizmo{}, 0, 0.45, 0.45, HandleYZ},
		{"square of Z and X", Gizmo{}, 0.45, 0, 0.45, HandleZX},
		{"middle", Gizmo{}, 0, 0, 0, HandleCenter},
		{"own X arrow", Gizmo{Local: true}, 0.7, 0, 0, HandleX},
		{"scaling X", Gizmo{Mode: GizmoScale}, 0.7, 0, 0, HandleX},
		{"scaling all", Gizmo{Mode: GizmoScale}, 0, 0, 0, HandleCenter},
		{"ring about X", Gizmo{Mode: GizmoTurn}, 0, r, r, HandleX},
		{"ring about Y", Gizmo{Mode: GizmoTurn}, r, 0, r, HandleY},
		{"ring about Z", Gizmo{Mode: GizmoTurn}, r, r, 0, HandleZ},
		{"within the rings", Gizmo{Mode: GizmoTurn}, 0.1, 0.1, 0.1, NoHandle},
	} {
		for name, at := range map[string]geom.Transform{"straight": straight, "turned": turned} {
			t.Run(tt.name+", "+name, func(t *testing.T) {
				g := tt.gizmo
				ray := over(t, v, part(t, &g, v, at, tt.x, tt.y, tt.z))
				assert.Equal(t, tt.want, g.Hover(v, at, ray))
				assert.Equal(t, tt.want, g.Handle())
				assert.Equal(t, tt.want != NoHandle, g.Begin(v, at, ray))
				assert.Equal(t, tt.want != NoHandle, g.Active())
				for _, l := range g.Lines(nil, v, at) {
					assert.Equal(t, tt.want != NoHandle && l.Handle == tt.want, l.Lit)
				}
			})
		}
	}
	t.Run("the outer ring", func(t *testing.T) {
		g := Gizmo{Mode: GizmoTurn}
		f, _ := g.frameOf(v, straight)
		assert.Equal(t, HandleCenter, g.Hover(v, straight, over(t, v, f.origin.AddMul(outerRing*f.size, f.right).Narrow())))
	})
	t.Run("arrows at the camera and squares seen edge-on are hidden", func(t *testing.T) {
		v.LookAt(geom.V(0, 0, 10), geom.Vec3{}, unitY)
		var g Gizmo
		shown := map[GizmoHandle]bool{}
		for _, l := range g.Lines(nil, v, geom.Transform{}) {
			shown[l.Handle] = true
		}
		assert.Equal(t, map[GizmoHandle]bool{HandleX: true, HandleY: true, HandleXY: true, HandleCenter: true}, shown)
	})
	t.Run("of two rings the one in front", func(t *testing.T) {
		v.LookAt(geom.V(0, 0.8, 10), geom.Vec3{}, unitY)
		g := Gizmo{Mode: GizmoTurn}
		f, _ := g.frameOf(v, geom.Transform{})
		// The rings about X and Y cross at the nearest point, the ones about Y and Z on the sides.
		got := g.Hover(v, geom.Transform{}, over(t, v, f.origin.AddMul(f.size*0.8, geom.DVec3{X: 0.05, Z: 1}).Narrow()))
		assert.NotEqual(t, HandleZ, got)
	})
}

// The head of an arrow ends at its tip, and begins beside its shaft; the cross of a scale's handle
// begins beside its end.
func TestGizmoHeads(t *testing.T) {
	v, at := gizmoView(), geom.At(1, 0.5, -2)
	for mode, back := range map[GizmoMode]float64{GizmoMove: 0.15, GizmoScale: 0} {
		g := Gizmo{Mode: mode}
		f, _ := g.frameOf(v, at)
		tip := f.origin.AddMul(f.size, f.axes[0]).Narrow()
		n := 0
		for _, l := range g.Lines(nil, v, at) {
			if l.Handle == HandleX && l.A == tip {
				n++
				from := l.B.Sub(tip).Wide()
				require.InDelta(t, -back*f.size, from.Dot(f.axes[0]), 1e-5)
				require.InDelta(t, 0.05*f.size, from.AddMul(back*f.size, f.axes[0]).Len(), 1e-5)
			}
		}
		require.Equal(t, 4, n)
	}
}

func TestGizmoOutOfView(t *testing.T) {
	v := gizmoView()
	var g Gizmo
	for name, at := range map[string]geom.Transform{
		"behind the camera": geom.At(12, 10, 18), "at the camera": {Position: v.Position}, "nowhere": geom.At(float32(math.NaN()), 0, 0),
	} {
		assert.Equal(t, NoHandle, g.Hover(v, at, over(t, v, geom.Vec3{})), name)
		assert.False(t, g.Begin(v, at, over(t, v, geom.Vec3{})), name)
		assert.Empty(t, g.Lines(nil, v, at), name)
	}
	assert.Equal(t, NoHandle, g.Hover(View{}, geom.Transform{}, over(t, v, geom.Vec3{})))
	for _, r := range badRays {
		assert.Equal(t, NoHandle, g.Hover(v, geom.Transform{}, r))
	}
	assert.Equal(t, geom.Transform{}, g.Drag(over(t, v, geom.Vec3{})))
	_, ok := g.Cancel()
	assert.False(t, ok)
}

// grab begins a drag at a point of a gizmo. The returned function drags by a vector along its axes,
// in lengths of an arrow.
func grab(t require.TestingT, g *Gizmo, v View, at geom.Transform, x, y, z float64) func(dx, dy, dz float64) geom.Transform {
	from := part(t, g, v, at, x, y, z)
	require.True(t, g.Begin(v, at, over(t, v, from)))
	f := g.frame
	return func(dx, dy, dz float64) geom.Transform {
		p := from.Wide().AddMul(dx*f.size, f.axes[0]).AddMul(dy*f.size, f.axes[1]).AddMul(dz*f.size, f.axes[2])
		return g.Drag(over(t, v, p.Narrow()))
	}
}

func TestGizmoDrags(t *testing.T) {
	v := gizmoView()
	at := geom.Transform{Position: geom.V(1, 0.5, -2), Rotation: geom.QuatEuler(0.4, 0.2, -0.3), Scale: geom.V(1, 2, 3)}
	size := func(g Gizmo) float32 {
		f, _ := g.frameOf(v, at)
		return float32(f.size)
	}
	r := math.Sqrt(0.5)
	tests := []struct {
		name          string
		gizmo         Gizmo
		x, y, z       float64
		dx, dy, dz    float64
		move          geom.Vec3 // in sizes along the gizmo's axes
		scale         geom.Vec3 // factors; zero: none
		axis          geom.Vec3 // of the turn, the gizmo's own
		angle, within float64
	}{
		{name: "X arrow", x: 0.7, dx: 1.5, move: geom.V(1.5, 0, 0)},
		{name: "Y arrow", y: 0.9, dy: -2, move: geom.V(0, -2, 0)},
		{name: "own Z arrow", gizmo: Gizmo{Local: true}, z: 0.5, dz: 1, move: geom.V(0, 0, 1)},
		{name: "square of X and Y", x: 0.4, y: 0.5, dx: 1, dy: -1, move: geom.V(1, -1, 0)},
		{name: "own square of Z and X", gizmo: Gizmo{Local: true}, x: 0.4, z: 0.5, dx: 1, dz: 2, move: geom.V(1, 0, 2)},
		{name: "scaling X", gizmo: Gizmo{Mode: GizmoScale}, x: 0.8, dx: 0.4, scale: geom.V(1.5, 1, 1)},
		{name: "scaling Y in steps", gizmo: Gizmo{Mode: GizmoScale, ScaleSnap: Snap{Step: 0.25}}, y: 0.8, dy: 0.45, scale: geom.V(1, 1.5, 1)},
		{name: "scaling Z and X", gizmo: Gizmo{Mode: GizmoScale}, x: 0.4, z: 0.4, dx: 0.4, dz: 0.4, scale: geom.V(2, 1, 2)},
		{name: "scaling X through the middle", gizmo: Gizmo{Mode: GizmoScale}, x: 0.8, dx: -3, scale: geom.V(leastScale, 1, 1)},
		{name: "turning about X", gizmo: Gizmo{Mode: GizmoTurn}, y: r, z: r, dy: -r, dz: 1 - r, axis: unitX, angle: math.Pi / 4},
		{name: "turning about Y in steps", gizmo: Gizmo{Mode: GizmoTurn, TurnSnap: Snap{Step: math.Pi / 6}}, x: r, z: r, dx: 1 - r, dz: -r, axis: unitY, angle: math.Pi / 3},
		{name: "turning about its own Z", gizmo: Gizmo{Mode: GizmoTurn, Local: true}, x: r, y: r, dx: -r, dy: 1 - r, axis: unitZ, angle: math.Pi / 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tt.gizmo
			drag := grab(t, &g, v, at, tt.x, tt.y, tt.z)
			handle := g.Handle()
			require.NotEqual(t, NoHandle, handle)
			got := drag(tt.dx, tt.dy, tt.dz)
			f := g.frame
			move := f.axes[0].Mul(float64(tt.move.X)).AddMul(float64(tt.move.Y), f.axes[1]).AddMul(float64(tt.move.Z), f.axes[2]).Mul(f.size)
			requireNear(t, at.Position.Add(move.Narrow()), got.Position, 1e-4)
			want := at.Scale
			if tt.scale != (geom.Vec3{}) {
				want = want.MulVec(tt.scale)
			}
			requireNear(t, want, got.Scale, 1e-3)
			turn := geom.QuatAxisAngle(f.axes[0].Mul(float64(tt.axis.X)).AddMul(float64(tt.axis.Y), f.axes[1]).AddMul(float64(tt.axis.Z), f.axes[2]).Narrow(), tt.angle)
			for _, p := range []geom.Vec3{unitX, unitY} {
				requireNear(t, turn.Mul(at.Rotation).Rotate(p), got.Rotation.Rotate(p), 1e-3)
			}
			assert.Equal(t, handle, g.Hover(v, got, over(t, v, geom.Vec3{})), "the dragged handle stays, wherever the pointer is")
			assert.Equal(t, at, drag(0, 0, 0), "there and back")
			drag(tt.dx, tt.dy, tt.dz)
			back, ok := g.Cancel()
			assert.True(t, ok)
			assert.Equal(t, at, back)
			assert.False(t, g.Active())
		})
	}
	t.Run("the middle moves in the image plane", func(t *testing.T) {
		var g Gizmo
		require.True(t, g.Begin(v, at, over(t, v, at.Position)))
		target := at.Position.Wide().AddMul(2, g.frame.right).AddMul(-1, g.frame.up).Narrow()
		requireNear(t, target, g.Drag(over(t, v, target)).Position, 1e-4)
	})
	t.Run("the middle scales all axes by the movement right and up", func(t *testing.T) {
		g := Gizmo{Mode: GizmoScale}
		require.True(t, g.Begin(v, at, over(t, v, at.Position)))
		target := at.Position.Wide().AddMul(0.3*g.frame.size, g.frame.right).AddMul(0.2*g.frame.size, g.frame.up).Narrow()
		requireNear(t, at.Scale.Mul(1.5), g.Drag(over(t, v, target)).Scale, 1e-3)
	})
	t.Run("the outer ring turns about the view direction", func(t *testing.T) {
		mirrored := v
		mirrored.Camera.Projection = Ortho(9, -9, -5, 5, 0.1, 100)
		for _, v := range []View{v, mirrored} {
			g := Gizmo{Mode: GizmoTurn}
			f, _ := g.frameOf(v, at)
			rim := func(x, y float64) geom.Ray {
				return over(t, v, f.origin.AddMul(outerRing*f.size*x, f.right).AddMul(outerRing*f.size*y, f.up).Narrow())
			}
			require.True(t, g.Begin(v, at, rim(1, 0)))
			got := g.Drag(rim(0, 1)).Rotation.Mul(at.Rotation.Inverse())
			requireNear(t, f.up.Narrow(), got.Rotate(f.right.Narrow()), 1e-3)
			requireNear(t, f.right.Neg().Narrow(), got.Rotate(f.up.Narrow()), 1e-3)
		}
	})
	t.Run("moving on a grid", func(t *testing.T) {
		g := Gizmo{MoveSnap: Snap{Step: 0.5, Grid: true}}
		drag := grab(t, &g, v, geom.At(1.2, 0.5, -2), 0.7, 0, 0)
		got := drag(float64(0.7/size(g)), 0, 0)
		assert.Equal(t, geom.V(2, 0.5, -2), got.Position)
	})
	t.Run("snapping while a key is held, and another mode meanwhile", func(t *testing.T) {
		var g Gizmo
		drag := grab(t, &g, v, geom.At(1, 0.5, -2), 0.7, 0, 0)
		by := float64(1.3 / size(g))
		assert.InDelta(t, 2.3, drag(by, 0, 0).Position.X, 1e-4)
		g.MoveSnap.Step, g.Mode = 0.5, GizmoTurn
		assert.Equal(t, geom.At(2.5, 0.5, -2), drag(by, 0, 0), "the mode is that of the start")
		g.MoveSnap.Step = 0
		assert.InDelta(t, 2.3, drag(by, 0, 0).Position.X, 1e-4)
	})
	t.Run("it ends", func(t *testing.T) {
		var g Gizmo
		grab(t, &g, v, at, 0.7, 0, 0)
		g.End()
		assert.False(t, g.Active())
	})
}

func drawGizmo(t *rapid.T) (Gizmo, View, geom.Transform) {
	g := Gizmo{
		Mode: GizmoMode(rapid.IntRange(0, 2).Draw(t, "mode")), Local: rapid.Bool().Draw(t, "local"),
		Size: rapid.SampledFrom([]float64{0, 50, 140}).Draw(t, "size"),
	}
	v := View{Camera{Projection: drawProjection(t)}, drawViewport(t)}
	angle := rapid.Float64Range(-4, 4)
	v.LookAt(drawVec(t, 30, "eye"), drawVec(t, 3, "target"), unitY)
	at := geom.Transform{Position: drawVec(t, 5, "at"), Rotation: geom.QuatEuler(angle.Draw(t, "yaw"), angle.Draw(t, "pitch"), angle.Draw(t, "roll"))}
	return g, v, at
}

// A point one arrow length above the middle in the image plane is Size window pixels above it on
// screen, at any distance.
func TestGizmoIsAsLargeInAnyView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, v, at := drawGizmo(t)
		f, ok := g.frameOf(v, at)
		if !ok {
			return
		}
		x0, y0, _, ok0 := v.project(f.origin)
		x1, y1, _, ok1 := v.project(f.origin.AddMul(f.size, f.up))
		require.True(t, ok0 && ok1)
		want := g.Size
		if want == 0 {
			want = DefaultGizmoSize
		}
		// Coordinates and their products with the matrix are rounded about 64 times, by 2⁻⁵³ each.
		// The division by w magnifies that, and so does a rectangle that lies up to 21 of its half
		// extents beside the view direction on each axis.
		_, w := v.Camera.Matrix(v.Aspect()).Apply(f.origin, 1)
		window := float64(v.Window.Width + v.Window.Height)
		tolerance := 64 * 21 * 21 * 0x1p-53 * (1 + (60+f.size)/w) * (want + window + math.Abs(x0) + math.Abs(y0))
		require.InDelta(t, 0, x1-x0, tolerance)
		require.InDelta(t, -want, y1-y0, tolerance)
	})
}

// For every handle and every drag: the ray of the grab restores the transform to the bit, an arrow
// along a world axis changes one coordinate, moving changes only the position, and so on.
func TestGizmoChangesOnlyItsPart(t *testing.T) {
	grabbed := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g, _, at := drawGizmo(t)
		v := gizmoView()
		at.Scale = geom.V(1, 2, 0.5)
		lines := g.Lines(nil, v, at)
		require.NotEmpty(t, lines)
		l := lines[rapid.IntRange(0, len(lines)-1).Draw(t, "line")]
		middle := l.A.Add(l.B).Mul(0.5)
		if _, _, _, ok := v.Project(middle); !ok {
			return
		}
		first := over(t, v, middle)
		if !g.Begin(v, at, first) {
			return
		}
		h := g.Handle()
		grabbed[fmt.Sprint(g.Mode, h)]++
		x, y := drawPlace(t, v)
		second, ok := v.RayBeyond(x, y)
		require.True(t, ok)
		got := g.Drag(second)
		require.True(t, got.IsFinite())
		for _, r := range badRays {
			require.Equal(t, got, g.Drag(r))
		}
		if g.Mode != GizmoMove {
			require.Equal(t, at.Position, got.Position)
		} else if !g.Local && h != HandleCenter {
			was, is := at.Position.Array(), got.Position.Array()
			for i := range 3 {
				if h.isAxis() != (i == h.axis()) {
					require.Equal(t, was[i], is[i], "%v", h)
				}
			}
		}
		if g.Mode != GizmoTurn {
			require.Equal(t, at.Rotation, got.Rotation)
		}
		if g.Mode != GizmoScale {
			require.Equal(t, at.Scale, got.Scale)
		} else {
			was, is := at.Scale.Array(), got.Scale.Array()
			for i := range 3 {
				require.Positive(t, is[i])
				if h != HandleCenter && h.isAxis() != (i == h.axis()) {
					require.Equal(t, was[i], is[i], "%v", h)
				}
			}
		}
		require.Equal(t, at.Position, g.Drag(first).Position)
		require.Equal(t, at.Scale, g.Drag(first).Scale)
		if back := g.Drag(first); g.Mode == GizmoTurn {
			// The ring may be whole turns further on. Two products of unit quaternions and a
			// rotation in single precision round each coordinate about 16 times, each by up to
			// 2⁻²⁴.
			requireNear(t, at.Rotation.Rotate(unitX), back.Rotation.Rotate(unitX), 16*0x1p-24)
		} else {
			require.Equal(t, at.Rotation, back.Rotation)
		}
		back, ok := g.Cancel()
		require.True(t, ok)
		require.Equal(t, at, back)
	})
	if !testing.Short() {
		assert.Greater(t, len(grabbed), 10, "%v", grabbed)
	}
}

func TestGizmoNames(t *testing.T) {
	assert.Equal(t, "Move Turn Scale unknown", fmt.Sprint(GizmoMove, " ", GizmoTurn, " ", GizmoScale, " ", GizmoMode(9)))
	assert.Equal(t, "None X YZ ZX XY Center unknown", fmt.Sprint(NoHandle, " ", HandleX, " ", HandleYZ, " ", HandleZX, " ", HandleXY, " ", HandleCenter, " ", GizmoHandle(99)))
}

func TestGizmoAllocatesNothing(t *testing.T) {
	v := gizmoView()
	at := geom.At(1, 0, 0)
	var lines []GizmoLine
	g := Gizmo{Mode: GizmoTurn}
	first, second := over(t, v, part(t, &g, v, at, 0, 1, 0)), over(t, v, part(t, &g, v, at, 0, 0, 1))
	testenv.AllocatesNothing(t, 50, func() {
		g.Hover(v, at, first)
		g.Begin(v, at, first)
		g.Drag(second)
		g.Cancel()
		lines = g.Lines(lines[:0], v, at)
	})
}

// While an object is scaled, the grabbed handle stays under the pointer, and the other handles do
// not change.
func TestGizmoGrowsWithWhatIsScaled(t *testing.T) {
	v := gizmoView()
	at := geom.Transform{Position: geom.V(1, 0.5, -2), Rotation: geom.QuatEuler(0.4, 0.2, -0.3), Scale: geom.V(1, 2, 3)}
	for _, tt := range []struct {
		name       string
		from, to   [3]float64 // where it is grabbed and let go, in sizes
		handle     GizmoHandle
		stretch    [3]float64
		middleHalf float64
	}{
		{"X, larger", [3]float64{0.8, 0, 0}, [3]float64{1.6, 0, 0}, HandleX, [3]float64{2, 1, 1}, 1},
		{"Y, smaller", [3]float64{0, 0.8, 0}, [3]float64{0, 0.2, 0}, HandleY, [3]float64{1, 0.25, 1}, 1},
		{"Z, away", [3]float64{0, 0, 0.5}, [3]float64{0, 0, -4}, HandleZ, [3]float64{1, 1, leastScale}, 1},
		{"X and Y", [3]float64{0.4, 0.4, 0}, [3]float64{0.8, 0.8, 0}, HandleXY, [3]float64{2, 2, 1}, 1},
		{"all", [3]float64{}, [3]float64{}, HandleCenter, [3]float64{1.5, 1.5, 1.5}, 1.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := Gizmo{Mode: GizmoScale}
			f, ok := g.frameOf(v, at)
			require.True(t, ok)
			before := g.Lines(nil, v, at)
			require.True(t, g.Begin(v, at, over(t, v, part(t, &g, v, at, tt.from[0], tt.from[1], tt.from[2]))))
			require.Equal(t, tt.handle, g.Handle())
			to := part(t, &g, v, at, tt.to[0], tt.to[1], tt.to[2])
			if tt.handle == HandleCenter {
				to = f.origin.AddMul(0.5*f.size, f.right).Narrow()
			}
			scaled := g.Drag(over(t, v, to))
			lines := g.Lines(nil, v, scaled)
			require.Len(t, lines, len(before))
			reach := map[GizmoHandle]float64{} // of what has the handle, from the middle
			was := map[GizmoHandle]float64{}
			for i, l := range lines {
				was[l.Handle] = max(was[l.Handle], before[i].A.Wide().Sub(f.origin).Len(), before[i].B.Wide().Sub(f.origin).Len())
				reach[l.Handle] = max(reach[l.Handle], l.A.Wide().Sub(f.origin).Len(), l.B.Wide().Sub(f.origin).Len())
			}
			for i, by := range tt.stretch {
				h := HandleX + GizmoHandle(i)
				if by > 0.1 { // or the cross at its end is all that is left
					assert.InDelta(t, by, reach[h]/was[h], 0.02, h)
				} else {
					assert.Less(t, reach[h]/was[h], 0.1, h)
				}
			}
			assert.InDelta(t, tt.middleHalf, reach[HandleCenter]/was[HandleCenter], 0.01)
			if tt.handle == HandleXY {
				assert.InDelta(t, 2, reach[HandleXY]/was[HandleXY], 0.01)
			}
			g.End()
			at := g.Lines(nil, v, at)
			for i := range at {
				at[i].Lit = false
			}
			assert.Equal(t, before, at, "let go, they are as long as before")
		})
	}
}
