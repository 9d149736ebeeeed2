// Package narrow is the narrow phase: how two convex shapes stand to each other. [Overlaps] tells whether they touch, [Distance]
// how far they are apart and where, [Penetrate] how deep one is in the other and which way leads out, and [Collide] the
// manifold of contacts between them. [Edges.Collide] does the last for a triangle of a mesh, whose neighbours it knows of.
//
// All is computed in double precision in world space, in a bounded number of steps, without allocation, and
// gives the same bits on every machine. Exchanging the two shapes exchanges the answer's two sides and nothing else.
//
// # Methods
//
// Where formulas exist they are used: between spheres, capsules, boxes, triangles and half-spaces, but for the distance
// of boxes and triangles that are apart. That and all else is found by the algorithm of Gilbert, Johnson and Keerthi
// (1988). How deep polytopes are in each other is told by the separating axes of their faces and edges,
// pruned by the Gauss map (Gregorius 2013, "The separating axis test between convex polyhedra"), and for round
// shapes that are no spheres by the expanding polytope algorithm (van den Bergh 2001, "Proximity queries and penetration depth
// computation on 3D game objects"). Contacts come from clipping a face of the one by a face of the other (Sutherland
// and Hodgman 1974).
package narrow
