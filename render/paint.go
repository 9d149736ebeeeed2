package render

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // the formats of glTF
	_ "image/png"
	"math"

	"github.com/hitscan-go/hitscan/physics/meshio"
	"github.com/hitscan-go/hitscan/render/internal/gl"
)

// What a part of a model adds to the colour of its item: colours of vertices and of the material,
// and a texture.

// paint is the colour of a vertex of a part. Zero is white.
type paint struct {
	// fade is what it takes from each channel of the item's colour, linear, as a share of 65535;
	// the fourth is not used.
	fade [4]uint16
	uv   meshio.UV
}

// paints returns the paint of the vertices of a part; nil if all of it is white.
func paints(p *meshio.Part) []paint {
	base, textured := meshio.Color{R: 1, G: 1, B: 1, A: 1}, false
	if p.Material != nil {
		base, textured = p.Material.Color, p.Material.Texture != nil && p.UVs != nil
	}
	if p.Colors == nil && base.R == 1 && base.G == 1 && base.B == 1 && !textured {
		return nil
	}
	list := make([]paint, len(p.Vertices))
	for i := range list {
		c := base
		if p.Colors != nil {
			c.R, c.G, c.B = c.R*p.Colors[i].R, c.G*p.Colors[i].G, c.B*p.Colors[i].B
		}
		for k, x := range [3]float32{c.R, c.G, c.B} {
			list[i].fade[k] = uint16(65535*(1-min(max(x, 0), 1)) + 0.5)
		}
		if textured {
			list[i].uv = p.UVs[i]
		}
	}
	return list
}

// textured is a run of indices that are drawn with a texture.
type textured struct {
	first, count int
	texture      *texture
}

// paintUnit is the texture unit of textures of parts; those before it are of the shadow maps.
const paintUnit = 2

// mostPixels is the greatest side of a texture: a small file may say any size, and four bytes a
// pixel are 256 MB.
const mostPixels = 8192

// textureKey is an image, and the alpha below which it has holes.
type textureKey struct {
	image  *meshio.Texture
	cutoff float32
}

// textureOf returns the texture of a material; white if it has none, or if that cannot be drawn.
func (s *gpuMeshes) textureOf(m *meshio.Material) (*texture, error) {
	if m == nil || m.Texture == nil {
		return s.white, nil
	}
	cutoff := m.Cutoff
	if m.Blend {
		cutoff = 0.5
	}
	key := textureKey{m.Texture, 0}
	if cutoff > 0 && m.Color.A > 0 {
		key.cutoff = cutoff / m.Color.A
	}
	if t, ok := s.textures[key]; ok {
		return t, nil
	}
	picture, err := decode(m.Texture)
	if err != nil {
		return s.white, fmt.Errorf("the texture %q of material %q: %w", m.Texture.Name, m.Name, err)
	}
	for i := 3; i < len(picture.Pix); i += 4 {
		if float32(picture.Pix[i]) < 255*key.cutoff {
			picture.Pix[i] = 0
		} else {
			picture.Pix[i] = 255
		}
	}
	t := newPaint(picture)
	s.textures[key] = t
	return t, nil
}

// decode decodes an image that fits the graphics card.
func decode(t *meshio.Texture) (*image.NRGBA, error) {
	if t.Err != nil {
		return nil, t.Err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(t.Data))
	if err != nil {
		return nil, err
	}
	most := min(gl.GetInteger(gl.MAX_TEXTURE_SIZE), mostPixels)
	if max(config.Width, config.Height) > int(most) || min(config.Width, config.Height) == 0 {
		return nil, fmt.Errorf("it has %d × %d pixels, of at most %d × %d", config.Width, config.Height, most, most)
	}
	picture, _, err := image.Decode(bytes.NewReader(t.Data))
	if err != nil {
		return nil, err
	}
	flat := image.NewNRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(flat, flat.Rect, picture, picture.Bounds().Min, draw.Src)
	return flat, nil
}

// newPaint makes a texture of sRGB colours that repeats.
func newPaint(m *image.NRGBA) *texture {
	t := newTexture()
	t.bind(paintUnit)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	gl.TexImage(gl.TEXTURE_2D, gl.SRGB8_ALPHA8, int32(m.Rect.Dx()), int32(m.Rect.Dy()), gl.RGBA, gl.UNSIGNED_BYTE, m.Pix)
	gl.GenerateMipmap(gl.TEXTURE_2D)
	return t
}

// upload makes the geometry of the parts of a mesh. The error joins those of all textures.
func (s *gpuMeshes) upload(parts []meshio.Part) (*gpuMesh, error) {
	var g geometry
	var runs []textured
	var errs []error
	for i := range parts {
		p := &parts[i]
		part := meshGeometry(p.Vertices, p.Normals, paints(p), p.Indices)
		t, err := s.textureOf(p.Material)
		if err != nil {
			errs = append(errs, fmt.Errorf("part %d (%q): %w", i, p.Name, err))
		}
		if n := len(runs) - 1; n >= 0 && runs[n].texture == t {
			runs[n].count += len(part.indices)
		} else {
			runs = append(runs, textured{len(g.indices), len(part.indices), t})
		}
		for _, i := range part.indices {
			g.indices = append(g.indices, i+uint32(len(g.vertices)))
		}
		g.vertices = append(g.vertices, part.vertices...)
	}
	m := newGPUMesh(g)
	m.used = math.MaxInt / 2
	if len(runs) > 1 || len(runs) == 1 && runs[0].texture != s.white {
		m.runs = append(runs, textured{texture: s.white}) // which is bound at the end
	}
	return m, errors.Join(errs...)
}
