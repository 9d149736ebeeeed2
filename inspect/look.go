package inspect

import (
	"iter"
	"time"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

// Look is what the requests of one tick see: a snapshot of the space, and what [Inspector].More
// adds in the game's goroutine. It keeps copies, so that the game may go on. It must not be kept
// beyond the call of More.
type Look struct {
	ready   chan struct{} // closed once the look is made
	readers int           // requests, and the game while it makes the look; guarded by the mutex
	live    *physics.Space
	space   *physics.Space // a snapshot; nil until the look is made

	tick     int
	bodies   int
	asleep   []physics.ColliderID
	contacts []contactPoint
	rays     []castRay
	times    []systemTime
	left     int // contact points and rays beyond maxMarks
}

// maxMarks is the greatest number of contact points of a look, and of rays: it bounds the time that
// a look takes from the game, and the size of an answer, about 100 bytes each. More are counted.
const maxMarks = 20_000

// rayLength is how much of a ray without end is shown, in metres.
const rayLength = 1000

// contactPoint is a point of contact in world space: halfway between the two shapes, with the unit
// normal of the manifold, and the depth in metres, negative for a gap.
type contactPoint struct {
	At, Normal [3]float32
	Depth      float32
}

// castRay is a ray from end to end in world space; To is the hit's point if there is one.
type castRay struct {
	From, To [3]float32
	Hit      bool
}

// systemTime is how long a part of the tick took.
type systemTime struct {
	Name         string
	Microseconds float64
}

// reset empties the look and keeps its memory.
func (l *Look) reset() {
	if l.space != nil {
		l.space.Release()
	}
	*l = Look{asleep: l.asleep[:0], contacts: l.contacts[:0], rays: l.rays[:0], times: l.times[:0]}
}

// Dynamics adds the contacts of bodies, as of [rigid.Dynamics.Contacts], and which colliders belong
// to a body that is asleep. The Dynamics must be that of the space which Frame shows; of another
// one, only the contacts are added.
func (l *Look) Dynamics(d *rigid.Dynamics) {
	for _, c := range d.Contacts() {
		l.Contact(c.Manifolds)
	}
	l.bodies += d.Len()
	if d.Space() != l.live {
		return
	}
	for id := range l.live.All() {
		if body := d.BodyOf(id); body != 0 && !d.IsAwake(body) {
			l.asleep = append(l.asleep, id)
		}
	}
}

// Contact adds the points of contact of two colliders (world), such as those of
// physecs.Contact.Manifolds.
func (l *Look) Contact(manifolds []physics.Manifold) {
	for i := range manifolds {
		m := &manifolds[i]
		for _, p := range m.ContactPoints() {
			if !l.hasRoom(len(l.contacts)) {
				continue
			}
			at := p.PointA.Add(p.PointB).Mul(0.5)
			// JSON has neither NaN nor infinity.
			if at.IsFinite() && m.Normal.IsFinite() && p.Depth-p.Depth == 0 {
				l.contacts = append(l.contacts, contactPoint{at.Array(), m.Normal.Array(), p.Depth})
			}
		}
	}
}

// Ray adds a ray that the game has cast (world), to the T of its hit. Without a hit, t is not read,
// and the ray goes to its end, or 1 km far if it has none. An invalid ray is left out.
//
//	hit, ok := space.CastRay(ray, filter)
//	l.Ray(ray, hit.T, ok)
func (l *Look) Ray(r geom.Ray, t float32, hit bool) {
	if !r.IsValid() || !l.hasRoom(len(l.rays)) {
		return
	}
	from, to := r.Range()
	if limit := from + rayLength/r.Dir.Len(); !(to <= limit) {
		to = limit
	}
	if hit {
		to = t
	}
	if a, b := r.At(from), r.At(to); a.IsFinite() && b.IsFinite() {
		l.rays = append(l.rays, castRay{a.Array(), b.Array(), hit})
	}
}

func (l *Look) hasRoom(n int) bool {
	if n < maxMarks {
		return true
	}
	l.left++
	return false
}

// Times adds how long each part of the tick took, such as physecs.Simulation.Times.
func (l *Look) Times(times iter.Seq2[string, time.Duration]) {
	for name, d := range times {
		l.Time(name, d)
	}
}

// Time adds how long a part of the tick took.
func (l *Look) Time(name string, d time.Duration) {
	l.times = append(l.times, systemTime{name, float64(d) / float64(time.Microsecond)})
}
