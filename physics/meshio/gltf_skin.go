package meshio

import (
	"io"
	"io/fs"
	"math"
	"slices"
	"unsafe"

	"github.com/qmuntal/gltf"

	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/skin"
)

// DecodeSkins reads the skins of glTF 2.0, as JSON or as a GLB: one for each node with a mesh and a
// skin. Buffers with a relative path are read from files; if files is nil they are an error.
//
// The rest pose is that in which the skin was bound: vertices are in the space of the mesh, and the
// frames of the bones are the inverses of the inverse bind matrices, without their scales; in a
// skin without such matrices, the space of the mesh. All lengths are multiplied by the scale with
// which the nodes of the bones show the mesh: that of a figure in centimetres below an armature of
// scale 0.01 is in metres. The first four weights of a vertex count, divided by their sum. Parts of
// the mesh without weights are left out. A file without skins is an error, as are bones that scale
// the mesh by different factors along its axes, and all that is one for [DecodeGLTF].
func DecodeSkins(r io.Reader, files fs.FS) ([]skin.Skin, error) {
	return Limits{}.DecodeSkins(r, files)
}

// DecodeSkins is [DecodeSkins] within the limits.
func (l Limits) DecodeSkins(r io.Reader, files fs.FS) ([]skin.Skin, error) {
	f, instances, err := readGLTF(r, files, l)
	if err != nil {
		return nil, err
	}
	var skins []skin.Skin
	for _, in := range instances {
		if in.skin == nil {
			continue
		}
		s, err := f.skin(in)
		if err != nil {
			return nil, err
		}
		skins = append(skins, s)
	}
	if len(skins) == 0 {
		return nil, f.errorf(jsonPath{}, "the file has no skins")
	}
	return skins, nil
}

// place maps a part of an instance from its mesh's space to that of the scene: by the joints of the
// skin that the instance and the part have, by linear blend skinning, else by the node.
func (f *gltfFile) place(part *Part, p primitive, in instance) error {
	joints, hasJoints := p.Attributes[gltf.JOINTS_0]
	weights, hasWeights := p.Attributes[gltf.WEIGHTS_0]
	if in.skin == nil || !hasJoints || !hasWeights {
		mirrored, err := part.transform(&in.matrix, 0, len(part.Vertices))
		if err != nil {
			return f.errorf(in.node, "%w", err)
		}
		if mirrored {
			part.reverse()
		}
		return nil
	}
	frames, err := f.jointFrames(in)
	if err != nil {
		return err
	}
	if err := f.budget.spend(influenceBytes * int64(len(part.Vertices))); err != nil {
		return f.errorf(in.node, "%w", err)
	}
	influences, err := f.influences(nil, joints, weights, len(part.Vertices), len(frames), p.at.then("attributes"))
	if err != nil {
		return err
	}
	mirrored := false
	for i := range influences {
		var m geom.Mat4
		for k, w := range influences[i].Weights {
			for j, x := range frames[influences[i].Bones[k]].shown {
				m[j] += float64(float64(w) * x)
			}
		}
		// The joints of one figure mirror it all or not at all.
		if mirrored, err = part.transform(&m, i, 1); err != nil {
			return f.errorf(in.node, "%w", err)
		}
	}
	if mirrored {
		part.reverse()
	}
	return nil
}

// skin reads the skin of an instance.
func (f *gltfFile) skin(in instance) (s skin.Skin, err error) {
	s.Name = in.name
	bones, ok := f.bonesOf[*in.skin]
	if !ok {
		frames, err := f.jointFrames(in)
		if err != nil {
			return s, err
		}
		if bones, err = f.bones(*in.skin, frames); err != nil {
			return s, err
		}
		f.bonesOf[*in.skin] = bones
	}
	if err := f.budget.spend(boneBytes * int64(len(bones.list))); err != nil {
		return s, f.errorf(in.node, "%w", err)
	}
	s.Bones = slices.Clone(bones.list)
	for i := range in.mesh.Primitives {
		p, err := f.primitive(in.mesh, i, in.at)
		if err != nil {
			return s, err
		}
		joints, hasJoints := p.Attributes[gltf.JOINTS_0]
		weights, hasWeights := p.Attributes[gltf.WEIGHTS_0]
		if p.position < 0 || !hasJoints || !hasWeights {
			continue
		}
		if err := f.budget.spend(skinShare * p.bytes); err != nil {
			return s, f.errorf(in.node, "%w", err)
		}
		part, err := f.part(p)
		if err != nil {
			return s, err
		}
		first := uint32(len(s.Vertices))
		s.Vertices = append(s.Vertices, part.Vertices...)
		if s.Influences, err = f.influences(s.Influences, joints, weights, len(part.Vertices), len(s.Bones), p.at.then("attributes")); err != nil {
			return s, err
		}
		for _, v := range part.Indices {
			s.Indices = append(s.Indices, first+v)
		}
	}
	if len(s.Vertices) == 0 {
		return s, f.errorf(in.node, "no primitive of the mesh has %s and %s", gltf.JOINTS_0, gltf.WEIGHTS_0)
	}
	if bones.scale != 1 {
		s = s.Scaled(bones.scale)
	}
	return s, nil
}

