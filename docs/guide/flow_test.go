package guide

import (
	"container/heap"
	"fmt"
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// flowField leads any number of units to one goal over a ground: each cell of a grid has the length
// of the shortest way from it. It is made by queries alone, so that whatever the world's ground and
// walls are, it fits them.
type flowField struct {
	corner   geom.Vec3 // of the first cell, high above the ground
	cell     float32   // metres
	columns  int
	places   []geom.Vec3 // on the ground, in the middle of the cells
	distance []float32   // metres to the goal, +Inf where no way leads
}

// newFlowField looks at the ground in each cell of a square, and closes those in which a walker of
// a radius has no place, or where there is no ground.
func newFlowField(q physecs.Querier, corner geom.Vec3, cell float32, columns int, radius float32, ground, walls physics.Layers) *flowField {
	f := &flowField{corner, cell, columns, make([]geom.Vec3, columns*columns), make([]float32, columns*columns)}
	down := geom.V(0, -1, 0)
	for i := range f.places {
		x, z := (float32(i%columns)+0.5)*cell, (float32(i/columns)+0.5)*cell
		hit, ok := q.CastRay(geom.NewRay(corner.Add(geom.V(x, 0, z)), down), physecs.Filter{Mask: ground})
		body := geom.Sphere{Center: hit.Point.Add(geom.V(0, 1, 0)), Radius: radius}
		if f.places[i] = hit.Point; !ok || len(q.OverlapSphere(nil, body, physecs.Filter{Mask: walls})) > 0 {
			f.places[i].Y = float32(math.Inf(-1))
		}
	}
	return f
}

// index returns the cell of a place, and false outside.
func (f *flowField) index(p geom.Vec3) (int, bool) {
	x, z := (p.X-f.corner.X)/f.cell, (p.Z-f.corner.Z)/f.cell
	inside := x >= 0 && z >= 0 && x < float32(f.columns) && z < float32(f.columns)
	return int(x) + int(z)*f.columns, inside
}

// visit calls a function for the neighbours of a cell to which a way leads that is no steeper than
// 45°, with its length. One between two closed cells is closed too.
func (f *flowField) visit(i int, visit func(to int, length float32)) {
	x, z, n := i%f.columns, i/f.columns, f.columns
	open := func(x, z int) bool { return !math.IsInf(float64(f.places[x+z*n].Y), -1) }
	for dz := -1; dz <= 1; dz++ {
		for dx := -1; dx <= 1; dx++ {
			if x+dx < 0 || x+dx >= n || z+dz < 0 || z+dz >= n || !open(x+dx, z+dz) || !open(x+dx, z) || !open(x, z+dz) {
				continue
			}
			to := x + dx + (z+dz)*n
			if way := f.places[to].Sub(f.places[i]); to != i && way.Y*way.Y <= way.X*way.X+way.Z*way.Z {
				visit(to, way.Len())
			}
		}
	}
}

// lead makes a place the goal (Dijkstra 1959). It is false if the place is closed.
func (f *flowField) lead(goal geom.Vec3) bool {
	for i := range f.distance {
		f.distance[i] = float32(math.Inf(1))
	}
	at, ok := f.index(goal)
	if !ok || math.IsInf(float64(f.places[at].Y), -1) {
		return false
	}
	f.distance[at] = 0
	for open := (frontier{{at, 0}}); len(open) > 0; {
		c := heap.Pop(&open).(reached)
		if c.distance > f.distance[c.cell] {
			continue // it was reached on a shorter way since
		}
		f.visit(c.cell, func(to int, length float32) {
			if d := c.distance + length; d < f.distance[to] {
				f.distance[to] = d
				heap.Push(&open, reached{to, d})
			}
		})
	}
	return true
}

// direction returns where to walk from a place: to the middle of the neighbour that is nearest to
// the goal. It is zero at the goal, and where no way leads.
func (f *flowField) direction(p geom.Vec3) geom.Vec3 {
	i, ok := f.index(p)
	if !ok {
		return geom.Vec3{}
	}
	best, to := f.distance[i], i
	f.visit(i, func(n int, _ float32) {
		if f.distance[n] < best {
			best, to = f.distance[n], n
		}
	})
	if to == i {
		return geom.Vec3{}
	}
	way := f.places[to].Sub(p)
	way.Y = 0
	return way.Normalize()
}

// frontier is the cells to go on from, a heap by distance.
type frontier []reached

type reached struct {
	cell     int
	distance float32
}

func (h frontier) Len() int           { return len(h) }
func (h frontier) Less(i, j int) bool { return h[i].distance < h[j].distance }
func (h frontier) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *frontier) Push(x any)        { *h = append(*h, x.(reached)) }
func (h *frontier) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func Example_ways() {
	const ground, walls physics.Layers = 1, 2
	world := ecs.NewWorld()
	sim := physecs.Simulation{Headless: true}
	sim.Initialize(&world)
	var heights []float32
	for i := range 41 * 41 { // hills of 1 m
		heights = append(heights, float32(math.Sin(float64(i%41)/5)*math.Cos(float64(i/41)/6)))
	}
	field, err := mesh.NewField(mesh.FieldOptions{Columns: 41, Rows: 41, CellX: 1, CellZ: 1}, heights)
	if err != nil {
		panic(err)
	}
	still := generic.NewMap3[physecs.Transform, physecs.Collider, physecs.Static](&world)
	hills := physecs.Mesh(physecs.Resource[physecs.Meshes](&world).Add(field.Mesh()))
	wall := physecs.Box(geom.V(1, 4, 15)) // with a way around one end
	hills.Layer, wall.Layer = ground, walls
	still.NewWith(new(geom.At(0, 0, 0)), &hills, &physecs.Static{})
	still.NewWith(new(geom.At(20, 0, 15)), &wall, &physecs.Static{})

	units := generic.NewMap4[physecs.Transform, physecs.Collider, physecs.Mover, physecs.MoverState](&world)
	body := physecs.Capsule(0.5, 0.35)
	body.Center.Y, body.Layer = 0.85, 4
	var all []ecs.Entity
	for i := range 20 {
		at := geom.At(5+float32(i%4), 3, 5+float32(i/4))
		all = append(all, units.NewWith(&at, &body, &physecs.Mover{}, &physecs.MoverState{}))
	}
	space := physecs.Sync(&world)
	flow := newFlowField(space, geom.V(0, 9, 0), 1, 40, 0.6, ground, walls)
	goal := geom.V(35.5, 0, 5.5)
	fmt.Println("a way:", flow.lead(goal))
	sim.BeforeStep("steer", func(w *ecs.World) {
		for _, e := range all {
			at, _, mover, _ := units.Get(e)
			mover.Velocity = flow.direction(at.Position).Mul(5)
		}
	})
	there := 0
	for range 20 * 60 { // 20 seconds
		sim.Update(&world)
	}
	for _, e := range all {
		if at, _, _, _ := units.Get(e); flow.direction(at.Position) == (geom.Vec3{}) {
			there++
		}
	}
	fmt.Println(there, "of", len(all), "are there")
	// Output:
	// a way: true
	// 20 of 20 are there
}

