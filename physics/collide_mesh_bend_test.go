package physics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// Contacts in bends are judged together: the least translation along all normals by the depths
// frees the shape of the solid, a union of boxes, and hardly another one is shorter. Each normal is
// a positive combination of those of the surface at the deepest contact.

// bent is the union of boxes along the axes, and its surface.
type bent struct {
	surface *mesh.Mesh
	boxes   [][2]geom.DVec3
}

// bentOf returns the union of the cells of a grid that are full, of which boxes are the union too.
func bentOf(x, y, z []float32, full func(i, j, k int) bool, boxes ...[2]geom.DVec3) bent {
	var vertices []geom.Vec3
	var indices []uint32
	is := func(c [3]int) bool {
		return min(c[0], c[1], c[2]) >= 0 && c[0] < len(x)-1 && c[1] < len(y)-1 && c[2] < len(z)-1 && full(c[0], c[1], c[2])
	}
	ids := map[geom.Vec3]uint32{}
	id := func(c [3]int) uint32 {
		v := geom.V(x[c[0]], y[c[1]], z[c[2]])
		if _, ok := ids[v]; !ok {
			ids[v] = uint32(len(vertices))
			vertices = append(vertices, v)
		}
		return ids[v]
	}
	for n := range (len(x) - 1) * (len(y) - 1) * (len(z) - 1) {
		c := [3]int{n % (len(x) - 1), n / (len(x) - 1) % (len(y) - 1), n / (len(x) - 1) / (len(y) - 1)}
		if !is(c) {
			continue
		}
		for axis := range 3 {
			for up := range 2 {
				beyond := c
				if beyond[axis] += 2*up - 1; is(beyond) {
					continue
				}
				a := c
				a[axis] += up
				b, d := a, a
				b[(axis+1)%3]++
				d[(axis+2)%3]++
				e := b
				e[(axis+2)%3]++
				if up == 0 {
					b, d = d, b
				}
				indices = append(indices, id(a), id(b), id(e), id(a), id(e), id(d))
			}
		}
	}
	return bent{mustMesh(vertices, indices), boxes}
}

// tips is a convex shape of points and the directions of its edges.
type tips struct{ points, edges []geom.DVec3 }

func tipsOf(s *judged) (t tips) {
	for i, p := range s.points {
		for _, q := range s.points[:i] {
			if _, isBox := s.placed.Shape.(geom.Box); q != p && (!isBox || i&(i-1) == 0 && q == s.points[0]) {
				t.edges = append(t.edges, p.Sub(q))
			}
		}
	}
	t.points = s.points
	return t
}

// across returns the directions that can separate the shape from boxes along the axes.
func (t *tips) across() (axes []geom.DVec3) {
	axes = []geom.DVec3{{X: 1}, {Y: 1}, {Z: 1}}
	for i, e := range t.edges {
		for _, f := range append(t.edges[:i:i], geom.DVec3{X: 1}, geom.DVec3{Y: 1}, geom.DVec3{Z: 1}) {
			if n := e.Cross(f); n.Len() > 1e-6 {
				axes = append(axes, n.Normalize())
			}
		}
	}
	return axes
}

// exit returns how far along a unit vector the shape is free of all boxes, by separating axes.
func (b *bent) exit(t *tips, axes []geom.DVec3, along geom.DVec3) (s float64) {
	for again := true; again; {
		again = false
		for _, box := range b.boxes {
			mid, half := box[0].Add(box[1]).Mul(0.5), box[1].Sub(box[0]).Mul(0.5)
			from, to := math.Inf(-1), math.Inf(1)
			for _, n := range axes {
				low, high := math.Inf(1), math.Inf(-1)
				for _, p := range t.points {
					d := p.Sub(mid).Dot(n)
					low, high = min(low, d), max(high, d)
				}
				reach := half.X*math.Abs(n.X) + half.Y*math.Abs(n.Y) + half.Z*math.Abs(n.Z)
				switch rate := n.Dot(along); {
				case rate > 1e-12:
					from, to = max(from, (-reach-high)/rate), min(to, (reach-low)/rate)
				case rate < -1e-12:
					from, to = max(from, (reach-low)/rate), min(to, (-reach-high)/rate)
				case low >= reach || high <= -reach:
					to = math.Inf(-1)
				}
			}
			if from <= s && s < to-1e-9 {
				s, again = to, true
			}
		}
	}
	return s
}

// wayOut returns the least translation that was found to free the shape, among all directions of
// axes and random ones, then random steps from the best.
func (b *bent) wayOut(r *rand.Rand, t *tips) (by geom.DVec3) {
	axes := t.across()
	least := math.Inf(1)
	try := func(n geom.DVec3) bool {
		if s := b.exit(t, axes, n); s < least {
			least, by = s, n
			return true
		}
		return false
	}
	random := func() geom.DVec3 {
		return geom.DVec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}
	}
	for _, n := range axes {
		try(n)
		try(n.Neg())
	}
	for range 60 {
		try(random().Normalize())
	}
	step := 0.3
	for range 150 {
		if !try(by.AddMul(step, random()).Normalize()) {
			step *= 0.95
		}
	}
	return by.Mul(least)
}

