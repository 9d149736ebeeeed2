// Package wide is the tree over the triangles of a mesh: eight boxes to a node, up to eight
// triangles to a leaf, so that one AVX2 instruction looks at all of either.
//
// The portable walk in walk.go is the specification. Answers depend on no tree and no order of
// visits (ray.go says why), so that faster walks are held to its bits, and a tree built otherwise
// gives the same.
//
// Hits come as geom.Hit, as users see them. [Ray.Cast] says of a single triangle what a cast over a
// tree must say of it, for the twins in the tests.
package wide
