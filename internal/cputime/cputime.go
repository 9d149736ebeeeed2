// Package cputime is the clock of the benchmark programs: CPU time, which other programs on the
// machine disturb less than wall-clock time.
package cputime

import "time"

var begin = time.Now()

// Wall returns wall-clock time, from about the start of the program.
func Wall() time.Duration { return time.Since(begin) }

// Of returns the clock for a program that computes on a number of threads: CPU time for one thread,
// wall-clock time for more.
func Of(threads int) func() time.Duration {
	if threads > 1 {
		return Wall
	}
	return Now
}
