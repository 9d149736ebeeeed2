package broad

import (
	"cmp"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// walkPlant makes a tree over boxes, which get the given numbers, by cutting them into eight parts again and again.
func walkPlant(boxes []geom.AABB, numbers []uint32) (t tree) {
	if len(boxes) == 0 {
		return t
	}
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	nodes := make([]node, 1, 1+len(boxes)/4)
	nodes[0] = emptyNode
	levels, size := 1, width
	for size < len(boxes) {
		levels, size = levels+1, size*width
	}
	center := func(i int) [3]float64 {
		b := boxes[i]
		lo, hi := b.Min.Array(), b.Max.Array()
		return [3]float64{float64(lo[0]) + float64(hi[0]), float64(lo[1]) + float64(hi[1]), float64(lo[2]) + float64(hi[2])}
	}
	var grow func(part []int, level, size int) int32
	grow = func(part []int, level, size int) int32 {
		i := int32(len(nodes))
		nodes = append(nodes, emptyNode)
		nodes[i].level = uint8(level)
		each := size / width
		// cut puts the boxes in order so that each slot's lie together.
		var cut func(part []int, slots int)
		cut = func(part []int, slots int) {
			if slots == 1 || len(part) <= each {
				return
			}
			lo, hi := center(part[0]), center(part[0])
			for _, j := range part {
				for a, x := range center(j) {
					lo[a], hi[a] = min(lo[a], x), max(hi[a], x)
				}
			}
			axis := 0
			for a := range 3 {
				if hi[a]-lo[a] > hi[axis]-lo[axis] {
					axis = a
				}
			}
			slices.SortStableFunc(part, func(j, k int) int { return cmp.Compare(center(j)[axis], center(k)[axis]) })
			at := min(slots/2*each, len(part))
			cut(part[:at], slots/2)
			cut(part[at:], slots/2)
		}
		cut(part, width)
		for slot := 0; len(part) > 0; slot++ {
			mine := part[:min(each, len(part))]
			part = part[len(mine):]
			if level == 0 {
				nodes[i].child[slot] = boxRef(numbers[mine[0]])
				nodes[i].setBounds(slot, boxes[mine[0]])
			} else {
				j := grow(mine, level-1, each)
				nodes[i].child[slot] = nodeRef(j)
				nodes[i].setBounds(slot, nodes[j].union())
				nodes[j].parent, nodes[j].slot = i, uint8(slot)
			}
			nodes[i].count++
		}
		return i
	}
	t.root = grow(order, levels-1, size)
	t.nodes = alignedNodes(len(nodes))
	copy(t.nodes, nodes)
	return t
}

// walkPhase makes a phase of boxes, of which every so-manieth stands still; none if it is 0.
func walkPhase(boxes []geom.AABB, every int) *Phase {
	var p Phase
	var parts [2][]geom.AABB
	var numbers [2][]uint32
	p.bounds = geom.EmptyAABB()
	for i, b := range boxes {
		half := 0
		if every > 0 && i%every == 0 {
			half = 1
		}
		parts[half] = append(parts[half], b)
		numbers[half] = append(numbers[half], uint32(i))
		p.bounds = p.bounds.Union(b)
	}
	p.trees = [2]tree{walkPlant(parts[0], numbers[0]), walkPlant(parts[1], numbers[1])}
	return &p
}
