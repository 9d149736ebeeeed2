// Part prepares a build of some tests alone: to compile all tests of a package takes several times
// as long as the package itself, for each architecture and each set of flags. For the packages in
// some folders it blanks out, in copies of their test files, every declaration that the tests whose
// names match need not, and writes an overlay for `go test -overlay` with these copies. Lines keep
// their numbers.
//
//	part -run '^TestSameBits$' -out out/part ./physics ./ecs    the overlay is out/part/overlay.json
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	tests := flag.String("run", "", "keep the functions that match this `regexp`")
	out := flag.String("out", "", "write the copies and overlay.json to this `folder`")
	flag.Parse()
	if err := run(regexp.MustCompile(*tests), *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "part:", err)
		os.Exit(1)
	}
}

func run(tests *regexp.Regexp, out string, folders []string) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for i, folder := range folders {
		copies, err := part(folder, tests)
		if err != nil {
			return err
		}
		to := filepath.Join(out, "_"+strconv.Itoa(i)) // no package to the go command
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		for name, src := range copies {
			from, err := filepath.Abs(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			if src == nil { // nothing is left: the overlay deletes the file
				replace[from] = ""
				continue
			}
			replace[from] = filepath.Join(to, name)
			if err := os.WriteFile(replace[from], src, 0o644); err != nil {
				return err
			}
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "overlay.json"), overlay, 0o644)
}

// decl is a declaration of a test file: a function, or one name or more of a const, var or type.
type decl struct {
	from, to token.Pos
	uses     []string // names that may be of the package, or of the one that it tests
	imports  []string // names that may be of packages
	kept     bool
}

type file struct {
	name  string
	src   []byte
	tree  *ast.File
	decls []*decl
}

// part returns the test files of a folder with what the matching functions need; nil is a file of
// which nothing is left.
func part(folder string, tests *regexp.Regexp) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*file
	// By name, of the package and of its external tests alike, whatever their build constraints: a
	// declaration too many costs little.
	byName := map[string][]*decl{}
	var todo []*decl
	keep := func(list []*decl) {
		for _, d := range list {
			if !d.kept {
				d.kept = true
				todo = append(todo, d)
			}
		}
	}
	for _, p := range paths {
		f := &file{name: filepath.Base(p)}
		if f.src, err = os.ReadFile(p); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(set, p, f.src, parser.ParseComments); err != nil {
			return nil, err
		}
		files = append(files, f)
		for _, node := range f.tree.Decls {
			names, root := names(node, tests)
			if names == nil {
				continue // imports
			}
			d := &decl{from: node.Pos(), to: node.End()}
			d.uses, d.imports = uses(f.tree, node)
			if doc := docOf(node); doc != nil {
				d.from = doc.Pos()
			}
			f.decls = append(f.decls, d)
			for _, name := range names {
				byName[name] = append(byName[name], d)
			}
			if root {
				keep([]*decl{d})
			}
		}
	}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, name := range d.uses {
			keep(byName[name])
		}
	}
	copies := map[string][]byte{}
	for _, f := range files {
		copies[f.name] = f.rest(set)
	}
	return copies, nil
}

// names returns the names under which a declaration is needed, and whether it is kept in any case.
// A method goes with its type.
func names(node ast.Decl, tests *regexp.Regexp) (list []string, root bool) {
	switch n := node.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil {
			ast.Inspect(n.Recv.List[0].Type, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok && list == nil {
					list = []string{id.Name}
				}
				return true
			})
			return list, false
		}
		name := n.Name.Name
		return []string{name}, name == "init" || name == "TestMain" || tests.MatchString(name)
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				list = append(list, s.Name.Name)
			case *ast.ValueSpec:
				for _, id := range s.Names {
					list = append(list, id.Name)
				}
			}
		}
	}
	return list, false
}

func docOf(node ast.Decl) *ast.CommentGroup {
	switch n := node.(type) {
	case *ast.FuncDecl:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	}
	return nil
}

// uses returns the names in a declaration that are not of something within it, and those of them
// that stand before a dot.
func uses(tree *ast.File, node ast.Node) (list, dotted []string) {
	ast.Inspect(node, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Ident:
			if x.Obj == nil || tree.Scope.Lookup(x.Name) == x.Obj {
				list = append(list, x.Name)
			}
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok && id.Obj == nil {
				dotted = append(dotted, id.Name)
			}
		}
		return true
	})
	return list, dotted
}

// rest returns the file with all else than what is kept blanked out, and nil if that is nothing.
func (f *file) rest(set *token.FileSet) []byte {
	src := append([]byte(nil), f.src...)
	blank := func(from, to token.Pos) {
		for i := set.Position(from).Offset; i < set.Position(to).Offset; i++ {
			if src[i] != '\n' {
				src[i] = ' '
			}
		}
	}
	used, empty := map[string]bool{}, true
	for _, d := range f.decls {
		if !d.kept {
			blank(d.from, d.to)
			continue
		}
		empty = false
		for _, name := range d.imports {
			used[name] = true
		}
	}
	if empty {
		return nil
	}
	for _, spec := range f.tree.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		if base := path.Base(name); regexp.MustCompile(`^v\d+$`).MatchString(base) {
			name = path.Dir(name)
		}
		name = path.Base(name)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." && !used[name] {
			blank(spec.Pos(), spec.End())
		}
	}
	return src
}
