package physics

import (
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// Crossing is a stretch of a ray in one collider, in world space: where the ray enters it and where
// it leaves it.
type Crossing struct {
	// Enter is the hit that [Space.CastRay] returns. If the ray starts in the collider it is the
	// start, with Inside set.
	Enter Hit
	// Exit is the far surface, with BackFace set and a normal that faces the ray. Its T is beyond
	// the ray's MaxT if the ray ends in the collider. If the collider is thinner than T can
	// represent, or is only touched, Exit has the T and the Point of Enter.
	Exit Hit
}

// Thickness returns the length of the stretch, in metres.
func (c Crossing) Thickness() float32 {
	return float32(c.Exit.Point.Wide().Sub(c.Enter.Point.Wide()).Len())
}

// Crossings appends the stretches of a ray in the colliders that the filter lets through, in the
// order of their Enter as [Hit.Compare] has it, and returns the longer slice: thickness, exit
// wounds, what an X-ray shows.
//
// Children of a compound that overlap or touch along the ray make one stretch; others make one
// each. A surface, which is a plane, a triangle of a mesh or a segment of a chain, has no inside:
// Enter and Exit are the same hit. With [geom.Ignore] as the filter's Start, solids in which the
// ray starts are left out; otherwise Start makes no difference. HitPredicate is called with Enter.
func (s *Space) Crossings(dst []Crossing, r geom.Ray, f Filter) []Crossing {
	if f.Start == geom.Exit {
		f.Start = geom.Solid
	}
	w := takeScratch()
	w.entries = s.CastRayAll(w.entries[:0], r, f)
	start := len(dst)
	for i := range w.entries {
		enter := &w.entries[i]
		p := s.records[enter.Collider.index()].child(enter.Child)
		next := Crossing{*enter, *enter}
		if p.Kind == placed.KindMesh || p.Kind == placed.KindPlane || p.Kind == placed.KindSegment {
			dst = append(dst, next)
			continue
		}
		next.Exit.Hit = exit(p, r, enter.Hit)
		if last := lastOf(dst[start:], enter); last != nil && last.Exit.T >= enter.T {
			if last.Exit.T < next.Exit.T {
				last.Exit = next.Exit
			}
			continue
		}
		dst = append(dst, next)
	}
	w.give()
	return dst
}

// child returns the subshape with a number as in [Hit].
func (r *record) child(number int32) *placed.Subshape {
	subshapes := r.subshapes()
	i := slices.IndexFunc(subshapes, func(p placed.Subshape) bool { return p.Child == number })
	return &subshapes[i]
}

// exit returns where a ray leaves the solid that it enters at a hit.
func exit(p *placed.Subshape, r geom.Ray, enter geom.Hit) (h geom.Hit) {
	r.MaxT = 0
	if !enter.Inside {
		r.MinT = math.Nextafter32(enter.T, math.MaxFloat32)
	}
	if !p.CastRay(&h, &r, geom.Exit, geom.CullNone) {
		h = enter
		h.BackFace, h.Inside = true, false
	}
	return h
}

// lastOf returns the last stretch in the solids of the compound that was hit; nil if there is none.
func lastOf(c []Crossing, hit *Hit) *Crossing {
	if hit.Child < 0 {
		return nil
	}
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Enter.Collider == hit.Collider && c[i].Enter != c[i].Exit {
			return &c[i]
		}
	}
	return nil
}
