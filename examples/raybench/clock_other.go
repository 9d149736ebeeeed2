//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import "time"

// cpuTime returns wall-clock time, on systems without a CPU clock for processes.
func cpuTime() time.Duration { return wallTime() }
