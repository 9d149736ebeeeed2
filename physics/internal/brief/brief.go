// Package brief hands what a solver needs of most manifolds from package physics to package rigid,
// in 20 bytes instead of 200. Those of contacts are written when they are read.
package brief

// Manifold is what a solver that has kept a manifold compares it with: the normal and the greatest
// depth of the present one, of two boxes in a plane.
type Manifold struct {
	X, Y, Depth float32
	Update      uint32 // at which it was written
	At          int32  // where the tracker has it; negative: the contact has it
}

// Of returns, of a *physics.ContactTracker, the manifolds by [physics.Contact.Slot], and the update
// at which those that hold now were written. They are valid until the next update. The slots of
// other contacts, and of those without one, have another number, or there is none. Package physics
// sets all of these functions.
var Of func(tracker any) (manifolds []Manifold, update uint32)

// Defer makes a tracker write the manifolds of two boxes in a plane when Complete is called.
var Defer func(tracker any)

// Complete writes the manifolds of all contacts that have not got them yet. Several goroutines may
// call it at once.
var Complete func(tracker any)

// CompleteSome is Complete of the contacts of some slots, on one goroutine.
var CompleteSome func(tracker any, slots []int32)
