package broad

// tree is a tree of boxes, eight wide: one half of a [Phase]. All boxes hang at the same depth, below the nodes of level 0.
type tree struct {
	nodes []node // node 0 is never used
	root  int32  // 0 if the tree is empty
}
