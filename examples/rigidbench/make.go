package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// makers makes the scenes that need no file: the same numbers as in the files of shared/rigid, but
// for -count and for joint_grid, which has no file.
var makers = map[string]func(count int) *scene{
	"pyramid":    makePyramid,
	"crates":     makeCrates,
	"tumbler":    makeTumbler,
	"joint_grid": makeJointGrid,
}

// makeScene returns a scene by its name. A count of 0 is that of the files.
func makeScene(name string, count int) (*scene, error) {
	if make, ok := makers[name]; ok {
		s := make(count)
		s.name = name
		return s, nil
	}
	if _, ok := stages[name]; ok {
		return newStage(name, count), nil
	}
	return nil, fmt.Errorf("-scene %s: want %s, or a .json or .json.gz file", name, strings.Join(names(), ", "))
}

// makePyramid returns a wall of boxes of 1 m, each row one shorter than the row below, as Box3D's
// benchmark has it. Count is the length of the lowest row.
func makePyramid(count int) *scene {
	n := or(count, 100)
	s := &scene{steps: 200, density: 100}
	for i := range n {
		for j := i; j < n; j++ {
			s.bodies = append(s.bodies, bodyOf{
				kind: box, half: geom.V(0.5, 0.5, 0.5), rotation: geom.QuatIdentity(),
				position: geom.V(float32(j)-float32(i+n-1)/2, float32(i)+0.5, 0),
			})
		}
	}
	return s
}

// makeCrates returns turned boxes in layers, which fall onto a bowl with waves.
func makeCrates(count int) *scene {
	const side = 25 // of a layer
	s := &scene{steps: 600, density: 1000}
	s.makeBowl()
	r := numbers(12345)
	for k := range or(count, 10000) {
		layer, i, j := k/(side*side), k%(side*side)/side, k%side
		z := place(j-side/2, 1.1, r.in(-0.1, 0.1), layer/2%2)
		x := place(i-side/2, 1.1, r.in(-0.1, 0.1), layer%2)
		var axis geom.Vec3
		axis.Z, axis.Y, axis.X = r.in(-1, 1), r.in(-1, 1), r.in(-1, 1)
		l := float32(math.Sqrt(float64(axis.LenSq()))) + 1e-6
		s.bodies = append(s.bodies, bodyOf{
			kind: box, half: geom.V(0.3, 0.3, 0.3),
			position: geom.V(x, 3+float32(float32(layer)*1.1), z),
			rotation: turned(axis.Mul(1/l), r.in(0, 3)),
		})
	}
	return s
}

// place returns a coordinate of a crate: every other layer, or every other two, is moved aside.
func place(i int, step, jitter float32, aside int) float32 {
	x := float32(float32(i)*step) + jitter
	if aside != 0 {
		x += 0.45
	}
	return x
}

// makeBowl makes the terrain: 128 by 128 cells of 0.75 m, two triangles each.
func (s *scene) makeBowl() {
	const cells, cell = 128, float32(0.75)
	s.verts, s.idx = grid(cells, cells, cell, func(x, z float32) float32 {
		waves := float32(float32(0.35*sin(0.45*x)) * cos(0.4*z))
		return float32(0.006*(float32(x*x)+float32(z*z))) + waves
	})
}

// grid returns a terrain of cells along X and Z, centred at the origin, two triangles each.
func grid(cellsX, cellsZ int, cell float32, height func(x, z float32) float32) (verts []geom.Vec3, idx []uint32) {
	for i := range cellsX + 1 {
		for j := range cellsZ + 1 {
			x, z := (float32(i)-float32(cellsX)/2)*cell, (float32(j)-float32(cellsZ)/2)*cell
			verts = append(verts, geom.V(x, height(x, z), z))
		}
	}
	for i := range uint32(cellsX) {
		for j := range uint32(cellsZ) {
			a := i*uint32(cellsZ+1) + j
			b, c := a+1, a+uint32(cellsZ+1)
			idx = append(idx, a, b, c, b, c+1, c)
		}
	}
	return verts, idx
}

