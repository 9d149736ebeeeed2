package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a user can name is listed, wherever it is declared, and nothing else.
func TestDescribe(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p
type inner struct { A int; b int }
func (*inner) Promoted() {}
type Outer struct { inner; B []string; c int }
func (Outer) Value(x, y float32) (ok bool) { return }
func (*Outer) Pointer() {}
func (Outer) hidden() {}
type Alias = inner
type List[T any] []T
func (l List[T]) First() (t T) { return }
type Doer interface { Do(n int) error }
const Half float64 = 0.5
const small = 1
var V map[string]Outer
func F(a ...int) *Outer { return nil }
`, 0)
	require.NoError(t, err)
	p, err := new(types.Config).Check(module+"/p", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	assert.Equal(t, `const Half float64 = 0.5
field Alias.A int
field Outer.A int
field Outer.B []string
func F(a ...int) *Outer
method (*Alias) Promoted()
method (*Outer) Pointer()
method (*Outer) Promoted()
method (List) First() (t T)
method (Outer) Value(x float32, y float32) (ok bool)
type Alias = inner
type Doer interface{Do(n int) error}
type List[T any] []T
type Outer struct
var V map[string]Outer
`, describe(p))
}

func TestDifference(t *testing.T) {
	assert.Equal(t, []string{"- b", "+ d"}, difference("a\nb\nc", "a\nc\nd"))
	assert.Empty(t, difference("a\n", "a\n"))
}
