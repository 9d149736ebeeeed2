package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
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
	for name := range strings.SplitSeq(models, ",") {
		if err := writeMesh(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
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

// build compiles the program and packs it.
func (p program) build(folder string) error {
	file, err := filepath.Abs(filepath.Join(folder, p.Name+".wasm"))
	if err != nil {
		return err
	}
	if err := compile(file, p.Folder, p.Package); err != nil {
		return err
	}
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if module, err = strip(module); err != nil {
		return err
	}
	if module, err = split(module); err != nil {
		return err
	}
	return errors.Join(os.Remove(file), pack(file, module))
}

// compile writes the package in a folder to a file, as a program for WebAssembly.
func compile(file, folder, pkg string) error {
	cmd := exec.Command("go", "build", "-C", folder, "-buildvcs=false", "-ldflags=-s -w", "-o", file, pkg)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-trimpath "+os.Getenv("GOFLAGS"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// pack writes a file packed by gzip. Its name does not say so, or some hosts would unpack it, and
// page/load.js does.
func pack(file string, data []byte) error {
	data = packed(data)
	fmt.Printf("%s: packed %.2f MB\n", filepath.Base(file), float64(len(data))/1e6)
	return os.WriteFile(file+".packed", data, 0o644)
}

func packed(data []byte) []byte {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(data) // to memory, without errors
	z.Close()
	return packed.Bytes()
}

// writeMesh writes a model of the sandbox with its tree, and its normals in steps of 1/127: see the
// sandbox's built_js.go.
func writeMesh(file string) error {
	name := strings.TrimSuffix(filepath.Base(file), ".mesh")
	model, err := meshio.ReadFile(root + "/examples/sandbox/assets/" + name + ".glb")
	if err != nil {
		return err
	}
	m, err := model.Mesh()
	if err != nil {
		return err
	}
	var data bytes.Buffer
	if _, err := m.WriteTo(&data); err != nil {
		return err
	}
	smooth := model.Parts[0].Smooth(math.Pi)
	normals := map[geom.Vec3]geom.Vec3{}
	for i, v := range smooth.Vertices {
		normals[v] = smooth.Normals[i]
	}
	for _, v := range m.Vertices() {
		n := normals[v].Mul(127)
		for _, x := range [...]float32{n.X, n.Y, n.Z} {
			data.WriteByte(byte(int8(math.Round(float64(x)))))
		}
	}
	return pack(file, data.Bytes())
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
