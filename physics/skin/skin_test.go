package skin_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// figure reads the figure of the sandbox.
func figure(t *testing.T) skin.Skin {
	file, err := os.Open("../../examples/sandbox/assets/figure.glb")
	require.NoError(t, err)
	defer file.Close()
	skins, err := meshio.DecodeSkins(file, nil)
	require.NoError(t, err)
	require.Len(t, skins, 1)
	return skins[0]
}

// A pose of another number of bones is a mistake, by name.
func TestPosesOfOtherSkeletons(t *testing.T) {
	s := figure(t)
	r, err := skin.Fit(&s, skin.Options{})
	require.NoError(t, err)
	rest, n, parts := s.Rest(nil, geom.Transform{}), len(s.Bones), len(r.Parts)
	for what, call := range map[string]func(){
		fmt.Sprintf("Skin.Deform: 1 frames for %d bones", n):          func() { s.Deform(nil, rest[:1]) },
		fmt.Sprintf("Blend: 1 frames for %d bones", n):                func() { skin.Blend(nil, rest, rest[:1], 0.5) },
		fmt.Sprintf("Ragdoll.Frames: %d frames for %d bones", n-1, n): func() { r.Frames(nil, rest[1:]) },
		fmt.Sprintf("Ragdoll.Pose: 0 frames for %d parts", parts):     func() { r.Pose(nil, nil) },
	} {
		require.PanicsWithValue(t, "skin: "+what, call)
	}
}

// random returns a pose with each bone turned and moved anywhere.
func random(s *skin.Skin, seed uint64) (p skin.Pose) {
	r := testenv.Rand(seed, 15)
	for range s.Bones {
		p = append(p, geom.Transform{
			Position: geom.V(r.Float32()*4, r.Float32()*4, r.Float32()*4),
			Rotation: geom.QuatEuler(6*r.Float64(), 6*r.Float64(), 6*r.Float64()),
		})
	}
	return p
}

// The surface, by 100 points on each triangle that one bone moves alone, is in the bone's shape or
// within 1.5 cm of it, of the head 86 %, and the shapes are not much larger than a human.
func TestFitContains(t *testing.T) {
	s := figure(t)
	r, err := skin.Fit(&s, skin.Options{})
	require.NoError(t, err)
	require.Len(t, r.Parts, len(s.Bones))
	volume := 0.0
	for i := range r.Parts {
		p := &r.Parts[i]
		name := s.Bones[p.Bone].Name
		grown := *p
		grown.Radius += 0.015
		grown.HalfExtents = grown.HalfExtents.Add(geom.V(0.015, 0.015, 0.015))
		frame := skin.In(s.Bones[p.Bone].Rest, p.Local)
		inside, total := 0.0, 0.0
		for k := 0; k < len(s.Indices); k += 3 {
			v := s.Indices[k : k+3]
			own := true
			for _, c := range v {
				own = own && s.Influences[c].Bones[0] == p.Bone
			}
			a, b, c := s.Vertices[v[0]], s.Vertices[v[1]], s.Vertices[v[2]]
			area := float64(b.Sub(a).Cross(c.Sub(a)).Len()) / 2
			if !own {
				continue
			}
			for k := range 100 {
				x, y := (float32(k%10)+0.5)/10, (float32(k/10)+0.5)/10
				if x+y > 1 {
					x, y = 1-x, 1-y
				}
				at := a.Add(b.Sub(a).Mul(x)).Add(c.Sub(a).Mul(y))
				if total += area; grown.Contains(frame.Rotation.Inverse().Rotate(at.Sub(frame.Position))) {
					inside += area
				}
			}
		}
		assert.Greater(t, inside/total, 0.85, name)
		assert.Less(t, p.Parent, i)
		h := p.HalfExtents.Wide()
		if p.Box {
			volume += 8 * h.X * h.Y * h.Z
		} else {
			radius := float64(p.Radius)
			volume += math.Pi * radius * radius * (2*h.Y + 4*radius/3)
		}
	}
	// The prisms of the limbs are closed, so that the tetrahedra from the origin add up to their
	// volume. A box around a prism of six sides has 1.54 times its volume.
	within := 0.0
	for k := 0; k < len(s.Indices); k += 3 {
		v := s.Indices[k : k+3]
		within += s.Vertices[v[0]].Wide().Dot(s.Vertices[v[1]].Wide().Cross(s.Vertices[v[2]].Wide())) / 6
	}
	assert.Greater(t, volume, within)
	assert.Less(t, volume, 1.54*within)
}

// The masses add up to the one given, as parts of the volume.
func TestFitMass(t *testing.T) {
	s := figure(t)
	for _, mass := range []float32{0, 3} {
		r, err := skin.Fit(&s, skin.Options{Mass: mass})
		require.NoError(t, err)
		sum := float32(0)
		for i := range r.Parts {
			sum += r.Parts[i].Mass
		}
		want := mass
		if mass == 0 {
			want = 75
		}
		assert.InEpsilon(t, want, sum, 1e-5) // 15 roundings
	}
}