// pushOf returns the least translation along all normals by the depths of the contacts, by
// Dykstra's projection onto their half-spaces (Boyle and Dykstra 1986).
func pushOf(all []Manifold) (by geom.DVec3) {
	left := make([]geom.DVec3, len(all))
	for range 3000 {
		for i := range all {
			n, from := all[i].Normal.Wide(), by.Add(left[i])
			by = from.AddMul(max(0, float64(all[i].Depth())-n.Dot(from)), n)
			left[i] = from.Sub(by)
		}
	}
	return by
}

var bends = map[string]bent{
	"L": bentOf([]float32{-1, 0, 1}, []float32{-1, 0, 1}, []float32{-1, 1}, func(i, j, _ int) bool { return i == 0 || j == 0 },
		[2]geom.DVec3{{X: -1, Y: -1, Z: -1}, {Y: 1, Z: 1}}, [2]geom.DVec3{{X: -1, Y: -1, Z: -1}, {X: 1, Z: 1}}),
	"corner": bentOf([]float32{-1, 0, 1}, []float32{-1, 0, 1}, []float32{-1, 0, 1}, func(i, j, k int) bool { return i*j*k == 0 },
		[2]geom.DVec3{{X: -1, Y: -1, Z: -1}, {Y: 1, Z: 1}}, [2]geom.DVec3{{X: -1, Y: -1, Z: -1}, {X: 1, Z: 1}}, [2]geom.DVec3{{X: -1, Y: -1, Z: -1}, {X: 1, Y: 1}}),
	"cross": bentOf([]float32{-1, -0.25, 0.25, 1}, []float32{-0.25, 0.25}, []float32{-1, -0.25, 0.25, 1}, func(i, _, k int) bool { return i == 1 || k == 1 },
		[2]geom.DVec3{{X: -1, Y: -0.25, Z: -0.25}, {X: 1, Y: 0.25, Z: 0.25}}, [2]geom.DVec3{{X: -0.25, Y: -0.25, Z: -1}, {X: 0.25, Y: 0.25, Z: 1}}),
	"stairs": bentOf([]float32{0, 0.5, 1}, []float32{-1, -0.75, -0.5}, []float32{-1, 1}, func(i, j, _ int) bool { return j <= i },
		[2]geom.DVec3{{Y: -1, Z: -1}, {X: 1, Y: -0.75, Z: 1}}, [2]geom.DVec3{{X: 0.5, Y: -1, Z: -1}, {X: 1, Y: -0.5, Z: 1}}),
}

// fault returns what is wrong with the contacts of a shape, and "" if nothing is.
func (b *bent) fault(r *rand.Rand, s *judged) string {
	const margin = 0.02
	t := tipsOf(s)
	all := Collide(nil, Placed{Shape: b.surface}, s.placed, margin)
	by, least := pushOf(all), b.wayOut(r, &t)
	slack := max(0.001, 0.01*least.Len())
	for i := range all {
		rest := all[i].Normal.Wide() // sides are at right angles
		for k := range b.surface.NumTriangles() {
			t := b.surface.Triangle(k)
			if n := t.Normal().Wide(); offTriangle(all[i].Points[0].PointA.Wide(), t) < 1e-3 {
				rest = rest.AddMul(-max(0, n.Dot(rest)), n)
			}
		}
		if rest.Len() > 0.05 {
			return fmt.Sprintf("the surface has no such normal there: %v", all[i])
		}
		for _, c := range all[i].ContactPoints() {
			if off := offTriangle(c.PointA.Wide(), b.surface.Triangle(int(c.TriangleA))); off > 1e-4 {
				return fmt.Sprintf("PointA is off by %v: %v", off, all[i])
			}
			if off := s.off(&c); off > 1e-4 {
				return fmt.Sprintf("PointB is off by %v: %v", off, all[i])
			}
		}
	}
	rest := tips{edges: t.edges}
	for _, p := range t.points {
		rest.points = append(rest.points, p.Add(by))
	}
	if left := b.wayOut(r, &rest).Len(); left > slack {
		return fmt.Sprintf("pushed by %v, it is still %v deep; %v leads out: %v", by, left, least, all)
	}
	if by.Len() > 1.05*least.Len()+2*slack {
		return fmt.Sprintf("pushed by %v, where %v leads out: %v", by, least, all)
	}
	return ""
}

