// The pages and pictures are a module of their own, so that a game's download of hitscan leaves them out.
module github.com/hitscan-go/hitscan/docs

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/hitscan-go/hitscan/inspect v0.0.0
	github.com/mlange-42/arche v0.15.3
)

replace github.com/hitscan-go/hitscan => ..

replace github.com/hitscan-go/hitscan/inspect => ../inspect
