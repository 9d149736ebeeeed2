package testenv

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	_ "pgregory.net/rapid" // registers the flags that init sets
)

// seed changes the sequences of [Rand]. It is 0 except in a campaign, which sets HITSCAN_SEED, and
// RAPID_SEED for rapid.
var seed = func() uint64 {
	s := os.Getenv("HITSCAN_SEED")
	if s == "" {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("testenv: HITSCAN_SEED: %v", err))
	}
	return n
}()

// By default rapid draws a new seed in each run. The variable and the flag -rapid.seed, which is
// parsed later, still override this one.
func init() {
	if os.Getenv("RAPID_SEED") == "" {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			panic(err)
		}
	}
}

// Rand returns random numbers that two seeds choose (PCG), the same in every run except in a
// campaign. A test whose expected counts hold for one sequence only uses rand.New itself.
func Rand(seed1, seed2 uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed1^seed*0x9E3779B97F4A7C15, seed2))
}
