//go:build !unix

package testenv

import "time"

var began = time.Now()

// cpuTime returns the time since the start, where that of the processor is not known.
func cpuTime() float64 { return time.Since(began).Seconds() }
