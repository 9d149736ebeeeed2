package physecs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// Scene writes the entities of a world as JSON, and reads them into another: levels, saved games,
// prefabs. Entities are written with all their components of this package, by the names of types
// and fields, and one a line; zero fields are left out. What is read has the same bits, except the
// payload of a NaN.
//
// Meshes, compounds and hulls are written by the name that the Scene gives their IDs, so that they
// may have other IDs in the world that reads. Entities get new IDs; all fields that hold an entity,
// such as that of [Parent], are changed accordingly. A field that held a dead entity holds a dead
// entity.
//
// What systems keep besides components is not written: contacts, sleep, the velocity of a body
// without a [Velocity], that a [Joint] is broken, which its Disabled can say, and the ground of a
// mover, which is found in the first update. [Dynamics.AppendState] writes that, in bytes.
//
// The zero Scene is ready to use, for worlds without meshes.
type Scene struct {
	// Meshes, Compounds and Hulls are the shapes of the [Meshes] resource by name. Of two names for
	// one ID the lower is written.
	Meshes    map[string]MeshID
	Compounds map[string]CompoundID
	Hulls     map[string]HullID
	// Components are values of the game's own component types, such as Health{}: they are written
	// by the names of type and package, as "main.Health". Other components are left out. Pointers,
	// nil, types of this package and types that occur twice are a panic.
	Components []any
	// With and Without say which entities are written, by components: those that have all of With
	// and none of Without.
	With, Without ecs.Mask
	// Resources writes [View], [Views] and [Selection] too, if the world has them. They are read
	// wherever they were written.
	Resources bool
	// Memory is how much Read may take, in bytes. 0 is 64 times the text, plus 16 MB. What would
	// take more is an error that names the limit.
	Memory int64
}

// What Read takes, in bytes: for an entity and each of its components, and how many times the size
// of a component or a view.
const (
	sceneEntityBytes    = 512
	sceneComponentBytes = 256
	sceneCopies         = 6 // the text read twice, and lists that grow
)

// sceneVersion is raised when a component changes its meaning or loses a field.
const sceneVersion = 1

// sceneFormat is the first line of a scene.
const sceneFormat = "hitscan scene"

// sceneText is a scene as JSON.
type sceneText struct {
	Format    string
	Version   int
	Planar    bool
	Origin    json.RawMessage
	Entities  json.RawMessage
	View      json.RawMessage
	Views     []json.RawMessage
	Selection json.RawMessage
}

// sceneTypes are the components of this package, in the order in which they are written.
var sceneTypes = []reflect.Type{
	reflect.TypeFor[Transform](), reflect.TypeFor[WorldPosition](), reflect.TypeFor[Parent](), reflect.TypeFor[LocalTransform](),
	reflect.TypeFor[Collider](), reflect.TypeFor[Static](), reflect.TypeFor[Unpickable](), reflect.TypeFor[Pickable](),
	reflect.TypeFor[Body](), reflect.TypeFor[Velocity](), reflect.TypeFor[Material](), reflect.TypeFor[Joint](), reflect.TypeFor[Draggable](),
	reflect.TypeFor[Mover](), reflect.TypeFor[MoverState](), reflect.TypeFor[Projectile](), reflect.TypeFor[Movable](),
	reflect.TypeFor[RayCaster](), reflect.TypeFor[ShapeCaster](),
}

// sceneComponent is a type of components.
type sceneComponent struct {
	name string
	of   reflect.Type
	id   ecs.ID
}

// components returns all types that are written. caller is the method.
func (s *Scene) components(w *ecs.World, caller string) (list []sceneComponent) {
	for _, t := range sceneTypes {
		list = append(list, sceneComponent{nameOf(t), t, ecs.TypeID(w, t)})
	}
	for _, v := range s.Components {
		t := reflect.TypeOf(v)
		if t == nil || slices.ContainsFunc(list, func(c sceneComponent) bool { return c.of == t || c.name == t.String() }) {
			panic(fmt.Sprintf("physecs: Scene.%s: Components has %v twice, or it is none of the game's", caller, t))
		}
		if t.Kind() == reflect.Pointer {
			panic(fmt.Sprintf("physecs: Scene.%s: Components has a pointer, %v, where a component is a value", caller, t))
		}
		list = append(list, sceneComponent{t.String(), t, ecs.TypeID(w, t)})
	}
	return list
}

// deadEntity is written for an entity that is not alive.
const deadEntity = -1

