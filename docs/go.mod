// The pages and pictures are a module of their own, so that a game's download of hitscan leaves them out.
module github.com/hitscan-go/hitscan/docs

go 1.26.0
