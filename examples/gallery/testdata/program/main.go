// Program does what the runtime takes tables of functions for: it grows stacks with pointers on
// them, collects garbage meanwhile, runs deferred calls, recovers from panics in inlined calls and
// in methods without a receiver, and calls methods by reflection.
package main

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

type list struct {
	next *list
	text string
}

// deep returns the length of all texts on a stack of n calls, each with pointers into it.
func deep(n int, tail *list) int {
	var here list
	here.next, here.text = tail, strings.Repeat("x", n%7)
	if n%500 == 0 {
		runtime.GC()
	}
	if n > 0 {
		return deep(n-1, &here)
	}
	sum := 0
	for l := &here; l != nil; l = l.next {
		sum += len(l.text)
	}
	return sum
}

func at(s []int, i int) int { return s[i] }

func caught(i int) (what any) {
	defer func() { what = recover() }()
	for range 3 {
		defer func() { i++ }()
	}
	return at([]int{1, 2, 3}, i)
}

type text string

func (t text) String() string { return string(t) }

// Deep grows the stack while a call by reflection is on it.
func (t *text) Deep(n int) int { return deep(n, nil) + len(*t) }

func main() {
	results := make(chan int)
	for i := range 4 {
		go func() { results <- deep(3000+i, nil) }()
	}
	sum := 0
	for range 4 {
		sum += <-results
	}
	fmt.Println(sum, caught(2), caught(3), caught(-1))
	var none *text // fmt recovers
	some := text("some")
	fmt.Println(none, some, reflect.ValueOf(&some).MethodByName("Deep").Interface().(func(int) int)(5000))
}
