// Package hull holds [Hull], the convex hull of points: the smallest convex solid that contains
// them. It is the collision shape of a crate, a rock or a chair for which a box is too coarse and a
// mesh, which has no inside, too thin.
//
// A Hull is made once, from any points in any order, and is immutable. Exact arithmetic decides
// which points are its vertices (see [New]), so duplicates, points in faces and points on edges are
// allowed.
package hull
