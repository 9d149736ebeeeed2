package worldfile

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

func pack(t testing.TB, words ...any) []byte {
	var data []byte
	for _, w := range words {
		var err error
		data, err = binary.Append(data, binary.LittleEndian, w)
		require.NoError(t, err)
	}
	return data
}

// file writes the words of a file in a folder of the test's own.
func file(t testing.TB, words ...any) string {
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, pack(t, words...), 0o644))
	return name
}

var (
	wld  = []byte("WLD1")
	ins  = []byte("INS1")
	box  = []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	ball = []float32{1, -1, -2, -3, 4, 4, 4, 0, 0, -9}
	unit = []float32{1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7}
	nan  = float32(math.NaN())
	inf  = float32(math.Inf(-1))
)

// with returns the numbers with one of them changed.
func with(numbers []float32, at int, to float32) []float32 {
	changed := append([]float32(nil), numbers...)
	changed[at] = to
	return changed
}

func TestReadBodies(t *testing.T) {
	got, err := ReadBodies(file(t, wld, uint32(2), box, ball))
	require.NoError(t, err)
	require.Equal(t, []Body{
		{Center: geom.V(1, 2, 3), HalfExtents: geom.V(4, 5, 6), Velocity: geom.V(7, 8, 9)},
		{Sphere: true, Center: geom.V(-1, -2, -3), HalfExtents: geom.V(4, 4, 4), Velocity: geom.V(0, 0, -9)},
	}, got)
}

func TestReadBodiesWrong(t *testing.T) {
	for name, c := range map[string]struct {
		words []any
		says  string
	}{
		"empty":                {nil, "want WLD1"},
		"a cut head":           {[]any{wld, uint16(1)}, "want WLD1"},
		"instances":            {[]any{ins, uint32(1), box}, "want WLD1"},
		"no bodies":            {[]any{wld, uint32(0)}, "there are no bodies"},
		"cut off":              {[]any{wld, uint32(2), box, ball[:9]}, "76 bytes follow the head, and 2 bodies take 80"},
		"a stray byte":         {[]any{wld, uint32(1), box, byte(0)}, "41 bytes follow the head, and 1 bodies take 40"},
		"a count beyond all":   {[]any{wld, uint32(math.MaxUint32), box}, "4294967295 bodies take 171798691800"},
		"NaN centre":           {[]any{wld, uint32(2), box, with(box, 2, nan)}, "body 1 (byte 56): NaN"},
		"infinite velocity":    {[]any{wld, uint32(1), with(box, 9, inf)}, "body 0 (byte 44): -Inf"},
		"NaN kind":             {[]any{wld, uint32(1), with(box, 0, nan)}, "body 0 (byte 8): NaN"},
		"unknown kind":         {[]any{wld, uint32(2), ball, with(box, 0, 2)}, "body 1 (byte 48): kind 2"},
		"negative half extent": {[]any{wld, uint32(1), with(box, 5, -1)}, "body 0 (byte 8): half extents"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.words...)
			_, err := ReadBodies(path)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := ReadBodies("no/such.wld")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "no/such.wld")
}

// What is read takes points where the matrix in the file takes them.
func TestReadInstances(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float32Range(-1, 1)
		vec := func(name string) geom.Vec3 {
			return geom.V(number.Draw(t, name), number.Draw(t, name), number.Draw(t, name))
		}
		factor := rapid.Float32Range(0.5, 20)
		scale := geom.V(factor.Draw(t, "x"), factor.Draw(t, "y"), factor.Draw(t, "z"))
		if rapid.Bool().Draw(t, "even") {
			scale = geom.V(scale.X, scale.X, scale.X)
		}
		if rapid.Bool().Draw(t, "mirror") {
			scale.Y = -scale.Y
		}
		want := geom.Transform{Position: vec("position").Mul(100), Scale: scale,
			Rotation: geom.QuatAxisAngle(vec("axis"), float64(4*number.Draw(t, "angle")))}.Affine()
		var data []byte
		data, err := binary.Append(append(data, "INS1\x01\x00\x00\x00"...), binary.LittleEndian, []float32{
			want.X.X, want.Y.X, want.Z.X, want.Origin.X,
			want.X.Y, want.Y.Y, want.Z.Y, want.Origin.Y,
			want.X.Z, want.Y.Z, want.Z.Z, want.Origin.Z})
		require.NoError(t, err)
		name := filepath.Join(dir, "one.ins")
		require.NoError(t, os.WriteFile(name, data, 0o644))
		list, err := ReadInstances(name)
		require.NoError(t, err)
		require.Len(t, list, 1)
		for _, p := range []geom.Vec3{{}, geom.V(1, 0, 0), geom.V(0, 1, 0), geom.V(0, 0, 1), vec("point")} {
			require.Less(t, list[0].Point(p).Sub(want.Point(p)).Len(), float32(2e-4))
		}
		if s := list[0].Scale; scale.X == scale.Z && scale.X == scale.Y {
			require.True(t, s.X == s.Y && s.Y == s.Z, "%v", s)
		}
	})
}

