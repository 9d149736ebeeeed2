package testenv_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// The tests of the project draw no new random numbers and skip by this package alone: a package
// whose tests use rapid imports testenv, whose init fixes the seed; nothing uses the generator that
// math/rand seeds itself; and nothing calls Skip, except properties of rapid, which leave out a
// case by it.
func TestSeedsAndSkips(t *testing.T) {
	root := testenv.Root(t)
	useRapid, useTestenv := map[string]bool{}, map[string]bool{}
	files := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != root && err == nil || strings.HasPrefix(d.Name(), ".git") || d.Name() == "out" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		imports := map[string]bool{}
		for _, i := range parsed.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			imports[name] = true
		}
		folder := filepath.Dir(path)
		useRapid[folder] = useRapid[folder] || imports["pgregory.net/rapid"]
		useTestenv[folder] = useTestenv[folder] || imports["github.com/hitscan-go/hitscan/internal/testenv"]
		ast.Inspect(parsed, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := s.X.(*ast.Ident)
			if !ok {
				return true
			}
			isRand := x.Name == "rand" && (imports["math/rand/v2"] || imports["math/rand"])
			if isRand && !slices.Contains([]string{"New", "NewPCG", "PCG", "Rand", "Source"}, s.Sel.Name) {
				t.Errorf("%v: rand.%s draws other numbers in each run: use testenv.Rand", set.Position(n.Pos()), s.Sel.Name)
			}
			if (x.Name == "t" || x.Name == "b") && strings.HasPrefix(s.Sel.Name, "Skip") && !imports["pgregory.net/rapid"] {
				t.Errorf("%v: a test is skipped by testenv", set.Position(n.Pos()))
			}
			return true
		})
		return nil
	}))
	require.Greater(t, files, 100)
	for folder := range useRapid {
		assert.False(t, useRapid[folder] && !useTestenv[folder], "the tests of %s use rapid and do not import testenv, which fixes the seed", folder)
	}
}

func TestRand(t *testing.T) {
	a, b := testenv.Rand(1, 2), testenv.Rand(1, 2)
	assert.Equal(t, a.Uint64(), b.Uint64())
	assert.NotEqual(t, testenv.Rand(1, 2).Uint64(), testenv.Rand(2, 2).Uint64())
}