// Tips of a flat box that are past two or three sides of a bend leave by one contact, which leads
// past all of them. Of 10,000 random poses 16 to 100 were like one of these.
func TestTipsInBends(t *testing.T) {
	for _, tt := range []struct {
		bend string
		at   geom.Vec3
		turn geom.Quat
	}{
		{"L", geom.V(0.411492, 0.3746793, 0.6563562), geom.Quat{X: -0.79854363, Y: -0.24189794, Z: 0.16332114, W: -0.52644056}},
		{"L", geom.V(0.45879045, 0.2931176, -0.74322116), geom.Quat{X: 0.39968953, Y: 0.114479676, Z: 0.8734033, W: -0.25359276}},
		{"L", geom.V(0.346685, 0.05524503, 1.2649218), geom.Quat{X: 0.74760187, Y: 0.06345102, Z: 0.65750164, W: -0.068970926}},
		{"corner", geom.V(0.33710855, 0.930836, 0.33641824), geom.Quat{X: -0.6109675, Y: 0.5743512, Z: 0.5173955, W: -0.17070818}},
		{"corner", geom.V(0.29472154, 0.07082128, 1.1013627), geom.Quat{X: -0.39585403, Y: 0.25728524, Z: -0.7951182, W: 0.38064542}},
		{"corner", geom.V(0.82507354, 0.49861628, 0.017224591), geom.Quat{X: -0.70285374, Y: -0.17643733, Z: -0.18034399, W: -0.66508836}},
		{"corner", geom.V(0.42603725, 0.5403549, 0.15630654), geom.Quat{X: 0.67178005, Y: 0.42597723, Z: 0.40888992, W: 0.4472851}},
		// Past the end of the bend's edge, where two contacts along it were 7 to 11 mm off.
		{"L", geom.V(-0.06005289, 0.4768467, -1.1437593), geom.Quat{X: 0.60130966, Y: -0.5859315, Z: -0.18886517, W: 0.50935346}},
		{"L", geom.V(0.13209742, 0.15902647, -1.227726), geom.Quat{X: 0.21348701, Y: -0.46404532, Z: 0.36401397, W: 0.77883184}},
		{"corner", geom.V(0.124445826, 0.20260787, 1.1670207), geom.Quat{X: -0.33889192, Y: -0.29665726, Z: -0.8466933, W: 0.28329712}},
		{"corner", geom.V(0.102181576, 0.38523063, 1.3061895), geom.Quat{X: 0.48872086, Y: -0.72689444, Z: -0.05032416, W: -0.47983736}},
	} {
		b := bends[tt.bend]
		s := judge(judgedKinds["flat"](nil), geom.Transform{Position: tt.at, Rotation: tt.turn, Scale: geom.V(1, 1, 1)})
		assert.Empty(t, b.fault(testenv.Rand(62, 63), s), "%v", tt)
	}
}

// The same of random poses, 10 mm deep. Of 19,010 eleven failed, at most three of 1,820 of a class:
// their contacts lead out by 8 mm of 10.
func TestContactsInBends(t *testing.T) {
	testenv.NoRace(t)
	for _, name := range []string{"L", "corner", "cross", "stairs"} {
		b := bends[name]
		for _, kind := range []string{"flat", "plank", "mesh of a tip"} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				r := testenv.Rand(61, uint64(len(name)*100+len(kind)))
				deep, wrong := 0, 0
				for range tries(60) {
					s := judgedShape(r, kind)
					at := geom.Transform{Rotation: randomTurn(r), Scale: geom.V(1, 1, 1)}
					c := b.surface.Triangle(r.IntN(b.surface.NumTriangles()))
					v := c.A.Lerp(c.B, r.Float32()*float32(r.IntN(2)))
					at.Position = v.Add(geom.V(r.Float32()-0.5, r.Float32()-0.5, r.Float32()-0.5))
					// Up to the surface, and back in. What has its middle within leaves inward.
					u := tipsOf(judge(s, at))
					by := b.wayOut(r, &u)
					l := by.Len()
					if l < 0.01 || l > 0.4 {
						continue
					}
					at.Position = at.Position.Add(by.Mul((l - 0.01) / l).Narrow())
					j := judge(s, at)
					if b.holds(j) {
						continue
					}
					if f := b.fault(r, j); f != "" {
						if wrong++; wrong == 1 {
							t.Logf("%+v: %s", at, f)
						}
					}
					deep++
				}
				// Two more than the mean of one in 1,000 and four deviations. By chance three of
				// the 30 of one of 12 classes fail in one of 19,000 runs; two in one of 190.
				mean := float64(deep) / 1000
				assert.LessOrEqual(t, wrong, int(2+mean+4*math.Sqrt(mean)))
				testenv.Drawn(t, deep, 10)
			})
		}
	}
}

// holds reports whether the middle of a shape is in one of the boxes.
func (b *bent) holds(s *judged) bool {
	var p geom.DVec3
	for _, q := range s.points {
		p = p.AddMul(1/float64(len(s.points)), q)
	}
	for _, x := range b.boxes {
		if d, e := p.Sub(x[0]), x[1].Sub(p); min(d.X, d.Y, d.Z, e.X, e.Y, e.Z) >= 0 {
			return true
		}
	}
	return false
}
