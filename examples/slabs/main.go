// Slabs is a lesson in one window: how a ray meets a box, a plane, a sphere, a triangle and a
// height field, with every number that decides it. In the plane the ends of the ray and the corners
// of the shapes are dragged; in space, a shape is orbited and a click casts a ray that stays. The
// keys 1 to 6, or the tabs, select the page.
//
//	go run -C examples/slabs .                   opens the window
//	go run -C examples/slabs . -page 4           with its fourth page
//	go run -C examples/slabs . -stills .         writes a picture of each page, without a window
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hitscan-go/hitscan/render"
)

func main() {
	switch err := run(os.Args[1:], os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "slabs:", err)
		os.Exit(1)
	}
}

// stills are the files of -stills, page by page.
var stills = [numPages]string{"slabs-2d.png", "slabs-3d.png", "slabs-plane.png", "slabs-sphere.png", "slabs-triangle.png", "slabs-heights.png"}

func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("slabs", flag.ContinueOnError)
	flags.SetOutput(stderr)
	page := flags.Int("page", 1, "open this page, `1` to 6")
	folder := flags.String("stills", "", "write a picture of each page to this `folder` and exit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	}
	if *page < 1 || *page > numPages {
		return fmt.Errorf("-page: want 1 to %d and not %d", numPages, *page)
	}
	a, err := newApp(render.Options{Title: "hitscan slabs", Width: 1280, Height: 720, Hidden: *folder != ""})
	if err != nil {
		return err
	}
	defer a.close()
	if *folder != "" {
		return a.stills(*folder)
	}
	a.lesson.show(*page - 1)
	return a.run()
}

// stills writes a picture of each page.
func (a *app) stills(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	a.window.Poll()
	for i, name := range stills {
		a.lesson.resize(a.window.Size())
		a.lesson.show(i)
		if err := a.draw(); err != nil {
			return err
		}
		if err := a.renderer.Screenshot(filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}
