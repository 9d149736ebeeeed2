// Package wide is the tree over the triangles of a mesh: a BVH with eight boxes per node and up to
// eight triangles per leaf, so that one AVX2 instruction, or two of NEON, test all of either.
//
// The portable traversal in walk.go is the specification. Answers depend neither on the tree nor on
// the order of traversal (ray.go says why), so faster traversals are tested against its bits, and a
// tree built in another way gives the same answers.
//
// Hits are returned as geom.Hit. [Ray.Cast] returns for a single triangle what a cast through a
// tree must return for it: the tests' brute-force reference.
//
// # Layout
//
// A node has 256 bytes: eight boxes. A leaf has 128 bytes and holds up to eight triangles that
// share vertices, which it keeps once; triangles that share none get leaves of 320 bytes. All units
// lie in one slice without pointers.
//
// # Build
//
// A binary tree is built by binned surface-area heuristic, on all processors and with a result that
// does not depend on their number. Dynamic programming over the cost of each subtree as one to
// eight children turns it into nodes of eight. Near the leaves the cost of a side of a split is the
// number of leaves that it needs, by the vertices that its triangles share. The loops over many
// triangles have AVX2 and NEON versions. Only the binary tree differs between qualities: Fast sorts
// triangles along a Morton curve, High also splits space (Stich, Friedrich and Dietrich 2009), so
// that a triangle is in several leaves and a visit must drop repeated ones. A refit writes a second
// tree of the same structure, so that the first can be read meanwhile.
//
// # Casts
//
// The same answer comes from any tree without exact arithmetic: boxes are widened by more than the
// rounding of the triangle test; the interval of T in a box is computed by operations that rounding
// leaves monotone, so that it contains the intervals of the boxes within; and a hit counts only in
// the interval of its triangle's own box. Floats are compared as integers, which leaves no branch
// and no NaN.
//
// closestSIMD and anySIMD take a ray from its preparation to T in double precision, the point and
// the unit normal. Rare cases go to the portable traversal: a ray that grazes the outside of an
// edge, a normal that overflows or underflows, a ray beyond float32. The build tag noasm leaves the
// assembly out, and HITSCAN_PORTABLE=1 in the environment turns it off.
//
// A cast takes about 900 instructions, and a processor looks some 300 ahead. So instructions count
// even where none waits: the order of two children is a predicted branch, and a hit is stored in
// two pieces that cover the loads which copy it, since a load from two stores waits for both.
//
// Coherent rays of a batch descend together, eight rays at one box at a time; others take turns, a
// dozen at a time, so that one computes while the node of the next is loaded. How rays are grouped
// never shows in an answer.
package wide
