// A module of its own, so that a game's download of hitscan leaves this example out.
module github.com/hitscan-go/hitscan/examples/slabs

go 1.26.0

require (
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
	pgregory.net/rapid v1.3.0
)

require (
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	github.com/qmuntal/gltf v0.28.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/image v0.47.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
