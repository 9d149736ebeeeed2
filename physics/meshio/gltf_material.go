package meshio

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/qmuntal/gltf"
)

// Material is the look of a part, as far as a ray or a simple renderer needs it.
type Material struct {
	// Name is the name in the file; empty if there is none.
	Name string
	// Color is the base colour, linear light; it multiplies the texture and the vertex colours.
	Color Color
	// Texture is the image of the base colour, sRGB; nil if there is none.
	Texture *Texture
	// Cutoff is the alpha below which there is a hole in the surface (alphaMode MASK); 0 in
	// another mode.
	Cutoff float32
	// Blend says that the surface is transparent by its alpha (alphaMode BLEND).
	Blend bool
	// DoubleSided says that backs of triangles are seen.
	DoubleSided bool
}

// Texture is an image as in the file. Parts that use the same image share a Texture.
type Texture struct {
	// Name is the name of the image, or else its path; empty if there is neither.
	Name string
	// Data is a PNG or a JPEG, not decoded and not checked; do not change it. Pass it to
	// image.DecodeConfig before image.Decode: a small one may have many pixels.
	Data []byte
	// Err is the reason why there are no Data, for example a file that does not exist. It is no
	// error of the model, whose triangles are complete.
	Err error
}

// material returns the material of a primitive; nil if it has none.
func (f *gltfFile) material(p primitive) (*Material, error) {
	if p.Material == nil {
		return nil, nil
	}
	if m, ok := f.materials[*p.Material]; ok {
		return m, nil
	}
	from, at, err := item(f, f.doc.Materials, "materials", *p.Material, p.at.then("material"))
	if err != nil {
		return nil, err
	}
	if err := f.budget.spend(int64(unsafe.Sizeof(Material{}))); err != nil {
		return nil, f.errorf(at, "%w", err)
	}
	m := &Material{
		Name: from.Name, Color: Color{1, 1, 1, 1}, Blend: from.AlphaMode == gltf.AlphaBlend, DoubleSided: from.DoubleSided,
	}
	if from.AlphaMode == gltf.AlphaMask {
		m.Cutoff = float32(from.AlphaCutoffOrDefault())
	}
	if base := from.PBRMetallicRoughness; base != nil {
		c := base.BaseColorFactorOrDefault()
		m.Color = Color{float32(c[0]), float32(c[1]), float32(c[2]), float32(c[3])}
		if base.BaseColorTexture != nil {
			at := at.then("pbrMetallicRoughness", "baseColorTexture")
			if m.Texture, err = f.texture(base.BaseColorTexture.Index, at); err != nil {
				return nil, err
			}
		}
	}
	for _, x := range [...]float32{m.Color.R, m.Color.G, m.Color.B, m.Color.A, m.Cutoff} {
		if x-x != 0 {
			return nil, f.errorf(at, "a colour or the cutoff is not finite")
		}
	}
	f.materials[*p.Material] = m
	return m, nil
}

// texCoord returns the attribute with the texture coordinates of a primitive: that of the texture
// of its base colour, else the first.
func (f *gltfFile) texCoord(p primitive) string {
	set := 0
	if i := p.Material; i != nil && *i >= 0 && *i < len(f.doc.Materials) && f.doc.Materials[*i] != nil {
		if base := f.doc.Materials[*i].PBRMetallicRoughness; base != nil && base.BaseColorTexture != nil {
			set = base.BaseColorTexture.TexCoord
		}
	}
	return fmt.Sprintf("TEXCOORD_%d", set)
}

// texture returns the image of a texture.
func (f *gltfFile) texture(i int, from jsonPath) (*Texture, error) {
	texture, at, err := item(f, f.doc.Textures, "textures", i, from.then("index"))
	if err != nil {
		return nil, err
	}
	if texture.Source == nil {
		return &Texture{Name: texture.Name, Err: f.errorf(at, "the texture has no image, or that of an extension")}, nil
	}
	if t, ok := f.textures[*texture.Source]; ok {
		return t, nil
	}
	image, at, err := item(f, f.doc.Images, "images", *texture.Source, at.then("source"))
	if err != nil {
		return nil, err
	}
	t := &Texture{Name: image.Name}
	if t.Name == "" && !strings.HasPrefix(image.URI, "data:") {
		t.Name = image.URI
	}
	t.Data, t.Err = f.image(image, at)
	f.textures[*texture.Source] = t
	return t, nil
}

// image returns the bytes of an image: of a view of a buffer, in the document, or of a file.
func (f *gltfFile) image(image *gltf.Image, at jsonPath) (data []byte, err error) {
	switch {
	case image.BufferView != nil:
		view, _, err := item(f, f.doc.BufferViews, "bufferViews", *image.BufferView, at.then("bufferView"))
		if err != nil {
			return nil, err
		}
		bytes, err := f.view(*image.BufferView, 0, view.ByteLength, gltf.ComponentUbyte, 1, at)
		return bytes.data[:len(bytes.data):len(bytes.data)], err
	case image.URI == "":
		err = errors.New("the image has neither a uri nor a bufferView")
	case strings.HasPrefix(image.URI, "data:"):
		data, err = decodeDataURI(image.URI)
		f.budget.read += int64(len(data))
	default:
		data, err = f.external("image", image.URI, math.MaxInt64)
	}
	if err != nil {
		return nil, f.errorf(at, "%w", err)
	}
	return data, nil
}
