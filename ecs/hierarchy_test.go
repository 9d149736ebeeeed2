package physecs

import (
	"math"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// rounding is the largest relative error of a rounding to float32.
const rounding = 1.0 / (1 << 24)

func quarter(x, y, z float32) geom.Quat { return geom.QuatAxisAngle(geom.V(x, y, z), math.Pi/2) }

// requireNear compares two maps by the images of the corners of a cube.
func requireNear(t require.TestingT, want, got geom.Affine, tolerance float64) {
	for i := range 8 {
		p := geom.V(float32(i&1)*2-1, float32(i&2)-1, float32(i&4)/2-1)
		require.InDelta(t, 0, want.Point(p).Distance(got.Point(p)), tolerance, "corner %v: %v, not %v", p, got.Point(p), want.Point(p))
	}
}

func TestLocalTransform(t *testing.T) {
	at := func(x, y, z float32) Transform { return geom.At(x, y, z) }
	for _, tt := range []struct {
		name          string
		parent, local Transform
		want          Transform
	}{
		{"zero in zero", Transform{}, Transform{}, Transform{}},
		{"zero", at(1, 2, 3), Transform{}, at(1, 2, 3)},
		{"moved", at(1, 2, 3), at(10, 20, 30), at(11, 22, 33)},
		{"turned", Transform{Position: geom.V(5, 0, 0), Rotation: quarter(0, 0, 1)}, at(2, 0, 0),
			Transform{Position: geom.V(5, 2, 0), Rotation: quarter(0, 0, 1)}},
		{"scaled", Transform{Scale: geom.V(2, 3, 4)}, at(1, 1, 1), Transform{Position: geom.V(2, 3, 4), Scale: geom.V(2, 3, 4)}},
		{"scaled along one axis", Transform{Scale: geom.V(0, 3, 0)}, Transform{Scale: geom.V(2, 0, 0)}, Transform{Scale: geom.V(2, 3, 1)}},
		{"both scaled", Transform{Scale: geom.V(2, 3, 4)}, Transform{Scale: geom.V(0.5, 2, 1)}, Transform{Scale: geom.V(1, 6, 4)}},
		{"child scaled", at(1, 0, 0), Transform{Scale: geom.V(2, 2, 2)}, Transform{Position: geom.V(1, 0, 0), Scale: geom.V(2, 2, 2)}},
		{"mirrored", Transform{Scale: geom.V(-1, 1, 1)}, Transform{Position: geom.V(3, 0, 0), Rotation: quarter(0, 0, 1)},
			Transform{Position: geom.V(-3, 0, 0), Rotation: quarter(0, 0, -1), Scale: geom.V(-1, 1, 1)}},
		{"mirrored along the axis of the turn", Transform{Scale: geom.V(1, 1, -1)}, Transform{Rotation: quarter(0, 0, 1)},
			Transform{Rotation: quarter(0, 0, 1), Scale: geom.V(1, 1, -1)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := LocalTransform(tt.local)
			m := tt.parent.Affine()
			got := l.in(&tt.parent, &m)
			requireNear(t, tt.want.Affine(), got.Affine(), 1e-6)
			requireNear(t, tt.parent.Affine().Mul(tt.local.Affine()), got.Affine(), 1e-6)
		})
	}
	t.Run("flattened to a point is not unscaled", func(t *testing.T) {
		l := LocalTransform{Scale: geom.V(1e-30, 1e-30, 1e-30)}
		parent := Transform{Scale: geom.V(1e-30, 1e-30, 1e-30)}
		m := parent.Affine()
		got := l.in(&parent, &m)
		assert.Equal(t, geom.V(1e-45, 1e-45, 1e-45), got.Scale)
		requireNear(t, geom.Affine{}, got.Affine(), 1e-30)
	})
}

// Without shear a chain of parents is the product of their matrices.
func TestHierarchyIsTheProductOfMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newGame()
		f := rapid.Float32Range(-3, 3)
		s := rapid.SampledFrom([]float32{-2, -1, -0.5, 0.5, 1, 2})
		parent, uneven := ecs.Entity{}, false
		want := geom.AffineIdentity()
		depth := rapid.IntRange(1, 8).Draw(t, "depth")
		// The largest scale, and the sum of all lengths to a corner of the cube.
		size, reach := 1.0, 0.0
		for range depth {
			l := geom.At(f.Draw(t, "x"), f.Draw(t, "y"), f.Draw(t, "z"))
			if !uneven && rapid.Bool().Draw(t, "turned") {
				l.Rotation = geom.QuatAxisAngle(geom.V(f.Draw(t, "ax"), f.Draw(t, "ay"), 1), float64(f.Draw(t, "angle")))
			}
			if rapid.Bool().Draw(t, "scaled") {
				k := s.Draw(t, "scale")
				l.Scale = geom.V(k, k, -k)
				if rapid.IntRange(0, 3).Draw(t, "uneven") == 0 {
					l.Scale.Y, uneven = s.Draw(t, "scaleY"), true
				}
			}
			e := g.NewEntity(g.transform)
			if parent.IsZero() {
				*g.transforms.Get(e) = l
			} else {
				g.adopt(e, parent, LocalTransform(l))
			}
			want = want.Mul(l.Affine())
			parent = e
			reach += size * float64(l.Position.Len())
			k := l.Factors()
			size *= float64(max(k.X, -k.X, k.Y, -k.Y, k.Z, -k.Z))
		}
		reach += size * math.Sqrt(3)
		Sync(g.World)
		// At each level a product of quaternions rounds 8 times in norm, which turns by 16
		// roundings, and a product of matrices rounds by less. Scales and positions add a few.
		requireNear(t, want, g.transforms.Get(parent).Affine(), 32*rounding*float64(depth)*reach)
		g.checkPlaces(t)
	})
}

