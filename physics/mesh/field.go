package mesh

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// Hole is the material of a cell of a [Field] that has no triangles.
const Hole = wide.Hole

// FieldOptions are the size and the place of a [Field], in its own space.
type FieldOptions struct {
	// Columns and Rows are the numbers of heights along x and z, at least 2 each.
	Columns, Rows int
	// CellX and CellZ are the distances in metres between two columns and two rows. Scaling in the
	// world does as well, but is not uniform then.
	CellX, CellZ float32
	// StartX and StartZ are where the first column and row are, in metres.
	StartX, StartZ float32
	// Low and High are the least and the greatest height in metres that the field can have, if a
	// height is to take two bytes: it is then one of 65,536 between them, the nearest to what was
	// given. If both are 0, a height takes four bytes and is a float32.
	Low, High float32
}

// Field is a height field, such as a terrain: rows of heights over a rectangle of cells, each with
// two triangles, or none if it is a hole, and with a number for its material. It takes 1.8 bytes a
// triangle, or 2.9 with heights of four bytes: a 27th or a 17th of the memory of a mesh.
//
// [Field.Mesh] returns its surface, which goes wherever a mesh goes, and whose answers are those of
// a mesh of the same triangles. A field can be edited, a region at a time, while meshes that it
// returned before are in use: these keep the heights they had, and share the memory of all pages of
// 64 × 64 cells that have not been edited since. So an edit costs by its region, and a new Mesh of
// a field of 4,097 × 4,097 heights some 30 µs.
//
// Cells are counted in rows: cell (c, r) has the number r·(Columns − 1) + c, and its triangles
// twice that and one more. Triangle 0 lies on the side of row r + 1, triangle 1 on that of row r;
// their fronts are above. The indices stay as they are when cells become holes, whose triangles are
// degenerate and found by no query.
//
// The methods of a Field must not run at the same time as one that edits it. The zero Field is
// invalid: use [NewField].
type Field struct {
	grid  *wide.Grid
	owned []bool // the pages that no mesh shares
}

// NewField returns the field of heights in metres, row by row. The error names the option or the
// height at fault: there must be Columns·Rows of them, finite and between Low and High, unless both
// of these are 0; cells must not be so small that their corners have the same float32 coordinates;
// and a field has at most [MaxTriangles] triangles.
func NewField(o FieldOptions, heights []float32) (*Field, error) {
	f, err := newField(o, len(heights))
	if err == nil {
		err = f.set(0, 0, o.Columns, heights)
	}
	if err != nil {
		return nil, fmt.Errorf("mesh: NewField: %w", err)
	}
	return f, nil
}

// NewFieldOfCodes returns the field of heights in steps: code i stands for Low + i·(High −
// Low)/65,535, as the pixels of a height map do; see meshio.ReadHeights. Low must be less than
// High. Errors are those of [NewField].
func NewFieldOfCodes(o FieldOptions, codes []uint16) (*Field, error) {
	f, err := newField(o, len(codes))
	if err == nil && !(o.Low < o.High) {
		err = fmt.Errorf("heights from %v to %v", o.Low, o.High)
	}
	if err != nil {
		return nil, fmt.Errorf("mesh: NewFieldOfCodes: %w", err)
	}
	f.write(0, 0, o.Columns, len(codes), func(at, column, row, from, to int) {
		f.grid.SetRow(at, column, row, codes[from:to], nil)
	})
	return f, nil
}

func newField(o FieldOptions, heights int) (*Field, error) {
	if o.Columns < 2 || o.Rows < 2 || o.Columns > math.MaxInt/o.Rows || o.Columns*o.Rows != heights {
		return nil, fmt.Errorf("%d heights in %d columns and %d rows", heights, o.Columns, o.Rows)
	}
	g, err := wide.NewGrid(wide.GridLayout{
		Columns: o.Columns - 1, Rows: o.Rows - 1, StartX: o.StartX, StartZ: o.StartZ,
		CellX: o.CellX, CellZ: o.CellZ, Low: o.Low, High: o.High,
	})
	if err != nil {
		return nil, err
	}
	f := &Field{grid: g, owned: make([]bool, g.NumPages())}
	for i := range f.owned {
		f.owned[i] = true
	}
	return f, nil
}

// Options returns the options that the field was made with.
func (f *Field) Options() FieldOptions {
	g := &f.grid.GridLayout
	return FieldOptions{
		Columns: g.Columns + 1, Rows: g.Rows + 1, CellX: g.CellX, CellZ: g.CellZ,
		StartX: g.StartX, StartZ: g.StartZ, Low: g.Low, High: g.High,
	}
}