// boundBones is the bones of a skin, and the scale with which their nodes show its mesh.
type boundBones struct {
	list  []skin.Bone
	scale float32
}

// jointFrame is a joint of a skin in the pose of the file.
type jointFrame struct {
	node    int
	parent  int       // the index of the nearest ancestor that is a joint, too; −1: none
	inverse geom.Mat4 // the inverse bind matrix
	shown   geom.Mat4 // maps the mesh to the scene
}

// jointFrames returns the joints of the skin of an instance.
func (f *gltfFile) jointFrames(in instance) ([]jointFrame, error) {
	if frames, ok := f.framesOf[*in.skin]; ok {
		return frames, nil
	}
	set, at, err := item(f, f.doc.Skins, "skins", *in.skin, in.node.then("skin"))
	if err != nil {
		return nil, err
	}
	if len(set.Joints) == 0 {
		return nil, f.errorf(at.then("joints"), "a skin without joints")
	}
	if err := f.findParents(); err != nil {
		return nil, err
	}
	up := f.up
	if err := f.budget.spend((boneBytes + int64(unsafe.Sizeof(jointFrame{}))) * int64(len(set.Joints))); err != nil {
		return nil, f.errorf(at.then("joints"), "%w", err)
	}
	index := map[int]int{}
	for i, n := range set.Joints {
		if _, _, err := item(f, f.doc.Nodes, "nodes", n, at.then("joints", i)); err != nil {
			return nil, err
		}
		if _, twice := index[n]; twice {
			return nil, f.errorf(at.then("joints", i), "node %d is a joint twice", n)
		}
		index[n] = i
	}
	var inverse []geom.Mat4 // all identities if the skin has none
	if set.InverseBindMatrices != nil {
		if inverse, err = f.mat4s(*set.InverseBindMatrices, at.then("inverseBindMatrices")); err != nil {
			return nil, err
		}
		if len(inverse) < len(set.Joints) {
			return nil, f.errorf(at.then("inverseBindMatrices"), "%d matrices for %d joints", len(inverse), len(set.Joints))
		}
	}
	frames := make([]jointFrame, len(set.Joints))
	for i, n := range set.Joints {
		j := &frames[i]
		*j = jointFrame{node: n, parent: -1, inverse: geom.Mat4Identity(), shown: geom.Mat4Identity()}
		if inverse != nil {
			j.inverse, j.shown = inverse[i], inverse[i]
		}
		for steps, node := 0, n; node >= 0; steps, node = steps+1, up[node] {
			if f.budget.steps += 8; f.budget.stepsLeft() < 0 {
				return nil, f.errorf(at.then("joints", i), "the nodes above the joints take more than %d steps, the limit of meshio.Limits", f.budget.stepLimit())
			}
			if steps > len(up) {
				return nil, f.errorf(at.then("joints", i), "node %d is its own ancestor", n)
			}
			if k, ok := index[node]; ok && node != n && j.parent < 0 {
				j.parent = k
			}
			j.shown = localMatrix(f.doc.Nodes[node]).Mul(j.shown)
		}
	}
	f.framesOf[*in.skin] = frames
	return frames, nil
}

// bones returns the bones of a skin, each with the nearest ancestor that is one, too.
func (f *gltfFile) bones(set int, frames []jointFrame) (bound boundBones, err error) {
	at := jsonPath{"skins", set}
	bones := make([]skin.Bone, len(frames))
	bound.scale = 1
	for i := range frames {
		j, b := &frames[i], &bones[i]
		b.Name, b.Parent = f.doc.Nodes[j.node].Name, j.parent
		bind, ok := j.inverse.Inverse()
		if !ok {
			return bound, f.errorf(at.then("inverseBindMatrices"), "matrix %d has no inverse", i)
		}
		if b.Parent < 0 {
			if bound.scale, ok = scaleOf(&j.shown); !ok {
				return bound, f.errorf(at.then("joints", i), "bone %d scales the mesh by different factors along its axes, by none, or by no finite one", i)
			}
		}
		// QuatLook takes the third axis as −Z, and the second.
		z, y := geom.DVec3{X: bind[8], Y: bind[9], Z: bind[10]}, geom.DVec3{X: bind[4], Y: bind[5], Z: bind[6]}
		b.Rest = geom.Transform{
			Position: geom.DVec3{X: bind[12], Y: bind[13], Z: bind[14]}.Narrow(),
			Rotation: geom.QuatLook(z.Normalize().Neg().Narrow(), y.Normalize().Narrow()),
		}
		if !b.Rest.IsFinite() {
			return bound, f.errorf(at.then("joints", i), "the frame of bone %d is not finite", i)
		}
	}
	bound.list = bones
	return bound, nil
}

