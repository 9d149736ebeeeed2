package meshio

import (
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// flat is the angle, in radians, up to which triangles count as coplanar, so that rounding makes no
// crease.
const flat = 1e-4

// Smooth returns the part with shading normals computed from its triangles; it ignores the part's
// own normals.
//
// Two triangles that share an edge are shaded as one surface if the angle between their normals is
// at most crease, in radians: with 0 only coplanar triangles are, with π all; 0.5 to 1 suits most
// models. A vertex on a sharp edge becomes several vertices. Vertices at the same position count as
// one. An edge of more than two triangles, or between triangles with opposite orientation, is
// sharp.
//
// Normals are weighted by the angle of each triangle's corner (Thürmer and Wüthrich 1998,
// "Computing vertex normals from polygonal facets"), so that the triangulation of a surface does
// not show. A corner of degenerate triangles only has a zero normal. Triangles keep their order. p
// is not changed.
//
// Panics if an index is out of range.
func (p Part) Smooth(crease float32) Part {
	var w welder
	places := make([]uint32, len(p.Indices)) // the welded vertex of each corner
	for k, v := range p.Indices {
		if uint64(v) >= uint64(len(p.Vertices)) {
			panic(fmt.Sprintf("meshio: Part.Smooth: index %d out of range (%d vertices)", v, len(p.Vertices)))
		}
		places[k] = w.add(p.Vertices[v])
	}
	sets, sums := smoothNormals(w.vertices, places, crease)
	smooth := p
	smooth.Vertices, smooth.Normals, smooth.UVs, smooth.Colors = nil, nil, nil, nil
	smooth.Indices = make([]uint32, len(places)/3*3)
	// Corners of a set with another texture coordinate or colour are other vertices.
	type look struct {
		set   int32
		uv    UV
		color Color
	}
	plain := p.UVs == nil && p.Colors == nil
	vertex := make([]int32, len(places)) // 1 + the new vertex of a set, if it looks the same; or 0
	looks := map[look]int32{}            // else, the same
	for k := range smooth.Indices {
		of := look{set: sets.find(k)}
		if p.UVs != nil {
			of.uv = p.UVs[p.Indices[k]]
		}
		if p.Colors != nil {
			of.color = p.Colors[p.Indices[k]]
		}
		v := vertex[of.set]
		if !plain {
			v = looks[of]
		}
		if v == 0 {
			smooth.Vertices = append(smooth.Vertices, w.vertices[places[k]])
			smooth.Normals = append(smooth.Normals, sums[of.set].Normalize().Narrow())
			if p.UVs != nil {
				smooth.UVs = append(smooth.UVs, of.uv)
			}
			if p.Colors != nil {
				smooth.Colors = append(smooth.Colors, of.color)
			}
			v = int32(len(smooth.Vertices))
			if plain {
				vertex[of.set] = v
			} else {
				looks[of] = v
			}
		}
		smooth.Indices[k] = uint32(v - 1)
	}
	return smooth
}

// smoothNormals joins the corners of triangles that share a smooth normal to sets. It returns the
// sets, and the sum of the normals of each, weighted by the angles at the corners.
func smoothNormals(vertices []geom.Vec3, places []uint32, crease float32) (cornerSets, []geom.DVec3) {
	triangles := len(places) / 3
	faces := make([]geom.DVec3, triangles)
	angles := make([]float64, 3*triangles)
	for t := range triangles {
		var c [3]geom.DVec3
		for k := range c {
			c[k] = vertices[places[3*t+k]].Wide()
		}
		faces[t] = c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Normalize()
		for k := range c {
			a, b := c[(k+1)%3].Sub(c[k]), c[(k+2)%3].Sub(c[k])
			angles[3*t+k] = math.Atan2(a.Cross(b).Len(), a.Dot(b))
		}
	}
	sets := newCornerSets(len(places))
	for _, e := range edgesOf(places[:3*triangles]) {
		if e.uses != 2 || e.forth == 0 || e.back == 0 {
			continue
		}
		// The edge starts at these two corners, each in its triangle, and ends at the corners after
		// them.
		a, b := int(e.forth-1), int(e.back-1)
		n, m := faces[a/3], faces[b/3]
		if n == (geom.DVec3{}) || m == (geom.DVec3{}) || math.Atan2(n.Cross(m).Len(), n.Dot(m)) > float64(crease)+flat {
			continue
		}
		sets.join(a, cornerAfter(b))
		sets.join(cornerAfter(a), b)
	}
	sums := make([]geom.DVec3, len(places))
	for k := range angles {
		s := sets.find(k)
		sums[s] = sums[s].AddMul(angles[k], faces[k/3])
	}
	return sets, sums
}

// edge is an edge between two welded vertices: 1 + the corner at which it starts in either
// direction (0: none), and the number of triangles at it.
type edge struct{ forth, back, uses int32 }

// edgesOf returns the edges of triangles, given the welded vertices of their corners. The key is
// the lower and the higher vertex.
func edgesOf(places []uint32) map[[2]uint32]edge {
	edges := make(map[[2]uint32]edge, len(places)/2)
	for k, a := range places {
		b := places[cornerAfter(k)]
		key := [2]uint32{min(a, b), max(a, b)}
		e := edges[key]
		e.uses++
		if a < b {
			e.forth = int32(k + 1)
		} else {
			e.back = int32(k + 1)
		}
		edges[key] = e
	}
	return edges
}

// cornerAfter returns the corner that follows corner k in its triangle.
func cornerAfter(k int) int { return k - k%3 + (k+1)%3 }

// cornerSets are disjoint sets of corners that share a normal: union–find with path halving (Tarjan
// and van Leeuwen 1984, "Worst-case analysis of set union algorithms").
type cornerSets []int32

func newCornerSets(n int) cornerSets {
	s := make(cornerSets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s cornerSets) find(k int) int32 {
	i := int32(k)
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join unites two sets. The lowest corner represents the set, so the order of joins does not
// matter.
func (s cornerSets) join(a, b int) {
	i, j := s.find(a), s.find(b)
	s[max(i, j)] = min(i, j)
}
