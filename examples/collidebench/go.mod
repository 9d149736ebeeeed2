// A module of its own, so that a game's download of hitscan leaves it out.
module github.com/hitscan-go/hitscan/examples/collidebench

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/qmuntal/gltf v0.28.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
