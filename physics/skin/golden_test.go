package skin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/golden"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// The shapes, masses and joints that Fit makes of the sandbox's figure, and its poses between two,
// are the same to the bit on every architecture.
func TestSkinSameBits(t *testing.T) {
	s := figure(t)
	h := golden.New()
	frame := func(f geom.Transform) {
		h.Vec(f.Position)
		h.Float(f.Rotation.X, f.Rotation.Y, f.Rotation.Z, f.Rotation.W)
	}
	for _, least := range []float32{0, 0.03} {
		r, err := skin.Fit(&s, skin.Options{Least: least})
		require.NoError(t, err)
		for _, p := range r.Parts {
			h.Uint(uint64(p.Bone))
			h.Uint(uint64(int64(p.Parent)))
			frame(p.Local)
			h.Bool(p.Box)
			h.Vec(p.HalfExtents)
			h.Float(p.Radius, p.Mass)
			frame(p.Joint)
		}
		n := golden.Numbers(15)
		turned := func() (p skin.Pose) {
			for range s.Bones {
				p = append(p, geom.Transform{Position: n.Vec(2), Rotation: n.Quat()})
			}
			return p
		}
		between := skin.Blend(nil, turned(), turned(), 0.3)
		frames := r.Frames(nil, between)
		for _, p := range [][]geom.Transform{between, frames, r.Pose(nil, frames)} {
			for _, f := range p {
				frame(f)
			}
		}
		h.Vec(s.Deform(nil, between)...)
	}
	h.Check(t, "skin", goldenSkinHash)
}

const goldenSkinHash = 0xdfde0d7e7dbc8fde
