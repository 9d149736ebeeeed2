// Package physecs puts ray and shape queries, hovering and clicking into an Arche world: components, resources and
// systems. It lives in a folder named ecs and is called physecs, so that a file can import Arche's ecs bare and this
// package beside it.
//
// An entity with a [Transform] and a [Collider] can be hit. [Sync], or a [SyncSystem] once a tick, copies what changed
// into the [Space]; [CastRay] and its friends then take and return entities. [RaycastSystem] finds what is under the
// pointer and [PickSystem] what was clicked; [Systems] is all three in their order, for those who want no more than that.
//
// # Resources
//
// Each system adds the resources it misses, in Initialize and again after a World.Reset, so an empty world will do. Set
// [View] and [Pointer] every frame; read [Hover], [Selection] and [Events] after the update. [Meshes] holds the meshes and
// compounds that colliders name by a number.
//
// World.Reset removes all resources, so a pointer to one from before it leads nowhere. After a Reset initialise the systems
// again, ask for the resources anew, set the View and fill Meshes.
//
// # Freshness
//
// A query sees the world as it was at the last Sync, with one exception for safety: an entity that has been removed since
// then, or has lost its Collider or Transform, is never reported. Filters look at the components that an entity has now.
// Game code that moves things and must see them moved within the same tick calls Sync in between: it costs a
// comparison per entity, allocates nothing unless there are new entities or shapes, and may be called in a locked world.
//
// # Queries
//
// [CastRay], [CastRayAny], [CastRayAll], [Hits], [OverlapAABB], [OverlapBox], [OverlapSphere], [OverlapPoint] and
// [ClosestPoint] may be called in a locked world, in the loop of a query for instance, and from many goroutines at once
// while none changes the world. They allocate nothing but what a slice to append to lacks.
//
// # No pointers in components
//
// Arche copies components as raw bytes, unseen by the garbage collector: an object that is reachable only through a
// component is freed. Therefore no component here holds one, and meshes are named by a [MeshID].
package physecs