// nameShapes makes IDs written by name.
func nameShapes[K cmp.Ordered](t *wire.Text, kind string, names map[string]K) {
	byID := map[K]string{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if _, ok := byID[names[name]]; !ok {
			byID[names[name]] = name
		}
	}
	var none K
	wire.Use(t, func(id K) (string, error) {
		name, ok := byID[id]
		switch {
		case id == none:
			return "", nil
		case !ok || name == "":
			return "", fmt.Errorf("%s %v has no name in the Scene", kind, id)
		}
		return name, nil
	}, func(name string) (K, error) {
		id, ok := names[name]
		if !ok && name != "" {
			return none, fmt.Errorf("the Scene has no %s %.40q", kind, name)
		}
		return id, nil
	})
}

// text returns how values are written.
func (s *Scene) text(write func(ecs.Entity) (int64, error), read func(int64) (ecs.Entity, error)) *wire.Text {
	t := &wire.Text{}
	nameShapes(t, "mesh", s.Meshes)
	nameShapes(t, "compound", s.Compounds)
	nameShapes(t, "hull", s.Hulls)
	wire.Use(t, write, read)
	return t
}

// Write writes the scene of a world. It returns an error that names the entity and the field, and
// has written nothing, if a shape has no name, or if an entity that is not written is named by one
// that is. Errors of out are returned as they are. Equal worlds give equal text, and so do a world
// and what is read of its scene. Panics if the world is locked and a component is not yet
// registered.
func (s *Scene) Write(w *ecs.World, out io.Writer) error {
	components := s.components(w, "Write")
	var all []ecs.Entity
	numbers := map[ecs.Entity]int64{}
	query := queryOf(w)
	for query.Next() {
		e := query.Entity()
		if hasAll(w, e, &s.With) && !hasAny(w, e, &s.Without) && slices.ContainsFunc(components, func(c sceneComponent) bool { return query.Has(c.id) }) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, compareEntities)
	for i, e := range all {
		numbers[e] = int64(i) + 1
	}
	text := s.text(func(e ecs.Entity) (int64, error) {
		switch {
		case e.IsZero():
			return 0, nil
		case !alive(w, e):
			return deadEntity, nil
		case numbers[e] == 0:
			return 0, fmt.Errorf("entity %d is not written", e.ID())
		}
		return numbers[e], nil
	}, nil)

	b := fmt.Appendf(nil, "{%q:%q,%q:%d", "Format", sceneFormat, "Version", sceneVersion)
	var err error
	add := func(name string, v any) {
		if err == nil {
			b, err = text.Append(fmt.Appendf(b, ",\n%q:", name), reflect.ValueOf(v), name)
		}
	}
	if space := findResource[Space](w); space != nil {
		if space.physics.IsPlanar() {
			add("Planar", true)
		}
		if origin := space.Origin(); origin != (geom.DVec3{}) {
			add("Origin", origin)
		}
	}
	if s.Resources {
		if v := findResource[View](w); v != nil {
			add("View", *v)
		}
		if v := findResource[Views](w); v != nil {
			add("Views", v.List)
		}
		if v := findResource[Selection](w); v != nil {
			add("Selection", slices.DeleteFunc(slices.Clone(v.list), func(e ecs.Entity) bool { return numbers[e] == 0 }))
		}
	}
	b = append(b, ",\n\"Entities\":["...)
	for i, e := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "\n{%q:%d", "ID", i+1)
		for _, c := range components {
			if err != nil || !hasUnchecked(w, e, c.id) {
				continue
			}
			v := reflect.New(c.of).Elem()
			if c.of.Size() > 0 {
				v = reflect.NewAt(c.of, componentOf(w, e, c.id)).Elem()
			}
			b, err = text.Append(fmt.Appendf(b, ",%q:", c.name), v, fmt.Sprintf("entity %d: %s", e.ID(), c.name))
		}
		b = append(b, '}')
	}
	if err != nil {
		return fmt.Errorf("physecs: Scene.Write: %w", err)
	}
	_, err = out.Write(append(b, "]}\n"...))
	return err
}

