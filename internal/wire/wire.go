// Package wire writes values to bytes and reads them back, on any machine: little endian, without
// padding and pointers. The layout of a struct follows from its type, so that a new field is
// written without further code. A [Text] writes values as JSON in the same way.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"reflect"
	"unsafe"
)

// Layout is how the values of a struct type are written: all fields of a fixed size, in the order
// of declaration. Fields that are or hold a pointer, a slice, a string, a map, a function or an
// interface are left out, and Read does not change them.
type Layout[T any] struct {
	fields []field
	size   int
	names  string
}

// field is a number or a bool in memory. Adjacent ones of the same size are joined.
type field struct {
	offset uintptr
	size   uintptr // of one number, in memory
	count  int
	bool   bool
	int    bool // written as 64 bits
}

// LayoutOf returns the layout of a type.
func LayoutOf[T any]() *Layout[T] {
	l := new(Layout[T])
	l.add(reflect.TypeFor[T](), 0)
	for _, f := range l.fields {
		if l.size += int(f.size) * f.count; f.int {
			l.size += (8 - int(f.size)) * f.count
		}
	}
	return l
}

func (l *Layout[T]) add(t reflect.Type, at uintptr) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l.names += f.Name + " " + f.Type.Kind().String() + " "
			l.add(f.Type, at+f.Offset)
		}
	case reflect.Array:
		l.names += fmt.Sprint(t.Len(), t.Elem().Kind(), " ")
		for i := range t.Len() {
			l.add(t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Int:
		l.fields = append(l.fields, field{at, t.Size(), 1, false, true})
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32, reflect.Float32,
		reflect.Int64, reflect.Uint64, reflect.Float64:
		f := field{at, t.Size(), 1, t.Kind() == reflect.Bool, false}
		if n := len(l.fields); n > 0 {
			last := &l.fields[n-1]
			if last.size == f.size && last.bool == f.bool && !last.int && last.offset+last.size*uintptr(last.count) == at {
				last.count++
				return
			}
		}
		l.fields = append(l.fields, f)
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Func, reflect.Interface:
	default:
		panic(fmt.Sprintf("wire: LayoutOf: a field of %v is of type %v", reflect.TypeFor[T](), t))
	}
}

// Size returns the number of bytes of a value.
func (l *Layout[T]) Size() int { return l.size }

// Append appends a value.
func (l *Layout[T]) Append(b []byte, x *T) []byte {
	for _, f := range l.fields {
		p := unsafe.Add(unsafe.Pointer(x), f.offset)
		if f.int {
			b = binary.LittleEndian.AppendUint64(b, uint64(*(*int)(p)))
			continue
		}
		switch f.size {
		case 1:
			b = append(b, unsafe.Slice((*byte)(p), f.count)...)
		case 2:
			for _, v := range unsafe.Slice((*uint16)(p), f.count) {
				b = binary.LittleEndian.AppendUint16(b, v)
			}
		case 4:
			for _, v := range unsafe.Slice((*uint32)(p), f.count) {
				b = binary.LittleEndian.AppendUint32(b, v)
			}
		case 8:
			// Where 64-bit numbers are aligned to 4 bytes, Go reads them all the same.
			for _, v := range unsafe.Slice((*uint64)(p), f.count) {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
		}
	}
	return b
}

// Read reads a value.
func (l *Layout[T]) Read(r *Reader, x *T) {
	b := r.take(l.size)
	if b == nil {
		return
	}
	for _, f := range l.fields {
		p := unsafe.Add(unsafe.Pointer(x), f.offset)
		if f.int {
			*(*int)(p) = int(binary.LittleEndian.Uint64(b))
			b = b[8:]
			continue
		}
		switch f.size {
		case 1:
			to := unsafe.Slice((*byte)(p), f.count)
			for i, v := range b[:f.count] {
				if f.bool && v > 1 {
					r.Fail("a bool is %d", v)
					return
				}
				to[i] = v
			}
			b = b[f.count:]
		case 2:
			to := unsafe.Slice((*uint16)(p), f.count)
			for i := range to {
				to[i] = binary.LittleEndian.Uint16(b[2*i:])
			}
			b = b[2*f.count:]
		case 4:
			to := unsafe.Slice((*uint32)(p), f.count)
			for i := range to {
				to[i] = binary.LittleEndian.Uint32(b[4*i:])
			}
			b = b[4*f.count:]
		case 8:
			to := unsafe.Slice((*uint64)(p), f.count)
			for i := range to {
				to[i] = binary.LittleEndian.Uint64(b[8*i:])
			}
			b = b[8*f.count:]
		}
	}
}

// AppendLen appends the length of a list.
func AppendLen(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

// AppendUint appends a number.
func AppendUint(b []byte, x uint64) []byte { return binary.LittleEndian.AppendUint64(b, x) }

// Reader reads what was appended. After the first error it reads zeros.
type Reader struct {
	data []byte
	err  error
}

// Err returns the first error, and an error if not all was read.
func (r *Reader) Err() error {
	if r.err == nil && len(r.data) > 0 {
		r.Fail("%d bytes follow the end", len(r.data))
	}
	return r.err
}

// Failed reports whether there was an error.
func (r *Reader) Failed() bool { return r.err != nil }

// ErrNoShape is in the error of a state with a shape that is not in its bytes and not here.
var ErrNoShape = errors.New("no collider of the space has, nor the list of shapes")

// Fail notes an error unless there was one.
func (r *Reader) Fail(format string, a ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, a...)
		r.data = nil
	}
}

