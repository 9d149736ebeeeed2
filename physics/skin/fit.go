package skin

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Ragdoll is a skeleton with shapes, as [Fit] returns it.
type Ragdoll struct {
	Bones []Bone
	Parts []Part // parents before their children
	// follows has the part that each bone follows, and its frame from that of the part's bone.
	follows []follow
}

type follow struct {
	part  int
	local geom.Transform
}

// Part is a bone with a shape.
type Part struct {
	Bone   int
	Parent int // index of the part that a joint connects it with; −1 of the root
	// Local is the frame of the shape from that of the bone.
	Local geom.Transform
	// Box is set for a box of HalfExtents; else it is a capsule of a Radius around the points at
	// ±HalfExtents.Y on the Y axis of its frame.
	Box         bool
	HalfExtents geom.Vec3
	Radius      float32
	Mass        float32 // kg
	Limit       Limit
	// Joint is the frame of the joint in the rest pose, in the space of the model: at the bone's
	// origin, with the X axis along the bone, or along the axis of a hinge.
	Joint geom.Transform
}

// Limit is how far a joint turns from the rest pose, in radians.
type Limit struct {
	// Match are parts of names, in lower case, of bones that it is for.
	Match []string
	// Cone is the greatest angle of the bone, and Twist that about it to either side.
	Cone, Twist float32
	// Flex, unless zero, makes the joint a hinge: the direction in which the end of the bone moves
	// when it bends, from Lower to Upper, in the space of the model.
	Flex         geom.Vec3
	Lower, Upper float32
}

// Options are the options of [Fit]. The zero Options are those of a human of 75 kg.
type Options struct {
	Mass float32 // of all parts, kg; 0 means 75
	// Limits is searched in its order for each bone; the last entry is for all others. Nil means
	// [Humanoid].
	Limits []Limit
	// Least is the least share of the skin's surface that a bone needs for a part of its own:
	// others, such as fingers, follow their parents. 0 means 0.008.
	Least float32
}

// Humanoid is the limits of a human that faces +Z, by the usual names of bones.
var Humanoid = []Limit{
	{Match: []string{"forearm", "lowerarm", "lower_arm", "elbow"}, Flex: geom.Vec3{Z: 1}, Upper: 2.4},
	{Match: []string{"shin", "calf", "lowerleg", "lower_leg", "knee"}, Flex: geom.Vec3{Z: -1}, Upper: 2.4},
	{Match: []string{"head", "neck"}, Cone: 0.6, Twist: 0.7},
	{Match: []string{"upperarm", "upper_arm", "shoulder", "arm"}, Cone: 1.5, Twist: 0.9},
	{Match: []string{"thigh", "upleg", "upperleg", "upper_leg", "hip"}, Cone: 1.1, Twist: 0.4},
	{Match: []string{"hand", "wrist", "foot", "ankle", "toe"}, Cone: 0.5, Twist: 0.3},
	{Match: []string{"spine", "chest", "torso"}, Cone: 0.4, Twist: 0.3},
	{Cone: 0.6, Twist: 0.4},
}

// insideShare is the share of the surface of a bone that its shape spans in each direction.
// Greater: single vertices make shapes thick. Smaller: the skin sticks out of its shape.
const insideShare = 0.96

// flatness is the ratio of width to thickness beyond which a bone gets a box.
const flatness = 1.35

// Fit makes a ragdoll of a skin. The shape of a bone lies along the direction to its child and
// spans the vertices whose greatest weight it has, each counted by the area of its
// triangles. The masses are in proportion to the volumes.
//
// It returns an error if the skin is inconsistent or has several roots with vertices, or none.
func Fit(s *Skin, o Options) (*Ragdoll, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("skin: Fit: %w", err)
	}
	if o.Limits == nil {
		o.Limits = Humanoid
	}
	f := fitter{Skin: s, owner: make([]int, len(s.Bones)), share: make([]float64, len(s.Bones))}
	f.weigh()
	order := f.order()
	f.merge(order, float64(cmp.Or(o.Least, 0.008)))
	r := &Ragdoll{Bones: slices.Clone(s.Bones), follows: make([]follow, len(s.Bones))}
	parts := make([]int, len(s.Bones))
	for i := range parts {
		parts[i] = -1
	}
	volume := float32(0)
	for _, b := range order {
		if f.owner[b] != b {
			continue
		}
		p, ok := f.fit(b)
		if !ok {
			continue
		}
		p.Parent = -1
		if up := s.Bones[b].Parent; up >= 0 {
			p.Parent = parts[f.owner[up]]
		}
		if p.Parent < 0 && len(r.Parts) > 0 {
			return nil, fmt.Errorf("skin: Fit: both %q and %q are roots", s.Bones[r.Parts[0].Bone].Name, s.Bones[b].Name)
		}
		p.Limit = limitOf(o.Limits, s.Bones[b].Name)
		p.Joint = f.joint(b, &p.Limit)
		p.Mass = p.volume()
		volume += p.Mass
		parts[b] = len(r.Parts)
		r.Parts = append(r.Parts, p)
	}
	if len(r.Parts) == 0 {
		return nil, fmt.Errorf("skin: Fit: no bone moves a vertex")
	}
	for i := range r.Parts {
		r.Parts[i].Mass *= cmp.Or(o.Mass, 75) / volume
	}
	for b := range s.Bones {
		k := max(parts[f.owner[b]], 0)
		r.follows[b] = follow{k, Within(s.Bones[r.Parts[k].Bone].Rest, s.Bones[b].Rest)}
	}
	return r, nil
}