// Read adds the entities of a scene to a world, and returns them in the order in which they were
// written. Other entities stay. If the scene was written at another origin of the world, the world
// is rebased to that: see [Rebase]. A world without a [Space] gets a planar one for a scene of a 2D
// game, which a world of three dimensions refuses.
//
// If the text is damaged, of a later version, or names what the Scene has not, it returns an error
// that names the place, and changes nothing. A component of the game may gain fields, which are
// zero in an older text. For fields and types that it has lost or renamed, the game replaces the
// names in the text before. Panics in a locked world and if Memory is negative.
func (s *Scene) Read(w *ecs.World, in io.Reader) ([]ecs.Entity, error) {
	if s.Memory < 0 {
		panic(fmt.Sprintf("physecs: Scene.Read: a Memory of %d bytes", s.Memory))
	}
	mustBeUnlocked(w, "Scene.Read")
	components := s.components(w, "Read")
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	fail := func(err error) ([]ecs.Entity, error) { return nil, fmt.Errorf("physecs: Scene.Read: %w", err) }
	var doc sceneText
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return fail(placeOf(err, data))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fail(errors.New(lineAt(data, decoder.InputOffset()) + "something follows the end"))
	}
	switch {
	case doc.Format != sceneFormat:
		return fail(fmt.Errorf("the Format is %.40q, and not %q", doc.Format, sceneFormat))
	case doc.Version != sceneVersion:
		return fail(fmt.Errorf("version %d: this program reads version %d", doc.Version, sceneVersion))
	}
	if space := findResource[Space](w); doc.Planar && space != nil && !space.physics.IsPlanar() {
		return fail(errors.New("the scene is of a planar space, and that of the world is not: add NewPlanarSpace to the world first"))
	}
	r := sceneReader{index: map[int64]int{}, components: components}
	if r.memory = s.Memory; r.memory == 0 {
		r.memory = 64*int64(len(data)) + 16<<20
	}
	// The first pass finds all errors, with entities that stand for those to come.
	if err := r.count(&doc); err != nil {
		return fail(err)
	}
	if err := r.read(s, w, &doc, make([]ecs.Entity, len(r.index)+1), false); err != nil {
		return fail(err)
	}
	if doc.Planar {
		resourceOr(w, NewPlanarSpace)
	}
	entities := make([]ecs.Entity, len(r.index)+1)
	for i := range entities {
		entities[i] = w.NewEntity()
	}
	dead := len(r.index)
	w.RemoveEntity(entities[dead])
	// Recycled IDs come in any order; those of the text rise, as bodies are made by rising IDs.
	slices.SortFunc(entities[:dead], compareEntities)
	if err := r.read(s, w, &doc, entities, true); err != nil {
		return fail(err) // not after the first pass
	}
	return entities[:dead], nil
}

// sceneReader reads a scene.
type sceneReader struct {
	index      map[int64]int // of the entities of the text, by their IDs
	components []sceneComponent
	memory     int64 // what may be taken
}

// entityPlace is where an entity is, for errors.
func entityPlace(i int) string { return fmt.Sprintf("Entities[%d]", i) }

// each visits the entities of a text, with the text of what each has by its name. The map is that
// of all.
func (r *sceneReader) each(doc *sceneText, visit func(i int, one map[string]json.RawMessage) error) error {
	if doc.Entities == nil {
		return nil
	}
	list := json.NewDecoder(bytes.NewReader(doc.Entities))
	if start, err := list.Token(); err != nil || start != json.Delim('[') {
		return errors.New("the Entities are no list")
	}
	one := map[string]json.RawMessage{}
	for i := 0; list.More(); i++ {
		clear(one)
		if err := list.Decode(&one); err != nil {
			return fmt.Errorf("%s: %w", entityPlace(i), err)
		}
		if err := visit(i, one); err != nil {
			return err
		}
	}
	return nil
}

// count reads all IDs and adds up what the scene takes.
func (r *sceneReader) count(doc *sceneText) error {
	takes := int64(len(doc.Views)) * sceneCopies * int64(reflect.TypeFor[View]().Size())
	err := r.each(doc, func(i int, one map[string]json.RawMessage) error {
		raw := one["ID"]
		id, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
		if _, twice := r.index[id]; err != nil || id <= 0 || twice {
			return fmt.Errorf("%s: ID is %.40q: want a number above 0 that no other has", entityPlace(i), raw)
		}
		r.index[id] = i
		takes += sceneEntityBytes
		for k := range r.components {
			if _, ok := one[r.components[k].name]; ok {
				takes += sceneComponentBytes + sceneCopies*int64(r.components[k].of.Size())
			}
		}
		return nil
	})
	if err == nil && takes > r.memory {
		return fmt.Errorf("its entities take %d bytes of memory, more than %d, the Memory of the Scene", takes, r.memory)
	}
	return err
}

