package render

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files reads shaders from a map.
func files(m map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if s, ok := m[name]; ok {
			return []byte(s), nil
		}
		return nil, fmt.Errorf("no %q: %w", name, fs.ErrNotExist)
	}
}

func TestReadSource(t *testing.T) {
	read := files(map[string]string{
		"main.frag": "#version 330 core\n#include \"a.glsl\"\nmain\n",
		"a.glsl":    "a1\n\t#include \"b.glsl\"  \na3",
		"b.glsl":    "b1\n",
		"loop.frag": "one\n#include \"loop.glsl\"\n",
		"loop.glsl": "#include \"loop.frag\"\n",
		"lost.frag": "one\ntwo\n#include \"nowhere.glsl\"\n",
	})
	s, err := readSource(read, "main.frag")
	require.NoError(t, err)
	assert.Equal(t, "#version 330 core\na1\nb1\na3\nmain\n", s.text)
	assert.Equal(t, []place{{"main.frag", 1}, {"a.glsl", 1}, {"b.glsl", 1}, {"a.glsl", 3}, {"main.frag", 3}}, s.lines)

	_, err = readSource(read, "loop.frag")
	assert.ErrorContains(t, err, "cycle")
	_, err = readSource(read, "lost.frag")
	assert.ErrorContains(t, err, "lost.frag:3: ")
}

func TestExplainNamesFileAndLine(t *testing.T) {
	s := source{file: "lit.frag", lines: []place{{"lit.frag", 1}, {"light.glsl", 1}, {"light.glsl", 2}, {"lit.frag", 3}}}
	for name, c := range map[string]struct{ log, want string }{
		"Mesa":          {"0:3(15): error: `foo' undeclared\n", "light.glsl:2: error: `foo' undeclared"},
		"NVIDIA":        {"0(4) : error C1503: undefined variable \"foo\"\n\x00", `lit.frag:3: error C1503: undefined variable "foo"`},
		"Apple":         {"ERROR: 0:2: Use of undeclared identifier 'foo'\n", "light.glsl:1: Use of undeclared identifier 'foo'"},
		"after warning": {"0:1(1): warning: old\n0:4(1): error: new\n", "lit.frag:3: error: new"},
		"no place":      {"out of memory", "lit.frag: out of memory"},
		"beyond":        {"0:99(1): error: odd", "lit.frag: 0:99(1): error: odd"},
		"no word":       {"\x00", "lit.frag: the driver gives no reason"},
	} {
		assert.EqualError(t, s.explain(c.log), c.want, name)
	}
}

func TestEmbeddedShadersAreAllUsed(t *testing.T) {
	entries, err := shaderFiles.ReadDir("shaders")
	require.NoError(t, err)
	for _, e := range entries {
		data, err := shaderFiles.ReadFile("shaders/" + e.Name())
		require.NoError(t, err)
		if !strings.HasSuffix(e.Name(), ".glsl") {
			assert.True(t, strings.HasPrefix(string(data), "#version 330 core\n"), "%s", e.Name())
		}
	}
}

// Errors of the real driver for a mistake in a file and in an included file.
func TestShaderErrorFromTheDriver(t *testing.T) {
	context(t)
	good := "#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  place
	}{
		"in the file": {map[string]string{"x.vert": good,
			"x.frag": "#version 330 core\nout vec4 color;\nvoid main() {\n\tcolor = vec4(foo);\n}\n"}, place{"x.frag", 4}},
		"in an included file": {map[string]string{"x.vert": good,
			"x.frag":     "#version 330 core\n#include \"light.glsl\"\nout vec4 color;\nvoid main() { color = vec4(light()); }\n",
			"light.glsl": "float light() {\n\n\treturn brightness;\n}\n"}, place{"light.glsl", 3}},
		"after an included file": {map[string]string{"x.vert": good,
			"x.frag":     "#version 330 core\n#include \"light.glsl\"\nout vec4 color;\nvoid main() { color = vec4(dark()); }\n",
			"light.glsl": "float light() {\n\n\treturn 1.0;\n}\n"}, place{"x.frag", 4}},
	} {
		_, err := linkProgram(files(c.files), "x.vert", "x.frag")
		var se *shaderError
		if assert.ErrorAs(t, err, &se, name) {
			assert.Equal(t, c.want, place{se.File, se.Line}, "%s: %v", name, err)
			assert.Contains(t, err.Error(), fmt.Sprintf("%s:%d", c.want.file, c.want.line))
		}
	}
	_, err := linkProgram(files(map[string]string{"x.vert": good}), "x.vert", "y.frag")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = linkProgram(files(map[string]string{"x.cube": good}), "x.cube")
	assert.ErrorContains(t, err, "x.cube")
	_, err = newProgram("nowhere.vert")
	assert.ErrorContains(t, err, "nowhere.vert")
	_, err = linkProgram(files(map[string]string{"x.vert": good,
		"x.frag": "#version 330 core\nvoid other() {}\n"}), "x.vert", "x.frag")
	assert.ErrorContains(t, err, "x.vert + x.frag", "linking")
	assert.False(t, errors.As(err, new(*shaderError)))
}

func FuzzShaderLog(f *testing.F) {
	f.Add("0:3(15): error: x")
	f.Add("0(4) : error C1503: x\n\x00")
	f.Add("ERROR: 0:99999999999999999999: x")
	s := source{file: "a.frag", lines: []place{{"a.frag", 1}, {"b.glsl", 1}}}
	f.Fuzz(func(t *testing.T, log string) {
		err := s.explain(log)
		var se *shaderError
		require.ErrorAs(t, err, &se)
		require.Contains(t, []string{"a.frag", "b.glsl"}, se.File)
		require.LessOrEqual(t, se.Line, 2)
	})
}
