package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// flight is a projectile on its way through a tick, in legs: chords of its parabola, each up to the
// first thing that is hit.
//
// Why nothing is passed: a leg ends where the ball with its skin has been swept to, rounded by less
// than a quarter of the skin, and there the next begins. What has come into the skin by rounding is
// hit at once by a leg that goes deeper, and moved back before one that does not, since many
// roundings would add up.
type flight struct {
	p      Projectile // a copy, since what a pointer here points to would be on the heap
	s      *Space
	f      Filter // without sensors
	sense  bool
	at     geom.Vec3
	v, a   geom.DVec3
	ball   geom.Sphere
	skin   float32
	dt     float32
	time   float32 // of dt, that is lived
	left   float64 // of time
	chord  float64 // the longest time of a leg
	stops  int
	turned bool // off its parabola by a hit

	// held tells that something holds the projectile, and planes are the normals of what does,
	// while it lies or slides.
	held   bool
	planes [3]geom.DVec3
	n      int

	passed int     // length of dst at the start of the Move
	latest float32 // T of the last event
}

// start makes the flight ready; false if there is nothing to do.
func (w *flight) start(p *Projectile, s *Space, f *Filter, dt float32) bool {
	if p.Done || !(dt > 0) || !(p.Radius >= 0) || !placed.Finite(dt) || !placed.Finite(p.Radius) || !placed.Finite(p.Restitution) ||
		!placed.Finite(p.Friction) || !placed.Finite(p.RestSpeed) || !placed.Finite(p.Life) ||
		!p.Position.IsFinite() || !p.Velocity.IsFinite() || !p.Acceleration.IsFinite() {
		return false
	}
	w.p, w.s, w.f, w.sense = *p, s, *f, f.Sensors
	w.f.Sensors = false
	w.at, w.v, w.a = p.Position, p.Velocity.Wide(), p.Acceleration.Wide()
	w.dt, w.time, w.passed = dt, dt, -1
	if p.Life > 0 {
		w.time = min(dt, p.Life)
	}
	w.left = float64(w.time)
	fall := w.a.Len()
	way := float64(w.v.Len()*w.left) + float64(fall*w.left*w.left/2)
	reach := float64(placed.Largest(p.Position)) + float64(p.Radius) + way
	if !(reach < math.MaxFloat32/4) {
		return false
	}
	w.skin = float32(skinOf(reach))
	w.ball = geom.Sphere{Radius: p.Radius + w.skin}
	// A chord over the time h is a·h²/8 from the parabola in its middle.
	chords := min(max(math.Ceil(w.left*math.Sqrt(fall/(8*maxSag))), 1), maxChords)
	w.chord = w.left / chords
	return true
}

// leg flies along one chord, or up to what stops it there. It reports false if the way leads out of
// all numbers.
func (w *flight) leg(dst *[]ProjectileHit) bool {
	if w.passed < 0 {
		w.passed = len(*dst)
	}
	h := min(w.left, w.chord)
	motion, after := w.plan(h)
	c := ShapeCast{Shape: w.ball, Transform: geom.Transform{Position: w.at}, Motion: motion.Narrow(), MaxT: 1}
	if !c.Motion.IsFinite() || !after.Narrow().IsFinite() {
		return false
	}
	hit, ok := w.s.CastShape(c, w.f)
	if ok && hit.T == 0 {
		w.keepOff(&c)
		c.Start = StartIgnoreSeparating
		hit, ok = w.s.CastShape(c, w.f)
	}
	if w.sense {
		t := float32(1)
		if ok {
			t = hit.T
		}
		w.sensors(dst, &c, t, h, after)
	}
	if !ok {
		w.at, w.v, w.left = w.end(&c, 1), after, w.left-h
		return true
	}
	part := max(math.Nextafter32(hit.T, 0), 0)
	// A way that is nothing beside the skin is not gone, or what lies in a groove would never come
	// to an end of it.
	if float64(part)*c.Motion.Wide().Len() > float64(w.skin/16) {
		w.at = w.end(&c, part)
	}
	w.v = w.v.AddMul(float64(part), after.Sub(w.v))
	w.left -= float64(float64(part) * h)
	w.stop(dst, &hit)
	return true
}

