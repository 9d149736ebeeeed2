// Package hull holds [Hull], the convex hull of points: the smallest convex solid that contains
// them, as rubber stretched around them would be. It is what a crate, a rock or a chair collides as
// where a box is too coarse and a mesh, which has no inside, too thin.
//
// A Hull is made once, from any points and in any order, and never changes. Which points are its
// corners is decided by exact arithmetic (see [New]), so that duplicates, points in faces and
// points on edges do no harm.
package hull
