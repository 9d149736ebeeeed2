package rayfile

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/hitscan-go/hitscan/internal/testenv" // fixes the seed of rapid
	"github.com/hitscan-go/hitscan/physics/geom"
)

// file writes the words of a file in a folder of the test's own.
func file(t testing.TB, words ...any) string {
	var data []byte
	for _, w := range words {
		var err error
		data, err = binary.Append(data, binary.LittleEndian, w)
		require.NoError(t, err)
	}
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, data, 0o644))
	return name
}

func TestReadRays(t *testing.T) {
	rays, err := ReadRays(file(t, []float32{1, 2, 3, 4, 5, 6, 7, 8}, []float32{0, 0, 0, 0, 0, -1, 0, 1e30}))
	require.NoError(t, err)
	require.Equal(t, []geom.Ray{
		{Origin: geom.V(1, 2, 3), Dir: geom.V(4, 5, 6), MinT: 7, MaxT: 8},
		{Dir: geom.V(0, 0, -1), MaxT: 1e30},
	}, rays)
}

func TestReadRaysWrong(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	good := []float32{1, 2, 3, 4, 5, 6, 0, 8}
	for name, c := range map[string]struct {
		words []any
		says  string
	}{
		"empty":             {nil, "there are no rays"},
		"cut off":           {[]any{good, good[:5]}, "byte 32: 20 bytes are left, and a record has 32"},
		"a stray byte":      {[]any{good, byte(1)}, "byte 32: 1 bytes are left"},
		"NaN origin":        {[]any{good, good, []float32{1, nan, 3, 4, 5, 6, 0, 8}}, "ray 2 (byte 64): from (1, NaN, 3)"},
		"infinite dir":      {[]any{[]float32{1, 2, 3, inf, 5, 6, 0, 8}}, "ray 0 (byte 0)"},
		"zero dir":          {[]any{[]float32{1, 2, 3, 0, 0, 0, 0, 8}}, "ray 0 (byte 0)"},
		"empty range":       {[]any{good, []float32{1, 2, 3, 4, 5, 6, 9, 8}}, "ray 1 (byte 32)"},
		"range up to zero":  {[]any{[]float32{1, 2, 3, 4, 5, 6, 0, 0}}, "T from 0 to 0, can hit nothing"},
		"NaN range":         {[]any{[]float32{1, 2, 3, 4, 5, 6, 0, nan}}, "ray 0"},
		"a file of answers": {[]any{make([]uint64, 8)}, "ray 0"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.words...)
			_, err := ReadRays(path)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := ReadRays("no/such.rays")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "no/such.rays")
}

// Rays come back as they were, and one without limit has one that nothing reaches.
func TestWriteRays(t *testing.T) {
	name := filepath.Join(t.TempDir(), "some.rays")
	rays := []geom.Ray{{Origin: geom.V(1, 2, 3), Dir: geom.V(4, 5, 6), MinT: 7, MaxT: 8}, {Dir: geom.V(0, 0, -1)}}
	for range 2 { // the second time, over what is there
		require.NoError(t, WriteRays(name, rays))
		got, err := ReadRays(name)
		require.NoError(t, err)
		require.Equal(t, rays[0], got[0])
		rays[1].MaxT = float32(math.Inf(1))
		require.Equal(t, rays[1:], got[1:])
	}
	require.ErrorContains(t, WriteRays("no/such.rays", rays), "no/such.rays")
}

func TestHitsRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		hits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Hit {
			if rapid.Bool().Draw(t, "miss") {
				return Hit{0, Miss}
			}
			return Hit{rapid.Float32Range(0, math.MaxFloat32).Draw(t, "T"), rapid.Uint32Range(0, 99).Draw(t, "triangle")}
		}), 1, 50).Draw(t, "hits")
		name := filepath.Join(dir, "hits")
		require.NoError(t, WriteHits(name, hits))
		back, err := ReadHits(name, len(hits), 100)
		require.NoError(t, err)
		require.Equal(t, hits, back)
	})
}

// The bytes are those that a C program with struct { float t; uint32_t triangle; } writes on a
// little-endian machine.
func TestWriteHitsBytes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "hits")
	require.NoError(t, WriteHits(name, []Hit{{1.5, 7}, {0, Miss}}))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0xc0, 0x3f, 7, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255}, data)
	require.ErrorContains(t, WriteHits(t.TempDir(), nil), "directory")
}

func TestReadHitsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		words []any
		says  string
	}{
		"empty":        {nil, "there are no hits"},
		"cut off":      {[]any{Hit{1, 1}, uint32(0)}, "byte 8: 4 bytes are left, and a record has 8"},
		"too few":      {[]any{Hit{1, 1}}, "1 hits for 2 rays"},
		"too many":     {[]any{Hit{1, 1}, Hit{1, 1}, Hit{1, 1}}, "3 hits for 2 rays"},
		"no triangle":  {[]any{Hit{1, 1}, Hit{1, 12}}, "hit 1 (byte 8): triangle 12 of 12"},
		"negative T":   {[]any{Hit{-1, 1}, Hit{1, 1}}, "hit 0 (byte 0): T is -1"},
		"T is no time": {[]any{Hit{1, 1}, Hit{float32(math.NaN()), 1}}, "hit 1 (byte 8): T is NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.words...)
			_, err := ReadHits(path, 2, 12)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestCompare(t *testing.T) {
	truth := []Hit{{2, 1}, {0, Miss}, {4, 2}, {0, 3}, {8, 4}}
	for name, c := range map[string]struct {
		answers []Hit
		exact   bool
		want    Agreement
	}{
		"the same":         {truth, true, Agreement{}},
		"lost":             {[]Hit{{0, Miss}, {0, Miss}, {4, 2}, {0, 3}, {0, Miss}}, true, Agreement{Lost: 2}},
		"invented":         {[]Hit{{2, 1}, {9, 9}, {4, 2}, {0, 3}, {8, 4}}, true, Agreement{Invented: 1}},
		"another triangle": {[]Hit{{2, 9}, {0, Miss}, {4, 2}, {0, 3}, {8, 4}}, true, Agreement{Others: 1}},
		"another T":        {[]Hit{{2, 1}, {0, Miss}, {3, 2}, {0, 3}, {9, 4}}, true, Agreement{WorstT: 0.25}},
		"not exact":        {[]Hit{{0, 0}, {0, Miss}, {0, 0}, {0, 0}, {0, Miss}}, false, Agreement{Lost: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, Compare(c.answers, truth, c.exact))
		})
	}
}

func FuzzReadRays(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 64))
	name := filepath.Join(f.TempDir(), "rays")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(name, data, 0o644))
		rays, err := ReadRays(name)
		if err != nil {
			require.ErrorContains(t, err, name)
			return
		}
		require.Len(t, rays, len(data)/rayBytes)
		for _, r := range rays {
			require.True(t, r.IsValid())
		}
	})
}
