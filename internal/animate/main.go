// Animate makes an animated GIF of a folder of PNG frames: scaled, in one palette for all frames,
// with only what changes from one frame to the next.
//
//	go run ./internal/animate -o docs/sandbox.gif -width 800 -fps 15 out/frames
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/draw"
)

func main() {
	out := flag.String("o", "out.gif", "`file` to write")
	width := flag.Int("width", 800, "of the picture, in `pixels`; frames that are narrower stay as they are")
	fps := flag.Int("fps", 15, "frames a second")
	hold := flag.Int("hold", 1200, "how long the last frame stays, in `milliseconds`")
	tolerance := flag.Int("tolerance", 5, "largest `difference` of a colour, of 255, that a pixel is not drawn anew for")
	flag.Parse()
	if err := run(flag.Arg(0), *out, *width, *fps, *hold, *tolerance); err != nil {
		fmt.Fprintln(os.Stderr, "animate:", err)
		os.Exit(1)
	}
}

func run(dir, out string, width, fps, hold, tolerance int) error {
	if width < 1 || fps < 1 || fps > 50 || hold < 0 || tolerance < 0 {
		return errors.New("want a positive width, 1 to 50 frames a second, and no negative numbers")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: there are no PNG files", dir)
	}
	var frames []*image.RGBA
	for _, name := range files { // sorted by Glob
		m, err := readFrame(name, width)
		if err != nil {
			return err
		}
		if len(frames) > 0 && m.Rect != frames[0].Rect {
			return fmt.Errorf("%s: is %v, and the frames before are %v", name, m.Rect.Size(), frames[0].Rect.Size())
		}
		frames = append(frames, m)
	}
	g := encode(frames, fps, tolerance)
	g.Delay[len(g.Delay)-1] += hold / 10
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := gif.EncodeAll(f, g); err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	total := 0
	for _, d := range g.Delay {
		total += d
	}
	fmt.Printf("%s: %d frames, %d pictures, %.1f s, %v, %d KiB\n", out, len(frames), len(g.Image), float64(total)/100,
		frames[0].Rect.Size(), info.Size()/1024)
	return f.Close()
}

func readFrame(name string, width int) (*image.RGBA, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	size := m.Bounds().Size()
	if size.X > width {
		size = image.Pt(width, (size.Y*width+size.X/2)/size.X)
	}
	to := image.NewRGBA(image.Rectangle{Max: size})
	if size == m.Bounds().Size() {
		draw.Draw(to, to.Rect, m, m.Bounds().Min, draw.Src)
	} else {
		draw.CatmullRom.Scale(to, to.Rect, m, m.Bounds(), draw.Src, nil)
	}
	return to, nil
}