// Bones with little surface follow their parents, with all their vertices; limits go by name.
func TestFitMergesAndLimits(t *testing.T) {
	s := figure(t)
	r, err := skin.Fit(&s, skin.Options{Least: 0.03})
	require.NoError(t, err)
	require.Less(t, len(r.Parts), len(s.Bones))
	for i := range r.Parts {
		p := &r.Parts[i]
		assert.NotContains(t, s.Bones[p.Bone].Name, "hand")
		if s.Bones[p.Bone].Name == "left_shin" {
			// Bent by a right angle about its axis, the foot is behind the knee.
			axis := p.Joint.Rotation.Rotate(geom.V(1, 0, 0))
			down := geom.QuatAxisAngle(axis, math.Pi/2).Rotate(geom.V(0, -1, 0))
			assert.InDelta(t, -1, down.Z, 0.05)
			assert.Equal(t, float32(2.4), p.Limit.Upper)
		}
	}
	rest := s.Rest(nil, geom.At(1, 2, 3))
	frames := r.Frames(nil, rest)
	for b, got := range r.Pose(nil, frames) {
		assert.InDelta(t, 0, got.Position.Distance(rest[b].Position), 1e-5, s.Bones[b].Name)
	}
}

// A pose is found again from the frames of its shapes, within rounding: positions of up to 4 m are
// rounded to 0.24 µm a few times.
func TestPoseRoundTrip(t *testing.T) {
	s := figure(t)
	r, err := skin.Fit(&s, skin.Options{})
	require.NoError(t, err)
	for seed := range uint64(20) {
		p := random(&s, seed)
		got := r.Pose(nil, r.Frames(nil, p))
		for b := range p {
			require.InDelta(t, 0, got[b].Position.Distance(p[b].Position), 5e-6)
			x := geom.V(1, 1, 1)
			require.InDelta(t, 0, got[b].Rotation.Rotate(x).Distance(p[b].Rotation.Rotate(x)), 2e-6)
		}
	}
}

// In the rest pose the vertices are where they are in the file; a common motion moves them all;
// half way between two poses is no farther from one than from the other.
func TestDeformAndBlend(t *testing.T) {
	s := figure(t)
	for i, v := range s.Deform(nil, s.Rest(nil, geom.Transform{})) {
		require.InDelta(t, 0, v.Distance(s.Vertices[i]), 1e-6)
	}
	at := geom.Transform{Position: geom.V(3, 1, 2), Rotation: geom.QuatEuler(1, 2, 3)}
	for i, v := range s.Deform(nil, s.Rest(nil, at)) {
		require.InDelta(t, 0, v.Distance(at.Point(s.Vertices[i])), 2e-6)
	}
	a, b := random(&s, 1), random(&s, 2)
	assert.Equal(t, a, skin.Blend(nil, a, b, 0))
	assert.Equal(t, b, skin.Blend(nil, a, b, 1))
	x := geom.V(1, 0, 0)
	for i, m := range skin.Blend(nil, a, b, 0.5) {
		assert.InDelta(t, m.Position.Distance(a[i].Position), m.Position.Distance(b[i].Position), 1e-5)
		back := m.Rotation.Inverse()
		p, q := back.Mul(a[i].Rotation), back.Mul(b[i].Rotation)
		assert.InDelta(t, math.Abs(float64(p.W)), math.Abs(float64(q.W)), 1e-5, x)
	}
}

// A skin of half the size has shapes of half the size, and a transform with a scale is refused,
// which would have been ignored.
func TestScaled(t *testing.T) {
	s := figure(t)
	half := s.Scaled(0.5)
	a, err := skin.Fit(&s, skin.Options{})
	require.NoError(t, err)
	b, err := skin.Fit(&half, skin.Options{})
	require.NoError(t, err)
	for i := range a.Parts {
		p, q := &a.Parts[i], &b.Parts[i]
		assert.InDelta(t, p.Radius/2, q.Radius, 1e-6)
		assert.InDelta(t, 0, p.HalfExtents.Mul(0.5).Distance(q.HalfExtents), 1e-6)
		assert.InDelta(t, 0, p.Joint.Position.Mul(0.5).Distance(q.Joint.Position), 1e-6)
		assert.InDelta(t, p.Mass, q.Mass, 1e-4)
	}
	assert.Equal(t, figure(t), s)
	require.PanicsWithValue(t, "skin: Skin.Rest: the transform has the scale (0.01, 0.01, 0.01)", func() {
		s.Rest(nil, geom.Transform{Scale: geom.V(0.01, 0.01, 0.01)})
	})
	require.PanicsWithValue(t, "skin: Skin.Scaled: the factor is -1", func() { s.Scaled(-1) })
}

// What is inconsistent is an error that names it.
func TestFitErrors(t *testing.T) {
	for want, spoil := range map[string]func(s *skin.Skin){
		"no bones":            func(s *skin.Skin) { s.Bones = nil },
		"influences of":       func(s *skin.Skin) { s.Influences = s.Influences[1:] },
		"follows itself":      func(s *skin.Skin) { s.Bones[1].Parent = 2 },
		"there is no bone 77": func(s *skin.Skin) { s.Influences[5].Bones[2] = 77 },
		"there is no bone 99": func(s *skin.Skin) { s.Bones[3].Parent = 99 },
		"are roots":           func(s *skin.Skin) { s.Bones[3].Parent = -1 },
		"is vertex":           func(s *skin.Skin) { s.Indices[3] = 1 << 20 },
		"moves a vertex":      func(s *skin.Skin) { s.Vertices, s.Influences, s.Indices = nil, nil, nil },
	} {
		s := figure(t)
		spoil(&s)
		_, err := skin.Fit(&s, skin.Options{})
		require.ErrorContains(t, err, want)
	}
}