// take returns the next n bytes; nil if there are fewer.
func (r *Reader) take(n int) []byte {
	if r.err == nil && n > len(r.data) {
		r.Fail("it ends %d bytes early", n-len(r.data))
	}
	if r.err != nil {
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// Len reads the length of a list whose elements take at least so many bytes.
func (r *Reader) Len(each int) int {
	b := r.take(4)
	if b == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n)*uint64(each) > uint64(len(r.data)) {
		r.Fail("a list of %d elements does not fit into %d bytes", n, len(r.data))
		return 0
	}
	return int(n)
}

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Bytes reads n bytes.
func (r *Reader) Bytes(n int) []byte { return r.take(n) }

// header is what stands before sealed bytes: a format, the length and the checksum of the rest.
const header = 8 + 8 + 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Format returns a number for what is written: it differs if a version or the name, type or order
// of a field does.
func Format(version string, layouts ...fmt.Stringer) uint64 {
	h := fnv.New64a()
	io.WriteString(h, version)
	for _, l := range layouts {
		io.WriteString(h, l.String())
	}
	return h.Sum64()
}

// AppendList appends the length of a list and its values.
func (l *Layout[T]) AppendList(b []byte, list []T) []byte {
	b = AppendLen(b, len(list))
	for i := range list {
		b = l.Append(b, &list[i])
	}
	return b
}

// ReadList reads what AppendList appended.
func (l *Layout[T]) ReadList(r *Reader) []T {
	list := make([]T, r.Len(max(l.Size(), 1)))
	for i := range list {
		l.Read(r, &list[i])
	}
	return list
}

// String returns the names and sizes of the fields.
func (l *Layout[T]) String() string { return l.names }

// Seal appends bytes with a header to b.
func Seal(b []byte, format uint64, payload []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, format)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// Open returns a reader of sealed bytes.
func Open(b []byte, format uint64) (*Reader, error) {
	if len(b) < header {
		return nil, fmt.Errorf("%d bytes are no saved state", len(b))
	}
	f, n, sum := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint32(b[16:])
	b = b[header:]
	switch {
	case f != format:
		return nil, errors.New("it is no saved state of this kind, or of another version of this library")
	case n != uint64(len(b)):
		return nil, fmt.Errorf("it has %d bytes, and %d by its header", header+len(b), header+n)
	case crc32.Checksum(b, castagnoli) != sum:
		return nil, errors.New("the checksum is wrong: it is damaged")
	}
	return &Reader{data: b}, nil
}
