// A module of its own, so that a game's download of hitscan leaves this example out.
module github.com/hitscan-go/hitscan/examples/server

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/hitscan-go/hitscan/inspect v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/hitscan-go/hitscan => ../..

replace github.com/hitscan-go/hitscan/inspect => ../../inspect
