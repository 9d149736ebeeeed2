// Package broad is the broad phase of a space: boxes that come, move and go, each with a number, and the finding of those
// that a ray, a box or a point may touch, and of those that touch one another. It knows no shapes.
//
// What it finds is a superset where rounding has a say, in an order that means nothing, so that how the boxes are kept never
// shows in an answer. A visit allocates nothing.
package broad