// Five relatives: a root, two children, a grandchild, and a stranger.
func TestFamily(t *testing.T) {
	type relatives struct {
		*game
		root, left, right, grand, stranger ecs.Entity
	}
	for _, tt := range []struct {
		name    string
		do      func(f relatives)
		grand   geom.Vec3 // where the grandchild is then
		stats   Stats
		orphans map[string]Fault
	}{
		{"nothing", func(relatives) {}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 3}, nil},
		{"root moved", func(f relatives) { f.transforms.Get(f.root).Position.Z = -5 }, geom.V(11, 1, -5), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"root turned", func(f relatives) { f.transforms.Get(f.root).Rotation = quarter(0, 0, 1) }, geom.V(9, 1, 0), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"child moved", func(f relatives) { f.locals.Get(f.left).Position.Y = 4 }, geom.V(11, 5, 0), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"child's Transform overwritten", func(f relatives) { *f.transforms.Get(f.grand) = geom.At(99, 0, 0) }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 3}, nil},
		{"parent's Transform overwritten", func(f relatives) { *f.transforms.Get(f.left) = geom.At(99, 0, 0) }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 3}, nil},
		{"another parent", func(f relatives) { f.parents.Get(f.grand).Entity = f.right }, geom.V(9, 1, 0), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"a parent without family", func(f relatives) { f.parents.Get(f.grand).Entity = f.stranger }, geom.V(0, 1, 7), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"let go of", func(f relatives) {
			f.parents.Get(f.grand).Entity = ecs.Entity{}
			f.transforms.Get(f.root).Position.X = 500
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2}, nil},
		{"let go of by its component", func(f relatives) {
			f.World.Remove(f.grand, f.parent)
			f.transforms.Get(f.grand).Position.X = 3
		}, geom.V(3, 1, 0), Stats{Colliders: 1, Children: 2, Moved: 1}, nil},
		{"parent removed", func(f relatives) {
			f.RemoveEntity(f.left)
			f.transforms.Get(f.root).Position.X = 500
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 1, Orphans: 1}, map[string]Fault{"grand": FaultParentGone}},
		{"parent removed, its ID another's", func(f relatives) {
			f.RemoveEntity(f.left)
			if e := f.NewEntity(f.transform); e.ID() != f.left.ID() {
				panic("not recycled")
			}
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 1, Orphans: 1}, map[string]Fault{"grand": FaultParentGone}},
		{"parent removed, its ID a child's", func(f relatives) {
			f.RemoveEntity(f.left)
			if e := f.adopt(f.NewEntity(f.transform), f.root, LocalTransform{}); e.ID() != f.left.ID() {
				panic("not recycled")
			}
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2, Orphans: 1}, map[string]Fault{"grand": FaultParentGone}},
		{"parent removed, its ID a child's that has a child", func(f relatives) {
			f.RemoveEntity(f.left)
			e := f.adopt(f.NewEntity(f.transform), f.root, LocalTransform{})
			if e.ID() != f.left.ID() {
				panic("not recycled")
			}
			f.parents.Get(f.right).Entity = e
			Sync(f.World)
			f.transforms.Get(f.root).Position.Y = 3 // all follow in one sync
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2, Orphans: 1}, map[string]Fault{"grand": FaultParentGone}},
		{"parent without Transform", func(f relatives) { f.World.Remove(f.left, f.transform) }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 1, Orphans: 1},
			map[string]Fault{"grand": FaultParentBare}},
		{"root without Transform, and with it again", func(f relatives) {
			f.World.Remove(f.root, f.transform)
			Sync(f.World)
			assert.Equal(t, 2, ecs.GetResource[Space](f.World).Stats().Orphans)
			f.transforms.Get(f.left).Position.Z = 8
			Sync(f.World) // the grandchild follows the orphan
			assert.Equal(t, geom.V(11, 1, 8), f.transforms.Get(f.grand).Position)
			f.World.Add(f.root, f.transform)
			f.transforms.Get(f.root).Position.X = 10
		}, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 3, Moved: 1}, nil},
		{"a cycle of two", func(f relatives) { f.adopt(f.root, f.left, LocalTransform{}) }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2, Orphans: 2},
			map[string]Fault{"root": FaultParentCycle, "left": FaultParentCycle}},
		{"a cycle of three", func(f relatives) { f.adopt(f.root, f.grand, LocalTransform{}) }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 1, Orphans: 3},
			map[string]Fault{"root": FaultParentCycle, "left": FaultParentCycle, "grand": FaultParentCycle}},
		{"its own parent", func(f relatives) { f.parents.Get(f.grand).Entity = f.grand }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2, Orphans: 1},
			map[string]Fault{"grand": FaultParentCycle}},
		{"never alive", func(f relatives) { f.parents.Get(f.grand).Entity = newGame().row(50)[49] }, geom.V(11, 1, 0), Stats{Colliders: 1, Children: 2, Orphans: 1},
			map[string]Fault{"grand": FaultParentGone}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame()
			f := relatives{game: g}
			// The grandchild comes first, so that the order of the query is not that of the
			// parents.
			f.grand = g.add(Transform{}, Sphere(0.5))
			f.left, f.right = g.NewEntity(g.transform), g.NewEntity(g.transform)
			f.root, f.stranger = g.NewEntity(g.transform), g.NewEntity(g.transform)
			*g.transforms.Get(f.root), *g.transforms.Get(f.stranger) = geom.At(10, 0, 0), geom.At(0, 0, 7)
			g.adopt(f.grand, f.left, LocalTransform(geom.At(0, 1, 0)))
			g.adopt(f.left, f.root, LocalTransform(geom.At(1, 0, 0)))
			g.adopt(f.right, f.root, LocalTransform(geom.At(-1, 0, 0)))
			assert.Equal(t, Stats{Colliders: 1, Added: 1, Children: 3}, g.sync())
			g.check(t)
			tt.do(f)
			assert.Equal(t, tt.stats, g.sync())
			g.check(t)
			assert.InDelta(t, 0, tt.grand.Distance(g.transforms.Get(f.grand).Position), 1e-6, "%v", g.transforms.Get(f.grand).Position)
			assert.Equal(t, []ecs.Entity{f.grand}, g.space().OverlapPoint(nil, tt.grand, Filter{}), "its collider is there too")
			orphans := map[string]Fault{}
			for e, fault := range Sync(g.World).Orphans() {
				orphans[map[ecs.Entity]string{f.root: "root", f.left: "left", f.right: "right", f.grand: "grand"}[e]] = fault
			}
			if tt.orphans == nil {
				tt.orphans = map[string]Fault{}
			}
			assert.Equal(t, tt.orphans, orphans)
			again := tt.stats
			again.Moved = 0
			assert.Equal(t, again, g.sync(), "a second sync finds nothing to do")
		})
	}
}

