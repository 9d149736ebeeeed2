// Package assets holds the models that the examples show. The files are linked into a program that
// imports it.
//
// The models are scans of the Stanford Computer Graphics Laboratory and do not fall under this
// project's licence: they may be passed on for free with credit, and not be used commercially
// without the laboratory's permission. The files named LICENSE beside them have the terms;
// README.md says how the models were made.
package assets

import (
	"bytes"
	_ "embed" // for the models
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

var (
	//go:embed bunny.glb
	bunny []byte
	//go:embed dragon.glb
	dragon []byte
)

// Bunny returns the Stanford bunny: 3,674 triangles with smooth normals, closed and manifold, in
// one part. It is 1 m high, stands on y = 0 over the origin, and looks along −X. Each call decodes
// it anew, so that the caller may change it.
func Bunny() (*meshio.Model, error) { return load("bunny.glb", bunny) }

// Dragon returns the Stanford dragon: 45,660 triangles with smooth normals in one part. It is 1 m
// high, stands on y = 0 over the origin, and looks along −X. Its surface is closed but not
// manifold: at some places it touches itself along an edge. Each call decodes it anew, so that the
// caller may change it.
//
// The dragon is a symbol of Chinese culture. The laboratory asks that it not be animated, morphed,
// cut by Boolean operators, or shown coming to harm; the bunny is there for that.
func Dragon() (*meshio.Model, error) { return load("dragon.glb", dragon) }

func load(name string, data []byte) (*meshio.Model, error) {
	model, err := meshio.DecodeGLTF(bytes.NewReader(data), nil)
	if err != nil {
		return nil, fmt.Errorf("assets: %s: %w", name, err)
	}
	for i, p := range model.Parts {
		model.Parts[i] = p.Smooth(math.Pi)
	}
	return model, nil
}
