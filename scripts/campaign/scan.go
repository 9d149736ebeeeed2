package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pkg is a package with tests.
type pkg struct {
	Dir, ImportPath           string
	TestGoFiles, XTestGoFiles []string
	Deps                      []string

	Path       string // relative to the root, as go test takes it
	Test       string // the command that tests it, from the root
	window     bool   // its tests may open windows
	tests      []randomTest
	targets    []string // fuzz targets
	test, fuzz string   // the programs
	corpus     string   // where the fuzzer keeps interesting inputs, shared with go test -fuzz
}

type randomTest struct {
	name  string
	rapid bool // it uses rapid, directly or not
}

// systemtest is the module of the tests of the whole.
const systemtest = "internal/systemtest"

// list returns the packages of the module in a folder, relative to the root, that match patterns.
func list(folder string, patterns []string) (packages []*pkg, err error) {
	out, err := output("go", append([]string{"list", "-C", folder, "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles,Deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	module, err := output("go", "list", "-m")
	if err != nil {
		return nil, err
	}
	cache, err := output("go", "env", "GOCACHE")
	if err != nil {
		return nil, err
	}
	module = strings.TrimSpace(module)
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		p := &pkg{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		p.Path = "." + strings.TrimPrefix(p.ImportPath, module)
		if p.Test = "go test -count=1 " + p.Path; folder != "." {
			p.Test = "go test -C " + folder + " -count=1 ."
		}
		p.window = slices.Contains(append(p.Deps, p.ImportPath), module+"/render") ||
			p.ImportPath == module+"/"+systemtest
		p.corpus = filepath.Join(strings.TrimSpace(cache), "fuzz", p.ImportPath)
		packages = append(packages, p)
	}
}

// scan finds the fuzz targets and the random tests: functions that mention rapid or testenv.Rand,
// themselves or through other functions of the package's tests.
func (p *pkg) scan(match *regexp.Regexp) error {
	type function struct {
		mentions      map[string]bool
		rapid, seeded bool
	}
	functions := map[string]*function{}
	var names []string // of tests and targets, in the order of the files
	set := token.NewFileSet()
	for _, file := range append(p.TestGoFiles, p.XTestGoFiles...) {
		parsed, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || fn.Recv != nil {
				continue
			}
			f := &function{mentions: map[string]bool{}}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok {
						f.rapid = f.rapid || x.Name == "rapid"
						f.seeded = f.seeded || x.Name == "testenv" && n.Sel.Name == "Rand"
					}
				case *ast.Ident:
					f.mentions[n.Name] = true
				}
				return true
			})
			functions[fn.Name.Name] = f
			names = append(names, fn.Name.Name)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range functions {
			for name := range f.mentions {
				if g := functions[name]; g != nil && (g.rapid && !f.rapid || g.seeded && !f.seeded) {
					f.rapid, f.seeded, changed = f.rapid || g.rapid, f.seeded || g.seeded, true
				}
			}
		}
	}
	for _, name := range names {
		f := functions[name]
		switch {
		case !match.MatchString(name):
		case strings.HasPrefix(name, "Fuzz"):
			p.targets = append(p.targets, name)
		case strings.HasPrefix(name, "Test") && name != "TestMain" && (f.rapid || f.seeded):
			p.tests = append(p.tests, randomTest{name, f.rapid})
		}
	}
	return nil
}

// build compiles the tests, and again with the fuzzer's instrumentation where there are targets.
func (p *pkg) build(folder string) error {
	stem := filepath.Join(folder, strings.NewReplacer("/", "-", ".", "").Replace(p.Path))
	p.test, p.fuzz = stem+".test", stem+".fuzz"
	if len(p.tests) > 0 {
		if _, err := output("go", "test", "-C", p.Dir, "-c", "-o", p.test, "."); err != nil {
			return err
		}
	}
	if len(p.targets) > 0 {
		if _, err := output("go", "test", "-C", p.Dir, "-c", "-fuzz=.", "-o", p.fuzz, "."); err != nil {
			return fmt.Errorf("for fuzzing: %w", err)
		}
	}
	return nil
}
