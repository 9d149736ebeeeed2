package broad

import (
	"math/bits"
	"sync/atomic"
)

// wordsPerSum is the number of words of marks that one word of the summary describes: 1024 nodes.
// With more, the few words of a summary could not be divided among workers.
const wordsPerSum = 16

// marks is a set of nodes as a bit set of two levels: a bit for each node, and a summary with a bit
// for each word that may not be 0. Iteration goes by rising index and skips empty words.
type marks struct {
	words   []uint64
	summary []uint64
}

// grow extends the set to the indices below n.
func (m *marks) grow(n int) {
	if words := (n + 63) / 64; words > len(m.words) {
		m.words = append(m.words, make([]uint64, words-len(m.words))...)
		m.summary = append(m.summary, make([]uint64, (words+wordsPerSum-1)/wordsPerSum-len(m.summary))...)
	}
}

func (m *marks) add(i int32) {
	w := uint32(i) / 64
	m.words[w] |= 1 << (uint32(i) % 64)
	m.summary[w/wordsPerSum] |= 1 << (w % wordsPerSum)
}

// addShared is add for many goroutines at once.
func (m *marks) addShared(i int32) {
	w, bit := uint32(i)/64, uint64(1)<<(uint32(i)%64)
	if word := &m.words[w]; atomic.LoadUint64(word)&bit == 0 { // it takes a tenth of the write
		atomic.OrUint64(word, bit)
		atomic.OrUint64(&m.summary[w/wordsPerSum], 1<<(w%wordsPerSum))
	}
}

func (m *marks) remove(i int32) {
	if w := int(uint32(i) / 64); w < len(m.words) {
		m.words[w] &^= 1 << (uint32(i) % 64)
	}
}

func (m *marks) empty() bool {
	for _, s := range m.summary {
		if s != 0 {
			return false
		}
	}
	return true
}

// count returns the number of nodes in the set.
func (m *marks) count() int {
	n := 0
	for i, s := range m.summary {
		for ; s != 0; s &= s - 1 {
			n += bits.OnesCount64(m.words[i*wordsPerSum+bits.TrailingZeros64(s)])
		}
	}
	return n
}

// clear empties the set.
func (m *marks) clear() {
	for i, s := range m.summary {
		for ; s != 0; s &= s - 1 {
			m.words[i*wordsPerSum+bits.TrailingZeros64(s)] = 0
		}
		m.summary[i] = 0
	}
}
