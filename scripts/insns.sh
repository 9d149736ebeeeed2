#!/usr/bin/env bash
# How many instructions one operation of a benchmark takes on arm64, with NEON and portable, counted by QEMU: for machines that are
# not at hand. Needs qemu-user and a C compiler.
#   scripts/insns.sh ./physics/mesh '^BenchmarkCastRay$/^closest$'
set -euo pipefail
cd "$(dirname "$0")/.."
package=$1 bench=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A plugin that adds the lengths of all blocks of code that run (QEMU's qemu-plugin.h, which Debian does not pack).
cat >"$work/count.c" <<'C'
#include <stdint.h>
#include <stdio.h>
struct tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*cb)(uint64_t, struct tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct tb *, int add, uint64_t *, uint64_t);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(uint64_t, void *), void *);
size_t qemu_plugin_tb_n_insns(struct tb *);
int qemu_plugin_version = 1;
static uint64_t count;
static void translated(uint64_t id, struct tb *t) { qemu_plugin_register_vcpu_tb_exec_inline(t, 0, &count, qemu_plugin_tb_n_insns(t)); }
static void ended(uint64_t id, void *none) { fprintf(stderr, "instructions %llu\n", (unsigned long long)count); }
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, 0);
  return 0;
}
C
cc -shared -fPIC -o "$work/count.so" "$work/count.c"
CGO_ENABLED=0 GOARCH=arm64 go test -c -o "$work/bench" "$package"

# run OPERATIONS PORTABLE
run() {
  HITSCAN_PORTABLE=$2 GOGC=off GOMAXPROCS=1 qemu-aarch64 -plugin file="$work/count.so" "$work/bench" -test.run='^$' -test.bench="$bench" \
    -test.benchtime="$1x" 2>&1 >/dev/null | sed -n 's/^instructions //p'
}
for portable in 0 1; do
  echo "$([ $portable = 1 ] && echo portable || echo NEON): $((($(run 6000 $portable) - $(run 1000 $portable)) / 5000)) instructions"
done
