package physecs

import (
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Pick is an entity under a pointer, as a [Backend] finds it.
type Pick = picking.Pick[ecs.Entity]

// Backend finds what is under a pointer in its part of the picture: a HUD whose buttons are
// entities, a second view. The world in the [View] has Order 0 and is always included;
// [RaycastSystem] has a list of others.
//
// [picking.MergePicks] puts the picks of all of them in order.
type Backend interface {
	// Pick appends what is under a pointer to dst and returns the longer slice. Where it hides what
	// is behind without being a target, it appends a Pick with Cover. It is not called for
	// pointers that are outside the window or captured. With RaycastSystem.Margin it is also called
	// for nearby positions of the pointer, to find out whether it hides what was found there. It
	// may be called in a locked world and must not change the world.
	Pick(w *ecs.World, in picking.Input, dst []Pick) []Pick
}

// ViewBackend is the [Backend] of a further view of the world, such as a map in a corner or the
// other half of a split screen. It hides what is behind its viewport.
type ViewBackend struct {
	View  View
	Order int // in front of the main view if above 0

	Filter Filter  // see RaycastSystem.Filter
	Margin float64 // see RaycastSystem.Margin

	picker viewPicker
}

// Pick implements [Backend].
func (b *ViewBackend) Pick(w *ecs.World, in picking.Input, dst []Pick) []Pick {
	first := len(dst)
	b.picker.order = b.Order
	dst, _, ok := b.picker.pick(w, &b.View, &b.Filter, b.Margin, in, dst)
	if !ok {
		return dst
	}
	for i := first; i < len(dst); i++ {
		dst[i].Order = b.Order
	}
	return append(dst, Pick{Order: b.Order, Depth: math.Inf(1), Cover: true})
}

// viewPicker picks entities of the world through a view.
type viewPicker struct {
	disc     picking.PixelDisc
	hits     []Hit
	near     []physics.ColliderID
	filter   Filter
	space    *Space
	pointers *Pointers
	accepts  func(ecs.Entity) bool // sees of self, made once
	self     *viewPicker           // a copy must not use the original's accepts

	order  int    // of the view
	above  []View // views that are drawn over it
	covers []Pick // scratch memory
}

// pick appends the picks under a pointer in a view, and returns the ray that found them. ok is
// false if the pointer is not over the view.
func (l *viewPicker) pick(w *ecs.World, v *View, f *Filter, margin float64, in picking.Input, dst []Pick) ([]Pick, geom.Ray, bool) {
	l.space, l.pointers = initialize(w), resourceOf[Pointers](w)
	if l.self != l {
		l.self, l.accepts = l, l.sees
	}
	see := picking.PickFilter()
	l.filter = *f
	g := *f
	g.Start, g.Cull, g.Sensors, g.Predicate = see.Start, see.Cull, true, l.accepts
	ray, ok := v.Ray(in.X, in.Y)
	if !ok {
		return dst, ray, false
	}
	first := len(dst)
	dst, found := l.cast(&g, ray, dst)
	if !found && margin > 0 {
		if aside, ok := l.search(w, &g, v, margin, in); ok {
			dst, _ = l.cast(&g, aside, dst[:first])
			ray = aside
		}
	}
	return dst, ray, true
}

// sees reports whether the pointer can pick an entity.
func (l *viewPicker) sees(e ecs.Entity) bool {
	return l.space.pointerSees(e, l.filter.Sensors) && (l.filter.Predicate == nil || l.filter.Predicate(e))
}

// cast appends the picks of a ray, down to the first that lets nothing through. found is false if
// there is none, or the first is a Pickable with Backdrop.
func (l *viewPicker) cast(f *Filter, r geom.Ray, dst []Pick) (_ []Pick, found bool) {
	h, ok := l.space.CastRay(r, *f)
	if !ok {
		return dst, false
	}
	found = !l.space.pickable(h.Entity).Backdrop
	pick := l.pickOf(&h)
	dst = append(dst, pick)
	if !pick.Through {
		return dst, found
	}
	l.hits = l.space.CastRayAll(l.hits[:0], r, *f)
	first := len(dst) - 1
	for i := range l.hits {
		if e := l.hits[i].Entity; slices.ContainsFunc(dst[first:], func(p Pick) bool { return p.Target == e }) {
			continue // another triangle
		}
		pick = l.pickOf(&l.hits[i])
		dst = append(dst, pick)
		if !pick.Through {
			break
		}
	}
	return dst, found
}

// letsThrough reports whether the pointer picks what is behind an entity too: a dragged entity lets
// through what it is dragged over.
func (l *viewPicker) letsThrough(mode PickMode, e ecs.Entity) bool {
	return mode == PickThrough || mode != PickCover && l.pointers.letThrough(e)
}

// pickOf returns the Pick of a hit.
func (l *viewPicker) pickOf(h *Hit) Pick {
	mode := l.space.pickable(h.Entity).Mode
	return Pick{
		Target: h.Entity, Depth: float64(h.T), HasHit: true,
		Through: l.letsThrough(mode, h.Entity), Cover: mode == PickCover,
		Hit: h.Hit,
	}
}

// search looks for the pixel nearest to the pointer, within margin, that shows an entity which is
// neither a backdrop nor a cover, and returns its ray. Pixels that another view or a backend covers
// do not count.
func (l *viewPicker) search(w *ecs.World, f *Filter, v *View, margin float64, in picking.Input) (geom.Ray, bool) {
	px, py, ok := v.Pixel(in.X, in.Y)
	if !ok || !l.anyNear(f, v, margin, px, py) {
		return geom.Ray{}, false
	}
	for _, o := range l.disc.Offsets(v.Viewport, margin) {
		x, y := px+o.X, py+o.Y
		if !v.IsVisible(x, y) {
			continue
		}
		r := v.PixelRay(x, y)
		h, ok := l.space.CastRay(r, *f)
		if ok && l.isTarget(h.Entity) && !l.isHidden(w, v, x, y, h.T, in) {
			return r, true
		}
	}
	return geom.Ray{}, false
}

// isHidden reports whether another view, or a pick of a [Backend], covers a point of the view.
func (l *viewPicker) isHidden(w *ecs.World, v *View, px, py int, depth float32, in picking.Input) bool {
	in.X, in.Y = v.Cursor(px, py)
	for i := range l.above {
		if _, _, ok := l.above[i].Pixel(in.X, in.Y); ok {
			return true
		}
	}
	backends := l.pointers.backends
	l.pointers.backends = nil // a backend with views of its own must not call the backends again
	defer func() { l.pointers.backends = backends }()
	for _, b := range backends {
		if other, ok := b.(*ViewBackend); ok {
			if _, ok := other.View.Ray(in.X, in.Y); ok && other.Order > l.order {
				return true
			}
			continue
		}
		l.covers = b.Pick(w, in, l.covers[:0])
		if slices.ContainsFunc(l.covers, func(p Pick) bool {
			return !p.Through && (p.Order > l.order || p.Order == l.order && p.Depth < float64(depth))
		}) {
			return true
		}
	}
	return false
}

// isTarget reports whether search may find an entity.
func (l *viewPicker) isTarget(e ecs.Entity) bool {
	p := l.space.pickable(e)
	return !p.Backdrop && p.Mode != PickCover
}

// anyNear reports whether search can find anything. Mostly it cannot, and one overlap query is
// faster than the search.
func (l *viewPicker) anyNear(f *Filter, v *View, margin float64, px, py int) bool {
	frustum := v.FrustumAround(px, py, margin)
	l.near = l.space.physics.OverlapFrustum(l.near[:0], &frustum, f.physics(nil))
	for _, id := range l.near {
		if e := l.space.owner(id); (query{&l.space.Queries, f}).seesEntity(e) && l.isTarget(e) {
			return true
		}
	}
	return false
}
