// A module of its own, so that a game on Arche does not download Ark.
module github.com/hitscan-go/hitscan/ark

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/ark v0.8.3
	github.com/stretchr/testify v1.12.1
	pgregory.net/rapid v1.3.0
)

require (
	github.com/qmuntal/gltf v0.28.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/hitscan-go/hitscan => ..
