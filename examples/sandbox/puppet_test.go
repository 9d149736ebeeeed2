package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// A puppet walks, falls when it is released, and stands again when it is called back. Steps of the
// past give the same places, in whatever mode it is now.
func TestPuppet(t *testing.T) {
	s := simulate(t, newRagdolls)
	record := map[int][]geom.Transform{}
	places := func() (all []geom.Transform) {
		for _, e := range s.scene.all {
			all = append(all, *s.places.Get(e))
		}
		return all
	}
	head := func() float32 { return s.place("head-walker").Y }
	run := func(steps int) {
		for range steps {
			s.run(1)
			record[s.step] = places()
		}
	}
	run(30)
	assert.Greater(t, head(), float32(1.3))
	s.puppet.toggle()
	assert.Equal(t, "back to walking", s.puppet.next())
	run(80)
	assert.Less(t, head(), float32(0.8))
	s.puppet.toggle()
	run(blendSteps + 10)
	assert.Greater(t, head(), float32(1.3))
	for _, step := range []int{12, 90, 121, 29, 31, 111, 150, 5, 180, 110, 30} {
		s.seek(step)
		require.Equal(t, record[step], places(), step)
	}
	s.run(40) // through the past, without a key
	assert.Equal(t, record[70], places())
	s.puppet.toggle() // another future
	assert.Equal(t, []int{30, 70}, s.switches)
}
