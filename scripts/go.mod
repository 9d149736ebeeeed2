// The scripts are a module of their own, so that a game's download of hitscan leaves them out.
module github.com/hitscan-go/hitscan/scripts

go 1.26.0
