// The scripts, and tools that they build, are a module of their own, so that a game's download of hitscan leaves them out.
module github.com/hitscan-go/hitscan/scripts

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/hitscan-go/hitscan => ..
