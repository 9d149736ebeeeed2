// Sandbox is a window to try picking in: hover outlines what is under the cursor, a click selects
// it, and a card shows the entity, the point and the normal of the hit. H shows all keys.
//
//	go run ./examples/sandbox                                   the built-in scene
//	go run ./examples/sandbox -scene statue.glb                 a model: OBJ, STL, glTF or GLB
//	go run ./examples/sandbox -scene swarm                      ten thousand flying objects
//	go run ./examples/sandbox -scene arena                      a character to walk, jump and shoot
//	                                                            with
//	go run ./examples/sandbox -scene city                       a hundred thousand colliders, ten of
//	                                                            them large meshes
//	go run ./examples/sandbox -scene corners                    shapes at the corners of meshes
//	go run ./examples/sandbox -scene stack                      stacks, and balls to throw at them
//	go run ./examples/sandbox -scene pile                       two thousand bodies that are poured
//	go run ./examples/sandbox -screenshot picture.png           one picture, without a window
//	go run ./examples/sandbox -play examples/sandbox/tour.txt   a pointer script: see script.go
//	go run ./examples/sandbox -record bug.txt                   writes pointer and keys to a file
//	go run ./examples/sandbox -replay bug.txt                   repeats them, and prints the events
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/internal/xpointer"
)

func main() {
	switch err := run(os.Args[1:], os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

// settled is the number of frames before a picture is taken without a script: by then the size of
// the window and similar state are final.
const settled = 3

func run(args []string, stderr io.Writer) error {
	var c config
	flags := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.scene, "scene", "", "open the model in this `file`: .obj, .stl, .gltf or .glb; swarm: ten thousand flying objects; arena: one to walk in; city: a hundred thousand colliders; corners: contacts with meshes; stack: rigid bodies to throw balls at; pile: two thousand of them, poured; pyramid: 5,050 boxes; ragdolls: figures that fall down stairs; washer: a drum that turns; or car and bridge: a car to drive by W, A, S, D and space")
	up := flags.String("up", "y", "the `axis` that is upward in the file of -scene: y or z")
	size := flags.String("size", "1280x800", "size of the window, as `WIDTHxHEIGHT`")
	screenshot := flags.String("screenshot", "", "write a picture to this PNG `file` and exit, after the script if one is played")
	play := flags.String("play", "", "play the pointer script in this `file` and exit; moves the real pointer of an X11 display")
	commands := flags.Int("commands", maxCommands, "how `many` commands the script of -play may have")
	frames := flags.String("frames", "", "write every frame of the script to this `folder`, with the cursor")
	record := flags.String("record", "", "write what the pointer and the keys do in the session to this `file`")
	replay := flags.String("replay", "", "do again what was recorded in this `file`, in the scene in which it was, tell its events and exit; moves no real pointer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unknown argument %q; a model is opened with -scene", flags.Arg(0))
	}
	if *up != "y" && *up != "z" {
		return fmt.Errorf("-up: want y or z and not %q", *up)
	}
	c.upZ = *up == "z"
	if n, err := fmt.Sscanf(*size+"\n", "%dx%d\n", &c.width, &c.height); n != 2 || err != nil || c.width < 1 || c.height < 1 ||
		c.width > 16384 || c.height > 16384 {
		return fmt.Errorf("-size: want WIDTHxHEIGHT, such as 1280x800, and not %q", *size)
	}
	if *frames != "" && *play == "" {
		return errors.New("-frames writes the frames of a script: it takes -play")
	}
	if *replay != "" {
		if *play != "" {
			return errors.New("-replay and -play both say where the pointer goes")
		}
		var err error
		if c.replay, err = readReplay(*replay); err != nil {
			return err
		}
		if first := c.replay[0].Window; first.Width > 0 && first.Height > 0 {
			// The camera begins where the window shows it all.
			c.width, c.height = first.Width, first.Height
		}
	}
	if *record != "" {
		f, err := os.Create(*record)
		if err != nil {
			return err
		}
		defer f.Close() // each frame was written at once
		c.record = f
	}
	c.hidden = *screenshot != "" && *play == ""
	c.noVSync = *play != "" || *replay != ""
	c.steady = *play != "" || *record != "" || *replay != "" || c.hidden

	var p *player
	if *play != "" {
		var err error
		if p, err = openPlayer(*play, *commands); err != nil {
			return err
		}
		defer p.pointer.Close()
	}
	a, err := newApp(c)
	if err != nil {
		return err
	}
	defer a.close()
	defer func() {
		for _, p := range physecs.Check(&a.world) {
			fmt.Fprintln(stderr, "sandbox:", p)
		}
	}()
	switch {
	case p != nil:
		if err := a.play(p, *frames); err != nil {
			return fmt.Errorf("%s: %w", *play, err)
		}
	case *replay != "":
		if err := a.replay(stderr); err != nil {
			return err
		}
	case *screenshot != "":
		for range settled {
			a.window.Poll()
			if err := a.frame(); err != nil {
				return err
			}
		}
	default:
		return a.interact()
	}
	if *screenshot != "" {
		return a.screenshot(*screenshot)
	}
	return nil
}

// openPlayer reads a script of at most so many commands and opens the pointer to play it.
func openPlayer(file string, most int) (*player, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	script, err := parseScript(f, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	pointer, err := xpointer.Open()
	if err != nil {
		return nil, fmt.Errorf("-play moves the real pointer, which it can on an X11 display only, such as the virtual one of "+
			"scripts/xvfb.sh --virtual: %w", err)
	}
	return &player{pointer: pointer, script: script}, nil
}

// interact runs until the user closes the window.
func (a *app) interact() error {
	for !a.window.ShouldClose() {
		a.wait()
		if err := a.frame(); err != nil {
			return err
		}
	}
	return nil
}

// play runs until the script ends, or closes the window. Frames go to a folder unless that is
// empty.
func (a *app) play(p *player, frames string) error {
	p.app = a
	a.unseen = p.sparing
	defer func() { a.unseen = false }()
	r := recorder{dir: frames}
	a.window.Poll()
	for {
		if err := a.frame(); err != nil {
			return err
		}
		if frames != "" {
			if err := r.record(a); err != nil {
				return err
			}
		}
		if a.window.ShouldClose() {
			return nil
		}
		if done, err := p.next(); done || err != nil {
			return err
		}
	}
}