// live takes the time off the life of the projectile.
func (w *flight) live(dst *[]ProjectileHit) {
	p := &w.p
	p.Life = max(p.Life-w.time, 0)
	if p.Life == 0 && !p.Done {
		p.Done = true
		none := ShapeHit{T: w.time / w.dt, Child: -1, Triangle: -1}
		w.tell(dst, ProjectileHit{none, ProjectileExpired, p.Position, p.Velocity, p.Velocity})
	}
}

// tell appends what befell the projectile. It is no earlier than what did before, although a stop
// is a last bit before the way ends.
func (w *flight) tell(dst *[]ProjectileHit, e ProjectileHit) {
	w.latest = max(w.latest, e.T)
	e.T = w.latest
	*dst = append(*dst, e)
}

// end returns where a cast gets to.
func (w *flight) end(c *ShapeCast, t float32) geom.Vec3 {
	return w.at.Wide().AddMul(float64(t), c.Motion.Wide()).Narrow()
}

// leaning is by what part of its way a projectile that slides turns away from the surface, so that
// it is not stopped by what rounding makes of the way along it.
const leaning = 0x1p-22

// still is the speed, in metres per second, below which a projectile stops where no way leads down,
// and level is what part of its acceleration leads there if no way does. They take what rounding
// leaves of the one and the other.
const (
	still = 0x1p-10
	level = 0x1p-10
)

// plan returns the way that the projectile goes in the time h unless something stops it, and its
// velocity then.
func (w *flight) plan(h float64) (motion, after geom.DVec3) {
	along := w.clip(w.a)
	after = w.v.AddMul(h, along)
	if w.n == 0 {
		return w.v.Add(after).Mul(h / 2), after
	}
	after = brake(after, float64(w.a.Sub(along).Len()*h)*w.friction())
	if w.v.Len() < still && along.Len() < level*w.a.Len() {
		return geom.DVec3{}, geom.DVec3{}
	}
	motion = w.v.Add(after).Mul(h / 2)
	length := motion.Len()
	for _, n := range w.planes[:w.n] {
		motion = motion.AddMul(leaning*length, n)
	}
	return motion, after
}

func (w *flight) friction() float64 { return math.Max(float64(w.p.Friction), 0) }

// brake takes some of the length of v, down to 0.
func brake(v geom.DVec3, by float64) geom.DVec3 {
	if by <= 0 {
		return v
	}
	length := v.Len()
	if length <= by {
		return geom.DVec3{}
	}
	return v.Mul((length - float64(by)) / length)
}

// stop is what a hit makes of the projectile.
func (w *flight) stop(dst *[]ProjectileHit, hit *ShapeHit) {
	p := &w.p
	w.stops++
	e := w.event(hit)
	e.T = float32((float64(w.time) - w.left) / float64(w.dt))
	n := hit.Normal.Wide().Normalize()
	across := w.v.Dot(n)
	back := float64(-across * math.Max(float64(p.Restitution), 0))
	rest := float64(p.RestSpeed)
	if rest == 0 {
		rest = DefaultRestSpeed
	}
	if w.turned = true; p.Bounces == 0 {
		w.v, p.Done = geom.DVec3{}, true
		w.tell(dst, e)
		return
	}
	if hit.Overlaps && hit.Depth > w.skin {
		w.leave(hit.Normal, hit.Depth)
		e.Position = w.at
	}
	// The projectile may be moving away although its chord is not: of a bounce that is lower than a
	// chord is exact.
	if across >= 0 || back < rest {
		known := p.Resting
		w.v = brake(w.v.AddMul(-across, n), math.Abs(across)*w.friction())
		w.hold(n)
		if p.Resting, w.held = true, true; known {
			return
		}
		e.Event = ProjectileRested
	} else {
		along := w.v.AddMul(-across, n)
		w.v = brake(along, (back-across)*w.friction()).AddMul(back, n)
		w.n = 0
		if e.Event = ProjectileBounced; p.Bounces > 0 {
			p.Bounces--
		}
	}
	e.VelocityOut = w.velocity()
	w.tell(dst, e)
}

