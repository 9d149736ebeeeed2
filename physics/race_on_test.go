//go:build race

package physics

// RaceDetector tells that the race detector is on. A sync.Pool then drops things at random, so that
// queries do allocate, and what takes a second takes ten.
const RaceDetector = true
