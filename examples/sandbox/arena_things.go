package main

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/hull"
)

// What moves in the arena besides the character: platforms, on a schedule, and crates, which fall,
// slide when pushed, and are separated.

// platform moves on a schedule.
type platform struct {
	entity ecs.Entity
	at     func(seconds float64) geom.Transform
	before geom.Transform // as of the tick before
}

// shuttle returns the position, 0 to 1, of an object that moves between two ends and waits at both.
// Times are in seconds.
func shuttle(time, wait, goes float64) float64 {
	t := math.Mod(time, 2*(wait+goes))
	if t > wait+goes {
		return 1 - smoothstep(min(max((t-2*wait-goes)/goes, 0), 1))
	}
	return smoothstep(min(max((t-wait)/goes, 0), 1))
}

const liftGap = 0.02 // metres between the lift and its shaft

// lift goes up and down between the floor and the western terrace.
func lift(time float64) geom.Transform {
	c := liftShaft.Center()
	top := terraceHeight * shuttle(time, 2.5, 3)
	return geom.At(c.X, float32(top-terraceHeight/2), c.Z)
}

// slider moves from terrace to terrace, and turns on its way.
func slider(time float64) geom.Transform {
	along := shuttle(time, 2, 4.5)
	const west, east, thick = -1.6, 2.6, 0.3
	return geom.Transform{
		Position: geom.V(float32(west+(east-west)*along), terraceHeight-thick/2, bridgeZ),
		Rotation: geom.QuatAxisAngle(geom.V(0, 1, 0), along*math.Pi),
	}
}

func (a *arena) addPlatforms() error {
	half := liftShaft.HalfExtents()
	e := a.scene.add("lift", lift(0), physecs.Box(geom.V(half.X-liftGap, terraceHeight/2, half.Z-liftGap)), glossy(0xD9B56A, 0.4))
	a.onto(e, onGround)
	a.platforms = append(a.platforms, platform{entity: e, at: lift, before: lift(0)})

	const radius, half6 = 1.3, 0.15
	var corners []geom.Vec3
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		x, z := float32(radius*cos), float32(radius*sin)
		corners = append(corners, geom.V(x, half6, z), geom.V(x, -half6, z))
	}
	h, err := hull.New(corners)
	if err != nil {
		return err
	}
	e = a.scene.add("slider", slider(0), physecs.Hull(a.scene.meshes().AddHull(h)), glossy(0xD9B56A, 0.4))
	a.onto(e, onGround)
	a.platforms = append(a.platforms, platform{entity: e, at: slider, before: slider(0)})
	return nil
}

func (a *arena) movePlatforms() {
	for i := range a.platforms {
		p := &a.platforms[i]
		t := a.transforms.Get(p.entity)
		p.before, *t = *t, p.at(a.time)
	}
}

// crate is something that can be pushed.
type crate struct {
	entity   ecs.Entity
	shape    physics.Shape // as its collider has it
	rolls    bool
	velocity geom.Vec3    // metres a second
	ground   ecs.Entity   // what it lies on; zero: it falls
	self     []ecs.Entity // itself, for filters
}

const (
	crateSkin   = 0.005 // metres that a crate stays away from what it lies on
	pushSpeed   = 2.2   // metres a second, of what the character pushes
	gravity     = 9.81
	crateDrag   = 7.0 // 1/s
	rollingDrag = 0.7
	blow        = 1.6 // metres a second that a bullet gives
)

