package physecs

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/hitscan-go/hitscan/physics"
)

// shapeCache holds every different [Collider] that rows were copied from once, with its shape.
// Games make thousands of entities of a few kinds: the colliders that a sync compares with mostly
// are in the CPU's cache, and equal entities share one shape in the physics space. Entry 0 is
// unused.
type shapeCache struct {
	colliders []Collider // by entry; apart from the rest, since each sync reads them
	entries   []cachedShape
	heads     map[uint64]int32 // by hash: the first entry of a chain
	mask      uint64           // of hashes; tests set it to 0, for one chain
	space     *physics.Space   // that the shapes are for
	free      int32            // the first of a chain of unused entries
}

// cachedShape is what a collider resolves to.
type cachedShape struct {
	shape   physics.Shape // nil with a fault
	fault   Fault
	bounded bool  // no transform with bounded numbers makes the shape infinite: see areBounded
	refs    int32 // rows that use the entry
	next    int32 // in the chain
}

func newShapeCache(space *physics.Space) shapeCache {
	return shapeCache{space: space, colliders: make([]Collider, 1), entries: make([]cachedShape, 1), heads: map[uint64]int32{}, mask: math.MaxUint64}
}

// add counts one more user of a collider and returns its entry.
func (f *shapeCache) add(c *Collider, meshes *Meshes) int32 {
	if i := f.find(c); i != 0 {
		f.entries[i].refs++
		return i
	}
	i := f.free
	if i != 0 {
		f.free = f.entries[i].next
	} else {
		i = int32(len(f.entries))
		f.colliders, f.entries = append(f.colliders, Collider{}), append(f.entries, cachedShape{})
	}
	hash := f.bucket(c)
	f.colliders[i], f.entries[i] = *c, cachedShape{refs: 1, next: f.heads[hash]}
	f.heads[hash] = i
	f.resolve(i, meshes)
	return i
}

// find returns the entry of a collider, 0 if there is none.
func (f *shapeCache) find(c *Collider) int32 {
	i := f.heads[f.bucket(c)]
	for i != 0 && !sameCollider(c, &f.colliders[i]) {
		i = f.entries[i].next
	}
	return i
}

func (f *shapeCache) bucket(c *Collider) uint64 { return c.hash() & f.mask }

// drop counts one user of an entry less.
func (f *shapeCache) drop(i int32) {
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
	f.colliders[i], *e = Collider{}, cachedShape{next: f.free}
	f.free = i
}

// resolve makes the shape of an entry.
func (f *shapeCache) resolve(i int32, meshes *Meshes) {
	e := &f.entries[i]
	e.shape, e.fault = f.colliders[i].shape(meshes)
	e.bounded = false
	if e.fault == FaultNone && f.space.CheckShape(e.shape) != nil {
		e.shape, e.fault = nil, FaultNotPlanar // it has no other reason
	}
	switch f.colliders[i].Kind {
	case KindAABB, KindBox, KindSphere, KindCapsule, KindCylinder, KindCone, KindTaperedCapsule, KindMesh, KindHull:
		if e.shape != nil {
			b := e.shape.Bounds()
			e.bounded = areBounded(b.Min.X, b.Min.Y, b.Min.Z, 0) && areBounded(b.Max.X, b.Max.Y, b.Max.Z, 0)
		}
	}
}

// resolveNamed looks up the meshes, compounds and hulls of all entries again.
func (f *shapeCache) resolveNamed(meshes *Meshes) {
	for i := range f.colliders {
		if f.colliders[i].isNamed() {
			f.resolve(int32(i), meshes)
		}
	}
}

// Numbers are bounded if they are not NaN and so far below the overflow of float32, about 3e38,
// that their product with a bounded scale is too. A sync need not check colliders whose numbers all
// are.
const (
	maxBounded      = 1e15
	maxBoundedScale = 1e6
)

func areBounded(a, b, c, d float32) bool {
	return math.Abs(float64(a))+math.Abs(float64(b))+math.Abs(float64(c))+math.Abs(float64(d)) < maxBounded
}

// isBoundedTransform reports whether a transform leaves every bounded shape valid: its numbers are
// bounded, and it scales alike along all axes.
func isBoundedTransform(t *Transform) bool {
	p, q, s := &t.Position, &t.Rotation, &t.Scale
	if !areBounded(p.X, p.Y, p.Z, 0) || !areBounded(q.X, q.Y, q.Z, q.W) {
		return false
	}
	x, y, z := math.Abs(float64(s.X)), math.Abs(float64(s.Y)), math.Abs(float64(s.Z))
	return x == y && y == z && (x == 0 || x > 1/maxBoundedScale && x < maxBoundedScale)
}

// Components are compared by their bytes: == would report a NaN as changed in every sync. The
// comparison takes five words at a time, with no branch until the end, in functions small enough to
// be inlined. Transform and Collider have no padding; the last word of a Collider is D and the four
// bytes of Kind, Sensor and Hull. A test asserts it.
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

// sameBody compares all but the last two fields as words.
func sameBody(a, b *Body) bool {
	v, w := (*[4]uint64)(unsafe.Pointer(a)), (*[4]uint64)(unsafe.Pointer(b))
	return (v[0]^w[0])|(v[1]^w[1])|(v[2]^w[2])|(v[3]^w[3]) == 0 &&
		a.NoSleep == b.NoSleep && a.Driven == b.Driven
}

// words returns all of a Collider except the last word.
func (c *Collider) words() *[2]words { return (*[2]words)(unsafe.Pointer(c)) }

// differLast compares the last word.
func differLast(a, b *Collider) uint64 {
	return uint64(math.Float32bits(a.D)^math.Float32bits(b.D)) | uint64(a.lastBytes()^b.lastBytes())
}

// lastBytes returns Kind, Sensor and Hull.
func (c *Collider) lastBytes() uint32 { return *(*uint32)(unsafe.Pointer(&c.Kind)) }

// hash hashes what sameCollider compares.
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
