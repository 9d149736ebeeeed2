package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
)

// The traversal is chosen when a program starts, by this environment variable.
const portableVariable = "HITSCAN_PORTABLE"

// isPortable reports whether this process certainly uses the portable traversal, in Go alone.
func isPortable() bool { return runtime.GOARCH != "amd64" || os.Getenv(portableVariable) == "1" }

// runPortable starts this program again, with the same arguments, with the portable traversal, and
// waits for its end. If the program fails, the error is an [exec.ExitError], and the reason has
// been printed.
func runPortable(args []string, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("-portable: %w", err)
	}
	again := exec.Command(self, args...)
	again.Env = append(os.Environ(), portableVariable+"=1")
	again.Stdin, again.Stdout, again.Stderr = os.Stdin, stdout, stderr
	if err := again.Run(); err != nil {
		return fmt.Errorf("-portable: %s: %w", self, err)
	}
	return nil
}
