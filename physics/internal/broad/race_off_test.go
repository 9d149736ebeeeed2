//go:build !race

package broad

// raceDetector tells that the race detector is on. A sync.Pool then drops things at random, so that
// visits do allocate, and what takes a second takes ten.
const raceDetector = false
