//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import "time"

// cpuTime returns the time of the clock, where the system does not tell that of the CPU.
func cpuTime() time.Duration { return time.Since(begin) }
