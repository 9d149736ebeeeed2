//go:build race

package physics

// raceDetector tells that the race detector is on. A sync.Pool then drops things at random, and so queries do allocate.
const raceDetector = true