// limitOf returns the first limit that is for a bone.
func limitOf(limits []Limit, name string) Limit {
	name = strings.ToLower(name)
	for _, l := range limits {
		if len(l.Match) == 0 || slices.ContainsFunc(l.Match, func(m string) bool { return strings.Contains(name, m) }) {
			return l
		}
	}
	return Limit{Cone: 0.6, Twist: 0.4}
}

type fitter struct {
	*Skin
	area  []float64 // of the triangles of each vertex
	main  []int     // the bone with the greatest weight
	owner []int     // the bone that each bone follows rigidly; itself
	share []float64 // of the surface
}

// weigh computes areas and shares.
func (f *fitter) weigh() {
	f.area, f.main = make([]float64, len(f.Vertices)), make([]int, len(f.Vertices))
	for i := 0; i+2 < len(f.Indices); i += 3 {
		t := f.Indices[i : i+3]
		a, b, c := f.Vertices[t[0]].Wide(), f.Vertices[t[1]].Wide(), f.Vertices[t[2]].Wide()
		area := b.Sub(a).Cross(c.Sub(a)).Len() / 6
		for _, v := range t {
			f.area[v] += area
		}
	}
	total := 0.0
	for i := range f.Vertices {
		if len(f.Indices) == 0 {
			f.area[i] = 1
		}
		best := float32(-1)
		for k, w := range f.Influences[i].Weights {
			if w > best {
				best, f.main[i] = w, f.Influences[i].Bones[k]
			}
		}
		f.share[f.main[i]] += f.area[i]
		total += f.area[i]
	}
	for b := range f.share {
		f.share[b] /= total
	}
}

// order returns the bones, parents before their children.
func (f *fitter) order() (order []int) {
	done := make([]bool, len(f.Bones))
	var visit func(b int)
	visit = func(b int) {
		if b >= 0 && !done[b] {
			visit(f.Bones[b].Parent)
			done[b] = true
			order = append(order, b)
		}
	}
	for b := range f.Bones {
		visit(b)
	}
	return order
}

// merge makes bones with little surface follow their parents. One without a parent that has a part
// keeps its own frame.
func (f *fitter) merge(order []int, least float64) {
	for b := range f.owner {
		f.owner[b] = b
	}
	for _, b := range slices.Backward(order) { // children first
		if up := f.Bones[b].Parent; up >= 0 && f.share[b] < least {
			f.owner[b] = up
			f.share[up] += f.share[b]
		}
	}
	for _, b := range order {
		f.owner[b] = f.owner[f.owner[b]]
	}
}

// direction returns the unit vector along a bone: to the mean of its children, or else to the
// middle of its vertices.
func (f *fitter) direction(b int) geom.DVec3 {
	var sum geom.DVec3
	from := f.Bones[b].Rest.Position.Wide()
	for c := range f.Bones {
		if f.Bones[c].Parent == b && f.owner[c] == c {
			sum = sum.Add(f.Bones[c].Rest.Position.Wide().Sub(from))
		}
	}
	if sum.Len() < 1e-6 {
		sum = geom.DVec3{}
		for i, v := range f.Vertices {
			if f.owner[f.main[i]] == b {
				sum = sum.AddMul(f.area[i], v.Wide().Sub(from))
			}
		}
	}
	if sum = sum.Normalize(); sum == (geom.DVec3{}) {
		return geom.DVec3{Y: 1}
	}
	return sum
}

