//go:build !js || noasm

package rigid

// solveByKernel reports that there is no kernel: see kernel_js.go.
func (d *Dynamics) solveByKernel(int, int, bool) bool { return false }
