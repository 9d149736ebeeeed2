package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// fieldPage is a ray and a row of a height field in section: the ray is tested against the boxes of
// 16 and of 4 cells, and crosses the cells of those that it enters in order, up to the first hit.
type fieldPage struct {
	segment
	heights [fieldCells + 1]float32
	hole    int // the cell without triangles
}

const (
	fieldCells = 24
	fieldCell  = 0.5 // metres
	fieldStart = -fieldCells * fieldCell / 2
	holeHandle = -2.875 // where the handle of the hole is, below the heights
)

func (p *fieldPage) name() string { return "6  Heights" }

func (p *fieldPage) reset() {
	*p = fieldPage{segment: segment{a: geom.V(-5.75, 0.5, 0), b: geom.V(4.25, -2.5, 0)}, hole: 14}
	p.heights = [...]float32{-1.25, -1, -0.75, -0.5, -0.5, -0.75, -1.25, -1.5, -1.75, -1.75, -1.5, -1, -0.5, 0, 0, -0.25, -0.5, -1,
		-1.25, -1.25, -0.5, 0.25, 0.75, 1, 0.75}
}

func (p *fieldPage) hint() string {
	return "Drag the ray's ends A and B, the heights up and down, and the hole H along: under the ray it lets it through. Shift " +
		"frees what is dragged from the grid."
}

func columnX(i int) float32 { return fieldStart + fieldCell*float32(i) }

func (p *fieldPage) handles() []handle {
	var list []handle
	for i := range p.heights {
		list = append(list, handle{fmt.Sprint("height ", i), geom.V(columnX(i), p.heights[i], 0), func(to geom.Vec3) { p.heights[i] = to.Y }})
	}
	list = append(list, handle{"H", geom.V(columnX(p.hole)+fieldCell/2, holeHandle, 0), func(to geom.Vec3) {
		p.hole = min(max(int(math.Floor(float64(to.X-fieldStart)/fieldCell)), 0), fieldCells-1)
	}})
	return append(list, p.segment.handles()...)
}

// meshes returns the height field, one row of cells with the diagram in its middle, and the same
// one without the hole.
func (p *fieldPage) meshes() (field, whole *mesh.Mesh) {
	f, err := mesh.NewField(mesh.FieldOptions{Columns: len(p.heights), Rows: 2, CellX: fieldCell, CellZ: 1, StartX: fieldStart, StartZ: -0.5},
		slices.Repeat(p.heights[:], 2))
	if err != nil {
		panic(err) // heights are finite
	}
	whole = f.Mesh()
	if err = f.SetMaterials(p.hole, 0, 1, []uint8{mesh.Hole}); err != nil {
		panic(err)
	}
	return f.Mesh(), whole
}

// entered returns how many of some parts the ray enters, of how many.
func entered(parts []part) string {
	n := 0
	for _, p := range parts {
		if p.skipped == "" {
			n++
		}
	}
	return fmt.Sprintf("%d of %d entered", n, len(parts))
}

// fieldRows is the number of cells in the table at most, of which the first and the last are shown.
const fieldRows = 8

func (p *fieldPage) explain() report {
	w, r := p.walk(), p.ray()
	rep := report{hit: w.ok, why: p.why(w), head: []string{"cell", "near", "far"}}
	for i, c := range w.cells {
		label, ink := fmt.Sprintf("%d: triangles %d, %d", c.number, 2*c.number, 2*c.number+1), uint32(sky)
		switch {
		case c.number == p.hole:
			label, ink = fmt.Sprintf("%d: a hole", c.number), coral
		case w.ok && c.number == int(w.hit.Triangle)/2:
			label, ink = fmt.Sprintf("%d: hits triangle %d", c.number, w.hit.Triangle), amber
		}
		if left := len(w.cells) - fieldRows; left > 0 && i >= fieldRows/2 && i <= fieldRows/2+left {
			if i > fieldRows/2 {
				continue
			}
			label, c, ink = fmt.Sprintf("… %d more", left+1), crossedCell{near: math.NaN(), far: math.NaN()}, faint
		}
		rep.rows = append(rep.rows, row{label, []string{ellipsis(c.near), ellipsis(c.far)}, ink})
	}
	rep.more = []fact{{"Origin", place(r.Origin, true)}, {"Dir", place(r.Dir, true)}, {"MaxT", limit(r)}, {},
		{"Boxes of 16", entered(w.blocks)}, {"Boxes of 4", entered(w.leaves)}, {"Cells", fmt.Sprintf("%d of %d crossed", len(w.cells), fieldCells)}, {}}
	field, _ := p.meshes()
	for _, cull := range [...]geom.Cull{geom.CullNone, geom.CullBack, geom.CullFront} {
		value := "miss"
		if h, ok := field.CastRay(r, cull); ok {
			value = fmt.Sprintf("T %s, triangle %d", number(float64(h.T)), h.Triangle)
		}
		rep.more = append(rep.more, fact{cull.String(), value})
	}
	return rep
}

// ellipsis formats a T of the table, in which NaN stands for several.
func ellipsis(t float64) string {
	if math.IsNaN(t) {
		return "…"
	}
	return number(t)
}

// why returns a sentence on why the ray hits or misses the field.
func (p *fieldPage) why(w walk) string {
	through := ""
	if len(w.through) > 0 {
		through = fmt.Sprintf("Cell %d is a hole, through which it goes at T %s. ", p.hole, number(float64(w.through[0].T)))
	}
	switch {
	case !p.ray().IsValid():
		return noDirection
	case w.ok:
		return through + fmt.Sprintf("Triangle %d is met at T %s, in the %s cell that is crossed. What begins later is not looked at.",
			w.hit.Triangle, number(float64(w.hit.T)), ordinal(1+slices.IndexFunc(w.cells, func(c crossedCell) bool { return c.number == int(w.hit.Triangle)/2 })))
	case len(w.cells) == 0:
		return "The ray meets no box of 4 cells within its range: no triangle is looked at."
	}
	return through + fmt.Sprintf("The ray crosses %d of %d cells, and meets no triangle of them.", len(w.cells), fieldCells)
}

func ordinal(n int) string {
	switch {
	case n%100/10 != 1 && n%10 >= 1 && n%10 <= 3:
		return fmt.Sprint(n, [...]string{"st", "nd", "rd"}[n%10-1])
	}
	return fmt.Sprint(n, "th")
}
