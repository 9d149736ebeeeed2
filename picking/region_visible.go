package picking

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics"
)

// samples is the set of a region's pixels through which no ray has been cast yet.
type samples struct {
	x0, y0, width, height int
	left                  []uint64 // one bit for each pixel
	seen                  []bool   // parallel to the colliders that are tested
}

// firstStep is the distance, in steps, of the samples tried first. It finds large colliders with
// few rays.
const firstStep = 16

// Visible returns those of the colliders ids, lowest ID first, that are visible in the region: the
// ray through the centre of at least one pixel of the region hits them first. ids must be in rising
// order, as [Region.Overlap] and [Region.Contained] return them, and is overwritten. The filter f
// decides what can hide them; use the one that picks, such as [PickFilter]. It must also accept the
// colliders themselves, or they are never visible.
//
// step is the distance of the sampled pixels on both axes, in framebuffer pixels. With 1 or less
// every pixel is sampled, and the answer is that of an ID buffer. With n, the pixels are sampled
// whose coordinates are multiples of n, from the lower left corner of the framebuffer, so different
// regions sample the same pixels. The time is then up to n² times less, and colliders less than n
// pixels wide or high may be missed. A collider that covers no pixel centre is invisible at every
// step.
//
// For each collider, rays are cast where its bounds project, from coarse to fine. Every hit marks
// the collider that it hits, so no pixel is sampled twice. A visible collider costs a few rays; a
// hidden one costs a ray for each sampled pixel that its bounds cover.
func (r *Region) Visible(s *physics.Space, ids []physics.ColliderID, step int, f physics.Filter) []physics.ColliderID {
	if r.IsEmpty() {
		return ids[:0]
	}
	p := &r.samples
	p.read(r)
	p.seen = slices.Grow(p.seen[:0], len(ids))[:len(ids)]
	clear(p.seen)
	step = min(max(step, 1), 1<<20)
	m := r.view.Camera.Matrix(r.view.Aspect())
	for i, id := range ids {
		if p.seen[i] {
			continue
		}
		bounds, _ := s.Bounds(id)
		x0, y0, x1, y1 := p.within(r.view.picture(&m, bounds))
		for by := firstStep * step; by >= step && !p.seen[i]; by /= 2 {
			p.castEvery(r, s, ids, i, [4]int{x0, y0, x1, y1}, by, &f)
		}
	}
	n := 0
	for i, id := range ids {
		if p.seen[i] {
			ids[n] = id
			n++
		}
	}
	return ids[:n]
}

// castEvery casts rays through every by-th pixel of a rectangle until collider i is hit.
func (p *samples) castEvery(r *Region, s *physics.Space, ids []physics.ColliderID, i int, in [4]int, by int, f *physics.Filter) {
	for y := up(in[1], by); y < in[3]; y += by {
		for x := up(in[0], by); x < in[2]; x += by {
			if !p.take(x, y) {
				continue
			}
			hit, ok := s.CastRay(r.view.PixelRay(x, y), *f)
			if !ok {
				continue
			}
			if at, is := slices.BinarySearch(ids, hit.Collider); is {
				p.seen[at] = true
				if at == i {
					return
				}
			}
		}
	}
}

// up returns the smallest multiple of n that is at least x, for x ≥ 0.
func up(x, n int) int { return (x + n - 1) / n * n }

// read marks all pixels whose centres are in a region.
func (p *samples) read(r *Region) {
	b := &r.bounds
	p.x0, p.y0 = int(math.Floor(b.x0)), int(math.Floor(b.y0))
	p.width, p.height = int(math.Ceil(b.x1))-p.x0, int(math.Ceil(b.y1))-p.y0
	words := (p.width*p.height + 63) / 64
	p.left = slices.Grow(p.left[:0], words)[:words]
	clear(p.left)
	for i := range r.in {
		t := &r.in[i]
		for y := int(math.Ceil(t.bottom - 0.5)); float64(y)+0.5 <= t.top; y++ {
			from, to := t.span(float64(y) + 0.5)
			from, to = max(from, b.x0), min(to, b.x1)
			for x := int(math.Ceil(from - 0.5)); float64(x)+0.5 <= to; x++ {
				if x >= p.x0 && y >= p.y0 && x < p.x0+p.width && y < p.y0+p.height {
					n := (y-p.y0)*p.width + x - p.x0
					p.left[n/64] |= 1 << (n % 64)
				}
			}
		}
	}
}

// take reports whether a pixel is marked and clears its mark.
func (p *samples) take(x, y int) bool {
	n := (y-p.y0)*p.width + x - p.x0
	marked := p.left[n/64]&(1<<(n%64)) != 0
	p.left[n/64] &^= 1 << (n % 64)
	return marked
}

// within returns the marked pixels in a rectangle: from (x0, y0) up to, but not including, (x1,
// y1).
func (p *samples) within(r rectangle) (x0, y0, x1, y1 int) {
	r = r.and(rectangle{float64(p.x0), float64(p.y0), float64(p.x0 + p.width), float64(p.y0 + p.height)})
	if r.isEmpty() {
		return 0, 0, 0, 0
	}
	return int(r.x0), int(r.y0), min(int(r.x1)+1, p.x0+p.width), min(int(r.y1)+1, p.y0+p.height)
}
