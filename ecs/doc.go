// Package physecs puts ray and shape queries, hovering and clicking into an Arche world:
// components, resources and systems. It lives in a folder named ecs and is called physecs, so that
// a file can import Arche's ecs bare and this package beside it.
//
// An entity with a [Transform] and a [Collider] can be hit. [Sync], or a [SyncSystem] once a tick,
// copies what changed into the [Space]; [CastRay] and its friends then take and return entities.
// [RaycastSystem] finds what is under the pointer and [PickSystem] what was clicked; [Systems] is
// all three in their order, for those who want no more than that.
//
// # Resources
//
// Each system adds the resources it misses, in Initialize and again after a World.Reset, so an
// empty world will do. Set [View] and [Pointer] every frame; read [Hover], [Selection] and [Events]
// after the update, or add [Handlers]. [Meshes] holds the meshes, compounds and hulls that
// colliders name by a number.
//
// World.Reset removes all resources, so a pointer to one from before it leads nowhere. After a
// Reset initialise the systems again, ask for the resources anew, set the View and fill Meshes.
//
// # Pointer events
//
// [PickSystem] tells what the mouse and the [Touches] do to entities: hovering, clicks, drags and
// drops, by the rules of package picking. There are two ways to hear of it. [Events] is a list, in
// a fixed order, to be read after the update; Events.Of picks out those for one entity. [Handlers]
// are called at the end of the update, by entity or by component, and may change the world. Either
// way events bubble along [Parent], and a handler or reader may stop them.
//
// What a click selects, and a marquee, says a [Chooser]: the tank whose turret was met, nothing for
// the ground, or that a button of the HUD leaves the [Selection] alone. A Click that a handler
// stops selects nothing.
//
// What the pointer takes notice of, and what it sees through, says [Pickable]. RaycastSystem.Margin
// helps with what is small, and a [Backend] puts a HUD or a second view before the world.
// [Pointers] knows what is pressed and dragged, and gives the pointer to one entity. [ExplainPick]
// says why the pointer hovers something, and not something else.
//
// A [SurfaceDrag] moves things over others, and what package picking has to drag with, such as its
// Gizmo, says where to; [SetTransform] puts an entity there. [Record] and [Play] turn a session
// into a text and back, with the [Keys] of games that have some.
//
// # Many at once, and several views
//
// [SelectIn] finds what a rectangle or a lasso in the window touches, contains or shows, and a
// [MarqueeSystem] lets the user draw one and puts it into the [Selection]. With several cameras in
// a window fill [Views], and let a [ViewSystem] run first: it sets the View to the one that the
// pointer is about, and gives each of the [Touches] its own.
//
// # Parents
//
// An entity with a [Parent] and a [LocalTransform] follows its parent, to any depth: Sync writes
// its [Transform] before it copies it, parents before children, and where neither has changed
// writes nothing. [SetTransform] puts a child to a place in the world, and [LocalOf] tells where
// that is beside its parent. Children whose parent is gone stay where they are; [Stats] counts them
// and [Space.Orphans] names them.
//
// # Large worlds
//
// Single precision tells 8 mm apart at 100 km. A [WorldPosition] says in double precision where an
// entity is, and [Rebase], or a [RebaseSystem], moves the origin of all Transforms to where the
// camera is.
//
// # Freshness
//
// A query sees the world as it was at the last Sync, with one exception for safety: an entity that
// has been removed since then, or has lost its Collider or Transform, is never reported. Filters
// look at the components that an entity has now. Game code that moves things and must see them
// moved within the same tick calls Sync in between: it costs a comparison per entity, some 10 ns,
// allocates nothing unless there are new entities or shapes, and may be called in a locked world.
//
// # Queries
//
// [CastRay], [CastRayAny], [CastRayAll], [Hits], [CastShape], [CastShapeAny], [CastShapeAll],
// [OverlapAABB], [OverlapBox], [OverlapSphere], [OverlapPoint], [OverlapShape], [CollideShape],
// [ClosestPoint], [ClosestPoints] and [ClosestShape] may be called in a locked world, in the loop
// of a query for instance, and from many goroutines at once while none changes the world. So may
// [CastRays] and [CastRaysAny], which cast thousands of rays on all processors. They allocate
// nothing but what a slice to append to lacks.
//
// A [Snapshot] answers the same questions while the world is changed, as of the Sync at which it
// was taken.
//
// # Contacts
//
// A [ContactSystem] finds out which entities touch, where and how deep, and which began to and
// ceased to: read [Contacts] after its update. Each contact begins once and ends once, also where
// an entity dies, loses its Collider, becomes another layer's or is moved far away. Sensors touch
// too, and are not asked where. [Contacts.Of] tells what touches one entity. [PairSystem] is the
// first half of it alone: whose bounds touch.
//
// A [SeparateSystem] pushes entities with a [Movable] apart, such as a crowd.
//
// # Characters and projectiles
//
// A [MoverSystem] moves entities with a [Mover] through the world: along walls, up steps and
// slopes, on platforms; [MoverState] tells what they stand on and [MoverHits] what stood in their
// way. A [ProjectileSystem] moves those with a [Projectile], which pass nothing, bounce and come to
// rest; [ProjectileHits] tells what they met. Both write the Transform, and the next Sync copies
// it.
//
// # Casters
//
// An entity with a [RayCaster] or a [ShapeCaster] casts a ray or a shape every tick: a probe for
// the ground, a sensor of a car, a line of sight. [CasterSystem] casts all of them on all
// processors, and [CasterHits] says by entity what they hit and whose first hit has changed. One
// that needs several rays has children with casters of their own, placed by [LocalTransform].
//
// # No pointers in components
//
// Arche copies components as raw bytes, unseen by the garbage collector: an object that is
// reachable only through a component is freed. Therefore no component here holds one, and meshes
// are named by a [MeshID].
package physecs
