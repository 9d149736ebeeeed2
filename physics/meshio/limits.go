package meshio

import (
	"fmt"
	"strings"
)

// Limits bounds what reading a file may cost. Its methods are the functions of this package with
// these bounds; the functions have those of the zero Limits.
//
// A small file may stand for a large model: glTF uses the same vertices in thousands of nodes, and
// OBJ names each group after its object. What would take more is an error that names the limit.
type Limits struct {
	// Memory is how much memory a model may take, with what is needed to read it, in bytes. 0 is 64
	// times the bytes that are read, plus 16 MB. It panics if negative.
	Memory int64
	// Steps is how often corners of concave faces of an OBJ may be compared with ears, to divide
	// the faces into triangles; and eight times how many nodes there may be above the joints of
	// skins, each joint by itself. 0 is 48 for each byte that is read, plus 8 million, which took
	// up to 0.6 s a megabyte and a tenth of a second. It panics if negative.
	Steps int64
}

// What the parts of a model take at the most beside their vertices and indices, in bytes.
const (
	partBytes   = 2048 // the slices of a part, and its place in lists that have grown
	objectBytes = 2560 // a node, accessor or other object of a glTF, decoded
	vertexBytes = 24   // with its normal
	uvBytes     = 8
	colorBytes  = 16
	indexBytes  = 4
	boneBytes   = 192 // a bone, and its places in lists
	// A part of a skin takes so many times that of a model: influences, and lists that grow.
	skinShare = 10
	// The influences of a vertex, while its place is computed.
	influenceBytes = 96
)

// budget is what is left of the memory for a file.
type budget struct {
	Limits
	read, spent int64
	steps       int64
}

func (l Limits) budget() budget {
	if l.Memory < 0 {
		panic(fmt.Sprintf("meshio: Limits: a Memory of %d bytes", l.Memory))
	}
	if l.Steps < 0 {
		panic(fmt.Sprintf("meshio: Limits: %d Steps", l.Steps))
	}
	return budget{Limits: l}
}

// stepsLeft is how many steps the bytes read so far may still take.
func (b *budget) stepsLeft() int64 { return b.stepLimit() - b.steps }

func (b *budget) stepLimit() int64 {
	if b.Steps > 0 {
		return b.Steps
	}
	return 48*b.read + 8_000_000
}

// limit is the memory that the bytes read so far may take.
func (b *budget) limit() int64 {
	if b.Memory > 0 {
		return b.Memory
	}
	return 64*b.read + 16<<20
}

// spend takes some bytes. If there are not as many it takes none and returns an error.
func (b *budget) spend(bytes int64) error {
	if b.spent+bytes > b.limit() {
		return fmt.Errorf("it takes more than %d bytes of memory from here on, the limit of meshio.Limits", b.limit())
	}
	b.spent += bytes
	return nil
}

// clipped shortens a word of a file for an error.
func clipped[T string | []byte](word T) T {
	const most = 40
	if len(word) <= most {
		return word
	}
	return T(string(word[:most]) + "…")
}

// clippedWords shortens each word of a text that may quote a file.
func clippedWords(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = clipped(w)
	}
	return strings.Join(words, " ")
}

// clippedError is an error of another package, with its words shortened.
type clippedError struct{ error }

func (e clippedError) Error() string { return clippedWords(e.error.Error()) }
func (e clippedError) Unwrap() error { return e.error }
