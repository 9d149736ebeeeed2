// Package physecs puts ray and shape queries, rigid bodies, hovering and clicking into an Arche
// world: components, resources and systems. It lives in a folder named ecs and is called physecs,
// so that a file can import Arche's ecs bare and this package beside it.
//
// An entity with a [Transform] and a [Collider] can be hit. [Sync], or a [SyncSystem] once a tick,
// copies changes into the [Space], whose [Queries] take and return entities. [RaycastSystem] finds
// what is under the pointer and [PickSystem] what was clicked. [Simulation] runs all systems in
// their order, at a fixed step.
//
// # Resources
//
// Each system adds missing resources, in Initialize and again after a World.Reset, so that an empty
// world is enough. Set [View] and [Pointer] every frame; read [Hover], [Selection] and [Events]
// after the update, or add [Handlers]. [Meshes] holds the meshes, compounds and hulls that
// colliders refer to by number.
//
// World.Reset removes all resources, and pointers to the old ones are of no use. After a Reset
// initialise the systems again, look the resources up again, set the View and fill Meshes.
//
// # Freshness
//
// A query sees the world of the last Sync, with one exception for safety: an entity that has died
// since, or has lost its Collider or Transform, is never reported. With and Without of a [Filter]
// test the components that an entity has now. Game code that moves entities and must see them moved
// within the same tick calls Sync in between: it costs a comparison per entity, about 10 ns,
// allocates nothing unless there are new entities or shapes, and may be called in a locked world.
//
// # Queries
//
// All queries are methods of [Queries]: rays, moving shapes, overlaps, frusta, nearest entities and
// contacts with a shape. CastRays and CastShapes cast thousands on all processors. They may be
// called in a locked world, such as in the loop of a query, and from many goroutines at once while
// none changes the world, and allocate nothing except what a slice to append to lacks.
//
// A [Snapshot] answers the same queries while the world is changed, as of the Sync at which it was
// taken. [Querier] is the interface of both.
//
// # Pointer events
//
// [PickSystem] turns the input of the mouse and of [Touches] into events of entities: hovering,
// clicks, drags and drops, by the rules of package picking. [Events] is a list of them, in a fixed
// order, to be read after the update; Events.Of returns those for one entity. [Handlers] are called
// at the end of the update, by entity or by component, and may change the world. Events bubble
// along [Parent], and a handler or reader may stop them.
//
// A [Chooser] returns what a click or a marquee selects: the tank for its turret, nothing for the
// ground, or no change of the [Selection] for a button of the HUD. A Click that a handler stops
// selects nothing.
//
// [Pickable] says whether the pointer sees an entity, and what is behind it. RaycastSystem.Margin
// makes small entities easier to hit, and a [Backend] puts a HUD or a second view in front of the
// world. [Pointers] holds what is pressed and dragged, and captures the pointer for one entity.
// [ExplainPick] says why the pointer hovers an entity, and not another.
//
// A [SurfaceDrag] moves entities over others, package picking has more drags, such as its Gizmo,
// and [SetTransform] places an entity. A [GizmoSystem] moves the [Selection] by such handles.
// [Record] and [Play] write and read a session as text, with [Keys] if the game has them.
//
// # Regions and several views
//
// [SelectIn] finds what a rectangle or a lasso in the window touches, contains or shows, and a
// [MarqueeSystem] lets the user draw one and puts it into the [Selection]. With several cameras in
// a window fill [Views], and run a [ViewSystem] first: it sets the View to the one that holds the
// pointer, and does so for each of the [Touches].
//
// # Parents
//
// An entity with a [Parent] and a [LocalTransform] follows its parent, to any depth: Sync writes
// its [Transform] before copying it, parents before children, and nothing if neither has changed.
// [SetTransform] places a child in world space, and [LocalOf] returns the LocalTransform for that.
// Children whose parent is gone stay where they are; [Stats] counts them and [Space.Orphans]
// returns them.
//
// # Large worlds
//
// Single precision resolves 8 mm at 100 km. A [WorldPosition] holds the position of an entity in
// double precision, and [Rebase], or a [RebaseSystem], moves the origin of all Transforms to the
// camera.
//
// # Contacts
//
// A [ContactSystem] finds the entities that touch, where and how deep, and which contacts began and
// ended: read [Contacts] after its update. Each contact begins once and ends once, even if an
// entity dies, loses its Collider, changes its layers or is moved far away. Sensors touch too,
// without manifolds. [Contacts.Of] returns what touches one entity. [PairSystem] is its broad phase
// alone: entities whose bounds touch.
//
// A [SeparateSystem] pushes entities with a [Movable] apart, such as a crowd.
//
// # Bodies
//
// An entity with a [Body] falls, lands on colliders without one, and goes to sleep: see
// [DynamicsSystem], which writes its [Transform], and its [Velocity] if it has one. Writing either
// moves the body. Colliders of descendants, by [Parent], are parts of it. [Dynamics] has the
// impacts, contacts and faults, and pushes bodies by entity. A [Material] is the friction and the
// restitution of a surface. A [Joint] connects two bodies, and a [Ragdoll] is those of a skeleton.
// A [Mover] and a [Projectile] push what they hit. With a [DragSystem] pointers pull those with a
// [Draggable].
//
// # Characters and projectiles
//
// A [MoverSystem] moves entities with a [Mover] through the world: along walls, up steps and
// slopes, on platforms; [MoverState] has the ground they stand on and [MoverHits] their collisions,
// and the sensors they passed. A jump may be requested a little before the ground is reached, and
// after it is left. A [ProjectileSystem] moves those with a [Projectile], which pass through
// nothing, bounce and come to rest; [ProjectileHits] has their hits. Both write the Transform, and
// the next Sync copies it.
//
// # Casters
//
// An entity with a [RayCaster] or a [ShapeCaster] casts a ray or a shape every tick: a ground
// probe, a car's sensor, a line of sight. [CasterSystem] casts all of them on all processors, and
// [CasterHits] has the hits by entity, and the casters whose first hit has changed. For several
// rays give an entity children with casters, placed by [LocalTransform].
//
// # Files
//
// A [Scene] writes entities with their components as JSON, shapes by name, and reads them into any
// world.
//
// # When nothing happens
//
// [Check] lists, in words, components and settings that do nothing, or not what was meant:
// components that lack another one, colliders that are nowhere, systems that never update or are in
// the wrong order. [Queries.Explain] says why a ray misses an entity, [ExplainPick] why the pointer
// does, and [Dynamics] why a body does not sleep or collide.
//
// # No pointers in components
//
// Arche copies components as raw bytes without write barriers, so the garbage collector frees an
// object that is reachable only through a component. Therefore no component here holds a pointer,
// and a [MeshID] refers to a mesh.
//
// # Design
//
// The rows of the last Sync are kept in the order of its query, one cache line each, and compared
// as words. Colliders that are equal share one copy.
//
// With a filter that has no predicate, a query asks the space beneath without one, checks whether
// the hit entity is still alive, and casts again in the rare case that it is not.
//
// Events bubble along a path that is taken before the first handler runs. So a handler may change
// parents and remove entities: the path stays, dead entities on it are skipped, and events whose
// target died are dropped. The selection changes before the Click is sent, so that handlers find it
// as it will be; it is restored for a Click that a handler stops, unless the handler changed it.
package physecs