// Precision returns by how much, in metres, a height may differ from the one given: half a step of
// heights of two bytes and the rounding of float32, and 0 of heights of four bytes.
func (f *Field) Precision() float32 {
	g := &f.grid.GridLayout
	if g.Low == g.High {
		return 0
	}
	step := (float64(g.High) - float64(g.Low)) / wide.Codes
	return float32(float64(step/2) + float64(max(math.Abs(float64(g.Low)), math.Abs(float64(g.High)))*0x1p-23))
}

// Height returns the height of a column and a row in metres, as stored. Panics if there is none.
func (f *Field) Height(column, row int) float32 {
	if column < 0 || row < 0 || column > f.grid.Columns || row > f.grid.Rows {
		panic(fmt.Sprintf("mesh: Field.Height: no height %d, %d of %d by %d", column, row, f.grid.Columns+1, f.grid.Rows+1))
	}
	return f.grid.Height(column, row)
}

// SetHeights sets a region of heights, in metres: rows of the given number of columns, from a
// column and a row on. The error names what is out of the field's range, and the field is then as
// before.
func (f *Field) SetHeights(column, row, columns int, heights []float32) error {
	if err := f.set(column, row, columns, heights); err != nil {
		return fmt.Errorf("mesh: Field.SetHeights: %w", err)
	}
	return nil
}

func (f *Field) set(column, row, columns int, heights []float32) error {
	g := f.grid
	if err := inside(column, row, columns, len(heights), g.Columns+1, g.Rows+1); err != nil {
		return err
	}
	for i, h := range heights {
		if h-h != 0 || g.Low < g.High && !(g.Low <= h && h <= g.High) {
			return fmt.Errorf("height %v of column %d and row %d", h, column+i%columns, row+i/columns)
		}
	}
	var codes []uint16
	if g.Low < g.High {
		codes = make([]uint16, min(len(heights), columns))
	}
	f.write(column, row, columns, len(heights), func(at, column, row, from, to int) {
		if codes == nil {
			g.SetRow(at, column, row, nil, heights[from:to])
			return
		}
		for i, h := range heights[from:to] {
			codes[i] = g.Code(h)
		}
		g.SetRow(at, column, row, codes[:to-from], nil)
	})
	return nil
}

// inside returns an error if n numbers in rows do not lie within a rectangle.
func inside(column, row, columns, n, width, height int) error {
	if columns < 1 || n%columns != 0 || column < 0 || row < 0 || columns > width-column || n/columns > height-row {
		return fmt.Errorf("%d in rows of %d from column %d and row %d on, of %d columns and %d rows", n, columns, column, row, width, height)
	}
	return nil
}

// write calls set for the rows of a region of heights in each page, with the part of the list of
// them from one index to another, and refreshes the tree.
func (f *Field) write(column, row, columns, n int, set func(page, column, row, from, to int)) {
	g := f.grid
	if n == 0 {
		return
	}
	rows := n / columns
	g.PagesOf(column, row, column+columns, row+rows, func(page, c0, r0, c1, r1 int) {
		f.own(page)
		for r := r0; r < r1; r++ {
			from := (r-row)*columns - column
			set(page, c0, r, from+c0, from+c1)
		}
	})
	g.Refresh(max(column-1, 0), max(row-1, 0), min(column+columns, g.Columns), min(row+rows, g.Rows))
}

func (f *Field) own(page int) {
	if !f.owned[page] {
		f.grid.Own(page)
		f.owned[page] = true
	}
}

// Material returns the material of a cell, 0 unless it was set. Panics if there is no such cell.
func (f *Field) Material(column, row int) uint8 {
	if column < 0 || row < 0 || column >= f.grid.Columns || row >= f.grid.Rows {
		panic(fmt.Sprintf("mesh: Field.Material: no cell %d, %d of %d by %d", column, row, f.grid.Columns, f.grid.Rows))
	}
	return f.grid.Material(column, row)
}

// SetMaterials sets the materials of a region of cells: rows of the given number of columns, from a
// column and a row on. [Hole] removes a cell, and any other number restores it. The error says that
// the region is not in the field, which is then as before.
func (f *Field) SetMaterials(column, row, columns int, materials []uint8) error {
	g := f.grid
	if err := inside(column, row, columns, len(materials), g.Columns, g.Rows); err != nil {
		return fmt.Errorf("mesh: Field.SetMaterials: %w", err)
	}
	for i, m := range materials {
		c, r := column+i%columns, row+i/columns
		f.own(g.PageOf(c, r))
		g.SetMaterial(c, r, m)
	}
	if len(materials) > 0 {
		g.Refresh(column, row, column+columns, row+len(materials)/columns)
	}
	return nil
}

