# The two commands a newcomer types are `make sandbox` and `make test`; each sets up what it needs.

GO ?= go

.PHONY: sandbox slabs test bench pictures

# Opens the sandbox window. Without a display it plays a short pointer script in a virtual one and writes a picture.
sandbox:
	@scripts/deps.sh
	@scripts/sandbox.sh

# Opens the lesson on how rays meet boxes, planes, spheres and triangles.
slabs:
	@scripts/deps.sh
	@$(GO) run ./examples/slabs

# Everything CI checks, from formatting to fuzzing.
test:
	@scripts/deps.sh
	@scripts/test.sh

# The tables of docs/benchmarks.md for this machine: the benchmarks of the core, each fast path beside its brute-force twin,
# and rays beside Embree where it can be had.
bench:
	@scripts/bench.sh

# The pictures of the README and the docs, made anew from the examples.
pictures:
	@scripts/deps.sh
	@scripts/pictures.sh
