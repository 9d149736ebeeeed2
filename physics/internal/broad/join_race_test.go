//go:build race

package broad

func init() { joinRace = true }
