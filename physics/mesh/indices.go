package mesh

import (
	"encoding/binary"
	"slices"
)

// Plain indices would take 12 bytes per triangle, a fifth of the memory of a mesh. Neighbouring
// triangles mostly use neighbouring vertices, so indices are stored in blocks: the lowest index of
// the block, and the offsets from it in one, two or four bytes each, as the largest offset needs.

// blockSize is the number of triangles in a block. With 32, two bytes per index suffice for nearly
// all blocks of a scanned mesh, and a block's own 8 bytes are few beside its indices.
const blockSize = 32

// indices is a compressed index list, three per triangle.
type indices struct {
	triangles int
	blocks    []block
	data      []byte
}

type block struct {
	lowest uint32
	// place is four times the start in data, in units of 3·blockSize bytes, plus the kind.
	place uint32
}

// The kinds of blocks: the base-2 logarithm of the bytes per index.
const (
	bytes1 = iota
	bytes2
	bytes4
)

func (b block) kind() uint32 { return b.place & 3 }
func (b block) at() int      { return int(b.place>>2) * 3 * blockSize }

func pack(list []uint32) indices {
	x := indices{triangles: len(list) / 3, blocks: make([]block, 0, (len(list)+3*blockSize-1)/(3*blockSize))}
	place, size := uint32(0), 0
	for part := range slices.Chunk(list, 3*blockSize) {
		lowest, highest := part[0], part[0]
		for _, i := range part {
			lowest, highest = min(lowest, i), max(highest, i)
		}
		kind := uint32(bytes4)
		switch reach := highest - lowest; {
		case reach < 1<<8:
			kind = bytes1
		case reach < 1<<16:
			kind = bytes2
		}
		x.blocks = append(x.blocks, block{lowest, place<<2 | kind})
		place += 1 << kind
		size += len(part) << kind
	}
	x.data = make([]byte, 0, size)
	for k, b := range x.blocks {
		part := list[3*blockSize*k : min(3*blockSize*(k+1), len(list))]
		switch b.kind() {
		case bytes1:
			for _, i := range part {
				x.data = append(x.data, byte(i-b.lowest))
			}
		case bytes2:
			for _, i := range part {
				x.data = binary.LittleEndian.AppendUint16(x.data, uint16(i-b.lowest))
			}
		default:
			for _, i := range part {
				x.data = binary.LittleEndian.AppendUint32(x.data, i-b.lowest)
			}
		}
	}
	return x
}

// Corners returns the three indices of a triangle.
func (x *indices) Corners(i int) (a, b, c uint32) {
	k := x.blocks[i/blockSize]
	low, d := k.lowest, x.data[k.at()+i%blockSize*3<<k.kind():]
	switch k.kind() {
	case bytes1:
		d = d[:3]
		return low + uint32(d[0]), low + uint32(d[1]), low + uint32(d[2])
	case bytes2:
		d = d[:6]
		return low + uint32(binary.LittleEndian.Uint16(d)), low + uint32(binary.LittleEndian.Uint16(d[2:])), low + uint32(binary.LittleEndian.Uint16(d[4:]))
	}
	d = d[:12]
	return low + binary.LittleEndian.Uint32(d), low + binary.LittleEndian.Uint32(d[4:]), low + binary.LittleEndian.Uint32(d[8:])
}

// list returns all indices in a new slice.
func (x *indices) list() []uint32 {
	if x.triangles == 0 {
		return nil
	}
	list := make([]uint32, 0, 3*x.triangles)
	for i := range x.triangles {
		a, b, c := x.Corners(i)
		list = append(list, a, b, c)
	}
	return list
}
