// Program does what the runtime takes tables of functions for: it grows stacks with pointers on
// them, collects garbage meanwhile, runs deferred calls and recovers from panics in inlined calls.
package main

import (
	"fmt"
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
}
