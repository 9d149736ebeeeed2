package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/wide"
)

// A mesh file has the layout of the mesh in memory, so that reading is little more than copying: a
// header and four sections.
//
//	  0  8 bytes     magic
//	  8  uint32      version
//	 12  uint32      reference of the root of the tree
//	 16  4 × uint64  number of elements of each section
//	 48  4 × uint32  checksum of each section
//	 64  6 × float32 least and greatest corner of the bounds
//	 88  float64     cost of the tree when it was built, if it was refitted since; else 0
//	 96  uint32      checksum of all before
//	100  vertices    three float32 each
//	     indices     uint32, three per triangle
//	     places      int32, the triangle in each place in the order of the leaves
//	     tree        units of 16 uint32, as in package wide
//
// All numbers are little-endian, and the checksums CRC-32 with Castagnoli's polynomial, which
// processors compute in hardware. Any change of this format, or of nodes and leaves, gets a new
// version. Old versions cannot be read: rebuilding a mesh is cheap.

const (
	fileMagic   = "hitscan\x1a"
	fileVersion = 1
	headerSize  = 100
)

const (
	sectionVertices = iota
	sectionIndices
	sectionPlaces
	sectionTree
	sections
)

var sectionNames = [sections]string{"vertices", "indices", "places", "tree"}

// The errors of [Read] and [ReadFile] wrap one of these if the content cannot be used. The remedy
// is to rebuild the mesh from its source data.
var (
	ErrForeign = errors.New("not a mesh file")
	ErrVersion = errors.New("another version of mesh files")
	// ErrDamaged is wrapped if the content is inconsistent or truncated; truncated content wraps
	// [io.ErrUnexpectedEOF] too.
	ErrDamaged = errors.New("damaged mesh file")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// header is the start of a file, before the sections.
type header struct {
	root   uint32
	counts [sections]uint64
	sums   [sections]uint32
	bounds geom.AABB
	cost   float64 // of the tree when it was built
}

// WriteFile writes the mesh with its tree to a file for [ReadFile]. See [Mesh.WriteTo]. An existing
// file of that name is replaced; after an error the file is unreadable for ReadFile. The error
// names the file.
func (m *Mesh) WriteFile(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("mesh: Mesh.WriteFile: %w", err)
	}
	_, err = m.writeTo(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("mesh: Mesh.WriteFile: %s: %w", name, err)
	}
	return nil
}

// WriteTo writes the mesh with its tree for [Read], and returns the number of bytes written, about
// 55 per triangle. The same mesh gives the same bytes on any machine.
//
// The output is a cache for the release that wrote it: another release may reject it with
// [ErrVersion], so keep the source data of the mesh. The zero Mesh can be written too.
func (m *Mesh) WriteTo(w io.Writer) (int64, error) {
	n, err := m.writeTo(w)
	if err != nil {
		return n, fmt.Errorf("mesh: Mesh.WriteTo: %w", err)
	}
	return n, nil
}

