package mesh

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
)

// The file of a field: its options, its heights row by row, and the materials of its cells. Spans
// are not in it, as they are computed in less time than they are read.
//
//	 0  8 bytes     magic
//	 8  uint32      version
//	12  2 × uint32  columns and rows of heights
//	20  6 × float32 CellX, CellZ, StartX, StartZ, Low, High
//	44  uint32      1 if there are materials
//	48  uint32      checksum of all before
//	52  heights     uint16 codes, or float32 if Low is High
//	    materials   a byte for each cell
//	    uint32      checksum of heights and materials

const (
	fieldMagic      = "hitfield"
	fieldVersion    = 1
	fieldHeaderSize = 52
)

// writeField writes the mesh of a field.
func (m *Mesh) writeField(w io.Writer) (written int64, err error) {
	g := m.grid
	f, _ := m.Field()
	o := f.Options()
	le := binary.LittleEndian
	b := append(make([]byte, 0, fieldHeaderSize), fieldMagic...)
	for _, n := range [3]int{fieldVersion, o.Columns, o.Rows} {
		b = le.AppendUint32(b, uint32(n))
	}
	for _, x := range [6]float32{o.CellX, o.CellZ, o.StartX, o.StartZ, o.Low, o.High} {
		b = le.AppendUint32(b, math.Float32bits(x))
	}
	b = le.AppendUint32(b, uint32(min(1, g.MaterialPages())))
	b = le.AppendUint32(b, crc32.Checksum(b, castagnoli))
	put := func() bool {
		var n int
		n, err = w.Write(b)
		written += int64(n)
		return err == nil
	}
	if !put() {
		return written, err
	}
	sum := uint32(0)
	for r := range o.Rows {
		b = b[:0]
		for c := range o.Columns {
			if code, h, short := g.Stored(c, r); short {
				b = le.AppendUint16(b, code)
			} else {
				b = le.AppendUint32(b, math.Float32bits(h))
			}
		}
		if sum = crc32.Update(sum, castagnoli, b); !put() {
			return written, err
		}
	}
	for r := range g.Rows {
		if b = b[:0]; g.MaterialPages() == 0 {
			break
		}
		for c := range g.Columns {
			b = append(b, g.Material(c, r))
		}
		if sum = crc32.Update(sum, castagnoli, b); !put() {
			return written, err
		}
	}
	b = le.AppendUint32(b[:0], sum)
	put()
	return written, err
}

// readField reads what follows the first bytes of the file of a field, which are as long as the
// magic.
func readField(r io.Reader) (*Mesh, error) {
	head := append(make([]byte, 0, fieldHeaderSize), fieldMagic...)
	head = head[:fieldHeaderSize]
	if _, err := io.ReadFull(r, head[len(fieldMagic):]); err != nil {
		return nil, ends(err, "header")
	}
	le := binary.LittleEndian
	if v := le.Uint32(head[8:]); v != fieldVersion {
		return nil, fmt.Errorf("%w: %d, and only %d can be read", ErrVersion, v, fieldVersion)
	}
	if sum, want := crc32.Checksum(head[:fieldHeaderSize-4], castagnoli), le.Uint32(head[fieldHeaderSize-4:]); sum != want {
		return nil, fmt.Errorf("%w: header: checksum %08x, should be %08x", ErrDamaged, sum, want)
	}
	columns, rows := uint64(le.Uint32(head[12:])), uint64(le.Uint32(head[16:]))
	var x [6]float32
	for i := range x {
		x[i] = math.Float32frombits(le.Uint32(head[20+4*i:]))
	}
	if columns < 2 || rows < 2 || (columns-1)*(rows-1) > MaxTriangles/2 {
		return nil, fmt.Errorf("%w: header: %d columns and %d rows", ErrDamaged, columns, rows)
	}
	o := FieldOptions{Columns: int(columns), Rows: int(rows), CellX: x[0], CellZ: x[1], StartX: x[2], StartZ: x[3], Low: x[4], High: x[5]}
	size, cells := 4, 0
	if o.Low < o.High {
		size = 2
	}
	if le.Uint32(head[44:]) != 0 {
		cells = (o.Columns - 1) * (o.Rows - 1)
	}
	n := o.Columns * o.Rows
	b, err := readBytes(r, n*size+cells+4)
	if err != nil {
		return nil, ends(err, "heights")
	}
	last := len(b) - 4
	if sum, want := crc32.Checksum(b[:last], castagnoli), le.Uint32(b[last:]); sum != want {
		return nil, fmt.Errorf("%w: heights: checksum %08x, should be %08x", ErrDamaged, sum, want)
	}
	var f *Field
	if size == 2 {
		codes := make([]uint16, n)
		for i := range codes {
			codes[i] = le.Uint16(b[2*i:])
		}
		f, err = NewFieldOfCodes(o, codes)
	} else {
		heights := make([]float32, n)
		for i := range heights {
			heights[i] = math.Float32frombits(le.Uint32(b[4*i:]))
		}
		f, err = NewField(o, heights)
	}
	if err == nil && cells > 0 {
		err = f.SetMaterials(0, 0, o.Columns-1, b[n*size:last])
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return f.Mesh(), nil
}

// readBytes reads n bytes, and allocates only as they arrive: a forged header may promise any
// number.
func readBytes(r io.Reader, n int) (b []byte, err error) {
	for len(b) < n && err == nil {
		from := len(b)
		b = slices.Grow(b, min(n-from, max(from, startSize)))[:min(n, from+max(from, startSize))]
		_, err = io.ReadFull(r, b[from:])
	}
	return b, err
}
