package physics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// TestPagesVisitWhatHasChanged compares what is visited with the numbers at which each page was
// touched last, while the list of pages grows and shrinks.
func TestPagesVisitWhatHasChanged(t *testing.T) {
	r := testenv.Rand(11, 4)
	var p, copied pages
	var want []uint64
	visits := 0
	for now := range uint64(2000) {
		switch r.IntN(8) {
		case 0:
			n := r.IntN(4 * blockSize)
			p.resize(n)
			want = append(want, make([]uint64, max(0, n-len(want)))...)[:n]
		case 1:
			if len(want) > 0 {
				page := r.IntN(len(want))
				p.touchShared(page<<pageBits, now)
				want[page] = now
			}
		case 2:
			copied.copyFrom(&p)
			p, copied = copied, p
		default:
			page := r.IntN(4 * blockSize)
			p.touch(page<<pageBits+r.IntN(pageSize), now)
			want = append(want, make([]uint64, max(0, page+1-len(want)))...)
			want[page] = now
		}
		since, n := now-min(now, uint64(r.IntN(20))), r.IntN(len(want)*pageSize+2)
		var found, expect [][2]int
		p.visitSince(since, n, func(start, end int) { found = append(found, [2]int{start, end}) })
		for page, changed := range want {
			if start := page << pageBits; changed > since && start < n {
				expect = append(expect, [2]int{start, min(start+pageSize, n)})
			}
		}
		require.Equal(t, expect, found)
		visits += len(found)
	}
	require.Greater(t, visits, 2000)
}