func (a *arena) addCrates() error {
	rock, err := hull.New(rockShape())
	if err != nil {
		return err
	}
	gem, err := hull.New(gemShape())
	if err != nil {
		return err
	}
	movable := generic.NewMap1[physecs.Movable](a.world)
	used := map[string]int{}
	add := func(kind string, x, y, z float32, yaw float64, shape physics.Shape, c physecs.Collider, color uint32, gloss float32) {
		used[kind]++
		e := a.scene.add(fmt.Sprintf("%s-%d", kind, used[kind]),
			geom.Transform{Position: geom.V(x, y, z), Rotation: geom.QuatEuler(yaw, 0, 0)}, c, glossy(color, gloss))
		a.onto(e, onCrates)
		movable.Assign(e, &physecs.Movable{})
		_, rolls := shape.(geom.Sphere)
		a.crates = append(a.crates, crate{entity: e, shape: shape, rolls: rolls, self: []ecs.Entity{e}})
	}
	box := func(x, y, z float32, yaw float64, half geom.Vec3, color uint32) {
		add("box", x, y, z, yaw, geom.Box{HalfExtents: half}, physecs.Box(half), color, 0.2)
	}
	ball := func(x, y, z, radius float32, color uint32) {
		add("ball", x, y, z, 0, geom.Sphere{Radius: radius}, physecs.Sphere(radius), color, 0.8)
	}
	solid := func(kind string, x, y, z float32, yaw float64, h *hull.Hull, color uint32) {
		add(kind, x, y, z, yaw, h, physecs.Hull(a.scene.meshes().AddHull(h)), color, 0.3)
	}
	box(0.2, 0.41, 1.2, 0.25, geom.V(0.4, 0.4, 0.4), 0xC4886A)
	box(1.25, 0.41, 1.0, -0.1, geom.V(0.4, 0.4, 0.4), 0xB97B5E)
	box(0.72, 1.22, 1.12, 0.5, geom.V(0.4, 0.4, 0.4), 0xCF9878)
	box(-1.5, 0.31, 2.7, 0.15, geom.V(0.5, 0.3, 0.35), 0xBF8A54)
	box(4.4, 0.31, -0.4, 0.2, geom.V(0.3, 0.3, 0.3), 0xC4886A)
	ball(2.2, 0.41, 2.4, 0.4, 0x6FA3A8)
	ball(-1.7, 0.31, 0.5, 0.3, 0xC97468)
	ball(4.9, 0.46, 2.2, 0.45, 0x7F8FC0)
	solid("rock", -0.9, 0.5, -0.6, 0.4, rock, 0x98A08F)
	solid("rock", 8.9, 3, -6.6, 2.0, rock, 0x98A08F)
	solid("gem", 3.2, 0.5, -0.8, 0.3, gem, 0x9A8FBF)
	return nil
}

// rockShape returns points of a boulder with a flat foot.
func rockShape() (points []geom.Vec3) {
	for i := range 26 {
		y := 1 - 2*(float64(i)+0.5)/26
		r := math.Sqrt(1 - y*y)
		sin, cos := math.Sincos(float64(i) * 2.399963) // the golden angle
		size := 0.46 + 0.06*math.Sin(float64(i)*1.7)
		p := geom.V(float32(1.15*r*cos*size), float32(max(0.85*y*size, -0.3)), float32(r*sin*size))
		points = append(points, p)
	}
	return points
}

// gemShape returns the corners of a crate with its edges cut off.
func gemShape() (points []geom.Vec3) {
	const long, short = 0.4, 0.26
	for _, x := range [...]float32{-1, 1} {
		for _, y := range [...]float32{-1, 1} {
			for _, z := range [...]float32{-1, 1} {
				points = append(points, geom.V(x*long, y*short, z*short), geom.V(x*short, y*long, z*short), geom.V(x*short, y*short, z*long))
			}
		}
	}
	return points
}

// crateOf returns the crate of an entity, nil if it is not a crate.
func (a *arena) crateOf(e ecs.Entity) *crate {
	for i := range a.crates {
		if a.crates[i].entity == e {
			return &a.crates[i]
		}
	}
	return nil
}

