package meshio

import (
	"encoding/binary"

	"github.com/qmuntal/gltf"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// items is a list of evenly spaced items in a buffer. All its bytes exist.
type items struct {
	data       []byte // from the first item on; nil if all items are zero
	stride     int
	component  gltf.ComponentType
	width      int // bytes of a component; the library's ByteSize allocates a map in each call
	normalized bool
	buffer     int   // for errors: the index of the buffer
	at         int64 // for errors: the byte of the buffer at which data begins
}

// float returns component j of item k. Integers become fractions if the accessor is normalised
// (glTF 2.0, section 3.6.2.2).
func (v items) float(k, j int) float32 {
	b := v.data[k*v.stride+j*v.width:]
	if v.component == gltf.ComponentFloat {
		return readFloat32(b)
	}
	var x, most float32
	switch v.component {
	case gltf.ComponentByte:
		x, most = float32(int8(b[0])), 127
	case gltf.ComponentUbyte:
		x, most = float32(b[0]), 255
	case gltf.ComponentShort:
		x, most = float32(int16(binary.LittleEndian.Uint16(b))), 32767
	case gltf.ComponentUshort:
		x, most = float32(binary.LittleEndian.Uint16(b)), 65535
	}
	if !v.normalized {
		return x
	}
	return max(x/most, -1)
}

func (v items) uint(k int) uint32 {
	b := v.data[k*v.stride:]
	switch v.component {
	case gltf.ComponentUbyte:
		return uint32(b[0])
	case gltf.ComponentUshort:
		return uint32(binary.LittleEndian.Uint16(b))
	}
	return binary.LittleEndian.Uint32(b)
}

// view returns count items of a buffer view, from offset on, or an error if it does not have them.
func (f *gltfFile) view(viewIndex, offset, count int, component gltf.ComponentType, components int, from jsonPath) (items, error) {
	width := component.ByteSize()
	size := width * components
	view, at, err := item(f, f.doc.BufferViews, "bufferViews", viewIndex, from.then("bufferView"))
	if err != nil {
		return items{}, err
	}
	buffer, err := f.buffer(view.Buffer, at.then("buffer"))
	if err != nil {
		return items{}, err
	}
	// Subtractions, because sums of sizes in the file may overflow.
	if view.ByteOffset < 0 || view.ByteLength < 0 || view.ByteOffset > len(buffer) || view.ByteLength > len(buffer)-view.ByteOffset {
		return items{}, f.errorf(at, "bytes %d to %d are not in buffer %d, which has %d",
			view.ByteOffset, int64(view.ByteOffset)+int64(view.ByteLength), view.Buffer, len(buffer))
	}
	stride := size
	if view.ByteStride != 0 {
		stride = view.ByteStride
	}
	if stride < size || stride > 252 {
		return items{}, f.errorf(at.then("byteStride"), "a stride of %d bytes for items of %d", stride, size)
	}
	free := view.ByteLength - size // the largest offset of an item
	if offset < 0 || offset > free || count-1 > (free-offset)/stride {
		return items{}, f.errorf(from, "%d items of %d bytes from byte %d are not in bufferViews[%d], which has %d bytes",
			count, size, offset, viewIndex, view.ByteLength)
	}
	start := view.ByteOffset + offset
	return items{
		data: buffer[start : view.ByteOffset+view.ByteLength], stride: stride, component: component, width: width,
		buffer: view.Buffer, at: int64(start),
	}, nil
}

// accessor is an accessor whose bytes all exist.
type accessor struct {
	*gltf.Accessor
	at             jsonPath
	base           items // all zero if the accessor has no buffer view
	indices, moved items // of the sparse items, if there are any
}

func (f *gltfFile) accessor(i int, from jsonPath) (a accessor, err error) {
	if a.Accessor, a.at, err = item(f, f.doc.Accessors, "accessors", i, from); err != nil {
		return a, err
	}
	components := a.Type.Components()
	if a.Count < 1 {
		return a, f.errorf(a.at.then("count"), "accessors[%d] has %d items", i, a.Count)
	}
	if a.BufferView != nil {
		if a.base, err = f.view(*a.BufferView, a.ByteOffset, a.Count, a.ComponentType, components, a.at); err != nil {
			return a, err
		}
		a.base.normalized = a.Normalized
	} else if int64(a.Count) > f.budget.read {
		// Items without a buffer view are zero and have no bytes: the size of the file limits their
		// number.
		return a, f.errorf(a.at.then("count"), "accessors[%d] claims %d items without a buffer view", i, a.Count)
	}
	if s := a.Sparse; s != nil {
		at := a.at.then("sparse")
		if s.Count < 1 || s.Count > a.Count {
			return a, f.errorf(at.then("count"), "%d sparse items of %d", s.Count, a.Count)
		}
		if !isIndexType(s.Indices.ComponentType) {
			return a, f.errorf(at.then("indices"), "%v is not a type of an index", s.Indices.ComponentType)
		}
		a.indices, err = f.view(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, s.Indices.ComponentType, 1, at.then("indices"))
		if err != nil {
			return a, err
		}
		a.moved, err = f.view(s.Values.BufferView, s.Values.ByteOffset, s.Count, a.ComponentType, components, at.then("values"))
		if err != nil {
			return a, err
		}
		a.moved.normalized = a.Normalized
	}
	return a, nil
}

func isIndexType(c gltf.ComponentType) bool {
	return c == gltf.ComponentUbyte || c == gltf.ComponentUshort || c == gltf.ComponentUint
}

// checkAccessor returns the number of items of an accessor, or an error if they do not exist.
func (f *gltfFile) checkAccessor(i int, from jsonPath) (int, error) {
	a, err := f.accessor(i, from)
	if err != nil {
		return 0, err
	}
	return a.Count, nil
}

// readItems returns the items of an accessor, including its sparse items. read returns item k of v,
// and false if it is not finite.
func readItems[T any](f *gltfFile, a accessor, read func(v items, k int) (T, bool)) ([]T, error) {
	list := make([]T, a.Count)
	put := func(i int, v items, k int) error {
		x, ok := read(v, k)
		if !ok {
			return f.errorf(a.at, "item %d, at byte %d of buffer %d, is not finite", i, v.at+int64(k*v.stride), v.buffer)
		}
		list[i] = x
		return nil
	}
	if a.base.data != nil {
		for i := range list {
			if err := put(i, a.base, i); err != nil {
				return nil, err
			}
		}
	}
	if a.Sparse != nil {
		for k := range a.Sparse.Count {
			i := a.indices.uint(k)
			if int64(i) >= int64(a.Count) {
				return nil, f.errorf(a.at.then("sparse", "indices"), "sparse item %d replaces item %d of %d", k, i, a.Count)
			}
			if err := put(int(i), a.moved, k); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

func (f *gltfFile) vec3s(i int, from jsonPath) ([]geom.Vec3, error) {
	a, err := f.accessor(i, from)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorVec3 || a.ComponentType == gltf.ComponentUint {
		return nil, f.errorf(a.at, "%v of %v cannot be positions or normals", a.Type, a.ComponentType)
	}
	return readItems(f, a, func(v items, k int) (geom.Vec3, bool) {
		p := geom.Vec3{X: v.float(k, 0), Y: v.float(k, 1), Z: v.float(k, 2)}
		return p, p.IsFinite()
	})
}

func (f *gltfFile) uvs(i int, from jsonPath) ([]UV, error) {
	a, err := f.accessor(i, from)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorVec2 || a.ComponentType == gltf.ComponentUint {
		return nil, f.errorf(a.at, "%v of %v cannot be texture coordinates", a.Type, a.ComponentType)
	}
	return readItems(f, a, func(v items, k int) (UV, bool) {
		return UV{v.float(k, 0), v.float(k, 1)}, true
	})
}

func (f *gltfFile) colors(i int, from jsonPath) ([]Color, error) {
	a, err := f.accessor(i, from)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorVec3 && a.Type != gltf.AccessorVec4 || a.ComponentType == gltf.ComponentUint {
		return nil, f.errorf(a.at, "%v of %v cannot be colours", a.Type, a.ComponentType)
	}
	list, err := readItems(f, a, func(v items, k int) (Color, bool) {
		c := Color{R: v.float(k, 0), G: v.float(k, 1), B: v.float(k, 2)}
		if a.Type == gltf.AccessorVec4 {
			c.A = v.float(k, 3)
		}
		return c, true
	})
	if a.Type == gltf.AccessorVec3 {
		for i := range list {
			list[i].A = 1
		}
	}
	return list, err
}

func (f *gltfFile) indices(i int, from jsonPath) ([]uint32, error) {
	a, err := f.accessor(i, from)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorScalar || !isIndexType(a.ComponentType) {
		return nil, f.errorf(a.at, "%v of %v cannot be indices", a.Type, a.ComponentType)
	}
	return readItems(f, a, func(v items, k int) (uint32, bool) { return v.uint(k), true })
}
