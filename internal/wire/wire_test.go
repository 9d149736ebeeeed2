package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

type inner struct {
	A uint8
	b float64
	c [3]float32
}

type outer struct {
	inner
	ok   bool
	list []int32
	i    int32
	more [2]inner
	p    *inner
	u    uint64
	n    int
	half [2]uint16
}

var sample = outer{
	inner: inner{200, math.Pi, [3]float32{1, -2, float32(math.Inf(1))}}, ok: true, list: []int32{7}, i: -5,
	more: [2]inner{{1, 2, [3]float32{3}}, {4, 5, [3]float32{6}}}, p: &inner{}, u: 1<<63 + 1, n: -3, half: [2]uint16{7, 1<<15 + 2},
}

func TestLayout(t *testing.T) {
	l := LayoutOf[outer]()
	b := l.Append(nil, &sample)
	// Without padding: three times 1 + 8 + 12, and 1 + 4 + 8 + 8 + 4.
	require.Len(t, b, 3*21+25)
	require.Equal(t, len(b), l.Size())
	require.Equal(t, byte(200), b[0])
	require.Equal(t, []byte{0x18, 0x2d, 0x44, 0x54, 0xfb, 0x21, 0x09, 0x40}, b[1:9], "little endian")
	var got outer
	r, err := Open(Seal(nil, 3, b), 3)
	require.NoError(t, err)
	l.Read(r, &got)
	require.NoError(t, r.Err())
	got.list, got.p = sample.list, sample.p
	require.Equal(t, sample, got)
	require.NotEqual(t, Format("1", LayoutOf[inner]()), Format("1", LayoutOf[outer]()))
	require.Panics(t, func() { LayoutOf[struct{ n uintptr }]() })
}

func TestDamaged(t *testing.T) {
	l := LayoutOf[outer]()
	b := Seal(nil, 3, l.Append(nil, &sample))
	for i := range b {
		_, err := Open(b[:i], 3)
		require.Error(t, err, "the first %d bytes", i)
		for bit := range 8 {
			b[i] ^= 1 << bit
			_, err = Open(b, 3)
			require.Error(t, err, "bit %d of byte %d", bit, i)
			b[i] ^= 1 << bit
		}
	}
	r := Reader{data: make([]byte, 8)}
	require.Equal(t, uint64(0), r.Uint())
	require.Equal(t, uint64(0), r.Uint())
	require.ErrorContains(t, r.Err(), "8 bytes early")
	r = Reader{data: []byte{255, 255, 255, 255, 1}}
	require.Zero(t, r.Len(1))
	require.ErrorContains(t, r.Err(), "does not fit")
	r = Reader{data: make([]byte, 5)}
	require.ErrorContains(t, r.Err(), "5 bytes follow")
	r = Reader{data: append(make([]byte, 21), 2)}
	var x struct {
		inner
		ok bool
	}
	LayoutOf[struct {
		inner
		ok bool
	}]().Read(&r, (*struct {
		inner
		ok bool
	})(&x))
	require.ErrorContains(t, r.Err(), "a bool is 2")
}
