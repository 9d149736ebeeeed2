package physecs

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics"
)

// forms holds every different [Collider] that rows were copied from, once. Games make thousands of
// entities of a few kinds, so what a sync compares with is mostly in the cache, and the shapes that
// are handed to the space beneath are shared. Place 0 is no form.
type forms struct {
	colliders []Collider // by place; apart from the rest, since each sync reads them
	entries   []form
	heads     map[uint64]int32 // by hash: the first of a chain of places
	mask      uint64           // of hashes; tests make it 0
	free      int32            // the first of a chain of places not in use
}

// form is what is known of a collider.
type form struct {
	shape physics.Shape // nil with a fault
	fault Fault
	tame  bool  // its numbers are of a size that no tame transform makes infinite
	refs  int32 // rows that are of this form
	next  int32 // in the chain
}

func newForms() forms {
	return forms{colliders: make([]Collider, 1), entries: make([]form, 1), heads: map[uint64]int32{}, mask: math.MaxUint64}
}

// add counts one row more of the form of a collider and returns its place.
func (f *forms) add(c *Collider, meshes *Meshes) int32 {
	if i := f.find(c); i != 0 {
		f.entries[i].refs++
		return i
	}
	i := f.free
	if i != 0 {
		f.free = f.entries[i].next
	} else {
		i = int32(len(f.entries))
		f.colliders, f.entries = append(f.colliders, Collider{}), append(f.entries, form{})
	}
	hash := f.bucket(c)
	f.colliders[i], f.entries[i] = *c, form{refs: 1, next: f.heads[hash]}
	f.heads[hash] = i
	f.resolve(i, meshes)
	return i
}

// find returns the place of the form of a collider, 0 if there is none.
func (f *forms) find(c *Collider) int32 {
	i := f.heads[f.bucket(c)]
	for i != 0 && !sameCollider(c, &f.colliders[i]) {
		i = f.entries[i].next
	}
	return i
}

func (f *forms) bucket(c *Collider) uint64 { return c.hash() & f.mask }

// drop counts one row less of a form.
func (f *forms) drop(i int32) {
	e := &f.entries[i]
	if e.refs--; e.refs > 0 {
		return
	}
	hash := f.bucket(&f.colliders[i])
	if head := f.heads[hash]; head != i {
		for f.entries[head].next != i {
			head = f.entries[head].next
		}
		f.entries[head].next = e.next
	} else if e.next != 0 {
		f.heads[hash] = e.next
	} else {
		delete(f.heads, hash)
	}
	f.colliders[i], *e = Collider{}, form{next: f.free}
	f.free = i
}

// resolve makes the shape of a form.
func (f *forms) resolve(i int32, meshes *Meshes) {
	e := &f.entries[i]
	e.shape, e.fault = f.colliders[i].shape(meshes)
	e.tame = false
	switch f.colliders[i].Kind {
	case KindAABB, KindBox, KindSphere, KindCapsule, KindMesh, KindHull:
		if e.shape != nil {
			b := e.shape.Bounds()
			e.tame = isTame(b.Min.X, b.Min.Y, b.Min.Z, 0) && isTame(b.Max.X, b.Max.Y, b.Max.Z, 0)
		}
	}
}

// resolveNamed looks up the meshes, compounds and hulls of all forms anew.
func (f *forms) resolveNamed(meshes *Meshes) {
	for i := range f.colliders {
		if f.colliders[i].isNamed() {
			f.resolve(int32(i), meshes)
		}
	}
}

// A number is tame if it is not NaN and far from where single precision overflows, even if
// multiplied by a tame scale.
const (
	tameNumber = 1e15
	tameScale  = 1e6
)

func isTame(a, b, c, d float32) bool {
	return math.Abs(float64(a))+math.Abs(float64(b))+math.Abs(float64(c))+math.Abs(float64(d)) < tameNumber
}

// isTameTransform reports whether a transform takes whatever tame shape can be found at all to
// where it can be found: its numbers are of an ordinary size, and it scales alike along all axes.
func isTameTransform(t *Transform) bool {
	p, q, s := &t.Position, &t.Rotation, &t.Scale
	if !isTame(p.X, p.Y, p.Z, 0) || !isTame(q.X, q.Y, q.Z, q.W) {
		return false
	}
	x, y, z := math.Abs(float64(s.X)), math.Abs(float64(s.Y)), math.Abs(float64(s.Z))
	return x == y && y == z && (x == 0 || x > 1/tameScale && x < tameScale)
}

// Components are compared by their bytes and not by ==, which calls a NaN changed for ever; and
// five words at a time, with no branch until the end, in functions small enough to be inlined.
// There is no padding in a Transform, nor in a Collider, whose last word is D and the four bytes of
// Kind, Sensor and Hull. A test asserts it.
type words = [5]uint64

func differ(a, b *words) uint64 {
	return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4])
}

func sameTransform(a, b *Transform) bool {
	return differ((*words)(unsafe.Pointer(a)), (*words)(unsafe.Pointer(b))) == 0
}

func sameCollider(a, b *Collider) bool {
	v, w := a.words(), b.words()
	return differ(&v[0], &w[0])|differ(&v[1], &w[1])|differLast(a, b) == 0
}

// words returns all of a Collider but its last fields.
func (c *Collider) words() *[2]words { return (*[2]words)(unsafe.Pointer(c)) }

// differLast compares the last fields.
func differLast(a, b *Collider) uint64 {
	return uint64(math.Float32bits(a.D)^math.Float32bits(b.D)) | uint64(a.lastBytes()^b.lastBytes())
}

// lastBytes returns Kind, Sensor and Hull.
func (c *Collider) lastBytes() uint32 { return *(*uint32)(unsafe.Pointer(&c.Kind)) }

// hash mixes what sameCollider compares.
func (c *Collider) hash() uint64 {
	h := uint64(math.Float32bits(c.D))<<32 | uint64(c.lastBytes())
	for _, half := range c.words() {
		for _, w := range half {
			hi, lo := bits.Mul64(h^w, 0x9e3779b97f4a7c15)
			h = hi ^ (lo + 1)
		}
	}
	return h
}
