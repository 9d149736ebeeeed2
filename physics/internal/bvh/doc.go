// Package bvh holds boxes that come, move and go in a tree, and finds those that a ray, a box or a point may touch.
//
// It is the broad phase of a space: it knows boxes and a number for each, no shapes. What it finds is a superset, in an
// order that means nothing, so that another tree can take its place without a change in any answer. Visits take a
// function that is called for each candidate; it does not escape, so a visit allocates nothing.
package bvh
