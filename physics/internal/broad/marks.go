package broad

import (
	"math/bits"
	"sync/atomic"
)

// wordsPerSum is how many words of marks have one bit each in a word of the summary: so few that
// goroutines can share the words of the summary of some thousand nodes.
const wordsPerSum = 16

// marks is a set of nodes that is gone through in the order of their indices, in a time that
// depends on how many are in it and hardly on how many there could be: a bit for each node, and a
// bit for each word of those.
type marks struct {
	words   []uint64
	summary []uint64
}

// grow makes room for the indices below n.
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
	w := uint32(i) / 64
	atomic.OrUint64(&m.words[w], 1<<(uint32(i)%64))
	atomic.OrUint64(&m.summary[w/wordsPerSum], 1<<(w%wordsPerSum))
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

// count returns how many there are.
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
