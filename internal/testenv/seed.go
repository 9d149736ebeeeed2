package testenv

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	_ "pgregory.net/rapid" // registers the flags that init sets
)

// The environment variables of a campaign. SeedVariable holds the number that changes the
// sequences of [Rand], and rapid reads its own seed from RAPID_SEED.
const SeedVariable = "HITSCAN_SEED"

// seed is 0 except in a campaign.
var seed = func() uint64 {
	s := os.Getenv(SeedVariable)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("testenv: %s: %v", SeedVariable, err))
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
