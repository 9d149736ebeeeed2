// A module of its own, so that a game's download of hitscan leaves the pages out.
module github.com/hitscan-go/hitscan/examples/gallery

go 1.26.0

require github.com/hitscan-go/hitscan v0.0.0

require github.com/qmuntal/gltf v0.28.0 // indirect

replace github.com/hitscan-go/hitscan => ../..
