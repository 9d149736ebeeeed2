package freelist

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

func init() { Period = 500 }

// TestDropsWhatWasNotNeeded compares a list with a model that holds the period in which each value
// was last used.
func TestDropsWhatWasNotNeeded(t *testing.T) {
	r := testenv.Rand(1, 20)
	var l List[*int]
	var used, model []*int // model is what must be in the list, the one given last at the end
	last := map[*int]int{} // the period
	made := 0
	for p := range 20 {
		most := r.IntN(10)
		for range Period {
			for len(used) > 0 && r.IntN(2) == 0 {
				x := used[len(used)-1]
				used = used[:len(used)-1]
				last[x] = p
				model = append(model, x)
				l.Give(x)
			}
			for len(used) < most && r.IntN(2) == 0 {
				x, ok := l.Take()
				if assert.Equal(t, len(model) > 0, ok); ok {
					assert.Same(t, model[len(model)-1], x)
					model = model[:len(model)-1]
				} else {
					x = new(int)
					made++
				}
				used = append(used, x)
			}
			l.Trim()
		}
		var kept []*int
		for _, x := range model {
			if last[x] == p {
				kept = append(kept, x)
			}
		}
		model = kept
		assert.Equal(t, len(model), l.Len())
	}
	testenv.Drawn(t, made, 10)
}

// TestKeepsWhatIsNeededAgain varies the need within periods: nothing is allocated after the first.
func TestKeepsWhatIsNeededAgain(t *testing.T) {
	var l List[*int]
	made := 0
	round := func(n int) {
		var used []*int
		for range n {
			x, ok := l.Take()
			if !ok {
				x = new(int)
				made++
			}
			used = append(used, x)
		}
		for _, x := range used {
			l.Give(x)
		}
		l.Trim()
	}
	for i := range 5 * Period {
		round(i % 100)
	}
	assert.Equal(t, 99, made)
	assert.Equal(t, 99, l.Len())
	for range 2 * Period {
		round(3)
	}
	assert.Equal(t, 3, l.Len())
	for _, x := range l.free[:cap(l.free)][l.Len():] {
		assert.Nil(t, x, "what was dropped is still referred to")
	}
}
