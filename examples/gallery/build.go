package main

import (
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

// root is the folder of the repository, from this one.
const root = "../.."

//go:embed page
var pages embed.FS

// program is a Go program that runs in a page.
type program struct{ Name, Folder, Package string }

var programs = []program{
	{"sandbox", root, "./examples/sandbox"},
	{"slabs", root + "/examples/slabs", "."},
	{"flat", root + "/examples/flat", "."},
	{"rays", ".", "./rays"},
}

// build writes all files of the page to a folder.
func build(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	if err := copyFile(filepath.Join(folder, "wasm_exec.js"),
		filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js")); err != nil {
		return err
	}
	for _, p := range programs {
		if err := p.build(folder); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	for _, s := range shown {
		if err := copyFile(filepath.Join(folder, s.Picture), filepath.Join(root, "docs", s.Picture)); err != nil {
			return err
		}
	}
	if err := writeBunny(filepath.Join(folder, "bunny.mesh")); err != nil {
		return err
	}
	if err := fetchPeer(folder); err != nil {
		fmt.Fprintln(os.Stderr, "gallery: without three-mesh-bvh:", err)
	}
	for _, name := range []string{"live.html", "rays.html", "style.css", "load.js"} {
		data, err := pages.ReadFile("page/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	index, err := os.Create(filepath.Join(folder, "index.html"))
	if err != nil {
		return err
	}
	defer index.Close()
	return template.Must(template.ParseFS(pages, "page/index.html")).Execute(index, shown)
}

// build compiles the program and packs it by gzip. Its name does not say so, or some hosts would
// unpack it, and page/load.js does.
func (p program) build(folder string) error {
	file, err := filepath.Abs(filepath.Join(folder, p.Name+".wasm"))
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-C", p.Folder, "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, p.Package)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	defer os.Remove(file)
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(file + ".packed")
	if err != nil {
		return err
	}
	defer to.Close()
	z, _ := gzip.NewWriterLevel(to, gzip.BestCompression)
	n, err := io.Copy(z, from)
	if err == nil {
		err = z.Close()
	}
	packed, _ := to.Seek(0, io.SeekCurrent)
	fmt.Printf("%s: %.1f MB, packed %.1f\n", p.Name, float64(n)/1e6, float64(packed)/1e6)
	return err
}

// writeBunny writes the sandbox's bunny with its tree.
func writeBunny(file string) error {
	model, err := meshio.ReadFile(root + "/examples/sandbox/assets/bunny.glb")
	if err != nil {
		return err
	}
	m, err := model.Mesh()
	if err != nil {
		return err
	}
	return m.WriteFile(file)
}

// peerFiles are the modules of three.js and three-mesh-bvh that the page loads.
var peerFiles = map[string]string{
	"three.module.js":   "three/build/three.module.min.js",
	"three.core.min.js": "three/build/three.core.min.js",
	"three-mesh-bvh.js": "three-mesh-bvh/build/index.module.js",
}

// fetchPeer installs three-mesh-bvh by npm, unless it is there, and copies it to the folder.
func fetchPeer(folder string) error {
	if _, err := os.Stat("test/node_modules/three-mesh-bvh"); err != nil {
		cmd := exec.Command("npm", "ci", "--no-audit", "--no-fund")
		cmd.Dir = "test"
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	for to, from := range peerFiles {
		if err := copyFile(filepath.Join(folder, to), filepath.Join("test/node_modules", from)); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
