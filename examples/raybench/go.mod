// A module of its own, so that a game's download of hitscan leaves it out. Its package report makes the tables of
// docs/benchmarks from go test's benchmark format by golang.org/x/perf.
module github.com/hitscan-go/hitscan/examples/raybench

go 1.26.0

require (
	github.com/hitscan-go/hitscan v0.0.0
	github.com/mlange-42/arche v0.15.3
	github.com/stretchr/testify v1.12.1
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	pgregory.net/rapid v1.3.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/qmuntal/gltf v0.28.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/hitscan-go/hitscan => ../..