// read reads all components and resources, and gives them to the world if give is true. The last of
// entities is the dead one.
func (r *sceneReader) read(s *Scene, w *ecs.World, doc *sceneText, entities []ecs.Entity, give bool) error {
	entityOf := func(id int64) (ecs.Entity, error) {
		i, ok := r.index[id]
		switch {
		case id == 0:
			return ecs.Entity{}, nil
		case id == deadEntity:
			return entities[len(entities)-1], nil
		case !ok:
			return ecs.Entity{}, fmt.Errorf("there is no entity %d", id)
		}
		return entities[i], nil
	}
	text := s.text(nil, entityOf)
	var origin geom.DVec3
	if doc.Origin != nil {
		if err := text.Read(doc.Origin, reflect.ValueOf(&origin).Elem(), "Origin"); err != nil {
			return err
		}
		if sum := origin.X + origin.Y + origin.Z; sum-sum != 0 {
			return errors.New("Origin: it is not finite")
		}
	}
	if give && len(r.index) > 0 {
		Rebase(w, origin)
	}
	values := make([]reflect.Value, len(r.components))
	for k, c := range r.components {
		values[k] = reflect.New(c.of).Elem()
	}
	var ids []ecs.ID
	var read []int
	err := r.each(doc, func(i int, one map[string]json.RawMessage) error {
		place := entityPlace(i)
		delete(one, "ID")
		ids, read = ids[:0], read[:0]
		for k, c := range r.components {
			raw, ok := one[c.name]
			if !ok {
				continue
			}
			delete(one, c.name)
			values[k].SetZero()
			if err := text.Read(raw, values[k], place+"."+c.name); err != nil {
				return err
			}
			if give {
				ids, read = append(ids, c.id), append(read, k)
			}
		}
		for name := range one {
			return fmt.Errorf("%s: there is no component %.40q; the Components of the Scene are the game's", place, name)
		}
		if len(ids) == 0 {
			return nil
		}
		addComponents(w, entities[i], ids...)
		for n, k := range read {
			if of := r.components[k].of; of.Size() > 0 {
				reflect.NewAt(of, componentOf(w, entities[i], ids[n])).Elem().Set(values[k])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return readResources(w, doc, text, entityOf, give)
}

// readResources reads the views and the selection, and gives them to the world if give is true.
func readResources(w *ecs.World, doc *sceneText, text *wire.Text, entityOf func(id int64) (ecs.Entity, error), give bool) error {
	if doc.View != nil {
		var v View
		if err := text.Read(doc.View, reflect.ValueOf(&v).Elem(), "View"); err != nil {
			return err
		}
		if give {
			*resourceOf[View](w) = v
		}
	}
	if doc.Views != nil {
		v := make([]View, len(doc.Views))
		for i, raw := range doc.Views {
			if err := text.Read(raw, reflect.ValueOf(&v[i]).Elem(), fmt.Sprintf("Views[%d]", i)); err != nil {
				return err
			}
		}
		if give {
			resourceOf[Views](w).List = v
		}
	}
	if doc.Selection != nil {
		// As numbers: a list of texts would take hundreds of times its own.
		var ids []int64
		if err := json.Unmarshal(doc.Selection, &ids); err != nil {
			return errors.New("the Selection is no list of entities")
		}
		v := make([]ecs.Entity, len(ids))
		for i, id := range ids {
			var err error
			if v[i], err = entityOf(id); err != nil {
				return fmt.Errorf("in Selection[%d]: %w", i, err)
			}
		}
		if give {
			resourceOf[Selection](w).Set(slices.DeleteFunc(v, func(e ecs.Entity) bool { return !alive(w, e) })...)
		}
	}
	return nil
}

// placeOf adds the line and the column to an error of a text.
func placeOf(err error, data []byte) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("%s%w", lineAt(data, syntax.Offset), err)
	case errors.As(err, &kind):
		return fmt.Errorf("%s%.150s", lineAt(data, kind.Offset), err.Error())
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%sthe text ends early", lineAt(data, int64(len(data))))
	}
	return fmt.Errorf("%.150s", err.Error()) // it may name a field of the text
}

func lineAt(data []byte, offset int64) string {
	before := data[:min(max(offset, 0), int64(len(data)))]
	return fmt.Sprintf("line %d, column %d: ", bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n')-1)
}
