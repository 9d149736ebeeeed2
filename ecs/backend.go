package physecs

import (
	"math"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// Pick is an entity under a pointer, as a [Backend] found it.
type Pick = picking.Pick[ecs.Entity]

// Backend finds what is under a pointer in its part of the picture: a HUD whose buttons are
// entities, a second view. The world as the [View] shows it has Order 0 and is always asked;
// [RaycastSystem] has a list of others.
//
// What all of them find is put in order by [picking.MergePicks].
type Backend interface {
	// Pick appends what is under a pointer to dst and returns the longer slice. What it hides
	// without being a target itself it covers with a Pick that is Backdrop. It is not asked for
	// pointers that are outside the window or captured. Where RaycastSystem.Margin counts it is
	// also asked, with the same pointer at places beside, whether it hides what is found there. It
	// may be called in a locked world and must not change the world.
	Pick(w *ecs.World, in picking.Input, dst []Pick) []Pick
}

// ViewBackend is the [Backend] of a further view of the world, such as a map in a corner or the
// other half of a split screen. Where its viewport is, it hides what is behind.
type ViewBackend struct {
	View  View
	Order int // before the main view if above 0

	Filter Filter  // see RaycastSystem.Filter
	Margin float64 // see RaycastSystem.Margin

	sight lens
}

// Pick implements [Backend].
func (b *ViewBackend) Pick(w *ecs.World, in picking.Input, dst []Pick) []Pick {
	first := len(dst)
	b.sight.order = b.Order
	dst, _, ok := b.sight.pick(w, &b.View, &b.Filter, b.Margin, in, dst)
	if !ok {
		return dst
	}
	for i := first; i < len(dst); i++ {
		dst[i].Order = b.Order
	}
	return append(dst, Pick{Order: b.Order, Depth: math.Inf(1), Backdrop: true})
}

// lens picks entities of the world through a view.
type lens struct {
	disc   picking.PixelDisc
	hits   []Hit
	near   []physics.ColliderID
	filter Filter
	space  *Space
	held   *Pointers
	asked  func(ecs.Entity) bool // sees of self, made once
	self   *lens                 // a copy must not ask the original

	order  int    // of the view
	above  []View // views that are drawn over it
	covers []Pick // scratch
}

// pick appends what is under a pointer in a view, with the ray that found it. ok is false if the
// pointer is not over it.
func (l *lens) pick(w *ecs.World, v *View, f *Filter, margin float64, in picking.Input, dst []Pick) ([]Pick, geom.Ray, bool) {
	l.space, l.held = initialize(w), resourceOf(w, zero[Pointers])
	if l.self != l {
		l.self, l.asked = l, l.sees
	}
	see := picking.PickFilter()
	l.filter = *f
	g := *f
	g.Start, g.Cull, g.Sensors, g.Predicate = see.Start, see.Cull, true, l.asked
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

// sees says which entities the pointer takes notice of.
func (l *lens) sees(e ecs.Entity) bool {
	return l.space.notices(e, l.filter.Sensors) && (l.filter.Predicate == nil || l.filter.Predicate(e))
}

// cast appends what a ray meets, down to the first that lets nothing through. found is false if
// that is nothing, or what is in front is a backdrop.
func (l *lens) cast(f *Filter, r geom.Ray, dst []Pick) (_ []Pick, found bool) {
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

// lets reports whether the pointer sees through an entity. What it drags lets through what it is
// dragged over.
func (l *lens) lets(mode PickMode, e ecs.Entity) bool {
	return mode == PickThrough || mode != PickCover && l.held.letThrough(e)
}

// pickOf returns what was hit as a Pick.
func (l *lens) pickOf(h *Hit) Pick {
	mode := l.space.pickable(h.Entity).Mode
	return Pick{
		Target: h.Entity, Depth: float64(h.T), HasHit: true,
		Through: l.lets(mode, h.Entity), Backdrop: mode == PickCover,
		Hit: h.Hit,
	}
}

// search looks for the nearest pixel within margin of that under the pointer that shows something
// which is neither a backdrop nor a cover, and returns its ray. A pixel over which something else
// lies shows nothing.
func (l *lens) search(w *ecs.World, f *Filter, v *View, margin float64, in picking.Input) (geom.Ray, bool) {
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

// isHidden reports whether another view, or what a [Backend] sees, lies over something that the
// view shows at a pixel.
func (l *lens) isHidden(w *ecs.World, v *View, px, py int, depth float32, in picking.Input) bool {
	in.X, in.Y = v.Cursor(px, py)
	for i := range l.above {
		if _, _, ok := l.above[i].Pixel(in.X, in.Y); ok {
			return true
		}
	}
	backends := l.held.backends
	l.held.backends = nil // one that asks views of its own must not have them ask it again
	defer func() { l.held.backends = backends }()
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

// isTarget reports whether the pointer may be brought to an entity that it misses.
func (l *lens) isTarget(e ecs.Entity) bool {
	p := l.space.pickable(e)
	return !p.Backdrop && p.Mode != PickCover
}

// anyNear reports whether there might be something for search to find: most of the time there is
// not.
func (l *lens) anyNear(f *Filter, v *View, margin float64, px, py int) bool {
	frustum := v.FrustumAround(px, py, margin)
	l.near = l.space.physics.OverlapFrustum(l.near[:0], &frustum, f.physics(nil))
	for _, id := range l.near {
		if e := l.space.owner(id); (query{&l.space.Queries, f}).seesEntity(e) && l.isTarget(e) {
			return true
		}
	}
	return false
}