// scaleOf returns the scale of a matrix, exactly 1 if it is within a thousandth of that; false if
// it has none, or one that differs by more than a hundredth along the axes.
func scaleOf(m *geom.Mat4) (float32, bool) {
	x, y, z := geom.DVec3{X: m[0], Y: m[1], Z: m[2]}.Len(), geom.DVec3{X: m[4], Y: m[5], Z: m[6]}.Len(), geom.DVec3{X: m[8], Y: m[9], Z: m[10]}.Len()
	mean := (x + y + z) / 3
	if math.Abs(mean-1) < 1e-3 {
		mean = 1
	}
	scale := float32(mean)
	return scale, scale > 0 && scale <= math.MaxFloat32 && max(x, y, z) <= 1.01*min(x, y, z)
}

// findParents finds the parent of each node, −1 if it has none.
func (f *gltfFile) findParents() error {
	if f.up != nil {
		return nil
	}
	up := slices.Repeat([]int{-1}, len(f.doc.Nodes))
	for i := range f.doc.Nodes {
		node, from, err := item(f, f.doc.Nodes, "nodes", i, nil)
		if err != nil {
			return err
		}
		for k, c := range node.Children {
			if c < 0 || c >= len(up) || up[c] >= 0 {
				return f.errorf(from.then("children", k), "node %d is missing, or has two parents", c)
			}
			up[c] = i
		}
	}
	f.up = up
	return nil
}

// influences appends the influences of n vertices.
func (f *gltfFile) influences(dst []skin.Influence, joints, weights, n, bones int, from jsonPath) ([]skin.Influence, error) {
	j, err := f.accessor(joints, from.then(gltf.JOINTS_0))
	if err != nil {
		return nil, err
	}
	w, err := f.accessor(weights, from.then(gltf.WEIGHTS_0))
	if err != nil {
		return nil, err
	}
	if j.Type != gltf.AccessorVec4 || j.ComponentType != gltf.ComponentUbyte && j.ComponentType != gltf.ComponentUshort {
		return nil, f.errorf(j.at, "%v of %v cannot be joints", j.Type, j.ComponentType)
	}
	if w.Type != gltf.AccessorVec4 {
		return nil, f.errorf(w.at, "%v cannot be weights", w.Type)
	}
	if j.Count != n || w.Count != n {
		return nil, f.errorf(from, "%d joints and %d weights for %d positions", j.Count, w.Count, n)
	}
	which, err := readItems(f, j, func(v items, k int) (all [4]int, ok bool) {
		for i := range all {
			if all[i] = int(v.float(k, i)); all[i] >= bones {
				all[i] = -1
			}
		}
		return all, true
	})
	if err != nil {
		return nil, err
	}
	much, err := readItems(f, w, func(v items, k int) (all [4]float32, ok bool) {
		sum := float32(0)
		for i := range all {
			all[i] = max(v.float(k, i), 0)
			sum += all[i]
		}
		for i := range all {
			if sum > 0 {
				all[i] /= sum
			}
		}
		return all, sum-sum == 0
	})
	if err != nil {
		return nil, err
	}
	for i := range which {
		if much[i] == ([4]float32{}) {
			return nil, f.errorf(w.at, "vertex %d has no weight above 0", i)
		}
		for k, b := range which[i] {
			switch {
			case b >= 0:
			case much[i][k] > 0:
				return nil, f.errorf(j.at, "vertex %d has a bone out of range of %d", i, bones)
			default:
				which[i][k] = 0
			}
		}
		dst = append(dst, skin.Influence{Bones: which[i], Weights: much[i]})
	}
	return dst, nil
}

func (f *gltfFile) mat4s(i int, from jsonPath) ([]geom.Mat4, error) {
	n, err := f.checkAccessor(i, from)
	if err != nil {
		return nil, err
	}
	if err := f.budget.spend(int64(n) * int64(unsafe.Sizeof(geom.Mat4{}))); err != nil {
		return nil, f.errorf(from, "%w", err)
	}
	a, err := f.accessor(i, from)
	if err != nil {
		return nil, err
	}
	if a.Type != gltf.AccessorMat4 || a.ComponentType != gltf.ComponentFloat {
		return nil, f.errorf(a.at, "%v of %v cannot be matrices", a.Type, a.ComponentType)
	}
	return readItems(f, a, func(v items, k int) (m geom.Mat4, ok bool) {
		ok = true
		for i := range m {
			x := v.float(k, i)
			m[i], ok = float64(x), ok && x-x == 0
		}
		return m, ok
	})
}
