package physecs

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// components are all component types of the package.
var components = []reflect.Type{
	reflect.TypeFor[Transform](),
	reflect.TypeFor[Collider](),
	reflect.TypeFor[Static](),
	reflect.TypeFor[Unpickable](),
	reflect.TypeFor[Pickable](),
	reflect.TypeFor[Parent](),
	reflect.TypeFor[LocalTransform](),
	reflect.TypeFor[WorldPosition](),
	reflect.TypeFor[Mover](),
	reflect.TypeFor[MoverState](),
	reflect.TypeFor[Projectile](),
	reflect.TypeFor[Movable](),
	reflect.TypeFor[Body](),
	reflect.TypeFor[Velocity](),
	reflect.TypeFor[Material](),
	reflect.TypeFor[Joint](),
	reflect.TypeFor[Draggable](),
	reflect.TypeFor[RayCaster](),
	reflect.TypeFor[ShapeCaster](),
}

func TestComponentsHoldNoPointer(t *testing.T) {
	require.Len(t, components, reflect.TypeFor[ids]().NumField()+reflect.TypeFor[casterIDs]().NumField(), "a component that bind registers is not listed")
	for _, c := range components {
		t.Run(c.Name(), func(t *testing.T) {
			assert.Empty(t, pointersIn(c), "components are copied as raw bytes")
		})
	}
}

func TestPointersInFindsThem(t *testing.T) {
	type bad struct {
		A *int
		B []int
		C string
		D map[int]int
		E func()
		F any
		G chan int
		H [2]struct{ I *int }
		J [3]float32
	}
	assert.Equal(t, []string{"bad.A", "bad.B", "bad.C", "bad.D", "bad.E", "bad.F", "bad.G", "bad.H[].I"},
		pointersIn(reflect.TypeFor[bad]()))
}

// pointersIn returns the paths of all pointers in a type.
func pointersIn(t reflect.Type) []string {
	var found []string
	var walk func(path string, t reflect.Type)
	walk = func(path string, t reflect.Type) {
		switch k := t.Kind(); {
		case k == reflect.Struct:
			for i := range t.NumField() {
				walk(path+"."+t.Field(i).Name, t.Field(i).Type)
			}
		case k == reflect.Array:
			walk(path+"[]", t.Elem())
		case k == reflect.Bool || k >= reflect.Int && k <= reflect.Complex128 && k != reflect.Uintptr:
		default:
			found = append(found, path)
		}
	}
	walk(t.Name(), t)
	return found
}

// Components are compared by their bytes, up to the last word of a Collider; there must be no
// padding before it.
func TestComponentsHoldNoPaddingWhereBytesAreCompared(t *testing.T) {
	var size func(t reflect.Type) uintptr
	size = func(t reflect.Type) uintptr {
		if t.Kind() != reflect.Struct {
			return t.Size()
		}
		var sum uintptr
		for i := range t.NumField() {
			sum += size(t.Field(i).Type)
		}
		return sum
	}
	transform, collider := reflect.TypeFor[Transform](), reflect.TypeFor[Collider]()
	assert.Equal(t, transform.Size(), size(transform))
	assert.Equal(t, transform.Size(), unsafe.Sizeof(words{}))
	n := collider.NumField()
	for i, name := range []string{"D", "Kind", "Sensor", "Hull"} {
		require.Equal(t, name, collider.Field(n-4+i).Name)
	}
	assert.Equal(t, collider.Size(), size(collider))
	assert.Equal(t, 2*unsafe.Sizeof(words{}), size(collider)-8)
	assert.Equal(t, unsafe.Offsetof(Collider{}.Kind)+1, unsafe.Offsetof(Collider{}.Sensor))
	assert.Zero(t, unsafe.Offsetof(Collider{}.Kind)%4)
	// So does sameBody: four words, and the last two fields.
	assert.EqualValues(t, 32, unsafe.Offsetof(Body{}.NoSleep))
	assert.EqualValues(t, 33, unsafe.Offsetof(Body{}.Driven))
	assert.EqualValues(t, 36, unsafe.Sizeof(Body{}), "a field after Driven")
}

