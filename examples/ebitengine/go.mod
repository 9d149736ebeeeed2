// A module of its own, so that a game's build of hitscan does not need Ebitengine.
module github.com/hitscan-go/hitscan/examples/ebitengine

go 1.26.0

require (
	github.com/hajimehoshi/ebiten/v2 v2.9.10
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/ebitengine/gomobile v0.0.0-20250923094054-ea854a63cce1 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.9.0 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.21.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