// Mesh returns the surface as it is now; edits of the field do not change it. Beside its 16 bytes
// for every page of 64 × 64 cells it shares the memory of the field.
//
// [Mesh.Refit] and [Build] are not for it; [Mesh.Vertices] and [Mesh.Indices] make new slices of
// the whole field.
func (f *Field) Mesh() *Mesh {
	clear(f.owned)
	m := &Mesh{grid: f.grid.Share()}
	m.stout = m.hasNoThin()
	return m
}

// Field returns a field with the heights of a mesh that a field returned, to be edited; false if
// none did. The mesh stays as it is.
func (m *Mesh) Field() (*Field, bool) {
	if m.grid == nil {
		return nil, false
	}
	return &Field{grid: m.grid.Share(), owned: make([]bool, m.grid.NumPages())}, true
}

// Material returns the material of a triangle's cell, of a mesh that a [Field] returned, and 0 of
// any other. Panics if there is no such triangle.
func (m *Mesh) Material(triangle int) uint8 {
	m.mustHave("Material", triangle)
	if m.grid == nil {
		return 0
	}
	return m.grid.Material(m.grid.Cell(triangle))
}

// fieldAcross is AdjacentVertices of a field's triangle, and whether the triangles there are
// degenerate, as neighbours finds it from any triangles.
func (m *Mesh) fieldAcross(triangle int) (across [3]int32) {
	g := m.grid
	across = [3]int32{-1, -1, -1}
	c, r := g.Cell(triangle)
	if g.Material(c, r) == Hole || !m.stout && isThin(g.Triangle(triangle)) {
		return across
	}
	vertex := func(c, r int) int32 { return int32(r*(g.Columns+1) + c) }
	own := [3]int32{vertex(c, r), vertex(c, r+1), vertex(c+1, r+1)}
	beyond := [3]int32{vertex(c-1, r), vertex(c+1, r+2), vertex(c+1, r)}
	cells := [3][2]int{{c - 1, r}, {c, r + 1}, {c, r}}
	if triangle&1 != 0 {
		own = [3]int32{vertex(c, r), vertex(c+1, r+1), vertex(c+1, r)}
		beyond = [3]int32{vertex(c, r+1), vertex(c+2, r+1), vertex(c, r-1)}
		cells = [3][2]int{{c, r}, {c + 1, r}, {c, r - 1}}
	}
	for k, cell := range cells {
		if cell[0] < 0 || cell[1] < 0 || cell[0] >= g.Columns || cell[1] >= g.Rows || g.Material(cell[0], cell[1]) == Hole {
			continue
		}
		across[k] = beyond[k]
		if !m.stout && isThin(g.Triangle(2*(cell[1]*g.Columns+cell[0])+(triangle&1^1))) {
			across[k] = own[k]
		}
	}
	return across
}

// hasNoThin reports whether no triangle of a field can be degenerate, by its bounds. The thresholds
// are ten and two times those of package narrow.
func (m *Mesh) hasNoThin() bool {
	g := m.grid
	b := g.Bounds()
	if b.IsEmpty() {
		return true
	}
	far := func(x, y float32) float32 { return max(-x, y) }
	x, z, h := float32(2*float64(g.CellX)), float32(2*float64(g.CellZ)), b.Max.Y-b.Min.Y
	// The area of a triangle is least where it is flat, and its longest side greatest where it is
	// not. The triangle lies at the greatest coordinates.
	edge := geom.V(far(b.Min.X, b.Max.X), far(b.Min.Y, b.Max.Y), far(b.Min.Z, b.Max.Z)).Wide()
	longest := geom.V(x, h, z).Wide().Len()
	area := float64(g.CellX) * float64(g.CellZ) / 4
	return area > 0x1p-20*float64((edge.X+edge.Y+edge.Z)*longest) && area > 1e-13*float64(longest*longest)
}

// Vertex returns a vertex of the mesh. Panics if there is no such vertex.
func (m *Mesh) Vertex(i int) geom.Vec3 {
	if m.grid == nil {
		return m.vertices[i]
	}
	return m.grid.Vertex(i%(m.grid.Columns+1), i/(m.grid.Columns+1))
}