// makeTumbler returns boxes, balls, capsules and prisms within a box that turns.
func makeTumbler(count int) *scene {
	s := &scene{steps: 600, density: 1000}
	halves := [...]geom.Vec3{box: {X: 0.25, Y: 0.2, Z: 0.3}, ball: {X: 0.28}, capsule: {X: 0.16, Y: 0.18}, prism: {X: 0.28, Y: 0.2, Z: 0.28}}
	r := numbers(12345)
	for k := range or(count, 1000) {
		at := func(i int) float32 { return (float32(i) - 4.5) * 0.75 }
		s.bodies = append(s.bodies, bodyOf{
			kind: kind(k % 4), half: halves[k%4],
			position: geom.V(at(k/100), at(k/10%10), at(k%10)), rotation: turned(geom.V(0, 1, 0), r.in(0, 1)),
		})
	}
	for k := range 8 {
		t := float32(float32(6.2831853)*float32(k)) / 8
		h := halves[prism]
		for _, side := range []float32{-1, 1} {
			s.hull = append(s.hull, geom.V(h.X*cos(t), side*h.Y, h.Z*sin(t)))
		}
	}
	const inside, half = 5, 0.5 // half the width of the inside, half the thickness of a wall
	for _, side := range []float32{-1, 1} {
		for axis := range geom.Z + 1 {
			whole := geom.V(inside+2*half, inside+2*half, inside+2*half)
			s.walls = append(s.walls, geom.AABBAround(geom.Vec3{}.WithAxis(axis, side*(inside+half)), whole.WithAxis(axis, half)))
		}
	}
	return s
}

// makeJointGrid returns a net of balls that hangs from its upper edge, as Box3D's benchmark has it.
// Count is the number of balls in a row and in a column. The net collides with nothing.
func makeJointGrid(count int) *scene {
	n := or(count, 100)
	s := &scene{steps: 100, density: 1000}
	for k := range n {
		for i := range n {
			s.bodies = append(s.bodies, bodyOf{
				kind: ball, half: geom.V(0.4, 0, 0), position: geom.V(float32(k), float32(-i), 0), rotation: geom.QuatIdentity(),
				fixed: i == 0, lone: true,
			})
			join := func(a int, half geom.Vec3) {
				s.joints = append(s.joints, jointOf{a: a, b: len(s.bodies) - 1, inA: half, inB: half.Neg(), axis: geom.V(1, 0, 0)})
			}
			if i > 0 {
				join(len(s.bodies)-2, geom.V(0, -0.5, 0))
				if k > 0 {
					join(len(s.bodies)-1-n, geom.V(0.5, 0, 0))
				}
			}
		}
	}
	return s
}

// numbers is a sequence of random numbers (Numerical Recipes' quick generator). Its value is the
// seed.
type numbers uint32

// in returns a number from a to b.
func (n *numbers) in(a, b float32) float32 {
	*n = *n*1664525 + 1013904223
	return a + float32((b-a)*(float32(*n>>8)/(1<<24)))
}

// turned returns the rotation about a unit axis.
func turned(axis geom.Vec3, radians float32) geom.Quat {
	s := sin(radians / 2)
	return geom.Quat{X: axis.X * s, Y: axis.Y * s, Z: axis.Z * s, W: cos(radians / 2)}
}

// sin and cos are the functions of C's float that made the files: polynomials in double precision
// that are accurate to 0.56 units in the last place (Arm Optimized Routines, as in glibc since
// 2.28). Function math.Sin rounds another way in one of fifty cases.
func sin(x float32) float32 { return wave(x, 0) }
func cos(x float32) float32 { return wave(x, 1) }

// wave returns the sine of x plus quarters of a turn.
func wave(x float32, quarters int) float32 {
	n := math.Round(float64(x) * (2 / math.Pi))
	y := float64(x) - float64(n*(math.Pi/2))
	yy := float64(y * y)
	q := int(n) + quarters
	var r float64
	if q&1 == 0 {
		cube := float64(yy * y)
		r = y + float64(cube*-0x1.555545995a603p-3) + float64(float64(cube*yy)*(0x1.1107605230bc4p-7+float64(yy*-0x1.994eb3774cf24p-13)))
	} else {
		r = 1 + float64(yy*-0x1.ffffffd0c621cp-2) + float64(yy*yy)*0x1.55553e1068f19p-5 +
			float64(float64(float64(yy*yy)*yy)*(-0x1.6c087e89a359dp-10+float64(yy*0x1.99343027bf8c3p-16)))
	}
	if q&2 != 0 {
		r = -r
	}
	return float32(r)
}

// or returns n unless it is 0.
func or(n, instead int) int {
	if n == 0 {
		return instead
	}
	return n
}

// names returns the names of the scenes that need no file.
func names() (all []string) {
	all = slices.AppendSeq(slices.Collect(maps.Keys(makers)), maps.Keys(stages))
	slices.Sort(all)
	return all
}
