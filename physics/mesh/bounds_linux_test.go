//go:build !386 && !arm && !mips && !mipsle

package mesh_test

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/mesh"
)

// More triangles than a mesh can hold are an error, and nothing is copied: the indices here are
// three gigabytes of unmapped addresses that read as 0. There is no vertex, so a New that lacks the
// limit stops at the first index.
func TestTooManyTriangles(t *testing.T) {
	const count = 3 * (mesh.MaxTriangles + 1)
	memory, err := syscall.Mmap(-1, 0, 4*count, syscall.PROT_READ,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	testenv.Needs(t, err == nil, "addresses for its indices")
	defer func() { require.NoError(t, syscall.Munmap(memory)) }()
	_, err = mesh.New(nil, unsafe.Slice((*uint32)(unsafe.Pointer(&memory[0])), count))
	want := fmt.Sprintf("mesh: New: %d triangles: at most %d can be held", mesh.MaxTriangles+1, mesh.MaxTriangles)
	assert.EqualError(t, err, want)
}
