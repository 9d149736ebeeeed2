package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// mutant is a change of one place of a file.
type mutant struct {
	pkg        *pkg
	file, what string
	line       int
	text       []byte
	from, to   int // the bytes that are replaced
	by         string
	// body is the function whose body can be copied to hold the mutant, if any, and the bytes of
	// the body from brace to brace.
	body             *ast.FuncDecl
	bodyFrom, bodyTo int
}

func (m *mutant) place() string { return fmt.Sprintf("%s:%d", m.file, m.line) }

func (m *mutant) apply() []byte { return slices.Concat(m.text[:m.from], []byte(m.by), m.text[m.to:]) }

// others are the operators that take the place of one.
var others = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// mutantsOf returns all mutants of a file, in the order of their places. What only words a panic,
// an error or a string is left out.
func mutantsOf(name string, text []byte) ([]*mutant, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []*mutant
	var body *ast.FuncDecl
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	add := func(from, to token.Pos, by, format string, args ...any) {
		m := &mutant{file: name, line: fset.Position(from).Line, text: text,
			from: offset(from), to: offset(to), by: by, what: fmt.Sprintf(format, args...)}
		if body != nil && body.Body.Pos() < from && to < body.Body.End() {
			m.body, m.bodyFrom, m.bodyTo = body, offset(body.Body.Pos()), offset(body.Body.End())
		}
		all = append(all, m)
	}
	source := func(n ast.Node) string { return string(text[offset(n.Pos()):offset(n.End())]) }
	operator := func(at token.Pos, was token.Token) {
		for _, is := range others[was] {
			add(at, at+token.Pos(len(was.String())), is.String(), "%s becomes %s", was, is)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Name.Name == "String" {
				return false
			}
			if body = nil; copies(n) {
				body = n
			}
		case *ast.ImportSpec, *ast.TypeSpec:
			return false
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok != token.DEFINE {
				add(n.Pos(), n.End(), "", "without %s", oneLine(source(n)))
			}
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
					return false
				}
			}
			add(n.Pos(), n.End(), "", "without %s", oneLine(source(n)))
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+source(n.Cond)+")", "negated: %s", oneLine(source(n.Cond)))
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Errorf" || s.Sel.Name == "Sprintf") {
				return false
			}
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "min" || f.Name == "max") {
				return true // the same in any order
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Inf" || s.Sel.Name == "Max" || s.Sel.Name == "Min") {
				return s.Sel.Name != "Inf" // of which only the sign counts
			}
			for i := 1; i < len(n.Args); i++ {
				a, b := source(n.Args[i-1]), source(n.Args[i])
				if a != b {
					between := string(text[offset(n.Args[i-1].End()):offset(n.Args[i].Pos())])
					add(n.Args[i-1].Pos(), n.Args[i].End(), b+between+a, "swapped: %s and %s", oneLine(a), oneLine(b))
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.INT || n.Kind == token.FLOAT && strings.Trim(n.Value, "0.") == "" {
				add(n.Pos(), n.End(), "("+n.Value+" + 1)", "%s + 1", n.Value)
			} else if n.Kind == token.FLOAT {
				add(n.Pos(), n.End(), "(2 * "+n.Value+")", "2 * %s", n.Value)
			}
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b *mutant) int { return a.from - b.from })
	return all, nil
}

// copies returns whether a block within a function's body can stand for the body: not if labels
// would be there twice, or if a parameter or result that it assigns to by := would be another
// variable there.
func copies(f *ast.FuncDecl) bool {
	if f.Body == nil {
		return false
	}
	names := map[string]bool{}
	for _, fields := range []*ast.FieldList{f.Recv, f.Type.Params, f.Type.Results} {
		if fields != nil {
			for _, field := range fields.List {
				for _, name := range field.Names {
					names[name.Name] = true
				}
			}
		}
	}
	ok := true
	for _, s := range f.Body.List {
		if s, is := s.(*ast.AssignStmt); is && s.Tok == token.DEFINE {
			for _, l := range s.Lhs {
				if name, is := l.(*ast.Ident); is && names[name.Name] && name.Name != "_" {
					ok = false
				}
			}
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if _, is := n.(*ast.LabeledStmt); is {
			ok = false
		}
		return ok
	})
	return ok
}

// testsNear returns the names of the tests in a file named after this one.
func testsNear(name string) map[string]bool {
	names := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), strings.TrimSuffix(name, ".go")+"_test.go", nil, parser.SkipObjectResolution)
	if err == nil {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}

// oneLine is the start of a piece of code.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}
