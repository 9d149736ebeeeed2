// Api writes the exported API of each package to docs/api, so that a change of it shows in the
// diff, or compares it with what is written there:
//
//	go run -C scripts ./api [-check]
//
// A line holds one name with its type, its value (of a constant), or its method or field. What a
// user reaches through an alias or by embedding is listed where it is reached. The types come from
// the compiler's export data, as builds on linux/amd64 with cgo see them.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/hitscan-go/hitscan"

func main() {
	log.SetFlags(0)
	log.SetPrefix("api: ")
	check := flag.Bool("check", false, "compare with the files and write nothing")
	flag.Parse()
	root, err := filepath.Abs("..")
	if err != nil {
		log.Fatal(err)
	}
	if err := run(root, *check); err != nil {
		log.Fatal(err)
	}
}

// run writes the files of docs/api under root, or compares them.
func run(root string, check bool) error {
	files, err := describeAll(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "docs", "api")
	old, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	if check {
		var changed []string
		for _, name := range old {
			if _, ok := files[filepath.Base(name)]; !ok {
				changed = append(changed, filepath.Base(name)+": no such package")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			was, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			for _, line := range difference(string(was), files[name]) {
				changed = append(changed, strings.TrimSuffix(name, ".txt")+": "+line)
			}
		}
		if len(changed) == 0 {
			return nil
		}
		return fmt.Errorf("the exported API is not that of docs/api:\n%s\nIf it is meant so: go run -C scripts ./api, and a line in CHANGELOG.md",
			strings.Join(changed, "\n"))
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// difference lists the lines that only one text has, each with its sign.
func difference(was, is string) (lines []string) {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for _, l := range a {
		if !slices.Contains(b, l) {
			lines = append(lines, "- "+l)
		}
	}
	for _, l := range b {
		if !slices.Contains(a, l) {
			lines = append(lines, "+ "+l)
		}
	}
	return lines
}

// describeAll returns the text of each public package under root, by the name of its file.
func describeAll(root string) (map[string]string, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Name}}", "./...")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	exports := map[string]string{}
	var public []string
	for line := range strings.Lines(string(out)) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[field[0]] = field[1]
		ours := field[0] == module || strings.HasPrefix(field[0], module+"/")
		if ours && field[2] != "main" && !strings.Contains(field[0]+"/", "/internal/") {
			public = append(public, field[0])
		}
	}
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	files := map[string]string{}
	for _, path := range public {
		p, err := imports.Import(path)
		if err != nil {
			return nil, err
		}
		name := strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/", "-")
		if name == "" {
			continue // the root has documentation alone
		}
		files[name+".txt"] = describe(p)
	}
	return files, nil
}

// describe lists the exported names of a package, sorted.
func describe(p *types.Package) string {
	d := describer{pkg: p, lines: map[string]bool{}}
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			d.object(o)
		}
	}
	var b bytes.Buffer
	for _, line := range slices.Sorted(maps.Keys(d.lines)) {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

type describer struct {
	pkg   *types.Package
	lines map[string]bool
}

func (d *describer) add(format string, args ...any) { d.lines[fmt.Sprintf(format, args...)] = true }

// qualify names packages of the module by their path in it, and others in full.
func (d *describer) qualify(p *types.Package) string {
	if p == d.pkg {
		return ""
	}
	return strings.TrimPrefix(p.Path(), module+"/")
}

func (d *describer) typeOf(t types.Type) string { return types.TypeString(t, d.qualify) }

func (d *describer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		d.add("const %s %s = %s", o.Name(), d.typeOf(o.Type()), exact(o.Val()))
	case *types.TypeName:
		d.typeName(o)
	default: // var, func
		d.add("%s", types.ObjectString(o, d.qualify))
	}
}

// exact is a constant's value in full: ExactString of a float is a fraction.
func exact(v constant.Value) string {
	if v.Kind() == constant.Float {
		f, _ := constant.Float64Val(v)
		return fmt.Sprint(f)
	}
	return v.ExactString()
}

func (d *describer) typeName(o *types.TypeName) {
	head := "type " + o.Name()
	if named, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
		head += typeParams(named.TypeParams(), d)
	}
	if o.IsAlias() {
		d.add("%s = %s", head, d.typeOf(types.Unalias(o.Type())))
		if named, ok := types.Unalias(o.Type()).(*types.Named); !ok || !d.hidden(named.Obj()) {
			return // its own package lists the rest
		}
	}
	switch u := o.Type().Underlying().(type) {
	case *types.Struct:
		kind := "struct"
		if types.Comparable(u) {
			kind = "struct, comparable"
		}
		if !o.IsAlias() {
			d.add("%s %s", head, kind)
		}
		d.fields(o.Name(), u)
	case *types.Interface:
		if !o.IsAlias() {
			d.add("%s %s", head, d.typeOf(u))
		}
		return
	default:
		if !o.IsAlias() {
			d.add("%s %s", head, d.typeOf(u))
		}
	}
	// The methods of values are among those of pointers, so a line says which are not.
	values := types.NewMethodSet(o.Type())
	for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
		if !m.Obj().Exported() {
			continue
		}
		receiver := o.Name()
		if values.Lookup(m.Obj().Pkg(), m.Obj().Name()) == nil {
			receiver = "*" + receiver
		}
		d.add("method (%s) %s%s", receiver, m.Obj().Name(), strings.TrimPrefix(d.typeOf(m.Type()), "func"))
	}
}

// hidden reports whether a user cannot name the type where it is declared.
func (d *describer) hidden(o *types.TypeName) bool {
	return !o.Exported() || o.Pkg() != nil && strings.Contains(o.Pkg().Path()+"/", "/internal/")
}

// fields lists the fields of a struct, and those that an embedded struct promotes which cannot be
// named itself.
func (d *describer) fields(name string, s *types.Struct) {
	for f := range s.Fields() {
		named, _ := types.Unalias(f.Type()).(*types.Named)
		if f.Embedded() && named != nil && d.hidden(named.Obj()) {
			if inner, ok := named.Underlying().(*types.Struct); ok {
				d.fields(name, inner)
			}
		}
		if f.Exported() {
			d.add("field %s.%s %s", name, f.Name(), d.typeOf(f.Type()))
		}
	}
}

func typeParams(list *types.TypeParamList, d *describer) string {
	if list.Len() == 0 {
		return ""
	}
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+d.typeOf(p.Constraint()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
