package meshio_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

func TestReadHeights(t *testing.T) {
	deep := image.NewGray16(image.Rect(0, 0, 5, 3))
	shallow := image.NewGray(deep.Rect)
	for i := range 15 {
		deep.SetGray16(i%5, i/5, color.Gray16{Y: uint16(i * 4369)})
		shallow.SetGray(i%5, i/5, color.Gray{Y: uint8(i * 17)})
	}
	for _, picture := range []image.Image{deep, shallow} {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, picture))
		columns, rows, codes, err := meshio.ReadHeights(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		assert.Equal(t, []int{5, 3}, []int{columns, rows})
		for i, c := range codes {
			assert.Equal(t, uint16(i*4369), c)
		}
		f, err := mesh.NewFieldOfCodes(mesh.FieldOptions{Columns: columns, Rows: rows, CellX: 1, CellZ: 1, Low: -10, High: 55.535}, codes)
		require.NoError(t, err)
		assert.InDelta(t, -10+4.369*7, f.Height(2, 1), float64(f.Precision()))
		for n := range b.Len() {
			_, _, _, err := meshio.ReadHeights(bytes.NewReader(b.Bytes()[:n]))
			require.Error(t, err)
		}
		name := filepath.Join(t.TempDir(), "hills.png")
		require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
		_, _, again, err := meshio.ReadHeightsFile(name)
		require.NoError(t, err)
		assert.Equal(t, codes, again)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewRGBA(deep.Rect)))
	_, _, _, err := meshio.ReadHeights(bytes.NewReader(b.Bytes()))
	require.ErrorContains(t, err, "not grey")
	_, _, _, err = meshio.ReadHeightsFile(filepath.Join(t.TempDir(), "none.png"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A flat map is far smaller than its heights: without leave, it is an error.
func TestHeightsByFileSize(t *testing.T) {
	testenv.NoRace(t)
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 3000))))
	require.Less(t, b.Len(), 100_000)
	var err error
	used := allocated(func() { _, _, _, err = meshio.ReadHeights(bytes.NewReader(b.Bytes())) })
	require.ErrorContains(t, err, "meshio: ReadHeights: 3000 by 3000 pixels: it takes more than ")
	require.ErrorContains(t, err, "the limit of meshio.Limits")
	require.Less(t, used, uint64(1<<20))
	columns, rows, codes, err := meshio.Limits{Memory: 36_000_000}.ReadHeights(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, []int{3000, 3000, 9_000_000}, []int{columns, rows, len(codes)})
	_, _, _, err = meshio.Limits{Memory: 35_999_999}.ReadHeights(bytes.NewReader(b.Bytes()))
	require.Error(t, err)

	// An interlaced image of two bytes a pixel takes half as much again, a transparent one is none.
	var wide bytes.Buffer
	require.NoError(t, png.Encode(&wide, image.NewGray16(image.Rect(0, 0, 1900, 1900))))
	interlaced := changedPNG(wide.Bytes(), func(ihdr []byte) { ihdr[12] = 1 })
	used = allocated(func() { _, _, _, err = meshio.ReadHeights(bytes.NewReader(interlaced)) })
	require.ErrorContains(t, err, "1900 by 1900 pixels: it takes more than ")
	require.Less(t, used, uint64(1<<20))
	clear := append(append(slices.Clone(wide.Bytes()[:33]), "\x00\x00\x00\x02tRNS\x00\x00\xa9\x68\xda\x52"...), wide.Bytes()[33:]...)
	used = allocated(func() { _, _, _, err = meshio.ReadHeights(bytes.NewReader(clear)) })
	require.ErrorContains(t, err, "transparency")
	require.Less(t, used, uint64(1<<20))

	small := image.NewGray16(image.Rect(0, 0, 1900, 1900)) // within the 16 MB
	b.Reset()
	require.NoError(t, png.Encode(&b, small))
	used = allocated(func() { _, _, _, err = meshio.ReadHeights(bytes.NewReader(b.Bytes())) })
	require.NoError(t, err)
	require.Less(t, used, uint64(64*b.Len()+16<<20))
}

// changedPNG returns a PNG with its IHDR changed.
func changedPNG(file []byte, change func(ihdr []byte)) []byte {
	file = slices.Clone(file)
	change(file[16:29])
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

// BenchmarkReadHeights reads a map of 4,097 × 4,097 heights of hills and makes a field of it.
func BenchmarkReadHeights(b *testing.B) {
	const side = 4097
	picture := image.NewGray16(image.Rect(0, 0, side, side))
	for i := range side * side {
		x, z := float64(i%side), float64(i/side)
		h := uint16(30000 + 20000*math.Sin(x/300)*math.Cos(z/200) + 500*math.Sin(x/7+z/11))
		picture.Pix[2*i], picture.Pix[2*i+1] = uint8(h>>8), uint8(h)
	}
	var file bytes.Buffer
	require.NoError(b, png.Encode(&file, picture))
	b.ResetTimer()
	for b.Loop() {
		columns, rows, codes, err := meshio.ReadHeights(bytes.NewReader(file.Bytes()))
		require.NoError(b, err)
		f, err := mesh.NewFieldOfCodes(mesh.FieldOptions{Columns: columns, Rows: rows, CellX: 1, CellZ: 1, High: 500}, codes)
		require.NoError(b, err)
		f.Mesh()
	}
	b.ReportMetric(float64(file.Len())/(1<<20), "MiB")
}
