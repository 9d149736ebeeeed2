//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import "time"

// cpuTime returns the time that passes, where the system is not asked for that of the CPU.
func cpuTime() time.Duration { return wallTime() }
