//go:build (amd64 || arm64) && !noasm

package narrow

import (
	"math"
	"math/bits"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hitscan-go/hitscan/internal/testenv"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// The generator has these offsets and tolerances as numbers.
func TestLayoutIsTheAssemblys(t *testing.T) {
	var (
		s Shape
		x boxAxes
		c boxClip
		q fourFaces
	)
	for name, c := range map[string][2]uintptr{
		"shapeP":     {8, unsafe.Offsetof(s.p)},
		"shapeX":     {112, unsafe.Offsetof(s.x)},
		"shapeHalf":  {256, unsafe.Offsetof(s.half)},
		"axesR":      {0, unsafe.Offsetof(x.r)},
		"axesT":      {72, unsafe.Offsetof(x.t)},
		"axesD":      {96, unsafe.Offsetof(x.d)},
		"axesGaps":   {120, unsafe.Offsetof(x.gaps)},
		"axesMiddle": {200, unsafe.Offsetof(x.middles)},
		"axesMost":   {280, unsafe.Offsetof(x.axes) + unsafe.Offsetof(x.axes.most)},
		"clipMid":    {0, unsafe.Offsetof(c.mid)},
		"clipE":      {24, unsafe.Offsetof(c.e)},
		"clipG":      {48, unsafe.Offsetof(c.g)},
		"clipX":      {72, unsafe.Offsetof(c.x)},
		"clipY":      {80, unsafe.Offsetof(c.y)},
		"clipMargin": {88, unsafe.Offsetof(c.margin)},
		"clipAt":     {96, unsafe.Offsetof(c.at)},
		"clipRow":    {96, unsafe.Sizeof(c.at[0])},
		"clipRims":   {384, unsafe.Offsetof(c.rims)},
		"fourCorner": {0, unsafe.Offsetof(q.c)},
		"fourNormal": {288, unsafe.Offsetof(q.u)},
		"fourSize":   {384, unsafe.Offsetof(q.size)},
		"fourVolume": {416, unsafe.Offsetof(q.volume)},
		"fourHeight": {448, unsafe.Offsetof(q.height)},
		"fourDepth":  {480, unsafe.Offsetof(q.depth)},
		"fourLow":    {512, unsafe.Offsetof(q.low)},
		"fourOut":    {608, unsafe.Offsetof(q.out)},
		"fourLong":   {896, unsafe.Offsetof(q.length)},
		"fourIn":     {992, unsafe.Offsetof(q.in)},
		"triangle":   {36, unsafe.Sizeof(geom.Triangle{})},
	} {
		assert.Equal(t, c[0], c[1], name)
	}
	assert.Equal(t, 4, noRim)
	assert.Equal(t, 1e-9, rootSlack)
	assert.Equal(t, 1e-6, cancelling)
	assert.Equal(t, 0x1p-21, thinTriangle)
}

// The assembly is compared with the Go code that it stands for, bit by bit, on boxes at all angles,
// almost parallel ones and flat ones.
func TestMeasureIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 9)
	edges, far := 0, 0
	for range 20_000 {
		var a, b Shape
		turn := geom.QuatAxisAngle(randomVec(r), r.Float64()*6)
		other := turn
		switch r.IntN(4) {
		case 0:
			other = geom.QuatAxisAngle(randomVec(r), r.Float64()*6)
		case 1:
			other = geom.QuatAxisAngle(randomVec(r), math.Exp2(-20*r.Float64())).Mul(turn)
		case 2:
			turn, other = geom.Quat{}, geom.QuatAxisAngle(geom.V(0, 1, 0), r.Float64()*6)
		}
		half := func() geom.Vec3 {
			h := [3]float32{r.Float32(), r.Float32(), r.Float32()}
			if r.IntN(8) == 0 {
				h[r.IntN(3)] = 0
			}
			return geom.V(h[0], h[1], h[2])
		}
		at := randomVec(r).Mul(1000)
		a.SetBox(geom.Box{Center: at, HalfExtents: half(), Rotation: turn})
		b.SetBox(geom.Box{Center: at.Add(randomVec(r).Mul(r.Float32() * 2)), HalfExtents: half(), Rotation: other})
		limit := r.Float64() * 0.1
		var x, y boxAxes
		want := x.measure(&a, &b, limit)
		got := measureSIMD(&y, &a, &b, limit)
		require.Equal(t, want, got)
		if want < 0 {
			far++
			continue
		}
		require.Equal(t, x.r, y.r)
		require.Equal(t, x.t, y.t)
		require.Equal(t, x.d, y.d)
		require.Equal(t, x.gaps, y.gaps)
		require.Equal(t, x.middles, y.middles)
		require.Equal(t, x.most, y.most)
		if want&(1<<axisBits-1) != 0 {
			edges++
		}
	}
	testenv.Drawn(t, edges, 1000)
	testenv.Drawn(t, far, 1000)
}

func TestClipIsTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 10)
	sizes := map[int]int{}
	for range 20_000 {
		// Half of the numbers are on a grid, so that sides and corners lie over each other.
		grid := r.IntN(2) == 0
		number := func() float64 {
			if grid {
				return float64(r.IntN(9)-4) / 4
			}
			return r.Float64()*2 - 1
		}
		vec := func() geom.DVec3 { return geom.DVec3{X: number(), Y: number(), Z: number()} }
		c := boxClip{mid: vec(), e: vec(), g: vec(), x: math.Abs(number()), y: math.Abs(number()), margin: r.Float64()}
		d := c
		left := c.clip()
		require.Equal(t, left, clipSIMD(&d))
		sizes[bits.OnesCount32(left)]++
		for ; left != 0; left &= left - 1 {
			q := bits.TrailingZeros32(left)
			require.Equal(t, c.rims[q], d.rims[q])
			for i := range c.at {
				require.Equal(t, c.at[i][q], d.at[i][q])
			}
		}
	}
	for n := range 8 {
		assert.Greater(t, sizes[n], 20, "corners: %d", n)
	}
}

// Triangles in lanes are as they are one by one: thin ones, far ones, those behind the box, and
// those whose corners are not finite.
func TestFacesAreTheAssemblys(t *testing.T) {
	testenv.SIMD(t, useSIMD)
	r := testenv.Rand(15, 11)
	bits := func(v ...geom.DVec3) (b []uint64) {
		for _, v := range v {
			b = append(b, math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z))
		}
		return b
	}
	var seen [2][2]int // by near and ok
	backs := 0
	for range 10_000 {
		at := randomVec(r).Mul(float32(math.Exp2(20*r.Float64() - 10)))
		var s Shape
		s.SetBox(geom.Box{Center: at, HalfExtents: randomVec(r).Abs().Add(geom.V(0.1, 0.1, 0.1)), Rotation: geom.QuatAxisAngle(randomVec(r), r.Float64()*6)})
		list := make([]geom.Triangle, 1+r.IntN(4))
		for i := range list {
			corner := func() geom.Vec3 { return at.Add(randomVec(r).Mul(2)) }
			list[i] = geom.Triangle{A: corner(), B: corner(), C: corner()}
			switch r.IntN(16) {
			case 0:
				list[i].C = list[i].A.Add(list[i].B.Sub(list[i].A).Mul(r.Float32()))
			case 1:
				list[i].B.Y = float32(math.Inf(r.IntN(2) - 1))
			case 2:
				list[i].A.X = float32(math.NaN())
			case 3: // level
				list[i].B.Y, list[i].C.Y = list[i].A.Y, list[i].A.Y
			}
		}
		var j Joiner
		if !j.BeginShallow(&s, list, r.Float64()*0.1) {
			continue
		}
		j.four.measure(list, &s, j.margin)
		for i := range list {
			var f, g face
			var p, q part
			near, ok := j.measure(&list[i], &f, &p)
			height, low, vertex := j.height, j.low, j.vertex
			gotNear, gotOK := j.four.face(&j, i, &g, &q)
			require.Equal(t, near && ok, gotNear && gotOK)
			require.Equal(t, ok, gotOK)
			seen[one(near)][one(ok)]++
			if !near || !ok {
				continue
			}
			backs += one(f.side < 0)
			require.Equal(t, bits(f.c[0], f.c[1], f.c[2], f.u, p.n, low), bits(g.c[0], g.c[1], g.c[2], g.u, q.n, j.low))
			require.Equal(t, []float64{f.size, f.volume, p.depth, height}, []float64{g.size, g.volume, q.depth, j.height})
			require.Equal(t, f.side, g.side)
			require.Equal(t, vertex, j.vertex)
			for k := range f.c {
				along := f.c[(k+1)%3].Sub(f.c[k])
				j.lane = -1
				out, l, in := j.edge(&f, k, along)
				j.lane = i
				gotOut, gotL, gotIn := j.edge(&f, k, along)
				require.Equal(t, bits(out, geom.DVec3{X: l, Y: in}), bits(gotOut, geom.DVec3{X: gotL, Y: gotIn}))
			}
		}
	}
	assert.Greater(t, seen[0][0], 1000)
	assert.Greater(t, seen[0][1], 1000)
	assert.Greater(t, seen[1][1], 1000)
	assert.Greater(t, backs, 1000)
}
