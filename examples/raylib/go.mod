// A module of its own, so that a game's build of hitscan does not need raylib.
module github.com/hitscan-go/hitscan/examples/raylib

go 1.26.0

require (
	github.com/gen2brain/raylib-go/raylib v0.55.1
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/ebitengine/purego v0.7.1 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect
	golang.org/x/sys v0.49.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