// push gives crates that block the character its speed, up to its strength.
func (a *arena) push(dt float32) {
	for _, h := range ecs.GetResource[physecs.MoverHits](a.world).List {
		c := a.crateOf(h.Entity)
		if c == nil || math.Abs(float64(h.Normal.Y)) > 0.7 {
			continue
		}
		away := geom.V(-h.Normal.X, 0, -h.Normal.Z).Normalize()
		speed := min(h.Motion.Dot(away)/dt, pushSpeed)
		if lack := speed - c.velocity.Dot(away); lack > 0 {
			c.velocity = c.velocity.Add(away.Mul(lack))
		}
	}
}

// moveCrates lets crates ride, slide and fall. Where they slide into one another, SeparateSystem
// pushes them apart.
func (a *arena) moveCrates(dt float32) {
	for i := range a.crates {
		c := &a.crates[i]
		a.carry(c)
		f := physecs.Filter{OwnLayer: onCrates, Mask: onGround, Exclude: c.self}
		way := geom.V(c.velocity.X, 0, c.velocity.Z).Mul(dt)
		for range 3 {
			rest, hit, blocked := a.sweep(c, way, f)
			if !blocked {
				break
			}
			n := hit.Normal
			if !c.rolls { // a crate does not climb
				n = geom.V(n.X, 0, n.Z).Normalize()
			}
			c.velocity, way = along(c.velocity, n), along(rest, n)
		}
		c.velocity.Y -= gravity * dt
		f.Mask = onGround | onCrates
		_, hit, lies := a.sweep(c, geom.V(0, c.velocity.Y*dt, 0), f)
		c.ground = ecs.Entity{}
		if !lies {
			continue
		}
		drag := crateDrag
		if c.rolls {
			drag = rollingDrag
			c.velocity = along(c.velocity, hit.Normal)
		} else {
			c.velocity.Y = 0
		}
		c.velocity = c.velocity.Mul(1 - fading(drag, dt))
		if c.velocity.Len() < 0.02 && hit.Normal.Y > 0.99 {
			c.velocity = geom.Vec3{}
		}
		c.ground = hit.Entity
	}
}

// along returns the part of a motion that does not lead into a surface with the unit normal n.
func along(v, n geom.Vec3) geom.Vec3 {
	if into := v.Dot(n); into < 0 {
		return v.Sub(n.Mul(into))
	}
	return v
}

// carry moves a crate with the platform that it lies on.
func (a *arena) carry(c *crate) {
	for _, p := range a.platforms {
		if p.entity != c.ground {
			continue
		}
		now := *a.transforms.Get(p.entity)
		if back, ok := p.before.Affine().Inverse(); ok && now != p.before {
			t := a.transforms.Get(c.entity)
			t.Position = now.Point(back.Point(t.Position))
			t.Rotation = now.Rotation.Mul(p.before.Rotation.Inverse()).Mul(t.Rotation)
		}
	}
}

// sweep moves a crate along a path up to the first hit, or out of an overlap, and returns the rest
// of the path.
func (a *arena) sweep(c *crate, way geom.Vec3, f physecs.Filter) (rest geom.Vec3, hit physecs.ShapeHit, blocked bool) {
	length := way.Len()
	if length < 1e-7 {
		return way, hit, false
	}
	t := a.transforms.Get(c.entity)
	hit, blocked = ecs.GetResource[physecs.Space](a.world).CastShape(physics.ShapeCast{
		Shape: c.shape, Transform: *t, Motion: way, MaxT: 1 + 4*crateSkin/length, Start: physics.StartIgnoreSeparating,
	}, f)
	if blocked && hit.Overlaps {
		t.Position = t.Position.Add(hit.Normal.Mul(hit.Depth + crateSkin))
		return way, hit, true
	}
	goes := float32(1)
	if blocked {
		into := max(-way.Dot(hit.Normal)/length, 0.1)
		goes = min(max(hit.T-crateSkin/(into*length), 0), 1)
	}
	t.Position = t.Position.Add(way.Mul(goes))
	return way.Mul(1 - goes), hit, blocked && goes < 1
}