// A change of any field of a component must be noticed, and a NaN must be equal to itself.
func TestSameSeesEveryField(t *testing.T) {
	var vary func(v reflect.Value, changed func(path string), path string)
	vary = func(v reflect.Value, changed func(string), path string) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				vary(v.Field(i), changed, path+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.Float32:
			v.SetFloat(1)
		case reflect.Bool:
			v.SetBool(true)
		default:
			v.SetUint(1)
		}
		changed(path)
		v.Set(old)
	}
	n := 0
	fill := func(b []byte) { // with different bytes, so that no two mistakes cancel out
		for i := range b {
			b[i] = byte(37*i + 1)
		}
	}
	var c, d Collider
	fill(unsafe.Slice((*byte)(unsafe.Pointer(&d)), unsafe.Offsetof(d.Sensor)))
	d.Hull = 0x1234
	for _, base := range []Collider{{}, d} {
		c = base
		vary(reflect.ValueOf(&c).Elem(), func(path string) {
			n++
			assert.False(t, sameCollider(&c, &base), path)
			assert.NotEqual(t, c.hash(), base.hash(), path)
			same := c
			assert.True(t, sameCollider(&c, &same), path)
			assert.Equal(t, c.hash(), same.hash(), path)
		}, "Collider")
	}
	var tr, ts Transform
	fill(unsafe.Slice((*byte)(unsafe.Pointer(&ts)), unsafe.Sizeof(ts)))
	for _, base := range []Transform{{}, ts} {
		tr = base
		vary(reflect.ValueOf(&tr).Elem(), func(path string) {
			n++
			assert.False(t, sameTransform(&tr, &base), path)
			same := tr
			assert.True(t, sameTransform(&tr, &same), path)
		}, "Transform")
	}
	assert.Equal(t, 66, n, "fields that were varied")

	nan := float32(math.NaN())
	a, b := Sphere(nan), Sphere(nan)
	assert.True(t, sameCollider(&a, &b))
	p, q := geom.At(nan, 0, 0), geom.At(nan, 0, 0)
	assert.True(t, sameTransform(&p, &q))
}

func TestColliderShape(t *testing.T) {
	meshes := &Meshes{}
	tetra := tetrahedron(t)
	pair := physics.NewCompound(physics.Child{Shape: geom.Sphere{Radius: 1}})
	meshID, compoundID := meshes.Add(tetra), meshes.AddCompound(pair)
	roof := wedge(t)
	hullID := meshes.AddHull(roof)
	moved := func(c Collider, center geom.Vec3) Collider { c.Center = center; return c }
	turned := Capsule(2, 0.5)
	turned.Rotation = geom.Quat{Z: 1} // half a turn about Z
	for _, tt := range []struct {
		name  string
		c     Collider
		want  physics.Shape
		fault Fault
	}{
		{"AABB", AABB(geom.V(1, 2, 3)), geom.AABB{Min: geom.V(-1, -2, -3), Max: geom.V(1, 2, 3)}, FaultNone},
		{"AABB off centre", moved(AABB(geom.V(1, 1, 1)), geom.V(5, 0, 0)), geom.AABB{Min: geom.V(4, -1, -1), Max: geom.V(6, 1, 1)}, FaultNone},
		{"box", moved(Box(geom.V(1, 2, 3)), geom.V(0, 1, 0)), geom.Box{Center: geom.V(0, 1, 0), HalfExtents: geom.V(1, 2, 3)}, FaultNone},
		{"sphere", moved(Sphere(2), geom.V(1, 0, 0)), geom.Sphere{Center: geom.V(1, 0, 0), Radius: 2}, FaultNone},
		{"capsule", moved(Capsule(2, 0.5), geom.V(0, 1, 0)), geom.Capsule{A: geom.V(0, -1, 0), B: geom.V(0, 3, 0), Radius: 0.5}, FaultNone},
		{"turned capsule", turned, geom.Capsule{A: geom.V(0, 2, 0), B: geom.V(0, -2, 0), Radius: 0.5}, FaultNone},
		{"plane", Plane(geom.V(0, 2, 0), 3), geom.Plane{Normal: geom.V(0, 2, 0), D: 3}, FaultNone},
		{"mesh", Mesh(meshID), tetra, FaultNone},
		{"compound", Compound(compoundID), pair, FaultNone},
		{"hull", Hull(hullID), roof, FaultNone},
		{"unknown mesh", Mesh(99), nil, FaultUnknownMesh},
		{"no mesh", Mesh(0), nil, FaultUnknownMesh},
		{"unknown compound", Compound(99), nil, FaultUnknownCompound},
		{"unknown hull", Hull(99), nil, FaultUnknownHull},
		{"zero", Collider{}, nil, FaultNoShape},
		{"unknown kind", Collider{Kind: 200}, nil, FaultNoShape},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, fault := tt.c.shape(meshes)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.fault, fault)
		})
	}
}

func TestNamesOfConstants(t *testing.T) {
	for want, got := range map[string]string{
		"none": KindNone.String(), "AABB": KindAABB.String(), "box": KindBox.String(), "sphere": KindSphere.String(),
		"capsule": KindCapsule.String(), "cylinder": KindCylinder.String(), "cone": KindCone.String(), "tapered capsule": KindTaperedCapsule.String(), "plane": KindPlane.String(), "mesh": KindMesh.String(),
		"compound": KindCompound.String(), "hull": KindHull.String(), "unknown": Kind(99).String(),
		"no shape": FaultNoShape.String(), "unknown mesh": FaultUnknownMesh.String(),
		"unknown compound": FaultUnknownCompound.String(), "unknown hull": FaultUnknownHull.String(), "shape or transform empty or not finite": FaultBadNumbers.String(),
	} {
		assert.Equal(t, want, got)
	}
	assert.Equal(t, "none", FaultNone.String())
	assert.Equal(t, "unknown", Fault(99).String())
}
