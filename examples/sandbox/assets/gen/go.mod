// A module of its own, so that a game's download of hitscan leaves these generators out. They are run as files, in the
// module around it.
module github.com/hitscan-go/hitscan/examples/sandbox/assets/gen

go 1.26.0
