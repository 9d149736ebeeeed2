//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cputime

import "time"

// Now returns wall-clock time, on systems without a CPU clock for processes.
func Now() time.Duration { return Wall() }
