// Package skin holds skeletons and the vertices that they move, and fits a capsule or box to each
// bone: what a ragdoll is made of. It is plain data. Package meshio reads it from glTF, and
// physecs.NewRagdoll makes bodies and joints of it.
//
// A pose has a transform for each bone, without scale, in one common space: that of the model, or
// the world.
package skin

import (
	"fmt"
	"math"
	"slices"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// Skin is a skeleton with the vertices that it moves, in its rest pose.
type Skin struct {
	Name string
	// Bones are in the order of the file, which glTF calls joints.
	Bones []Bone
	// Vertices are the corners in the rest pose, in the space of the model, and Influences the
	// bones that move each of them. Indices are those of three vertices for each triangle.
	Vertices   []geom.Vec3
	Influences []Influence
	Indices    []uint32
}

// Bone is a joint of a skeleton, with all that follows it rigidly.
type Bone struct {
	Name   string
	Parent int            // index of the bone that it follows; −1 of a root
	Rest   geom.Transform // its frame in the rest pose, in the space of the model, without scale
}

// Influence is the bones that move a vertex, with weights that add up to 1.
type Influence struct {
	Bones   [4]int
	Weights [4]float32
}

// Pose has the frame of each bone.
type Pose []geom.Transform

// require panics, with the name of the calling function, unless a list has as many frames as there
// are bones or parts.
func require(function string, frames, n int, of string) {
	if frames != n {
		panic(fmt.Sprintf("skin: %s: %d frames for %d %s", function, frames, n, of))
	}
}

// Scaled returns the skin with all lengths multiplied by a factor: 0.01 makes metres of
// centimetres. Its lists of Vertices and Bones are new. Panics if the factor is not positive or not
// finite.
func (s *Skin) Scaled(by float32) Skin {
	if !(by > 0 && by <= math.MaxFloat32) {
		panic(fmt.Sprintf("skin: Skin.Scaled: the factor is %g", by))
	}
	scaled := *s
	scaled.Bones, scaled.Vertices = slices.Clone(s.Bones), slices.Clone(s.Vertices)
	for i := range scaled.Bones {
		p := &scaled.Bones[i].Rest.Position
		*p = p.Mul(by)
	}
	for i, v := range scaled.Vertices {
		scaled.Vertices[i] = v.Mul(by)
	}
	return scaled
}

// Rest appends the rest pose, moved by a transform. Panics if that has a scale, which a pose has
// not: see [Skin.Scaled].
func (s *Skin) Rest(dst Pose, at geom.Transform) Pose {
	if f := at.Factors(); f != geom.V(1, 1, 1) {
		panic(fmt.Sprintf("skin: Skin.Rest: the transform has the scale %v", f))
	}
	for i := range s.Bones {
		dst = append(dst, In(at, s.Bones[i].Rest))
	}
	return dst
}

// Deform appends the vertices in a pose: linear blend skinning. Panics if that is not of as many
// bones.
func (s *Skin) Deform(dst []geom.Vec3, p Pose) []geom.Vec3 {
	require("Skin.Deform", len(p), len(s.Bones), "bones")
	moves := make([]geom.Transform, len(s.Bones))
	for i := range moves {
		moves[i] = In(p[i], Within(s.Bones[i].Rest, geom.Transform{}))
	}
	for i, v := range s.Vertices {
		var sum geom.Vec3
		for k, w := range s.Influences[i].Weights {
			if w != 0 {
				m := &moves[s.Influences[i].Bones[k]]
				sum = sum.Add(m.Position.Add(m.Rotation.Rotate(v)).Mul(w))
			}
		}
		dst = append(dst, sum)
	}
	return dst
}

// Blend appends the pose between two: a at share 0, and b at 1. Rotations go the short way. Panics
// if a and b are not of as many bones.
func Blend(dst, a, b Pose, share float32) Pose {
	require("Blend", len(b), len(a), "bones")
	for i := range a {
		dst = append(dst, between(&a[i], &b[i], share))
	}
	return dst
}

func between(a, b *geom.Transform, share float32) geom.Transform {
	switch share { // exactly
	case 0:
		return *a
	case 1:
		return *b
	}
	p, q := a.Rotation.Normalize(), b.Rotation.Normalize()
	if float32(p.X*q.X)+float32(p.Y*q.Y)+float32(p.Z*q.Z)+float32(p.W*q.W) < 0 {
		p = geom.Quat{X: -p.X, Y: -p.Y, Z: -p.Z, W: -p.W}
	}
	mix := func(a, b float32) float32 { return a + float32(share*(b-a)) }
	return geom.Transform{
		Position: a.Position.Lerp(b.Position, share),
		Rotation: geom.Quat{X: mix(p.X, q.X), Y: mix(p.Y, q.Y), Z: mix(p.Z, q.Z), W: mix(p.W, q.W)}.Normalize(),
	}
}

// In returns a transform in a frame, as one of the space of the frame. Scales do not count.
func In(frame, t geom.Transform) geom.Transform {
	return geom.Transform{Position: frame.Position.Add(frame.Rotation.Rotate(t.Position)), Rotation: frame.Rotation.Mul(t.Rotation)}
}

// Within returns a transform in a frame, the inverse of [In].
func Within(frame, t geom.Transform) geom.Transform {
	back := frame.Rotation.Inverse()
	return geom.Transform{Position: back.Rotate(t.Position.Sub(frame.Position)), Rotation: back.Mul(t.Rotation)}
}

// check returns an error unless all indices are in range, and no bone follows itself.
func (s *Skin) check() error {
	if len(s.Bones) == 0 {
		return fmt.Errorf("no bones")
	}
	if len(s.Influences) != len(s.Vertices) {
		return fmt.Errorf("%d influences of %d vertices", len(s.Influences), len(s.Vertices))
	}
	for i := range s.Bones {
		up := s.Bones[i].Parent
		for range s.Bones {
			if up < -1 || up >= len(s.Bones) {
				return fmt.Errorf("bone %d (%q): there is no bone %d", i, s.Bones[i].Name, up)
			}
			if up < 0 {
				break
			}
			up = s.Bones[up].Parent
		}
		if up >= 0 {
			return fmt.Errorf("bone %d (%q) follows itself", i, s.Bones[i].Name)
		}
	}
	for i := range s.Influences {
		for _, b := range s.Influences[i].Bones {
			if b < 0 || b >= len(s.Bones) {
				return fmt.Errorf("vertex %d: there is no bone %d", i, b)
			}
		}
	}
	for i, v := range s.Indices {
		if int64(v) >= int64(len(s.Vertices)) {
			return fmt.Errorf("index %d is vertex %d of %d", i, v, len(s.Vertices))
		}
	}
	return nil
}
