// Package wide is the tree over the triangles of a mesh: eight boxes to a node, up to eight triangles to a leaf, so that one
// AVX2 instruction looks at all of either.
//
// The portable walk in walk.go is the specification. Answers depend on no tree and no order of visits (ray.go says why), so
// that faster walks are held to its bits, and a tree built otherwise gives the same.
//
// The package hands out hits in the form in which they are compared, [Impact]; physics/mesh makes of them what users see.
package wide
