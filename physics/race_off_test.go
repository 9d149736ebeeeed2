//go:build !race

package physics

const RaceDetector = false
