# The two commands a newcomer types are `make sandbox` and `make test`; each sets up what it needs.

GO ?= go

.PHONY: sandbox test bench pictures

# Opens the sandbox window. Without a display it plays a short pointer script in a virtual one and writes a picture.
sandbox:
	@scripts/deps.sh
	@scripts/sandbox.sh

# Everything CI checks, from formatting to fuzzing.
test:
	@scripts/deps.sh
	@scripts/test.sh

# Benchmarks of the core, each fast path beside its brute-force twin.
bench:
	$(GO) test -run='^$$' -bench=. -benchmem ./physics/... ./picking/... ./ecs/...

# The pictures of the README and the docs, made anew from the sandbox.
pictures:
	@scripts/deps.sh
	@scripts/pictures.sh
