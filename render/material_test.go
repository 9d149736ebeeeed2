package render

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLinear(t *testing.T) {
	assert.InDelta(t, 0.2140, float64(linear(RGB(0x808080))[0])*0.9913, 2e-3)
	assert.Equal(t, float32(1), linear(RGB(0xffffff))[1])
	assert.Zero(t, linear(RGB(0))[2])
}
