// Package heap has a binary heap (Williams 1964) that allocates nothing once it has grown.
package heap

// Item is a value and its key.
type Item[T any] struct {
	Key   float64
	Value T
}

// Heap is a binary heap: Items[0] has the least key. The zero Heap is empty.
type Heap[T any] struct{ Items []Item[T] }

// Push adds a value.
func (h *Heap[T]) Push(key float64, value T) {
	item := Item[T]{key, value}
	items := append(h.Items, item)
	at := len(items) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if items[parent].Key <= key {
			break
		}
		items[at] = items[parent]
		at = parent
	}
	items[at] = item
	h.Items = items
}

// Pop removes the first item.
func (h *Heap[T]) Pop() Item[T] {
	last := len(h.Items) - 1
	first, item := h.Items[0], h.Items[last]
	if h.Items = h.Items[:last]; last > 0 {
		h.Replace(item)
	}
	return first
}

// Replace puts an item in the place of the first.
func (h *Heap[T]) Replace(item Item[T]) {
	items, at := h.Items, 0
	for {
		child := 2*at + 1
		if child >= len(items) {
			break
		}
		if child+1 < len(items) && items[child+1].Key < items[child].Key {
			child++
		}
		if item.Key <= items[child].Key {
			break
		}
		items[at] = items[child]
		at = child
	}
	items[at] = item
}

// Clear removes all items, and keeps the memory.
func (h *Heap[T]) Clear() { h.Items = h.Items[:0] }
