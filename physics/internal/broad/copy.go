package broad

// origin is what a phase was copied from.
type origin struct {
	id      uint64 // 0: nothing
	version uint64 // all changes before this one have been copied
}