// An iteration over the orphans may stop early.
func TestOrphansStopEarly(t *testing.T) {
	g := newGame()
	for _, e := range g.row(3) {
		g.adopt(e, e, LocalTransform{})
	}
	n := 0
	for range Sync(g.World).Orphans() {
		n++
		break
	}
	assert.Equal(t, 1, n)
}

// A chain of 1,000 parents, in the worst order.
func TestFamilyOfAThousandGenerations(t *testing.T) {
	g := newGame()
	e := g.row(1000)
	for i := range 999 {
		g.adopt(e[i], e[i+1], LocalTransform(geom.At(1, 0, 0)))
	}
	Sync(g.World)
	assert.Equal(t, geom.V(999, 0, -10000), g.transforms.Get(e[0]).Position)
	g.transforms.Get(e[999]).Position.Y = 3
	assert.Equal(t, 1000, Sync(g.World).Stats().Moved)
	assert.Equal(t, geom.V(999, 3, -10000), g.transforms.Get(e[0]).Position)
	g.adopt(e[999], e[500], LocalTransform{}) // half of them in a cycle
	assert.Equal(t, 500, Sync(g.World).Stats().Orphans)
	assert.Equal(t, 500, Sync(g.World).Stats().Children)
}

// The Transforms of children without colliders, and without a sync.
func TestTransformSystem(t *testing.T) {
	g := newGame()
	var s TransformSystem
	s.Initialize(g.World)
	root, child := g.NewEntity(g.transform), g.NewEntity(g.transform)
	g.adopt(child, root, LocalTransform(geom.At(0, 2, 0)))
	far := g.at(g.NewEntity(g.transform), WorldPosition{X: 7})
	g.transforms.Get(root).Position.X = 5
	s.Update(g.World)
	assert.Equal(t, geom.V(5, 2, 0), g.transforms.Get(child).Position)
	assert.Equal(t, geom.V(7, 0, 0), g.transforms.Get(far).Position)
	assert.Equal(t, 1, ecs.GetResource[Space](g.World).Stats().Children)
	s.Finalize(g.World)
}

// Under another world the same Space has other children.
func TestFamilyOfAnotherWorld(t *testing.T) {
	g, h := newGame(), newGame()
	for i, g := range []*game{g, h} {
		e := g.row(2)
		g.adopt(e[1], e[0], LocalTransform(geom.At(0, 0, float32(i+1))))
	}
	ecs.AddResource(h.World, Sync(g.World))
	for range 2 {
		Sync(h.World)
		h.check(t)
		Sync(g.World)
		g.check(t)
	}
}
