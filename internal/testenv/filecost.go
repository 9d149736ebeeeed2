package testenv

import (
	"math"
	"runtime"
	"testing"

	"github.com/hitscan-go/hitscan/internal/cputime"
)

// FileCost reports as metrics what reading the files of a grammar costs. File returns one of a size
// that grows with n, and how many bytes lie in other files; read reads it, and whether it ends with
// an error does not matter.
//
//   - bound: the memory ever allocated for a file of a megabyte, in parts of what is promised, 64
//     times the bytes and 16 MB
//   - x: the same memory in multiples of the file
//   - s/MB: the least processor time of three, collection of garbage included
//   - exponent: of the growth of time from a quarter of the size on; it is not reported below ten
//     milliseconds
func FileCost(b *testing.B, file func(n int) (data []byte, beside int), read func(data []byte)) {
	b.Helper()
	cost := func(size int) (bytes, memory, seconds float64) {
		n := 1
		data, beside := file(n)
		for len(data)+beside < size {
			n += 1 + n/8
			data, beside = file(n)
		}
		seconds = math.Inf(1)
		for range 3 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cputime.Now()
			read(data)
			seconds = min(seconds, (cputime.Now() - start).Seconds())
			runtime.ReadMemStats(&after)
			memory = float64(after.TotalAlloc - before.TotalAlloc)
		}
		return float64(len(data) + beside), memory, seconds
	}
	for b.Loop() {
		small, _, before := cost(1 << 18)
		bytes, memory, seconds := cost(1 << 20)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(memory/(64*bytes+16<<20), "bound")
		b.ReportMetric(memory/bytes, "x")
		b.ReportMetric(1e6*seconds/bytes, "s/MB")
		if before > 1e-2 {
			b.ReportMetric(math.Log(seconds/before)/math.Log(bytes/small), "exponent")
		}
	}
}
