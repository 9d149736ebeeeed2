//go:build ignore

// This program makes ../../figure.glb: a low-poly human with a skeleton of 16 bones, 1.75 m tall,
// facing +Z, with its arms half spread. It is dedicated to the public domain (CC0). From the folder
// assets:
//
//	go run gen/figure/main.go
package main

import (
	"log"
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// bone is a limb: a prism of six sides from a point to another, with half widths along X and Z at
// both ends.
type bone struct {
	name     string
	parent   int
	from, to [3]float64
	at, end  [2]float64
}

func limbs() (all []bone) {
	all = []bone{
		{"pelvis", -1, [3]float64{0, 0.93, 0}, [3]float64{0, 1.1, 0}, [2]float64{0.17, 0.11}, [2]float64{0.14, 0.1}},
		{"spine", 0, [3]float64{0, 1.1, 0}, [3]float64{0, 1.25, 0}, [2]float64{0.14, 0.1}, [2]float64{0.16, 0.11}},
		{"chest", 1, [3]float64{0, 1.25, 0}, [3]float64{0, 1.5, 0}, [2]float64{0.16, 0.11}, [2]float64{0.17, 0.1}},
		{"head", 2, [3]float64{0, 1.53, 0}, [3]float64{0, 1.77, 0.01}, [2]float64{0.075, 0.09}, [2]float64{0.09, 0.105}},
	}
	for _, side := range []struct {
		name string
		x    float64
	}{{"left", 1}, {"right", -1}} {
		x := side.x
		arm := len(all)
		all = append(all,
			bone{side.name + "_upperarm", 2, [3]float64{0.21 * x, 1.45, 0}, [3]float64{0.41 * x, 1.25, 0}, [2]float64{0.055, 0.055}, [2]float64{0.045, 0.045}},
			bone{side.name + "_forearm", arm, [3]float64{0.41 * x, 1.25, 0}, [3]float64{0.58 * x, 1.08, 0}, [2]float64{0.045, 0.045}, [2]float64{0.034, 0.034}},
			bone{side.name + "_hand", arm + 1, [3]float64{0.58 * x, 1.08, 0}, [3]float64{0.7 * x, 0.96, 0}, [2]float64{0.034, 0.04}, [2]float64{0.03, 0.045}},
			bone{side.name + "_thigh", 0, [3]float64{0.1 * x, 0.91, 0}, [3]float64{0.11 * x, 0.5, 0}, [2]float64{0.085, 0.09}, [2]float64{0.06, 0.065}},
			bone{side.name + "_shin", arm + 3, [3]float64{0.11 * x, 0.5, 0}, [3]float64{0.12 * x, 0.1, 0}, [2]float64{0.06, 0.065}, [2]float64{0.042, 0.045}},
			bone{side.name + "_foot", arm + 4, [3]float64{0.12 * x, 0.06, -0.05}, [3]float64{0.13 * x, 0.04, 0.2}, [2]float64{0.045, 0.055}, [2]float64{0.05, 0.035}},
		)
	}
	return all
}

func main() {
	doc := gltf.NewDocument()
	var places [][3]float32
	var joints [][4]uint8
	var weights [][4]uint8
	var indices []uint16
	var binds [][4][4]float32
	set := &gltf.Skin{Name: "figure"}
	for i, b := range limbs() {
		node := &gltf.Node{Name: b.name, Translation: b.from}
		if b.parent >= 0 {
			up := limbs()[b.parent].from
			for k := range 3 {
				node.Translation[k] = math.Round((b.from[k]-up[k])*1000) / 1000
			}
			doc.Nodes[b.parent].Children = append(doc.Nodes[b.parent].Children, i)
		}
		doc.Nodes = append(doc.Nodes, node)
		set.Joints = append(set.Joints, i)
		m := [4][4]float32{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}} // rows
		for k := range 3 {
			m[k][3] = float32(-b.from[k])
		}
		binds = append(binds, m)
		places, joints, weights, indices = b.append(uint8(i), places, joints, weights, indices)
	}
	set.InverseBindMatrices = gltf.Index(modeler.WriteAccessor(doc, gltf.TargetNone, binds))
	doc.Skins = []*gltf.Skin{set}
	doc.Meshes = []*gltf.Mesh{{Name: "figure", Primitives: []*gltf.Primitive{{
		Indices: gltf.Index(modeler.WriteIndices(doc, indices)),
		Attributes: gltf.PrimitiveAttributes{
			gltf.POSITION: modeler.WritePosition(doc, places), gltf.JOINTS_0: modeler.WriteJoints(doc, joints), gltf.WEIGHTS_0: modeler.WriteWeights(doc, weights),
		},
	}}}}
	doc.Nodes = append(doc.Nodes, &gltf.Node{Name: "figure", Mesh: gltf.Index(0), Skin: gltf.Index(0)})
	doc.Scenes[0].Nodes = []int{0, len(doc.Nodes) - 1}
	doc.Asset.Generator, doc.Asset.Copyright = "examples/sandbox/assets/gen/figure", "CC0"
	if err := gltf.SaveBinary(doc, "figure.glb"); err != nil {
		log.Fatal(err)
	}
}

// append appends the prism of a bone. Its first ring moves half with the parent.
func (b *bone) append(i uint8, places [][3]float32, joints, weights [][4]uint8, indices []uint16) ([][3]float32, [][4]uint8, [][4]uint8, []uint16) {
	const sides = 6
	var d [3]float64
	long := 0.0
	for k := range 3 {
		d[k] = b.to[k] - b.from[k]
		long += d[k] * d[k]
	}
	long = math.Sqrt(long)
	for k := range 3 {
		d[k] /= long
	}
	u := [3]float64{1, 0, 0} // across, in the plane X Y; v is across both
	if math.Abs(d[2]) < 0.7 {
		u = [3]float64{d[1], -d[0], 0}
	}
	v := [3]float64{u[1]*d[2] - u[2]*d[1], u[2]*d[0] - u[0]*d[2], u[0]*d[1] - u[1]*d[0]}
	first := uint16(len(places))
	for ring, r := range [][2]float64{b.at, b.at, b.end} {
		share := []float64{0, 0.15, 1}[ring]
		for s := range sides {
			sin, cos := math.Sincos(2 * math.Pi * (float64(s) + 0.5) / sides)
			var p [3]float32
			for k := range 3 {
				x := b.from[k] + d[k]*long*share + u[k]*r[0]*cos*1.1 + v[k]*r[1]*sin*1.1
				p[k] = float32(math.Round(x*1000) / 1000)
			}
			places = append(places, p)
			j, w := [4]uint8{i}, [4]uint8{255}
			if ring == 0 && b.parent >= 0 {
				j, w = [4]uint8{i, uint8(b.parent)}, [4]uint8{153, 102}
			}
			joints, weights = append(joints, j), append(weights, w)
		}
	}
	for ring := range uint16(2) {
		for s := range uint16(sides) {
			a, c := first+ring*sides+s, first+ring*sides+(s+1)%sides
			indices = append(indices, a, a+sides, c, c, a+sides, c+sides)
		}
	}
	for s := range uint16(sides - 2) {
		indices = append(indices, first, first+s+1, first+s+2, first+2*sides, first+2*sides+s+2, first+2*sides+s+1)
	}
	return places, joints, weights, indices
}
