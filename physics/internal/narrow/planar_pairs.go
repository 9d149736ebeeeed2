package narrow

import "math"

// FlatPairs is up to eight pairs of boxes that CollideFlats compares at once. The generator of the
// assembly has the offsets of the fields as numbers.
type FlatPairs struct {
	A, B   [8]*FlatBox // not nil
	Margin [8]float64
	FlatContacts
}

// FlatContacts is the contacts of eight pairs.
type FlatContacts struct {
	normal [2][8]float32 // X and Y
	points [2]flatPoints
	// By fours, sets of lanes: of those whose contacts are found, with a second point, and of which
	// B precedes A along X.
	found, two, swapped [2]uint32
}

// flatPoints is a contact point of each pair.
type flatPoints struct {
	places   [2][2][8]float32 // of A and B, X and Y
	depth    [8]float32
	features [2][8]int32 // of A and B, and 4 more of faces
}

// CollideFlats is CollideFlat of all pairs. It returns the set of lanes that touch; of others,
// Collide has to decide.
func (p *FlatPairs) CollideFlats() uint32 {
	if useSIMD {
		collideFlatsSIMD(p)
	} else {
		p.found, p.two, p.swapped = [2]uint32{}, [2]uint32{}, [2]uint32{}
		for l := range p.A {
			p.collide(l)
		}
	}
	return p.found[0] | p.found[1]<<4
}

// collide is CollideFlats of a lane.
func (p *FlatPairs) collide(l int) {
	var m Manifold
	if _, ok := m.CollideFlat(p.A[l], p.B[l], p.Margin[l]); !ok || m.N == 0 {
		return
	}
	set, bit := l>>2, uint32(1)<<(l&3)
	p.found[set] |= bit
	if m.N > 1 {
		p.two[set] |= bit
	}
	n := m.Normal.Narrow()
	p.normal[0][l], p.normal[1][l] = n.X, n.Y
	if math.Signbit(m.Normal.Z) {
		p.swapped[set] |= bit
	}
	for k := range m.N {
		c, q := &m.Points[k], &p.points[k]
		a, b := c.PointA.Narrow(), c.PointB.Narrow()
		q.places[0][0][l], q.places[0][1][l], q.places[1][0][l], q.places[1][1][l] = a.X, a.Y, b.X, b.Y
		q.depth[l] = float32(c.Depth)
		q.features[0][l], q.features[1][l] = flatNumber(c.FeatureA), flatNumber(c.FeatureB)
	}
}

// N returns the number of contact points of a lane.
func (p *FlatContacts) N(l int) int { return 1 + int(p.two[l>>2&1]>>(l&3)&1) }

// Normal returns the normal of a lane. Its Z is 0, with a sign.
func (p *FlatContacts) Normal(l int) (x, y, z float32) {
	l &= 7
	return p.normal[0][l], p.normal[1][l], math.Float32frombits(p.swapped[l>>2] >> (l & 3) << 31)
}

// Depth returns the greatest depth of a lane.
func (p *FlatContacts) Depth(l int) float32 {
	l &= 7
	depth := p.points[0].depth[l]
	if p.N(l) > 1 {
		depth = max(depth, p.points[1].depth[l])
	}
	return depth
}

// Point returns contact point k of a lane, in the plane.
func (p *FlatContacts) Point(l, k int) (ax, ay, bx, by, depth float32, featureA, featureB Feature) {
	l &= 7
	q := &p.points[k&1]
	return q.places[0][0][l], q.places[0][1][l], q.places[1][0][l], q.places[1][1][l], q.depth[l], flatFeature(q.features[0][l]), flatFeature(q.features[1][l])
}

// flatFeature returns a feature by its number: a vertex, or from 4 on a face.
func flatFeature(n int32) Feature { return Feature(n&3) | Feature(n>>2)<<(featureBits+1) }

func flatNumber(f Feature) int32 { return int32(f&3) | int32(f>>(featureBits+1))<<2 }
