package physics

type TrackerState struct{}

func (t *ContactTracker) Save(s *TrackerState)    {}
func (t *ContactTracker) Restore(s *TrackerState) {}
