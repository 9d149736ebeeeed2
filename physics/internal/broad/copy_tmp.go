package broad

// CopyFrom is temporary.
func (p *Phase) CopyFrom(q *Phase) {
	p.Clear()
	for i := range q.at {
		if b, ok := q.Box(uint32(i)); ok {
			p.Set(uint32(i), b, q.at[i].half() == still)
		}
	}
	p.Settle(1)
}
