package render

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/physics/mesh"
	"github.com/hitscan-go/hitscan/physics/meshio"
)

// A part is drawn in the product of the colours of the item, its material and its vertices, near
// and so far away that it is lit by vertex.
func TestColorsOfParts(t *testing.T) {
	r := newTestRenderer(t)
	r.Style.Shadows = false
	vertices, indices := mesh.Icosphere(1, 2)
	light := linear(RGB(0xC06040))
	draw := func(item Material, distance float32, part meshio.Part) *image.NRGBA {
		w := newWorld()
		m, err := mesh.New(vertices, indices)
		require.NoError(t, err)
		w.put(geom.Transform{}, physecs.Mesh(resource[physecs.Meshes](&w.World).Add(m)), item)
		part.Vertices, part.Indices = vertices, indices
		r.Upload(m, part)
		return r.mustDraw(t, w, viewFrom(geom.V(0, 0, distance), geom.Vec3{}, projection, square(60)))
	}
	all := func(c meshio.Color) []meshio.Color { return slices.Repeat([]meshio.Color{c}, len(vertices)) }
	for _, distance := range []float32{4, 60} {
		want := draw(Paint(0xC06040), distance, meshio.Part{})
		plain := draw(Paint(0xFFFFFF), distance, meshio.Part{})
		require.NotEqual(t, want.Pix, plain.Pix)
		for name, got := range map[string]*image.NRGBA{
			"vertices": draw(Paint(0xFFFFFF), distance, meshio.Part{Colors: all(meshio.Color{R: light[0], G: light[1], B: light[2], A: 1})}),
			"material": draw(Paint(0xFFFFFF), distance, meshio.Part{Material: &meshio.Material{Color: meshio.Color{R: light[0], G: light[1], B: light[2], A: 1}}}),
			"both": draw(Paint(0xFFFFFF), distance, meshio.Part{
				Material: &meshio.Material{Color: meshio.Color{R: light[0], G: 1, B: 0.5}}, Colors: all(meshio.Color{R: 1, G: light[1], B: 2 * light[2]}),
			}),
			"item": draw(Paint(0xC06040), distance, meshio.Part{Material: &meshio.Material{Color: meshio.Color{R: 7, G: 1, B: 1}}}),
		} {
			for i := range want.Pix {
				require.InDelta(t, want.Pix[i], got.Pix[i], 1, "%s at %g m, byte %d", name, distance, i)
			}
		}
	}
	// Each corner of a triangle has its own.
	colors := make([]meshio.Color, len(vertices))
	for i, v := range vertices {
		if v.X > 0 {
			colors[i] = meshio.Color{R: 1}
		} else {
			colors[i] = meshio.Color{B: 1}
		}
	}
	m := draw(Paint(0xFFFFFF), 4, meshio.Part{Colors: colors})
	left, right := m.NRGBAAt(22, 30), m.NRGBAAt(38, 30)
	require.Greater(t, left.B, left.R+60)
	require.Greater(t, right.R, right.B+60)
}

// A texture colours a part as its mean colour does from afar, and each pixel of it from near; what
// is below the cutoff is a hole.
func TestTexturesOfParts(t *testing.T) {
	objects := live
	r := newTestRenderer(t)
	r.Style.Shadows = false
	encoded := func(pixels ...color.NRGBA) *meshio.Texture {
		m := image.NewNRGBA(image.Rect(0, 0, len(pixels), 1))
		for x, c := range pixels {
			m.SetNRGBA(x, 0, c)
		}
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, m))
		return &meshio.Texture{Name: "t", Data: b.Bytes()}
	}
	vertices := []geom.Vec3{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}
	quad := meshio.Part{Name: "quad", Vertices: vertices, Indices: []uint32{0, 1, 2, 0, 2, 3}, UVs: []meshio.UV{{U: 0, V: 1}, {U: 1, V: 1}, {U: 1, V: 0}, {U: 0, V: 0}}}
	draw := func(distance float32, want string, parts ...meshio.Part) *image.NRGBA {
		w := newWorld()
		m, err := mesh.New(vertices, quad.Indices)
		require.NoError(t, err)
		w.put(geom.Transform{}, physecs.Mesh(resource[physecs.Meshes](&w.World).Add(m)), Paint(0xFFFFFF))
		if err = r.Upload(m, parts...); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
		return r.mustDraw(t, w, viewFrom(geom.V(0, 0, distance), geom.Vec3{}, projection, square(60)))
	}
	with := func(m meshio.Material) meshio.Part {
		p := quad
		m.Color.R, m.Color.G, m.Color.B = 1, 1, 1
		p.Material = &m
		return p
	}
	near := func(want, got *image.NRGBA, by float64) {
		t.Helper()
		for i := range want.Pix {
			require.InDelta(t, want.Pix[i], got.Pix[i], by, "byte %d", i)
		}
	}
	brown := RGB(0xC06040)
	light := linear(brown)
	plain := quad
	plain.Colors = slices.Repeat([]meshio.Color{{R: light[0], G: light[1], B: light[2]}}, 4)
	for _, distance := range []float32{3, 60} {
		near(draw(distance, "", plain), draw(distance, "", with(meshio.Material{Texture: encoded(brown, brown)})), 1)
	}

	red, none := RGB(0xFF0000), color.NRGBA{B: 255, A: 127}
	halves := encoded(red, red, none, none)
	m := draw(3, "", with(meshio.Material{Texture: halves}))
	require.Greater(t, m.NRGBAAt(20, 30).R, m.NRGBAAt(20, 30).B+60)
	require.Greater(t, m.NRGBAAt(40, 30).B, m.NRGBAAt(40, 30).R+60, "without a cutoff there is no hole")
	empty := draw(3, "")
	for _, material := range []meshio.Material{{Texture: halves, Cutoff: 0.5, Color: meshio.Color{A: 1}}, {Texture: halves, Blend: true, Color: meshio.Color{A: 0.9}}} {
		m = draw(3, "", with(material))
		require.Greater(t, m.NRGBAAt(20, 30).R, m.NRGBAAt(20, 30).B+60)
		require.Equal(t, empty.NRGBAAt(40, 30), m.NRGBAAt(40, 30), "a hole")
	}
	// What is drawn after a texture has none.
	left, right := with(meshio.Material{Texture: encoded(brown)}), plain
	left.Indices, right.Indices = quad.Indices[:3], quad.Indices[3:]
	near(draw(3, "", plain), draw(3, "", left, right), 1)
	near(draw(3, "", plain), draw(3, "", plain), 0)

	white := draw(3, "", quad)
	for want, texture := range map[string]*meshio.Texture{
		`render: Renderer.Upload: part 0 ("quad"): the texture "gone" of material "m": no such file`:       {Name: "gone", Err: errors.New("no such file")},
		`render: Renderer.Upload: part 0 ("quad"): the texture "x" of material "m": image: unknown format`: {Name: "x", Data: []byte("GIF")},
	} {
		near(white, draw(3, want, with(meshio.Material{Name: "m", Texture: texture})), 0)
	}
	large := encoded(red)
	copy(large.Data[16:], []byte{0, 0, 0xFF, 0xFF}) // its width
	binary.BigEndian.PutUint32(large.Data[29:], crc32.ChecksumIEEE(large.Data[12:29]))
	draw(3, `render: Renderer.Upload: part 0 ("quad"): the texture "t" of material "": it has 65535 × 1 pixels, of at most 8192 × 8192`, with(meshio.Material{Texture: large}))
	r.Close()
	assert.Equal(t, objects, live)
}
