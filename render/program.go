package render

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// Shaders are embedded files. A line `#include "name"` is replaced by that file. Line numbers in
// the driver's messages are mapped back to the files.

//go:embed shaders
var shaderFiles embed.FS

// shaderError is a driver's message about a shader, with its place in the embedded file.
type shaderError struct {
	File string // in render/shaders; empty if the driver gives no line, as when linking
	Line int    // from 1; 0 if the driver gives none
	Text string // the driver's message
}

// Error returns "file:line: text".
func (e *shaderError) Error() string {
	switch {
	case e.File == "":
		return e.Text
	case e.Line == 0:
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// source is the text of a shader and the file and line of each of its lines.
type source struct {
	file  string
	text  string
	lines []place
}

// nativeHeader is the first line of shaders. In a browser others take its place.
const nativeHeader = "#version 330 core"

// included returns the name of a line `#include "name"`.
func included(line string) (name string, ok bool) {
	name, ok = strings.CutPrefix(strings.TrimSpace(line), "#include")
	quoted := strings.TrimSpace(name)
	if !ok || len(quoted) < 3 || quoted == name || quoted[0] != '"' {
		return "", false
	}
	return strings.CutSuffix(quoted[1:], `"`)
}

// readSource returns a shader with its included files. Included files can include others; a cycle
// is an error.
func readSource(read func(name string) ([]byte, error), file string) (source, error) {
	s := source{file: file}
	var text strings.Builder
	var add func(file string, chain []string) error
	add = func(file string, chain []string) error {
		for _, f := range chain {
			if f == file {
				return &shaderError{File: chain[len(chain)-1], Text: fmt.Sprintf("includes %q in a cycle", file)}
			}
		}
		data, err := read(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			if name, ok := included(line); ok {
				if err := add(path.Clean(name), append(chain, file)); err != nil {
					return &shaderError{File: file, Line: i + 1, Text: err.Error()}
				}
				continue
			}
			if line == nativeHeader {
				line = gl.Header
			}
			text.WriteString(line)
			text.WriteByte('\n')
			for range 1 + strings.Count(line, "\n") {
				s.lines = append(s.lines, place{file, i + 1})
			}
		}
		return nil
	}
	err := add(file, nil)
	s.text = text.String()
	return s, err
}

// logPlace returns the line in the shader and the text of a line of a driver's log. Drivers have
// three formats: "0:12(5): error:" (Mesa), "0(12) : error" (NVIDIA) and "ERROR: 0:12:" (Apple, AMD,
// Intel).
func logPlace(log string) (line int, text string, ok bool) {
	head, rest, _ := strings.Cut(log, ":")
	if head == "ERROR" || head == "WARNING" {
		_, rest, _ = strings.Cut(rest, ":") // the number of the file
		head, text, ok = strings.Cut(rest, ":")
	} else if number, column, inBrackets := strings.Cut(head, "("); inBrackets { // NVIDIA
		head, text, ok = strings.TrimSuffix(strings.TrimSpace(column), ")"), rest, number != ""
	} else { // Mesa
		head, text, ok = strings.Cut(rest, ":")
		head, _, _ = strings.Cut(head, "(")
	}
	line, err := strconv.Atoi(head)
	return line, strings.TrimSpace(text), ok && err == nil
}

// explain turns the first line of a driver's log that has a place and is not a warning into an
// error with that place.
func (s source) explain(log string) error {
	log = strings.TrimSpace(strings.TrimRight(log, "\x00"))
	for _, line := range strings.Split(log, "\n") {
		if strings.Contains(strings.ToLower(line), "warning") {
			continue
		}
		if n, text, ok := logPlace(strings.TrimSpace(line)); ok && n >= 1 && n <= len(s.lines) {
			at := s.lines[n-1]
			return &shaderError{File: at.file, Line: at.line, Text: text}
		}
	}
	if log == "" {
		log = "the driver gives no reason"
	}
	return &shaderError{File: s.file, Text: log}
}

// program is a linked shader program.
type program struct {
	id       uint32
	uniforms map[string]int32
}

var shaderKinds = map[string]uint32{
	".vert": gl.VERTEX_SHADER,
	".frag": gl.FRAGMENT_SHADER,
}

// newProgram compiles and links embedded files. The extension of a file gives its stage.
func newProgram(files ...string) (*program, error) {
	return linkProgram(func(name string) ([]byte, error) {
		data, err := shaderFiles.ReadFile("shaders/" + name)
		if err != nil {
			return nil, fmt.Errorf("no embedded shader %q", name)
		}
		return data, nil
	}, files...)
}

func linkProgram(read func(string) ([]byte, error), files ...string) (p *program, err error) {
	var shaders []uint32
	defer func() {
		for _, s := range shaders {
			gl.DeleteShader(s)
		}
	}()
	for _, file := range files {
		src, err := readSource(read, file)
		if err != nil {
			return nil, fmt.Errorf("render: shader: %w", err)
		}
		kind, ok := shaderKinds[path.Ext(file)]
		if !ok {
			return nil, fmt.Errorf("render: shader %s: the extension is not .vert or .frag", file)
		}
		id, err := compile(kind, src)
		if err != nil {
			return nil, fmt.Errorf("render: shader: %w", err)
		}
		shaders = append(shaders, id)
	}
	id, log, ok := gl.LinkProgram(shaders...)
	if !ok {
		return nil, fmt.Errorf("render: linking %s: %w", strings.Join(files, " + "), errors.New(strings.TrimSpace(log)))
	}
	live++
	return &program{id: id, uniforms: map[string]int32{}}, nil
}

func compile(kind uint32, src source) (uint32, error) {
	id, log, ok := gl.CompileShader(kind, src.text)
	if !ok {
		return 0, src.explain(log)
	}
	return id, nil
}

func (p *program) use() { gl.UseProgram(p.id) }

// at returns the location of a uniform. It is −1 if the shader does not use it; OpenGL ignores that
// location.
func (p *program) at(name string) int32 {
	loc, ok := p.uniforms[name]
	if !ok {
		loc = gl.UniformLocation(p.id, name)
		p.uniforms[name] = loc
	}
	return loc
}

func (p *program) setInt(name string, v int32)        { gl.Uniform1i(p.at(name), v) }
func (p *program) setUint(name string, v uint32)      { gl.Uniform1ui(p.at(name), v) }
func (p *program) setFloat(name string, v ...float32) { setFloats(p.at(name), v) }
func (p *program) setMatrix(name string, m [16]float32) {
	gl.UniformMatrix(p.at(name), &m)
}

func setFloats(loc int32, v []float32) {
	switch len(v) {
	case 1:
		gl.Uniform1f(loc, v[0])
	case 2:
		gl.Uniform2f(loc, v[0], v[1])
	case 3:
		gl.Uniform3f(loc, v[0], v[1], v[2])
	case 4:
		gl.Uniform4f(loc, v[0], v[1], v[2], v[3])
	default:
		panic("render: setFloats: needs 1 to 4 numbers")
	}
}

func (p *program) close() {
	if p != nil && p.id != 0 {
		gl.DeleteProgram(p.id)
		p.id = 0
		live--
	}
}