func TestReadInstancesWrong(t *testing.T) {
	for name, c := range map[string]struct {
		words []any
		says  string
	}{
		"bodies":        {[]any{wld, uint32(1), unit}, "want INS1"},
		"no instances":  {[]any{ins, uint32(0)}, "there are no instances"},
		"cut off":       {[]any{ins, uint32(1), unit[:11]}, "44 bytes follow the head, and 1 instances take 48"},
		"NaN":           {[]any{ins, uint32(2), unit, with(unit, 11, nan)}, "instance 1 (byte 100): NaN"},
		"infinite":      {[]any{ins, uint32(1), with(unit, 0, inf)}, "instance 0 (byte 8): -Inf"},
		"flat":          {[]any{ins, uint32(2), unit, with(unit, 5, 0)}, "instance 1 (byte 56): the matrix is flat or sheared"},
		"sheared":       {[]any{ins, uint32(1), with(unit, 1, 0.01)}, "instance 0 (byte 8): the matrix is flat or sheared"},
		"beyond floats": {[]any{ins, uint32(1), with(with(unit, 0, 3e38), 4, 3e38)}, "flat or sheared"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.words...)
			_, err := ReadInstances(path)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := ReadInstances("no/such.ins")
	require.ErrorContains(t, err, "no/such.ins")
}

func TestReadAnswers(t *testing.T) {
	const miss = uint32(math.MaxUint32)
	got, err := ReadAnswers(file(t, float32(1.5), uint32(2), float32(0), miss), 5, 3, 0)
	require.NoError(t, err)
	assert.Equal(t, []Answer{{1.5, 2, -1}, {0, Miss, -1}}, got)
	got, err = ReadAnswers(file(t, float32(1.5), uint32(9), uint32(2), float32(1e30), miss, miss), 2, 3, 10)
	require.NoError(t, err)
	assert.Equal(t, []Answer{{1.5, 2, 9}, {1e30, Miss, -1}}, got)
}

func TestReadAnswersWrong(t *testing.T) {
	one, zero := float32(1), uint32(0)
	for name, c := range map[string]struct {
		triangles int
		words     []any
		says      string
	}{
		"empty":                {0, nil, "there are no answers"},
		"cut off":              {0, []any{one, zero, one}, "byte 8: 4 bytes are left, and a record has 8"},
		"cut off, triangles":   {10, []any{one, zero, zero, one, zero}, "byte 12: 8 bytes are left, and a record has 12"},
		"more than rays":       {0, []any{one, zero, one, zero, one, zero}, "3 answers for 2 rays"},
		"no such body":         {0, []any{one, zero, one, uint32(3)}, "answer 1 (byte 8): collider 3 of 3"},
		"no such instance":     {10, []any{one, zero, zero, one, zero, uint32(3)}, "answer 1 (byte 12): collider 3 of 3"},
		"no such triangle":     {10, []any{one, uint32(10), zero}, "answer 0 (byte 0): triangle 10 of 10"},
		"no triangle of a hit": {10, []any{one, uint32(math.MaxUint32), zero}, "triangle 4294967295 of 10"},
		"NaN":                  {0, []any{nan, zero}, "answer 0 (byte 0): T is NaN"},
		"negative":             {0, []any{one, zero, -one, zero}, "answer 1 (byte 8): T is -1"},
		"infinite":             {0, []any{-inf, zero}, "T is +Inf"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.words...)
			_, err := ReadAnswers(path, 2, 3, c.triangles)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, path)
		})
	}
	_, err := ReadAnswers("no/such.hits", 2, 3, 0)
	require.ErrorContains(t, err, "no/such.hits")
}

// Whatever a file holds, it is read whole or refused by name.
func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(pack(f, wld, uint32(2), box, ball))
	f.Add(pack(f, ins, uint32(1), unit))
	f.Add(pack(f, float32(1), uint32(0), uint32(0)))
	name := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(name, data, 0o644))
		bodies, err := ReadBodies(name)
		if err == nil {
			require.Len(t, bodies, (len(data)-8)/40)
		} else {
			require.ErrorContains(t, err, name)
		}
		instances, err := ReadInstances(name)
		if err == nil {
			require.Len(t, instances, (len(data)-8)/48)
			for _, i := range instances {
				require.True(t, i.IsFinite(), "%v", i)
			}
		} else {
			require.ErrorContains(t, err, name)
		}
		for triangles, record := range map[int]int{0: 8, 7: 12} {
			answers, err := ReadAnswers(name, 1000, 50, triangles)
			if err != nil {
				require.ErrorContains(t, err, name)
				continue
			}
			require.Len(t, answers, len(data)/record)
			for _, a := range answers {
				require.True(t, a.T >= 0 && a.Collider < 50 && a.Triangle < 7)
			}
		}
	})
}
