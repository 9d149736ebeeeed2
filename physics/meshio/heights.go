package meshio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
)

// ReadHeights reads a height map, a grey PNG image of 16 or 8 bits, and returns the number of its
// columns and rows and its pixels from the top row down, as [mesh.NewFieldOfCodes] takes them.
// Those of 8 bits are multiplied by 257, so that white is 65,535 in both.
//
// An image of another colour model, or with transparency, is an error. So is one of more than 2²⁷
// pixels, and one that takes more memory than [Limits] allow before it is allocated: four bytes a
// pixel, or six of an interlaced image. A flat map of more than 2,048 by 2,048 pixels may need
// [Limits.ReadHeights].
func ReadHeights(r io.ReadSeeker) (columns, rows int, codes []uint16, err error) {
	return Limits{}.ReadHeights(r)
}

// ReadHeights is [ReadHeights] within the limits.
func (l Limits) ReadHeights(r io.ReadSeeker) (columns, rows int, codes []uint16, err error) {
	if codes, columns, rows, err = l.readHeights(r); err != nil {
		return 0, 0, nil, fmt.Errorf("meshio: ReadHeights: %w", err)
	}
	return columns, rows, codes, nil
}

// ReadHeightsFile is [ReadHeights] for a file. The error names it.
func ReadHeightsFile(name string) (columns, rows int, codes []uint16, err error) {
	return Limits{}.ReadHeightsFile(name)
}

// ReadHeightsFile is [ReadHeightsFile] within the limits.
func (l Limits) ReadHeightsFile(name string) (columns, rows int, codes []uint16, err error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, 0, nil, fmt.Errorf("meshio: ReadHeightsFile: %w", err)
	}
	defer file.Close()
	if codes, columns, rows, err = l.readHeights(file); err != nil {
		return 0, 0, nil, fmt.Errorf("meshio: ReadHeightsFile: %s: %w", name, err)
	}
	return columns, rows, codes, nil
}

// maxPixels is the largest number of pixels of a height map: more than a field can hold.
const maxPixels = 1 << 27

// heightBytes is the memory for a pixel: in the image and as a code. An interlaced image is decoded
// in parts, which are as large as it.
const heightBytes, interlacedBytes = 4, 6

func (l Limits) readHeights(r io.ReadSeeker) (codes []uint16, columns, rows int, err error) {
	b := l.budget()
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, 0, 0, err
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, err = r.Seek(start, io.SeekStart); err != nil {
		return nil, 0, 0, err
	}
	b.read = end - start
	c, err := png.DecodeConfig(r)
	if err != nil {
		return nil, 0, 0, err
	}
	if c.ColorModel != color.Gray16Model && c.ColorModel != color.GrayModel {
		return nil, 0, 0, fmt.Errorf("the image is not grey")
	}
	if c.Width > maxPixels/c.Height {
		return nil, 0, 0, fmt.Errorf("%d by %d pixels: at most %d can be read", c.Width, c.Height, maxPixels)
	}
	if _, err = r.Seek(start, io.SeekStart); err != nil {
		return nil, 0, 0, err
	}
	interlaced, err := readInterlacing(r)
	if err != nil {
		return nil, 0, 0, err
	}
	pixelBytes := int64(heightBytes)
	if interlaced {
		pixelBytes = interlacedBytes
	}
	if err := b.spend(pixelBytes * int64(c.Width) * int64(c.Height)); err != nil {
		return nil, 0, 0, fmt.Errorf("%d by %d pixels: %w", c.Width, c.Height, err)
	}
	if _, err = r.Seek(start, io.SeekStart); err != nil {
		return nil, 0, 0, err
	}
	picture, err := png.Decode(r)
	if err != nil {
		return nil, 0, 0, err
	}
	codes = make([]uint16, c.Width*c.Height)
	switch p := picture.(type) {
	case *image.Gray16:
		for i := range codes {
			codes[i] = uint16(p.Pix[2*i])<<8 | uint16(p.Pix[2*i+1])
		}
	case *image.Gray:
		for i := range codes {
			codes[i] = uint16(p.Pix[i]) * 257
		}
	default:
		return nil, 0, 0, fmt.Errorf("the image is not grey")
	}
	return codes, c.Width, c.Height, nil
}

// readInterlacing reads the chunks before the pixels, and returns whether these are interlaced. A
// grey image with transparency is an error: it would be decoded to four times the memory.
func readInterlacing(r io.ReadSeeker) (interlaced bool, err error) {
	var head [29]byte // the signature, and the IHDR up to the interlace method
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return false, err
	}
	const checksum = 4
	for skip := int64(checksum); ; {
		if _, err := r.Seek(skip, io.SeekCurrent); err != nil {
			return false, err
		}
		var chunk [8]byte
		if _, err := io.ReadFull(r, chunk[:]); err != nil {
			return false, io.ErrUnexpectedEOF
		}
		switch string(chunk[4:]) {
		case "tRNS":
			return false, errors.New("the image is not grey: it has transparency")
		case "IDAT":
			return head[len(head)-1] != 0, nil
		}
		skip = int64(binary.BigEndian.Uint32(chunk[:])) + checksum
	}
}
