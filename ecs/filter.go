package physecs

import (
	"sync"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Filter says which entities a query sees. The zero Filter sees every entity that has a [Transform]
// and a [Collider] that is no sensor.
type Filter struct {
	With      ecs.Mask                // components that an entity must all have; make it with ecs.All
	Without   ecs.Mask                // components of which it must have none
	Exclude   []ecs.Entity            // entities left out, such as the one that casts
	Predicate func(e ecs.Entity) bool // false leaves the entity out; asked last; may read the world and query, not change them
	OwnLayer  physics.Layers          // layers the query is on, seen by colliders whose Mask has one; 0: all
	Mask      physics.Layers          // layers looked at; 0: all
	Sensors   bool                    // see sensors too
	Start     geom.StartMode          // of rays that start in a solid; zero: Solid
	Cull      geom.Cull               // of rays and shapes that are cast at meshes and planes; zero: both sides
}

// physics returns the filter for the space beneath, which asks predicate for all that it does not
// know itself.
func (f *Filter) physics(predicate func(physics.ColliderID) bool) physics.Filter {
	return physics.Filter{
		OwnLayer: f.OwnLayer, Mask: f.Mask, Sensors: f.Sensors, Start: f.Start, Cull: f.Cull,
		Predicate: predicate,
	}
}

// isPlain reports whether the space beneath knows all that the filter asks.
func (f *Filter) isPlain() bool {
	return f.Predicate == nil && len(f.Exclude) == 0 && f.With.IsZero() && f.Without.IsZero()
}

// lists is what a query needs that is too large for the stack or must outlive it: where the space
// beneath puts its answers before they become entities, and a filter that several goroutines ask.
type lists struct {
	ids   []physics.ColliderID
	hits  []physics.Hit
	near  []physics.Nearest
	swept []physics.ShapeHit
	touch []physics.ShapeManifold

	eye    *eye
	space  *Space     // whose entities have to be noticed by the pointer too; nil: they need not
	held   ecs.Entity // that is left out with all that follows it; zero: none
	filter Filter
	asked  func(physics.ColliderID) bool // what eye sees through filter; made once
}

// ask returns a predicate for what v sees through f, valid until the lists are given back. Unlike
// sees it may be kept by others than the caller without an allocation.
func (l *lists) ask(v *eye, f *Filter) func(physics.ColliderID) bool {
	l.eye, l.space, l.filter = v, nil, *f
	return l.asked
}

// askPointer is ask, without the entities of s of which the pointer takes no notice.
func (l *lists) askPointer(s *Space, f *Filter) func(physics.ColliderID) bool {
	l.eye, l.space, l.filter = &s.eye, s, *f
	return l.asked
}

// listPool keeps lists for the next query. A sync.Pool would forget them at every garbage
// collection.
type listPool struct {
	mutex sync.Mutex
	free  []*lists
}

func (p *listPool) take() *lists {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := len(p.free)
	if n == 0 {
		l := new(lists)
		l.asked = func(id physics.ColliderID) bool {
			v, e := sight{l.eye, &l.filter}, l.eye.owner(id)
			return (l.space == nil || v.has(e) && l.space.notices(e, l.filter.Sensors)) && v.seesEntity(e) &&
				(l.held.IsZero() || !l.space.isWithin(e, l.held))
		}
		return l
	}
	l := p.free[n-1]
	p.free = p.free[:n-1]
	return l
}

func (p *listPool) give(l *lists) {
	l.ids, l.hits, l.near = l.ids[:0], l.hits[:0], l.near[:0]
	l.swept, l.touch = l.swept[:0], l.touch[:0]
	l.eye, l.space, l.held, l.filter = nil, nil, ecs.Entity{}, Filter{}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free = append(p.free, l)
}
