// Package wide is the tree over the triangles of a mesh: a BVH with eight boxes per node and up to
// eight triangles per leaf, so that one AVX2 instruction tests all of either.
//
// The portable traversal in walk.go is the specification. Answers depend neither on the tree nor on
// the order of traversal (ray.go says why), so faster traversals are tested against its bits, and a
// tree built in another way gives the same answers.
//
// Hits are returned as geom.Hit. [Ray.Cast] returns for a single triangle what a cast through a
// tree must return for it: the tests' brute-force reference.
package wide