// event returns what befalls the projectile now, as seen from its ball without the skin.
func (w *flight) event(hit *ShapeHit) ProjectileHit {
	e := ProjectileHit{ShapeHit: *hit, Position: w.at, VelocityIn: w.v.Narrow()}
	if e.Depth = max(hit.Depth-w.skin, 0); e.Depth == 0 {
		e.Overlaps = false
	}
	return e
}

// keepOff moves the projectile back to where its skin begins if rounding has taken it deeper than a
// quarter of that into something. One that slides along a wall and is pressed on by nothing would
// come through it in the end, a last bit at a time.
func (w *flight) keepOff(c *ShapeCast) {
	const inner = 0.75
	probe := *c
	probe.Shape = geom.Sphere{Radius: w.p.Radius + float32(inner*w.skin)}
	for range len(w.planes) {
		hit, ok := w.s.CastShape(probe, w.f)
		if !ok || hit.T > 0 || !hit.Overlaps || hit.Depth > inner*w.skin {
			return
		}
		w.leave(hit.Normal, hit.Depth+float32((1-inner)*w.skin))
		c.Transform.Position, probe.Transform.Position = w.at, w.at
	}
}

// leave moves the projectile along a normal, as far as nothing is in the way. The ball is smaller,
// or in an edge each wall would hold it to the other, as two normals are never quite at right
// angles.
func (w *flight) leave(normal geom.Vec3, distance float32) {
	c := ShapeCast{
		Shape: geom.Sphere{Radius: w.p.Radius + float32(w.skin/4)}, Transform: geom.Transform{Position: w.at}, Motion: normal.Mul(distance), MaxT: 1,
		Start: StartIgnoreSeparating,
	}
	t := float32(1)
	if h, ok := w.s.CastShape(c, w.f); ok {
		t = max(math.Nextafter32(h.T, 0), 0)
	}
	w.at = w.end(&c, t)
}

// velocity returns the velocity in single precision. After a hit it is rounded toward zero, so that
// no bounce makes it larger.
func (w *flight) velocity() geom.Vec3 {
	if !w.turned {
		return w.v.Narrow()
	}
	return geom.Vec3{X: towardZero(w.v.X), Y: towardZero(w.v.Y), Z: towardZero(w.v.Z)}
}

func towardZero(x float64) float32 {
	y := float32(x)
	if math.Abs(float64(y)) > math.Abs(x) {
		return math.Nextafter32(y, 0)
	}
	return y
}

// sameNormal is the cosine of the angle, 0.8°, between normals that are taken for those of the same
// surface.
const sameNormal = 0.9999

// hold makes the projectile lie on what has the normal n for the rest of the Move. The normals
// before that it has by then left are forgotten; between three at once it is wedged.
func (w *flight) hold(n geom.DVec3) {
	for i := range w.planes[:w.n] {
		if w.planes[i].Dot(n) > sameNormal {
			w.planes[i] = n
			w.v = w.clip(w.v)
			return
		}
	}
	if w.n == len(w.planes) {
		w.v, w.left = geom.DVec3{}, 0
		return
	}
	w.planes[w.n] = n
	w.n++
	w.v = w.clip(w.v)
}

// clip takes out of v what leads into the planes that hold the projectile: it is v itself, or along
// one of the planes, or along a crease between two, whichever is left in front of all.
func (w *flight) clip(v geom.DVec3) geom.DVec3 {
	planes := w.planes[:w.n]
	into := func(v geom.DVec3) bool {
		for _, n := range planes {
			if v.Dot(n) < -0x1p-40*v.Len() {
				return true
			}
		}
		return false
	}
	if !into(v) {
		return v
	}
	for _, n := range planes {
		if d := v.Dot(n); d < 0 {
			if u := v.AddMul(-d, n); !into(u) {
				return u
			}
		}
	}
	for i, n := range planes {
		for _, m := range planes[:i] {
			crease := n.Cross(m).Normalize()
			if u := crease.Mul(v.Dot(crease)); !into(u) {
				return u
			}
		}
	}
	return geom.DVec3{}
}

