# `make sandbox` and `make test` are all that a newcomer needs; each installs the system packages it lacks.

GO ?= go
MINUTES ?= 10
N ?= 20
SEED ?= 1

.PHONY: sandbox slabs gallery test check campaign soak mutate bench pictures

# Opens the sandbox window. Without a display it plays a short pointer script in a virtual one and writes a picture.
sandbox:
	@scripts/deps.sh
	@scripts/sandbox.sh

# Opens the lesson on how rays meet boxes, planes, spheres, triangles and height fields.
slabs:
	@scripts/deps.sh
	@$(GO) run -C examples/slabs .

# Builds the web page with live examples into out/gallery, for any static host.
gallery:
	@$(GO) run -C examples/gallery . -out ../../out/gallery

# The test suite: the same cases in every run, and at the end what ran and what was skipped.
test:
	@scripts/deps.sh
	@scripts/test.sh

# All other checks: format, vet, staticcheck, the race detector, other platforms, examples, fuzzing.
check:
	@scripts/deps.sh
	@scripts/check.sh

# The random tests and fuzz targets with new seeds, for MINUTES. What fails is printed and kept as a test case.
campaign:
	@scripts/deps.sh
	@$(GO) build -C scripts -o ../out/campaign ./campaign
	@scripts/xvfb.sh --virtual out/campaign -minutes $(MINUTES)

# Games at full load for MINUTES, each in two processes: equal hashes, memory and times that do not grow.
soak:
	@$(GO) build -C scripts -o ../out/soak ./soak
	@out/soak -minutes $(MINUTES)

# Changes the code in N places, one at a time, and prints the changes that no test notices: a drawn sample by SEED, of
# PACKAGES.
mutate:
	@$(GO) run -C scripts ./mutate -n $(N) -seed $(SEED) $(PACKAGES)

# The tables of docs/benchmarks.md for this machine: the benchmarks of the core, each fast path beside its brute-force twin,
# and rays beside Embree where it can be had.
bench:
	@scripts/bench.sh

# The pictures of the README and the docs, from the examples.
pictures:
	@scripts/deps.sh
	@scripts/pictures.sh
