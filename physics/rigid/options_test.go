package rigid_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/rigid"
)

var notFinite = [...]float64{math.Inf(1), math.Inf(-1), math.NaN()}

// Of what a body, a joint or a surface is made with, each number that is NaN or infinite is refused
// with an error that names its field, and changes nothing.
func TestOptionsThatAreNotFiniteAreRefused(t *testing.T) {
	s := newScene(t)
	a := s.add(rigid.Body{}, box(0.5), geom.At(0, 1, 0))
	b := s.add(rigid.Body{}, box(0.5), geom.At(2, 1, 0))
	c := s.Colliders(a)[0]
	refused := 0
	refuse := func(options any, set func() error) {
		v := reflect.ValueOf(options).Elem()
		testenv.VisitNumbers(v, func(path string, x reflect.Value) {
			if strings.HasSuffix(path, ".Scale.X") || strings.HasSuffix(path, ".Scale.Y") || strings.HasSuffix(path, ".Scale.Z") {
				return // of frames, which is ignored
			}
			for _, bad := range notFinite {
				before := x.Float()
				x.SetFloat(bad)
				assert.ErrorContains(t, set(), strings.Split(path, ".")[1], "%T%s = %v", options, path, bad)
				x.SetFloat(before)
				refused++
			}
		})
		require.NoError(t, set(), "%T", options)
	}
	body := rigid.Body{Mass: rigid.Mass{Mass: 1, Inertia: geom.V(1, 1, 1)}}
	refuse(&body, func() error { return s.Set(a, body) })
	joint := rigid.Joint{A: a, B: b, Kind: rigid.BallJoint, Limited: true}
	id, err := s.AddJoint(joint)
	require.NoError(t, err)
	refuse(&joint, func() error { return s.SetJoint(id, joint) })
	material := rigid.DefaultMaterial()
	refuse(&material, func() error { return s.SetMaterial(c, material) })
	assert.Greater(t, refused, 100)
}

// limits are the settings of which +Inf is no limit, or is never reached.
var limits = []string{".ContactHertz", ".JointHertz", ".PushSpeed", ".MaxMargin", ".BounceSpeed", ".HitSpeed", ".MaxSpeed", ".MaxSpin", ".SleepSpeed", ".SleepTime"}

// Settings that are NaN or infinite are named in a panic before anything has changed, except limits
// that are +Inf. With all others, negative and 0 too, bodies stay finite.
func TestSettingsThatAreNotFinite(t *testing.T) {
	var paths []string
	testenv.VisitNumbers(reflect.ValueOf(rigid.Settings{}), func(path string, _ reflect.Value) { paths = append(paths, path) })
	require.Greater(t, len(paths), 15)
	for _, limit := range limits {
		require.Contains(t, paths, limit)
	}
	for _, path := range append(paths, "none") {
		for _, bad := range append(notFinite[:], -1, 0) {
			s := newScene(t)
			ids := []rigid.BodyID{
				s.add(rigid.Body{}, box(0.5), geom.At(0, 0.5, 0)), s.add(rigid.Body{}, box(0.5), geom.At(0.2, 1.5, 0)),
				s.add(rigid.Body{Bullet: true, Velocity: geom.V(50, 0, 0)}, geom.Sphere{Radius: 0.2}, geom.At(-3, 1, 0)),
				s.add(rigid.Body{}, box(0.3), geom.At(0, 4, 5)),
			}
			for i, kind := range [...]rigid.JointKind{rigid.BallJoint, rigid.HingeJoint} {
				j := s.JointAt(kind, ids[3], [...]rigid.BodyID{0, ids[0]}[i], geom.V(0, 4, 5), geom.V(1, 0, 0))
				j.Limited, j.Lower, j.Upper = true, -1, 1
				_, err := s.AddJoint(j)
				require.NoError(t, err)
			}
			testenv.VisitNumbers(reflect.ValueOf(&s.Settings).Elem(), func(at string, x reflect.Value) {
				if at == path {
					x.SetFloat(bad)
				}
			})
			isLimit := bad > 1 && slices.Contains(limits, path)
			if path != "none" && (bad-bad != 0 && !isLimit || path == ".Step" && bad <= 0) {
				said := ""
				func() {
					defer func() { said = fmt.Sprint(recover()) }()
					s.Step()
				}()
				assert.Contains(t, said, "rigid: Dynamics.Step: Settings"+strings.TrimRight(path, ".XYZ"), "%v", bad)
				s.Settings = rigid.DefaultSettings()
			}
			require.NotPanics(t, func() { s.steps(10) }, "%s = %v", path, bad)
			for i, id := range ids {
				at, ok := s.Transform(id)
				require.True(t, ok)
				assert.True(t, at.IsFinite(), "%s = %v: body %d: %v", path, bad, i, at)
				assert.False(t, s.Space().IsNowhere(s.Colliders(id)[0]), "%s = %v: body %d", path, bad, i)
			}
			ground, _ := s.Space().Collider(s.ground)
			assert.Equal(t, physics.Collider{Shape: ground.Shape, Transform: geom.At(0, -1, 0), Static: true}, ground)
			assert.True(t, path != "none" || s.position(ids[2]).X > -3, "it moves")
		}
	}
}
