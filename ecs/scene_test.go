package physecs

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
)

// wallet is a component of a game, with fields of all kinds.
type wallet struct {
	Owner  ecs.Entity
	Shape  MeshID
	Coins  [3]int16
	Debt   int64
	Luck   float64
	Locked bool
}

// filler gives the fields of components values that differ, some of them extreme.
type filler struct {
	entities []ecs.Entity
	turn     int
}

var floats = []float64{1, -2.5, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.SmallestNonzeroFloat32, math.MaxFloat32, 0.1, 0, 1e-20}

func (f *filler) fill(v reflect.Value) {
	f.turn++
	switch v.Interface().(type) {
	case ecs.Entity:
		v.Set(reflect.ValueOf(f.entities[f.turn%len(f.entities)]))
		return
	case MeshID, CompoundID, HullID:
		v.SetUint(uint64(f.turn % 4))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.turn%2 == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(floats[f.turn%len(floats)])
	case reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-1 << (v.Type().Bits() - 1) >> (f.turn % 9))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(math.MaxUint64) >> (64 - v.Type().Bits()) >> (f.turn % 9))
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
	}
}

// A value comes back with the same bits, of every field of every component; entities and shapes
// come back as those that have their place in the other world.
func TestScenesKeepAllComponents(t *testing.T) {
	require.ElementsMatch(t, components, sceneTypes)
	from, to := newGame(), newGame()
	for range 17 {
		to.NewEntity() // so that IDs differ
	}
	scene := Scene{Components: []any{wallet{}}, Meshes: map[string]MeshID{}, Compounds: map[string]CompoundID{}, Hulls: map[string]HullID{}}
	other := Scene{Components: []any{wallet{}}, Meshes: map[string]MeshID{}, Compounds: map[string]CompoundID{}, Hulls: map[string]HullID{}}
	for i := range 4 {
		if name := fmt.Sprint("shape ", i); i > 0 {
			scene.Meshes[name], scene.Compounds[name], scene.Hulls[name] = MeshID(i), CompoundID(i), HullID(i)
			other.Meshes[name], other.Compounds[name], other.Hulls[name] = MeshID(70-i), CompoundID(80-i), HullID(90-i)
		}
	}
	types := append([]reflect.Type{reflect.TypeFor[wallet]()}, components...)
	f := filler{entities: []ecs.Entity{{}, from.NewEntity()}}
	from.RemoveEntity(f.entities[1])
	for range 5 {
		e := from.NewEntity(from.transform)
		f.entities = append(f.entities, e)
	}
	for _, e := range f.entities[2:] {
		for _, c := range types {
			id := ecs.TypeID(from.World, c)
			if !from.Has(e, id) {
				from.Add(e, id)
			}
			if c.Size() > 0 {
				f.fill(reflect.NewAt(c, from.Get(e, id)).Elem())
			}
		}
	}
	var text bytes.Buffer
	require.NoError(t, scene.Write(from.World, &text))
	came, err := other.Read(to.World, bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	require.Len(t, came, 5)

	// What is read, with the entities and shapes of the first world again, is what was written.
	back := map[ecs.Entity]ecs.Entity{}
	for i, e := range came {
		back[e] = f.entities[2+i]
	}
	dead := 0
	var restore func(v reflect.Value)
	restore = func(v reflect.Value) {
		switch x := v.Interface().(type) {
		case ecs.Entity:
			if e, ok := back[x]; ok {
				v.Set(reflect.ValueOf(e))
			} else if !x.IsZero() {
				assert.False(t, to.Alive(x))
				v.Set(reflect.ValueOf(f.entities[1]))
				dead++
			}
		case MeshID, CompoundID, HullID:
			if n := v.Uint(); n > 0 {
				v.SetUint([]uint64{70, 80, 90}[(n-60)/10] - n)
			}
		default:
			if v.Kind() == reflect.Struct {
				for i := range v.NumField() {
					if v.Type().Field(i).IsExported() {
						restore(v.Field(i))
					}
				}
			}
		}
	}
	for i, e := range came {
		for _, c := range types {
			require.True(t, to.Has(e, ecs.TypeID(to.World, c)), "%v", c)
			if c.Size() == 0 {
				continue
			}
			got := reflect.NewAt(c, to.Get(e, ecs.TypeID(to.World, c))).Elem()
			restore(got)
			want := reflect.NewAt(c, from.Get(f.entities[2+i], ecs.TypeID(from.World, c))).Elem()
			if c == reflect.TypeFor[Joint]() { // its own bodies do not count
				j := want.Addr().Interface().(*Joint)
				j.Joint.A, j.Joint.B = 0, 0
			}
			if !assert.True(t, sameFields(got, want), "%v", c) {
				t.Logf("got %+v\nwant %+v", got, want)
			}
		}
	}
	assert.Greater(t, dead, 2)
}

// sameFields reports whether the exported fields of two values have the same bits; one NaN is like
// another.
func sameFields(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return wire.SameBits(&x, &y) || x != x && y != y
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[ecs.Entity]() {
			return a.Interface() == b.Interface()
		}
		for i := range a.NumField() {
			if a.Type().Field(i).IsExported() && !sameFields(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

// level returns a world with a mesh, a tank with a turret, a sensor, and resources, and the Scene
// for it.
func level(t testing.TB) (*game, *Scene) {
	g := newGame()
	meshes := resourceOf[Meshes](g.World)
	ground := meshes.Add(tetrahedron(t))
	g.add(geom.Transform{Scale: geom.V(9, 9, 9)}, Mesh(ground))
	tank := g.add(geom.At(0, 3, 0), Box(geom.V(1, 0.5, 2)))
	turret := g.add(geom.Transform{}, Cylinder(0.3, 0.7))
	g.adopt(turret, tank, LocalTransform(geom.At(0, 0.8, 0)))
	zone := Sphere(4)
	zone.Sensor, zone.Layer, zone.User = true, 1<<30, 1<<63+1
	g.add(geom.At(-5, 0, 0), zone)
	put(g, Movable{Weight: float32(math.Inf(1))}, g.transform, g.collider)
	view := resourceOf[View](g.World)
	view.Projection = picking.Perspective(0.8, 0.1, math.Inf(1)).WithReversedDepth()
	view.Viewport = picking.FullViewport(picking.Size{Width: 80, Height: 60}, picking.Size{Width: 160, Height: 120})
	resourceOf[Selection](g.World).Set(turret, tank)
	Sync(g.World)
	return g, &Scene{Meshes: map[string]MeshID{"ground": ground}, Resources: true}
}

// A world that was read answers as the one that was written, and is written as the same text.
func TestScenesAnswerAsTheirWorlds(t *testing.T) {
	g, scene := level(t)
	Rebase(g.World, geom.DVec3{X: 1e5, Y: 0.25})
	var text bytes.Buffer
	require.NoError(t, scene.Write(g.World, &text))

	to := newGame()
	shapes := resourceOf[Meshes](to.World)
	shapes.Set(44, tetrahedron(t))
	other := &Scene{Meshes: map[string]MeshID{"ground": 44}, Resources: true}
	came, err := other.Read(to.World, bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	require.Len(t, came, 5)
	Sync(g.World)
	Sync(to.World)
	var again bytes.Buffer
	require.NoError(t, other.Write(to.World, &again))
	assert.Equal(t, text.String(), again.String())
	assert.Equal(t, *Resource[View](g.World), *Resource[View](to.World))
	assert.Equal(t, []ecs.Entity{came[2], came[1]}, Resource[Selection](to.World).List())
	hits := 0
	for x := float32(-12); x < 12; x += 0.37 {
		r := geom.NewRay(geom.V(x-1e5, 50, x/7), geom.V(0, -1, 0.01))
		want, ok := g.space().CastRay(r, Filter{Sensors: true})
		got, hit := to.space().CastRay(r, Filter{Sensors: true})
		require.Equal(t, ok, hit)
		want.Collider, got.Collider = 0, 0 // of the spaces
		assert.Equal(t, want, got)
		if ok {
			hits++
		}
	}
	assert.Greater(t, hits, 10)
	// Once more into the same world, as a prefab.
	twice, err := other.Read(to.World, bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	Sync(to.World)
	parent := (*Parent)(to.Get(twice[2], ecs.ComponentID[Parent](to.World)))
	assert.Equal(t, twice[1], parent.Entity)
}

// A scene of a 2D game makes an empty world planar, and one of three dimensions refuses it.
func TestScenesOfPlanarWorlds(t *testing.T) {
	flat, empty, solid := newGame(), newGame(), newGame()
	ecs.AddResource(flat.World, NewPlanarSpace())
	flat.add(geom.At2D(1, 2, 0), Box(geom.V(1, 1, 0)))
	var b bytes.Buffer
	require.NoError(t, new(Scene).Write(flat.World, &b))
	text := b.String()

	list, err := new(Scene).Read(empty.World, strings.NewReader(text))
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.True(t, Sync(empty.World).Physics().IsPlanar())
	_, err = new(Scene).Read(flat.World, strings.NewReader(text))
	assert.NoError(t, err)

	Sync(solid.World)
	before := solid.World.Stats().Entities.Used
	_, err = new(Scene).Read(solid.World, strings.NewReader(text))
	assert.ErrorContains(t, err, "physecs: Scene.Read: the scene is of a planar space, and that of the world is not")
	assert.Equal(t, before, solid.World.Stats().Entities.Used)

	b.Reset()
	require.NoError(t, new(Scene).Write(solid.World, &b))
	assert.NotContains(t, b.String(), "Planar")
	_, err = new(Scene).Read(flat.World, &b)
	assert.NoError(t, err)
}

// A level that is loaded and saved again is the same text, even where the IDs are recycled.
func TestScenesAreWrittenAsTheyWereRead(t *testing.T) {
	g := newGame()
	for range 9 {
		g.NewEntity()
	}
	things := generic.NewMap2[Transform, Collider](g.World)
	parents := generic.NewMap1[Parent](g.World)
	var all []ecs.Entity
	for i := range 6 {
		c := Sphere(1)
		e := things.NewWith(new(geom.At(float32(i), 0, 0)), &c)
		if i > 0 {
			parents.Assign(e, &Parent{all[i-1]})
		}
		all = append(all, e)
	}
	var first, second bytes.Buffer
	require.NoError(t, new(Scene).Write(g.World, &first))
	for _, i := range []int{3, 0, 5, 1, 4, 2} {
		g.RemoveEntity(all[i])
	}
	_, err := new(Scene).Read(g.World, bytes.NewReader(first.Bytes()))
	require.NoError(t, err)
	require.NoError(t, new(Scene).Write(g.World, &second))
	require.Equal(t, first.String(), second.String())
}

// Bad text is refused with its place, and changes nothing.
func TestDamagedScenes(t *testing.T) {
	testenv.NoRace(t)
	g, scene := level(t)
	var text bytes.Buffer
	require.NoError(t, scene.Write(g.World, &text))
	good := text.String()
	to := newGame()
	refused := func(text string) error {
		before := to.World.Stats().Entities.Used
		list, err := scene.Read(to.World, strings.NewReader(text))
		if err != nil {
			require.ErrorContains(t, err, "physecs: Scene.Read: ")
			require.Empty(t, list)
			require.Equal(t, before, to.World.Stats().Entities.Used)
		}
		return err
	}
	for n := range len(good) - 2 { // without the last bracket and line break
		require.Error(t, refused(good[:n]), "%d bytes", n)
	}
	for i := range good {
		for _, c := range `0"}],x` {
			refused(good[:i] + string(c) + good[i+1:])
		}
	}
	replace := func(old, by string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, by, 1)
	}
	for want, text := range map[string]string{
		"line 1, column 20: the text ends early":             good[:20],
		"line 3, column ":                                    replace(`"Selection":[`, `"Selection":[?`),
		`version 7: this program reads version 1`:            replace(`"Version":1`, `"Version":7`),
		`Format is "save", and not "hitscan scene"`:          replace(`hitscan scene`, `save`),
		`Entities[0].Collider.Mesh: the Scene has no mesh "`: replace(`"Mesh":"ground"`, `"Mesh":"sky"`),
		`Entities[1].Transform.Position.Y: "three" is no nu`: replace(`"Position":{"Y":3}`, `"Position":{"Y":"three"}`),
		`Entities[1].Transform: there is no field "Place"`:   replace(`"Position":{"Y":3}`, `"Place":{"Y":3}`),
		`Entities[1].Collider.Kind: "tank" is no Kind`:       replace(`"Kind":"box"`, `"Kind":"tank"`),
		`Entities[2].Parent.Entity: there is no entity 99`:   replace(`"Parent":{"Entity":2}`, `"Parent":{"Entity":99}`),
		`Entities[2]: there is no component "Papa"`:          replace(`"Parent"`, `"Papa"`),
		`Entities[1]: ID is "1": want a number above 0`:      replace(`"ID":2`, `"ID":1`),
		`View.Projection: picking: Projection.UnmarshalJSON`: replace(`"perspective"`, `"fisheye"`),
		`something follows the end`:                          good + "{}",
		"is out of range":                                    replace(`{"Y":3}`, `{"Y":3e60}`),
		"in Selection[0]: there is no entity 99":             replace(`"Selection":[`, `"Selection":[99,`),
		"the Selection is no list of entities":               replace(`"Selection":[`, `"Selection":["",`),
	} {
		assert.ErrorContains(t, refused(text), want)
	}
	// An error quotes the beginning of a word.
	long := strings.Repeat("x", 10_000)
	for old, by := range map[string]string{
		`hitscan scene`: long, `"Format"`: `"` + long + `"`, `"Version":1`: `"Version":` + strings.Repeat("1", 10_000), `"Mesh":"ground"`: `"Mesh":"` + long + `"`,
		`"Position":{"Y":3}`: `"` + long + `":{"Y":3}`, `"Kind":"box"`: `"Kind":"` + long + `"`, `"Parent"`: `"` + long + `"`, `"ID":2`: `"ID":"` + long + `"`,
		`"perspective"`: `"` + long + `"`,
	} {
		err := refused(replace(old, by))
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 300, old)
	}
	// What cannot be written is named as well.
	assert.EqualError(t, (&Scene{}).Write(g.World, &text), "physecs: Scene.Write: entity 1: Collider.Mesh: mesh 1 has no name in the Scene")
	some := Scene{Meshes: scene.Meshes, With: ecs.All(ecs.ComponentID[Parent](g.World))}
	assert.EqualError(t, some.Write(g.World, &text), "physecs: Scene.Write: entity 3: Parent.Entity: entity 2 is not written")
	assert.Panics(t, func() { (&Scene{Components: []any{Collider{}}}).Write(g.World, &text) })
	assert.PanicsWithValue(t, "physecs: Scene.Write: Components has a pointer, *physecs.wallet, where a component is a value", func() {
		(&Scene{Components: []any{&wallet{}}}).Write(g.World, &text)
	})
	assert.Equal(t, good, text.String(), "nothing was written")
}

func ExampleScene() {
	world := ecs.NewWorld()
	var sync SyncSystem
	sync.Initialize(&world)
	e := world.NewEntity(ecs.ComponentID[Transform](&world), ecs.ComponentID[Collider](&world))
	*(*Transform)(world.Get(e, ecs.ComponentID[Transform](&world))) = geom.At(0, 1, 0)
	*(*Collider)(world.Get(e, ecs.ComponentID[Collider](&world))) = Sphere(0.5)

	var file bytes.Buffer
	scene := Scene{}
	if err := scene.Write(&world, &file); err != nil {
		fmt.Println(err)
	}
	fmt.Print(file.String())
	entities, err := scene.Read(&world, &file)
	fmt.Println(len(entities), err)
	// Output:
	// {"Format":"hitscan scene","Version":1,
	// "Entities":[
	// {"ID":1,"Transform":{"Position":{"Y":1}},"Collider":{"Radius":0.5,"Kind":"sphere"}}]}
	// 1 <nil>
}

// sceneLump is a component that is large, and nothing in a text.
type sceneLump struct{ Of [1024]float32 }

// A scene takes at most 64 times its text and 16 MB, in all that is ever allocated, or names the
// limit, which can be raised.
func TestMemoryBySceneSize(t *testing.T) {
	testenv.NoRace(t)
	of := func(n int, entity, end string) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"Format":"hitscan scene","Version":1,"Entities":[`)
		for i := range n {
			fmt.Fprintf(&b, "%s{\"ID\":%d%s}", strings.Repeat(",", min(i, 1)), i+1, entity)
		}
		return b.String() + "]" + end + "}"
	}
	every := ""
	for _, c := range sceneTypes {
		every += `,"` + c.Name() + `":{}`
	}
	for name, text := range map[string]string{
		"nothing":   of(20_000, "", ""),
		"colliders": of(20_000, `,"Collider":{}`, ""),
		"bodies":    of(20_000, `,"Body":{},"Joint":{},"Mover":{}`, ""),
		"many":      of(60_000, `,"Body":{},"Joint":{},"Mover":{}`, ""),
		"all":       of(2_000, every, ""),
		"lumps":     of(20_000, `,"physecs.sceneLump":{}`, ""),
		"selection": of(1, "", `,"Selection":[1`+strings.Repeat(",1", 500_000)+"]"),
		"views":     of(1, "", `,"Views":[{}`+strings.Repeat(",{}", 100_000)+"]"),
	} {
		t.Run(name, func(t *testing.T) {
			w := ecs.NewWorld()
			scene := Scene{Components: []any{sceneLump{}}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := scene.Read(&w, strings.NewReader(text))
			runtime.ReadMemStats(&after)
			takes := int(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%d bytes take %d, %.1f times as many: %v", len(text), takes, float64(takes)/float64(len(text)), err)
			assert.LessOrEqual(t, takes, 64*len(text)+16<<20)
			if name == "lumps" || name == "views" || name == "many" {
				require.ErrorContains(t, err, "the Memory of the Scene")
				require.Zero(t, w.Stats().Entities.Used)
				scene.Memory = 1 << 30
				_, err = scene.Read(&w, strings.NewReader(text))
			}
			require.NoError(t, err)
		})
	}
	assert.Panics(t, func() { _, _ = (&Scene{Memory: -1}).Read(newGame().World, strings.NewReader(of(0, "", ""))) })
}
