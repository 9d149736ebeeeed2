package physics

import "github.com/hitscan-go/hitscan/physics/internal/freelist"

// keptPages is the pages of a list that saved states have in common with it. A page that no one has
// written to since it was saved is not copied: [keptPages.touch] does so before the first write.
// The list itself stays in place.
type keptPages[T any] struct {
	now   []*keptPage[T]              // by page: what is equal to the list; or nil
	spare freelist.List[*keptPage[T]] // without users
}

type keptPage[T any] struct {
	users int  // the list, and states
	full  bool // else the list alone holds the page
	list  [pageSize]T
}

// touch notes that a page of the list will be written to.
func (p *keptPages[T]) touch(page int, list *[pageSize]T) {
	k := p.now[page]
	if k == nil {
		return
	}
	p.now[page] = nil
	p.drop(k)
	if k.users > 0 && !k.full {
		k.list, k.full = *list, true
	}
}

// drop gives up a use of a page.
func (p *keptPages[T]) drop(k *keptPage[T]) {
	if k.users--; k.users == 0 {
		p.spare.Give(k)
	}
}

// save makes the pages of a state the first n of the list.
func (p *keptPages[T]) save(to []*keptPage[T], n int) []*keptPage[T] {
	for ; len(to) > n; to = to[:len(to)-1] {
		p.drop(to[len(to)-1])
	}
	for i := range n {
		if i == len(to) {
			to = append(to, nil)
		} else if to[i] == p.now[i] {
			continue
		} else {
			p.drop(to[i])
		}
		if p.now[i] == nil {
			p.now[i] = p.take()
		}
		to[i] = p.now[i]
		to[i].users++
	}
	return to
}

// take returns a page that the list uses.
func (p *keptPages[T]) take() *keptPage[T] {
	k, ok := p.spare.Take()
	if !ok {
		k = new(keptPage[T])
	}
	k.users, k.full = 1, false
	return k
}

// restore makes a page of the list that of a state.
func (p *keptPages[T]) restore(page int, k *keptPage[T], list *[pageSize]T) {
	if p.now[page] == k {
		return
	}
	p.touch(page, list)
	*list = k.list
	p.now[page] = k
	k.users++
}
