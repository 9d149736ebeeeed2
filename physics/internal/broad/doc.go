// Package broad is the broad phase of a space: boxes that come, move and go, each with a number,
// and the finding of those that a ray, a box or a point may touch, and of those that touch one
// another. It knows no shapes.
//
// What it finds is a superset where rounding has a say, in an order that means nothing, so that how
// the boxes are kept never shows in an answer. A visit allocates nothing.
//
// A [Phase] has two trees, of what moves and of what stands still. Each is an R-tree (Guttman 1984)
// with nodes of eight children and all boxes at one depth. It is built by cutting the boxes in two
// where half of them are on either side, and again, so that nearly all nodes are full (build.go).
// From then on, what costs the least is done at each [Phase.Settle] (settle.go):
//
//   - Boxes that move within the home of their node, which is what its box was and a margin, cost a
//     refit.
//   - A box that leaves it is put elsewhere in the tree, from the root down (insert.go).
//   - Parts in which many boxes have come and gone are built anew, some hundred boxes at a time
//     (repair.go).
//   - All is built anew if that is cheaper than the insertions, or if so much moves anyway that it
//     hardly shows.
package broad