// The ways of a flow field are the shortest: no step to a neighbour leads to a shorter one, and one
// to the goal is known.
func TestFlowField(t *testing.T) {
	world := ecs.NewWorld()
	things := generic.NewMap2[physecs.Transform, physecs.Collider](&world)
	things.NewWith(new(geom.At(0, 0, 0)), new(physecs.Plane(geom.V(0, 1, 0), 0)))
	block := physecs.Box(geom.V(1, 2, 3))
	block.Layer = 2
	things.NewWith(new(geom.At(5, 0, 3)), &block)
	f := newFlowField(physecs.Sync(&world), geom.V(0, 5, 0), 0.5, 20, 0.3, 1, 2)
	if f.lead(geom.V(5, 0, 3)) || f.lead(geom.V(11, 0, 3)) {
		t.Error("a way into the block, or out of the grid")
	}
	if !f.lead(geom.V(9, 0, 3)) {
		t.Fatal("no way")
	}
	steps := 0
	for p := geom.V(1, 0, 3); f.direction(p) != (geom.Vec3{}); steps++ {
		i, _ := f.index(p)
		p = f.places[i].Add(f.direction(f.places[i]).Mul(0.5 * math.Sqrt2))
		if j, _ := f.index(p); f.distance[j] >= f.distance[i] || steps > 40 {
			t.Fatalf("at %v the way gets no shorter", p)
		}
	}
	for i := range f.distance {
		f.visit(i, func(to int, length float32) {
			if !math.IsInf(float64(f.places[i].Y), -1) && f.distance[i] > f.distance[to]+length+1e-4 {
				t.Errorf("cell %d is %v m from the goal, and its neighbour %d %v m", i, f.distance[i], to, f.distance[to])
			}
		})
	}
	if steps < 17 { // 16 would lead through the block
		t.Errorf("%d steps", steps)
	}
}
