// Package callbacktest tests what becomes of a panic in a function that a user hands to a public
// call: a Predicate of a filter, or a callback. It must reach the caller with the same value, from
// whichever goroutine, and the call must work as before when it is made again.
package callbacktest

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// Table is a list of public calls, each with functions that call [Table.Called].
type Table struct {
	arguments map[reflect.Type]any
	calls     map[string]func() any
	called    atomic.Int64
	panicAt   atomic.Int64 // the number of the call that panics, and all after it; 0 for none
}

// New returns a table for calls that take these arguments, each or a batch of it, by their types.
func New(arguments ...any) *Table {
	t := &Table{arguments: map[reflect.Type]any{}, calls: map[string]func() any{}}
	for _, a := range arguments {
		v := reflect.ValueOf(a)
		batch := reflect.MakeSlice(reflect.SliceOf(v.Type()), 0, 200)
		for range 200 {
			batch = reflect.Append(batch, v)
		}
		t.arguments[v.Type()], t.arguments[batch.Type()] = a, batch.Interface()
	}
	return t
}

// Called is what the functions call that are handed to the calls.
func (t *Table) Called() {
	if n, at := t.called.Add(1), t.panicAt.Load(); at > 0 && n >= at {
		panic(t)
	}
}

// Add adds a call. It returns all results, to be compared.
func (t *Table) Add(name string, call func() any) { t.calls[name] = call }

// AddFunc adds the call of a function with a filter for its last argument. Slices that no argument
// was given for are nil.
func (t *Table) AddFunc(name string, f, filter any) {
	fn := reflect.ValueOf(f)
	t.Add(name, func() any {
		in := []reflect.Value{}
		for i := range fn.Type().NumIn() - 1 {
			typ := fn.Type().In(i)
			if a, ok := t.arguments[typ]; ok {
				in = append(in, reflect.ValueOf(a))
			} else if typ.Kind() == reflect.Slice {
				in = append(in, reflect.Zero(typ))
			} else {
				panic(fmt.Sprintf("callbacktest: no argument for the %v of %s", typ, name))
			}
		}
		all := []any{}
		for _, out := range fn.Call(append(in, reflect.ValueOf(filter))) {
			if out.Kind() != reflect.Func {
				all = append(all, out.Interface())
				continue
			}
			for v := range out.Seq() {
				all = append(all, v.Interface())
			}
		}
		return all
	})
}

// AddMethods adds the exported methods of a value that take a filter for their last argument, and
// returns how many these are.
func (t *Table) AddMethods(name string, of, filter any) (n int) {
	v := reflect.ValueOf(of)
	for i := range v.NumMethod() {
		if m := v.Method(i); m.Type().NumIn() > 0 && m.Type().In(m.Type().NumIn()-1) == reflect.TypeOf(filter) {
			t.AddFunc(name+"."+v.Type().Method(i).Name, m.Interface(), filter)
			n++
		}
	}
	return n
}

// Run makes each call on one processor and on four: without a panic, with one in the first call of
// Called and with one in the middle of all, and after each panic again.
func (t *Table) Run(test *testing.T) {
	for _, processors := range testenv.Fewer([]int{1, 4}, []int{4}) {
		for _, name := range slices.Sorted(maps.Keys(t.calls)) {
			test.Run(fmt.Sprintf("%s on %d", name, processors), func(test *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				call := t.calls[name]
				t.called.Store(0)
				want := call()
				total := t.called.Load()
				require.NotZero(test, total, "no function is called")
				for _, at := range []int64{1, total/2 + 1} {
					t.called.Store(0)
					t.panicAt.Store(at)
					assert.PanicsWithValue(test, t, func() { call() }, "in call %d of %d", at, total)
					t.panicAt.Store(0)
					assert.Equal(test, want, call(), "after a panic in call %d of %d", at, total)
				}
			})
		}
	}
}
