package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/examples/raybench/internal/ply"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/rayfile"
	"github.com/hitscan-go/hitscan/examples/raybench/internal/worldfile"
	"github.com/hitscan-go/hitscan/internal/testenv"
)

// BenchmarkFileCost is what files of rays, worlds and PLY cost that are made to cost much: see
// docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	name := filepath.Join(b.TempDir(), "file")
	words := func(head string, record ...uint32) func(n int) ([]byte, int) {
		return func(n int) ([]byte, int) {
			data := []byte(head)
			if head != "" {
				data = binary.LittleEndian.AppendUint32(data, uint32(n))
			}
			for range n {
				for _, w := range record {
					data = binary.LittleEndian.AppendUint32(data, w)
				}
			}
			return data, 0
		}
	}
	const one = 0x3f800000 // 1.0
	for _, x := range []struct {
		name string
		file func(n int) ([]byte, int)
		read func() error
	}{
		{"rays", words("", 0, 0, 0, one, one, one, 0, one), func() error { _, err := rayfile.ReadRays(name); return err }},
		{"hits", words("", 0, 0), func() error { _, err := rayfile.ReadHits(name, 1<<20/8, 1); return err }},
		{"world", words("WLD1", 0, 0, 0, 0, one, one, one, 0, 0, 0), func() error { _, err := worldfile.ReadBodies(name); return err }},
		{"instances", words("INS1", one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0), func() error { _, err := worldfile.ReadInstances(name); return err }},
		{"answers", words("", 0, 0), func() error { _, err := worldfile.ReadAnswers(name, 1<<20, 1, 0); return err }},
		{"PLY", func(n int) ([]byte, int) {
			return fmt.Appendf(nil, "ply\nformat ascii 1.0\nelement vertex %d\nproperty f x\nproperty f y\nproperty f z\nelement face %d\nproperty list a b c\nend_header\n%s%s",
				n, n, strings.Repeat("0 0 0\n", n), strings.Repeat("3 0 0 0\n", n)), 0
		}, nil},
	} {
		b.Run(x.name, func(b *testing.B) {
			testenv.FileCost(b, x.file, func(data []byte) {
				if x.read == nil {
					_, _, err := ply.Decode(bytes.NewReader(data))
					require.NoError(b, err)
					return
				}
				require.NoError(b, os.WriteFile(name, data, 0o600))
				_ = x.read()
			})
		})
	}
}
