// A module of its own, so that a game's download of hitscan leaves the pages out.
module github.com/hitscan-go/hitscan/examples/gallery

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	golang.org/x/image v0.47.0
)

require (
	github.com/qmuntal/gltf v0.28.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
