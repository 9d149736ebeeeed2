//go:build !race

package physics

const raceDetector = false
