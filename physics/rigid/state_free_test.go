package rigid

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/internal/freelist"
)

// A state whose free list names what there is not, what is alive, or the same twice is refused:
// the next body or joint would get its index.
func TestFreeListsOfStates(t *testing.T) {
	d := New(physics.NewSpace())
	var ids [4]BodyID
	for i := range ids {
		var err error
		ids[i], err = d.Add(Body{}, d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(float32(2*i), 0, 0)}))
		require.NoError(t, err)
	}
	var joints [2]JointID
	for i := range joints {
		var err error
		joints[i], err = d.AddJoint(d.JointAt(BallJoint, ids[i], ids[i+1], geom.V(float32(2*i+1), 0, 0), geom.V(0, 1, 0)))
		require.NoError(t, err)
	}
	d.RemoveJoint(joints[1])
	d.Remove(ids[3])
	require.NoError(t, New(physics.NewSpace()).LoadState(d.AppendState(nil)))
	for what, list := range map[string]*[]int32{"body": &d.free, "joint": &d.freeJoints} {
		free := (*list)[0]
		end := map[string]int{"body": len(d.bodies), "joint": len(d.joints)}[what]
		for _, bad := range []int32{0, 1, free, int32(end), int32(end) + 1, -1} {
			*list = []int32{free, bad}
			err := New(physics.NewSpace()).LoadState(d.AppendState(nil))
			require.ErrorContains(t, err, fmt.Sprintf("the free %s %d is none", what, bad))
		}
		*list = []int32{free}
	}
}

// A state whose bodies have orders that are not in its list, a goal without one, or one asleep, is
// refused.
func TestOrdersOfStates(t *testing.T) {
	for order, want := range map[int32]bool{-1: false, 0: false, 1: true, 2: false} {
		d := New(physics.NewSpace())
		c := d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}})
		id, err := d.Add(Body{Kind: Kinematic}, c)
		require.NoError(t, err)
		require.True(t, d.MoveTo(id, geom.At(1, 2, 3)))
		d.bodies[id.index()].order = order
		loaded := New(physics.NewSpace())
		err = loaded.LoadState(d.AppendState(nil))
		if !want {
			require.ErrorContains(t, err, fmt.Sprintf("has the order %d of 1", order))
			continue
		}
		require.NoError(t, err)
		d.bodies[id.index()].awake = false
		require.ErrorContains(t, New(physics.NewSpace()).LoadState(d.AppendState(nil)), "has the order 1 of 1")
		loaded.Step()
		at, _ := loaded.Transform(id)
		require.Equal(t, geom.V(1, 2, 3), at.Position)
	}
}

// A state whose bodies list joints that are not theirs, none, or without end is refused.
func TestJointListsOfStates(t *testing.T) {
	for what, damage := range map[string]func(d *Dynamics, i int32){
		"of another body": func(d *Dynamics, i int32) { d.bodies[i].joints = d.bodies[i+2].joints },
		"of a lost joint": func(d *Dynamics, i int32) { d.bodies[i].joints = int32(2*len(d.joints) + 1) },
		"of no joint":     func(d *Dynamics, i int32) { d.bodies[i].joints = -1 },
		"without end": func(d *Dynamics, i int32) {
			link := d.bodies[i].joints
			d.joints[(link-1)/2].next[(link-1)%2] = link
		},
	} {
		d := New(physics.NewSpace())
		var ids [4]BodyID
		for i := range ids {
			var err error
			ids[i], err = d.Add(Body{}, d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(float32(2*i), 0, 0)}))
			require.NoError(t, err)
		}
		for _, i := range []int{0, 2} {
			_, err := d.AddJoint(d.JointAt(BallJoint, ids[i], ids[i+1], geom.V(float32(2*i+1), 0, 0), geom.V(0, 1, 0)))
			require.NoError(t, err)
		}
		damage(d, int32(slices.IndexFunc(d.bodies, func(b body) bool { return b.id == ids[0] })))
		require.ErrorContains(t, New(physics.NewSpace()).LoadState(d.AppendState(nil)), "which is not its", what)
	}
}

// TestPagesOfReleasedStatesAreDropped releases states that each have pages of their own.
func TestPagesOfReleasedStatesAreDropped(t *testing.T) {
	defer func(period int) { freelist.Period = period }(freelist.Period)
	freelist.Period = 20
	d := New(physics.NewSpace())
	for i := range 100 {
		at := float32(2 * i)
		d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(at, -0.5, 0), Static: true})
		_, err := d.Add(Body{}, d.Space().Add(physics.Collider{Shape: geom.Sphere{Radius: 0.5}, Transform: geom.At(at, 0.5, 0)}))
		require.NoError(t, err)
	}
	var states [8]State
	for i := range states {
		d.Step()
		d.Save(&states[i])
	}
	for i := range states {
		states[i].Release()
	}
	assert.Greater(t, d.memories.spare.Len(), 8)
	for range 2 * freelist.Period {
		d.Step()
	}
	assert.Zero(t, d.contacts.spare.Len()+d.memories.spare.Len()+d.owners.spare.Len())
}
