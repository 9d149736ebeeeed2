package physics

import (
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/placed"
)

// flight is the state of a projectile during a tick. It flies in legs: chords of its parabola, each
// up to the first hit.
//
// The projectile passes through nothing because a leg ends where the sphere with its skin has been
// swept to, rounded by less than a quarter of the skin, and the next leg begins there. If rounding
// has put a surface into the skin, a leg that goes deeper hits it at once, and before one that does
// not the projectile is moved back, since many roundings would add up.
type flight struct {
	p      Projectile // a copy: a pointer would move the caller's to the heap
	s      *Space
	f      Filter // without sensors
	sense  bool
	at     geom.Vec3
	v, a   geom.DVec3
	ball   geom.Sphere
	skin   float32
	dt     float32
	time   float32 // of dt, until Life ends
	left   float64 // of time
	chord  float64 // the longest time of a leg
	stops  int
	turned bool // a hit has turned it off its parabola

	// held is set while the projectile lies or slides; planes are the normals of the surfaces that
	// hold it.
	held   bool
	planes [3]geom.DVec3
	n      int

	passed int     // length of dst at the start of the Move
	latest float32 // T of the last event
}

// start prepares the flight. It returns false if there is nothing to do.
func (w *flight) start(p *Projectile, s *Space, f *Filter, dt float32) bool {
	if p.Done || !(dt > 0) || !(p.Radius >= 0) || !placed.Finite(dt) || !placed.Finite(p.Radius) || !placed.Finite(p.Restitution) ||
		!placed.Finite(p.Friction) || !placed.Finite(p.RestSpeed) || !placed.Finite(p.Life) ||
		!p.Position.IsFinite() || !p.Velocity.IsFinite() || !p.Acceleration.IsFinite() {
		return false
	}
	w.p, w.s, w.f, w.sense = *p, s, *f, f.Sensors
	w.f.Sensors = false
	if s.planar {
		w.p.Position.Z, w.p.Velocity.Z, w.p.Acceleration.Z = 0, 0, 0
		p = &w.p
	}
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

// leg flies along one chord, or up to the first hit. It returns false if the position overflows
// float32.
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
	// A way far shorter than the skin is not moved, or a projectile in a groove would never come to
	// rest.
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
		w.report(dst, ProjectileHit{none, ProjectileExpired, p.Position, p.Velocity, p.Velocity})
	}
}

// report appends an event. Its T is no less than that of the event before, although a hit is
// rounded to a little before the end of the way.
func (w *flight) report(dst *[]ProjectileHit, e ProjectileHit) {
	w.latest = max(w.latest, e.T)
	e.T = w.latest
	*dst = append(*dst, e)
}

// end returns the position at t of a cast.
func (w *flight) end(c *ShapeCast, t float32) geom.Vec3 {
	return w.at.Wide().AddMul(float64(t), c.Motion.Wide()).Narrow()
}

const (
	// leaning is the fraction of its way by which a projectile that slides moves away from the
	// surface: four units of single precision. With 0, rounding of the way along the surface stops
	// it.
	leaning = 0x1p-22
	// still is the speed, in metres per second, below which a projectile stops where the surfaces
	// leave no way down, and level the fraction of the acceleration along them that counts as no
	// way down. With less, rounding keeps a projectile moving; with more, it stops on gentle
	// slopes.
	still = 0x1p-10
	level = 0x1p-10
)

// plan returns the way of the projectile in the time h, if there is no hit, and its velocity then.
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

// brake shortens v by a length, down to 0.
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

// stop applies a hit to the projectile.
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
		w.report(dst, e)
		return
	}
	if hit.Overlaps && hit.Depth > w.skin {
		w.leave(hit.Normal, hit.Depth)
		e.Position = w.at
	}
	// The velocity may lead away from the surface although the chord does not, after a bounce lower
	// than the error of a chord.
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
	w.report(dst, e)
}

// event returns an event for a hit now, with the overlap of the sphere without its skin.
func (w *flight) event(hit *ShapeHit) ProjectileHit {
	e := ProjectileHit{ShapeHit: *hit, Position: w.at, VelocityIn: w.v.Narrow()}
	if e.Depth = max(hit.Depth-w.skin, 0); e.Depth == 0 {
		e.Overlaps = false
	}
	return e
}

// keepOff moves the projectile back by its skin if rounding has taken a collider deeper than a
// quarter of the skin into it. Otherwise one that slides along a wall with no force against it
// would get through the wall in the end, by one rounding at a time.
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

// leave moves the projectile along a normal, as far as the way is free. The sphere is smaller here:
// otherwise, in an edge, each wall would block the way out of the other, as two normals are never
// exactly at right angles.
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

// sameNormal is the cosine of the angle between normals up to which they belong to one surface:
// 0.8°.
const sameNormal = 0.9999

// hold makes the projectile lie on a surface with the normal n for the rest of the Move. Between
// more than three surfaces it is wedged and stops.
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

// clip returns v without its components into the planes that hold the projectile: v itself, or its
// projection on one of the planes, or on a crease between two, the first that leads into none.
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
	s, first := w.s, len(*dst)
	if !sweep.start(s, &cast) {
		return
	}
	f := w.f
	f.Sensors = true
	candidates := s.onPath(&sweep.way, true)
	for r := candidates.next(s); r != nil; r = candidates.next(s) {
		var hit ShapeHit
		if !r.sensor || !sweep.castBefore(r, &f, &hit, false) || hit.T > t || w.isReported((*dst)[:first], r.id) {
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

// isReported reports whether a sensor is among the events of this Move.
func (w *flight) isReported(events []ProjectileHit, id ColliderID) bool {
	for i := w.passed; i < len(events); i++ {
		if events[i].Event == ProjectilePassed && events[i].Collider == id {
			return true
		}
	}
	return false
}

// Move moves the projectile through a tick of dt seconds among the colliders that the filter
// selects, and appends its events to dst in the order of time; it returns the longer slice.
//
// A hit ends the projectile, or it bounces and continues with the rest of the time, at most 32
// times in one Move; then it stays where it is until the next. While Restitution is at most 1,
// neither a bounce nor the chords of the path add energy. A projectile that is too slow for a
// bounce lies on the surface or slides along it; a surface that rises under it by less than Radius
// in a tick carries it.
//
// If it overlaps a collider at the start and gets deeper, that is a hit at once, with Overlaps; one
// that bounces is moved out along the normal as far as the way is free. If it moves out or along,
// there is no hit. A weapon should exclude its own collider by [Filter.Exclude].
//
// With Filter.Sensors, each sensor that it touches is reported once a Move, at the first touch;
// with Overlaps if the projectile was in the sensor already. Filter.Start is ignored.
//
// Move does nothing if the projectile is Done, dt is not positive, the radius is negative, or a
// number in the projectile or dt is NaN or infinite or becomes so within the tick. See [geom.Cull]
// for surfaces that are hit from one side only.
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