// fit fits a shape to a bone; false if it has no surface.
func (f *fitter) fit(b int) (p Part, ok bool) {
	p.Bone = b
	along := f.direction(b)
	// The axes across the bone: those of the greatest and least spread of its vertices.
	u := geom.DVec3{X: 1}
	if math.Abs(along.X) > 0.7 {
		u = geom.DVec3{Z: 1}
	}
	u = u.AddMul(-along.Dot(u), along).Normalize()
	v := u.Cross(along)
	var sum, mu, mv, uu, uv, vv float64
	each := func(call func(p geom.DVec3, area float64)) {
		for i := range f.Vertices {
			if f.owner[f.main[i]] == b {
				call(f.Vertices[i].Wide(), f.area[i])
			}
		}
	}
	each(func(p geom.DVec3, a float64) {
		sum, mu, mv = sum+a, mu+float64(a*p.Dot(u)), mv+float64(a*p.Dot(v))
	})
	if !(sum > 0) {
		return p, false
	}
	mu, mv = mu/sum, mv/sum
	each(func(p geom.DVec3, a float64) {
		x, y := p.Dot(u)-mu, p.Dot(v)-mv
		uu, uv, vv = uu+float64(a*x*x), uv+float64(a*x*y), vv+float64(a*y*y)
	})
	// Half the angle of (uu − vv, 2uv), by roots: they have the same bits on every machine.
	sin, cos := 0.0, 1.0
	if h := math.Sqrt(float64((uu-vv)*(uu-vv)) + float64(4*uv*uv)); h > 0 {
		double := (uu - vv) / h
		sin, cos = math.Copysign(math.Sqrt(max(1-double, 0)/2), uv), math.Sqrt(max(1+double, 0)/2)
	}
	u, v = u.Mul(cos).AddMul(sin, v), v.Mul(cos).AddMul(-sin, u)
	span := func(axis geom.DVec3) (middle, half float64) {
		type place struct{ at, area float64 }
		var all []place
		each(func(p geom.DVec3, a float64) { all = append(all, place{p.Dot(axis), a}) })
		slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.at, b.at) })
		end := func(all func(func(int, place) bool)) float64 {
			left, last := sum*(1-insideShare)/2, 0.0
			for _, p := range all {
				if last = p.at; left < p.area {
					break
				}
				left -= p.area
			}
			return last
		}
		low, high := end(slices.All(all)), end(slices.Backward(all))
		return (low + high) / 2, max(high-low, 1e-3) / 2
	}
	cu, wide := span(u)
	cv, thick := span(v)
	ca, long := span(along)
	center := u.Mul(cu).AddMul(cv, v).AddMul(ca, along)
	if wide < thick {
		u, v, wide, thick = v, u.Neg(), thick, wide
	}
	r := math.Sqrt(wide * thick)
	p.Box = wide > flatness*thick || long < 1.1*r
	if p.Box {
		p.HalfExtents = geom.DVec3{X: wide, Y: long, Z: thick}.Narrow()
	} else {
		// The surface of a prism lies around the capsule of the mean radius.
		p.Radius = float32(max(r, 1e-3))
		p.HalfExtents.Y = float32(max(long-r, 1e-3))
	}
	// QuatLook turns −Z to a direction, and Y to another.
	frame := geom.Transform{Position: center.Narrow(), Rotation: geom.QuatLook(u.Cross(along).Neg().Narrow(), along.Narrow())}
	p.Local = Within(f.Bones[b].Rest, frame)
	return p, true
}

// joint returns the frame of the joint of a bone.
func (f *fitter) joint(b int, l *Limit) geom.Transform {
	along := f.direction(b)
	x := along
	if l.Flex != (geom.Vec3{}) {
		if x = along.Cross(l.Flex.Wide()).Normalize(); x == (geom.DVec3{}) {
			x = geom.DVec3{X: 1}
		}
	}
	up := geom.Vec3{Y: 1}
	if math.Abs(x.Y) > 0.9 {
		up = geom.Vec3{Z: 1}
	}
	quarter := geom.Quat{Y: math.Sqrt2 / 2, W: math.Sqrt2 / 2} // a quarter turn about Y: X to −Z
	return geom.Transform{Position: f.Bones[b].Rest.Position, Rotation: geom.QuatLook(x.Narrow(), up).Mul(quarter)}
}

// volume returns the volume of a part, in m³.
func (p *Part) volume() float32 {
	if p.Box {
		return 8 * p.HalfExtents.X * p.HalfExtents.Y * p.HalfExtents.Z
	}
	return math.Pi * p.Radius * p.Radius * (2*p.HalfExtents.Y + float32(4*p.Radius/3))
}

// Contains reports whether a point in the frame of a part is in it.
func (p *Part) Contains(at geom.Vec3) bool {
	if p.Box {
		h := p.HalfExtents
		return max(at.X, -at.X) <= h.X && max(at.Y, -at.Y) <= h.Y && max(at.Z, -at.Z) <= h.Z
	}
	y := at.Y - min(max(at.Y, -p.HalfExtents.Y), p.HalfExtents.Y)
	return geom.V(at.X, y, at.Z).LenSq() <= p.Radius*p.Radius
}

// Frames appends the frames of the shapes in a pose. Panics if that is not of as many bones.
func (r *Ragdoll) Frames(dst []geom.Transform, p Pose) []geom.Transform {
	require("Ragdoll.Frames", len(p), len(r.Bones), "bones")
	for i := range r.Parts {
		dst = append(dst, In(p[r.Parts[i].Bone], r.Parts[i].Local))
	}
	return dst
}

// Pose appends the pose in which the shapes have some frames: the inverse of Frames. Bones without
// a part of their own follow those that have one, as in the rest pose. Panics if there are not as
// many frames as parts.
func (r *Ragdoll) Pose(dst Pose, frames []geom.Transform) Pose {
	require("Ragdoll.Pose", len(frames), len(r.Parts), "parts")
	for b := range r.Bones {
		f := &r.follows[b]
		p := &r.Parts[f.part]
		bone := In(frames[f.part], Within(p.Local, geom.Transform{}))
		if p.Bone != b {
			bone = In(bone, f.local)
		}
		dst = append(dst, bone)
	}
	return dst
}
