//go:build unix

package testenv

import "syscall"

// cpuTime returns the processor time that the process has taken, in seconds.
func cpuTime() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
