package wide

func (b *builder) spatialTree() Tree { return b.tree() }
