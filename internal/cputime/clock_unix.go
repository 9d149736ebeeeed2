//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cputime

import (
	"syscall"
	"time"
)

// Now returns the CPU time of this process.
func Now() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return Wall()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
