// Package broad is the broad phase of a space: axis-aligned boxes, each with a number, that are
// added, moved and removed. It finds the boxes that a ray, a moving box, a box or a point may
// touch, and the pairs of boxes that touch each other. It contains no shapes.
//
// Ray and distance queries return a superset, which allows for the rounding of the exact tests. The
// order of results has no meaning: callers sort, so answers do not depend on the shape of the
// trees. A query allocates nothing.
//
// A [Phase] has two trees, one of boxes that move and one of static boxes. Each is an R-tree
// (Guttman 1984) with eight children to a node and all boxes at the same depth. It is built by
// median cuts, so that nearly all nodes are full (build.go). After that, [Phase.Settle] makes the
// cheapest change that keeps the tree good (settle.go):
//
//   - A box that moves within the fat AABB of its node costs a refit.
//   - A box that leaves the fat AABB is removed and inserted again from the root (insert.go).
//   - A subtree in which many boxes have come and gone is rebuilt, some hundred boxes at a time
//     (repair.go).
//   - The whole tree is rebuilt if that is cheaper than the insertions, or if so many boxes move
//     that a rebuild adds little to the cost of the tick.
//
// constants.go lists what can be tuned.
//
// # Traversal
//
// A walk visits candidates nearest first; the space casts the ray at each and shortens it. Between
// two candidates it opens a few nodes ahead, while the data of the first comes from memory. Boxes
// are widened by a millionth of the distance, since casts enter a shape's frame in single
// precision. The rays of a batch take turns, a dozen at a time, so that one computes while another
// waits for memory. Pairs come from a walk through both trees at once; two nodes are compared by
// sixty-four pairs of boxes. All have AVX2 and NEON versions from the generator of the mesh's.
//
// A snapshot copies trees by pages of 64 nodes, of which only those changed since the same memory
// was last a snapshot.
package broad
