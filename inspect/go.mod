// A module of its own, so that a game without it does not carry its page.
module github.com/hitscan-go/hitscan/inspect

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/hitscan-go/hitscan => ..
