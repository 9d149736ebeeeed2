// Package guide holds the code of the pages beside it, as examples.
package guide

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("(?s)<!-- (Example_\\w+) -->\n```go\n(.*?)```")

// Each example is quoted by one page, as it stands in the source. With GUIDE_WRITE=1 in the
// environment the pages are written from the source.
func TestPagesQuoteTheExamples(t *testing.T) {
	bodies := map[string]string{}
	sources, _ := filepath.Glob("*_test.go")
	for _, file := range sources {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
				body := text[files.Position(f.Body.Lbrace).Offset+2 : files.Position(f.Body.Rbrace).Offset]
				bodies[f.Name.Name] = strings.TrimPrefix(strings.ReplaceAll("\n"+string(body), "\n\t", "\n"), "\n")
			}
		}
	}
	pages, _ := filepath.Glob("*.md")
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want := quoted.ReplaceAllStringFunc(string(text), func(block string) string {
			name := quoted.FindStringSubmatch(block)[1]
			body, ok := bodies[name]
			if !ok {
				t.Errorf("%s: %s is no example, or quoted before", page, name)
			}
			delete(bodies, name)
			return fmt.Sprintf("<!-- %s -->\n```go\n%s```", name, body)
		})
		switch {
		case want == string(text):
		case os.Getenv("GUIDE_WRITE") != "":
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s differs from the source; run GUIDE_WRITE=1 go test -C docs ./guide", page)
		}
	}
	for name := range bodies {
		t.Errorf("no page quotes %s", name)
	}
}

var code = regexp.MustCompile("(?s)```.*?```|`[^`]*`")

// Links between pages and into the repository lead to files.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	pages, _ := filepath.Glob("*.md")
	for _, page := range pages {
		text, _ := os.ReadFile(page)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// What pages name with its package, such as physecs.Body.Kind, is there: a type, a function or a
// constant, and a field or a method.
func TestNames(t *testing.T) {
	folders := map[string]string{
		"geom": "physics/geom", "mesh": "physics/mesh", "meshio": "physics/meshio", "hull": "physics/hull", "physics": "physics",
		"rigid": "physics/rigid", "skin": "physics/skin", "picking": "picking", "physecs": "ecs", "render": "render",
	}
	names := map[string]map[string]bool{}
	for name, folder := range folders {
		names[name] = map[string]bool{}
		sources, _ := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		for _, file := range sources {
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					names[name][n.Name.Name] = true
				case *ast.TypeSpec:
					names[name][n.Name.Name] = true
				case *ast.ValueSpec:
					for _, one := range n.Names {
						names[name][one.Name] = true
					}
				case *ast.Field:
					for _, one := range n.Names {
						names[name][one.Name] = true
					}
				}
				return true
			})
		}
	}
	name := regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*)(?:\\.(\\w+))?")
	pages, _ := filepath.Glob("*.md")
	for _, page := range pages {
		text, _ := os.ReadFile(page)
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			if known, ours := names[m[1]]; ours && (!known[m[2]] || m[3] != "" && !known[m[3]]) {
				t.Errorf("%s: no %s", page, m[0][1:])
			}
		}
	}
}
