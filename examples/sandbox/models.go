package main

import (
	"bytes"
	_ "embed" // for the models
	"fmt"
	"math"

	"github.com/hitscan-go/hitscan/physics/meshio"
)

// The models are scans of the Stanford Computer Graphics Laboratory and do not fall under this
// project's licence: they may be passed on for free with credit, and must not be sold, in a game or
// otherwise, without the laboratory's permission. So they are a part of the sandbox, and no package
// that a game could import holds them. The files named LICENSE in the folder assets have the terms;
// its README says how the models were made.
var (
	//go:embed assets/bunny.glb
	bunny []byte
	//go:embed assets/dragon.glb
	dragon []byte
)

// loadBunny returns the Stanford bunny: 3,674 triangles with smooth normals, closed and manifold,
// in one part. It is 1 m high, stands on y = 0 over the origin, and looks along −X. Each call
// decodes it again, so that the caller may change it.
func loadBunny() (*meshio.Model, error) { return loadModel("bunny.glb", bunny) }

// loadDragon returns the Stanford dragon: 10,322 triangles with smooth normals in one part. It is 1
// m high, stands on y = 0 over the origin, and looks along −X. Its surface is closed but not
// manifold: at some places it touches itself along an edge. Each call decodes it again, so that the
// caller may change it.
//
// The dragon is a symbol of Chinese culture. The laboratory asks that it not be animated, morphed,
// cut by Boolean operators, or shown coming to harm; the bunny is there for that.
func loadDragon() (*meshio.Model, error) { return loadModel("dragon.glb", dragon) }

func loadModel(name string, data []byte) (*meshio.Model, error) {
	model, err := meshio.DecodeGLTF(bytes.NewReader(data), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, p := range model.Parts {
		model.Parts[i] = p.Smooth(math.Pi)
	}
	return model, nil
}