// sensors appends the sensors that a leg touches until t and that have not been touched in this
// Move.
func (w *flight) sensors(dst *[]ProjectileHit, c *ShapeCast, t float32, h float64, after geom.DVec3) {
	cast := *c
	cast.MaxT, cast.Start = t, StartReport
	if t == 0 {
		cast.Motion = geom.Vec3{} // since MaxT 0 is no limit
	}
	var sweep sweep
	if !sweep.start(&cast) {
		return
	}
	s, first := w.s, len(*dst)
	f := w.f
	f.Sensors = true
	candidates := s.onPath(&sweep.way, true)
	for r := candidates.next(); r != nil; r = candidates.next() {
		var hit ShapeHit
		if !r.sensor || !sweep.castBefore(r, &f, &hit, false) || hit.T > t || w.told((*dst)[:first], r.id) {
			continue
		}
		e := w.event(&hit)
		e.Event = ProjectilePassed
		e.Position = w.end(c, hit.T)
		e.VelocityIn = w.v.AddMul(float64(hit.T), after.Sub(w.v)).Narrow()
		e.VelocityOut = e.VelocityIn
		e.T = max(w.latest, float32((float64(w.time)-w.left+float64(float64(hit.T)*h))/float64(w.dt)))
		at := len(*dst)
		for *dst = append(*dst, e); at > first && e.before(&(*dst)[at-1]); at-- {
			(*dst)[at] = (*dst)[at-1]
		}
		(*dst)[at] = e
	}
	candidates.give()
	if n := len(*dst); n > first {
		w.latest = (*dst)[n-1].T
	}
}

func (h *ProjectileHit) before(o *ProjectileHit) bool {
	return compareShapeHits(&h.ShapeHit, &o.ShapeHit) < 0
}

// told reports whether a sensor is among the events of this Move.
func (w *flight) told(events []ProjectileHit, id ColliderID) bool {
	for i := w.passed; i < len(events); i++ {
		if events[i].Event == ProjectilePassed && events[i].Collider == id {
			return true
		}
	}
	return false
}

// Move moves the projectile through a tick of dt seconds, past what the filter does not see, and
// appends what befell it to dst in the order of time; it returns the longer slice.
//
// A hit ends the projectile, or it bounces and goes on with the rest of the time, at most 32 times
// in one Move: then it waits for the next where it is. No bounce gives it more energy than it had,
// nor do the chords of its way, as long as Restitution is at most 1. One that is too slow for a
// bounce lies on the surface or slides along it; what rises under it by less than Radius in a tick
// takes it along.
//
// If it overlaps something when it starts and goes deeper, that is a hit at once, with Overlaps;
// one that bounces is moved out along the normal as far as the way is free. If it goes out, or
// along, nothing is hit. A weapon leaves out its own collider by [Filter.Exclude].
//
// With Filter.Sensors each sensor that it touches is told of, once a Move, where it is touched
// first; with Overlaps if it was in there already. Filter.Start is not heeded.
//
// It does nothing if it is done, if dt is not positive, if the radius is negative, or if a number
// in it or dt is NaN or infinite or becomes so within the tick. See [geom.Cull] for surfaces that
// are to be hit from one side only.
func (p *Projectile) Move(dst []ProjectileHit, s *Space, dt float32, f Filter) []ProjectileHit {
	var w flight
	if !w.start(p, s, &f, dt) {
		return dst
	}
	for w.left > 0 && w.stops < maxStops && !w.p.Done && w.leg(&dst) {
	}
	w.p.Position, w.p.Velocity, w.p.Resting = w.at, w.velocity(), w.held
	if w.p.Life > 0 {
		w.live(&dst)
	}
	*p = w.p
	return dst
}