func (m *Mesh) writeTo(w io.Writer) (int64, error) {
	if m.grid != nil {
		return m.writeField(w)
	}
	p, indices := m.tree.Parts(), m.indices.list()
	h := header{
		root:   p.Root,
		counts: [sections]uint64{uint64(len(m.vertices)), uint64(len(indices)), uint64(len(p.IDs)), uint64(len(p.Units))},
		bounds: p.Bounds,
		cost:   m.builtCost,
	}
	contents := [sections][]byte{bytesOf(m.vertices), bytesOf(indices), bytesOf(p.IDs), bytesOf(p.Units)}
	for i, b := range contents {
		if bigEndian {
			b = append([]byte(nil), b...)
			swapWords(b)
			contents[i] = b
		}
		h.sums[i] = crc32.Checksum(b, castagnoli)
	}
	written := int64(0)
	for _, b := range append([][]byte{h.bytes()}, contents[:]...) {
		n, err := w.Write(b)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

func (h *header) bytes() []byte {
	le := binary.LittleEndian
	b := append(make([]byte, 0, headerSize), fileMagic...)
	b = le.AppendUint32(b, fileVersion)
	b = le.AppendUint32(b, h.root)
	for _, n := range h.counts {
		b = le.AppendUint64(b, n)
	}
	for _, s := range h.sums {
		b = le.AppendUint32(b, s)
	}
	for _, v := range [2]geom.Vec3{h.bounds.Min, h.bounds.Max} {
		for _, x := range v.Array() {
			b = le.AppendUint32(b, math.Float32bits(x))
		}
	}
	b = le.AppendUint64(b, math.Float64bits(h.cost))
	return le.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// ReadFile reads a mesh that [Mesh.WriteFile] wrote. The error names the file, and is otherwise
// that of [Read]; it wraps [ErrDamaged] also if bytes follow the mesh.
func ReadFile(name string) (*Mesh, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("mesh: ReadFile: %w", err)
	}
	defer file.Close()
	size := int64(0)
	if info, err := file.Stat(); err == nil {
		size = info.Size()
	}
	m, err := read(file, size)
	if err == nil {
		var more [1]byte
		if n, _ := io.ReadFull(file, more[:]); n > 0 {
			err = fmt.Errorf("%w: bytes follow its end", ErrDamaged)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("mesh: ReadFile: %s: %w", name, err)
	}
	return m, nil
}

// Read reads a mesh that [Mesh.WriteTo] wrote, with its tree, many times faster than building it.
// It reads no further than the end of the mesh, in large chunks that need no buffering, and
// allocates only as data arrives.
//
// The error wraps [ErrForeign], [ErrVersion] or [ErrDamaged] and names the place of the fault;
// otherwise it wraps the error of r. A file forged with valid checksums may describe a wrong shape,
// but no query on it goes out of bounds, panics or fails to end. For data from players, call
// [Mesh.Validate].
func Read(r io.Reader) (*Mesh, error) {
	known := int64(0)
	if l, ok := r.(interface{ Len() int }); ok { // as in package bytes
		known = int64(l.Len())
	}
	m, err := read(r, known)
	if err != nil {
		return nil, fmt.Errorf("mesh: Read: %w", err)
	}
	return m, nil
}

type reader struct {
	io.Reader
	header
	known int64 // number of bytes to come, as far as that is known
}

func read(from io.Reader, known int64) (*Mesh, error) {
	r := reader{Reader: from, known: known}
	if isField, err := r.readHeader(); isField {
		return readField(from)
	} else if err != nil {
		return nil, err
	}
	triangles := r.counts[sectionIndices] / 3
	switch {
	case r.counts == [sections]uint64{}:
		return &Mesh{}, nil
	case r.counts[sectionIndices]%3 != 0 || triangles > MaxTriangles || r.counts[sectionPlaces] < triangles:
		return nil, fmt.Errorf("%w: %d indices of triangles at %d places", ErrDamaged, r.counts[sectionIndices], r.counts[sectionPlaces])
	}
	vertices, err := readSection(&r, sectionVertices, makeSlice[geom.Vec3])
	if err != nil {
		return nil, err
	}
	indices, err := readSection(&r, sectionIndices, makeSlice[uint32])
	if err != nil {
		return nil, err
	}
	if err := check(vertices, indices); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	parts := wide.Parts{Bounds: r.bounds, Root: r.root}
	if parts.IDs, err = readSection(&r, sectionPlaces, makeSlice[int32]); err != nil {
		return nil, err
	}
	if parts.Units, err = readSection(&r, sectionTree, wide.NewUnits); err != nil {
		return nil, err
	}
	tree, err := wide.Load(parts, len(indices)/3)
	if err != nil {
		return nil, fmt.Errorf("%w: tree: %w", ErrDamaged, err)
	}
	return &Mesh{vertices: vertices, indices: pack(indices), tree: tree, builtCost: r.cost}, nil
}

func makeSlice[T any](n int) []T { return make([]T, n) }

// readHeader reads the header of a mesh, or the magic of a field.
func (r *reader) readHeader() (isField bool, err error) {
	var b [headerSize]byte
	n, err := io.ReadFull(r, b[:len(fileMagic)])
	if string(b[:n]) == fieldMagic {
		return true, nil
	}
	return false, r.readRest(&b, n, err)
}

func (r *reader) readRest(b *[headerSize]byte, n int, err error) error {
	if string(b[:n]) != fileMagic[:n] && string(b[:n]) != fieldMagic[:n] {
		return ErrForeign
	}
	if err == nil {
		if _, err = io.ReadFull(r, b[n:]); err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != nil {
		return ends(err, "header")
	}
	le := binary.LittleEndian
	if v := le.Uint32(b[8:]); v != fileVersion {
		return fmt.Errorf("%w: %d, and only %d can be read", ErrVersion, v, fileVersion)
	}
	if sum, want := crc32.Checksum(b[:headerSize-4], castagnoli), le.Uint32(b[headerSize-4:]); sum != want {
		return fmt.Errorf("%w: header: checksum %08x, should be %08x", ErrDamaged, sum, want)
	}
	r.root = le.Uint32(b[12:])
	for i := range r.counts {
		r.counts[i] = le.Uint64(b[16+8*i:])
		r.sums[i] = le.Uint32(b[48+4*i:])
	}
	var f [6]float32
	for i := range f {
		f[i] = math.Float32frombits(le.Uint32(b[64+4*i:]))
	}
	r.cost = math.Float64frombits(le.Uint64(b[88:]))
	if !(r.cost >= 0 && r.cost <= math.MaxFloat64) {
		return fmt.Errorf("%w: header: a cost of %v", ErrDamaged, r.cost)
	}
	r.bounds = geom.AABB{Min: geom.V(f[0], f[1], f[2]), Max: geom.V(f[3], f[4], f[5])}
	return nil
}

// ends returns the error of a reader in a section; an early end of the data is reported as damage.
func ends(err error, where string) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, where, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%s: %w", where, err)
}

const (
	// chunkSize is the number of bytes read between two checksum updates: 256 KiB, which is still
	// in the cache for the checksum.
	chunkSize = 1 << 18
	// startSize is the number of bytes allocated at first for a section that may be longer than the
	// data known to come: 1 MiB. More would let a forged header of 100 bytes allocate it.
	startSize = 1 << 20
)

// readSection reads a section into a slice that newSlice returns. A header may promise any length,
// so if more is promised than is known to come, the slice starts small and doubles as data arrives.
func readSection[T any](r *reader, section int, newSlice func(int) []T) ([]T, error) {
	name, count := sectionNames[section], r.counts[section]
	size := uint64(unsafe.Sizeof(*new(T)))
	if count > math.MaxInt/size {
		return nil, fmt.Errorf("%w: %s: %d are too many", ErrDamaged, name, count)
	}
	n := int(count)
	at, sum, sofar := 0, uint32(0), n
	if known := max(r.known, startSize); int64(count*size) > known {
		sofar = int(known / int64(size))
	}
	list := newSlice(sofar)
	for {
		for b := bytesOf(list); at < len(b); {
			chunk := b[at:min(at+chunkSize, len(b))]
			k, err := io.ReadFull(r, chunk)
			if err != nil {
				return nil, ends(err, fmt.Sprintf("%s, byte %d", name, at+k))
			}
			sum = crc32.Update(sum, castagnoli, chunk)
			if bigEndian {
				swapWords(chunk)
			}
			at += k
		}
		if len(list) == n {
			break
		}
		longer := newSlice(min(n-len(list), len(list)) + len(list))
		copy(longer, list)
		list = longer
	}
	if want := r.sums[section]; sum != want {
		return nil, fmt.Errorf("%w: %s: checksum %08x, should be %08x", ErrDamaged, name, sum, want)
	}
	return list, nil
}

// bytesOf returns the memory of a slice of 32-bit numbers, or of structs of such.
func bytesOf[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

// swapWords reverses the bytes of each 32-bit word.
func swapWords(b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		binary.NativeEndian.PutUint32(b, binary.LittleEndian.Uint32(b))
	}
}
