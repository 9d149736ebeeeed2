// Package brief hands what a solver needs of most manifolds from package physics to package rigid,
// in 16 bytes instead of 200.
package brief

// Manifold is what a solver that has kept a manifold compares it with: the normal and the greatest
// depth of the present one, of two boxes in a plane.
type Manifold struct {
	X, Y, Depth float32
	Update      uint32 // at which it was written
}

// Of returns, of a *physics.ContactTracker, the manifolds by [physics.Contact.Slot], and the update
// at which those that hold now were written. They are valid until the next update. The slots of
// other contacts, and of those without one, have another number, or there is none. Package physics
// sets it.
var Of func(tracker any) (manifolds []Manifold, update uint32)
