package wide

// How the builder splits large sets: triangles are binned by their centres along each axis, and the
// cost of every place between two bins follows from the boxes and the counts on both sides. Each
// function here has a twin in build_amd64.s.

const (
	// places is the largest number of bins or, in small sets, of triangles along an axis. The
	// assembly depends on it.
	places = 24
	// manyBins is the number of bins for sets of more than manySize triangles, and fewBins for
	// others. Twice as many gain about 1 % on rays.
	manyBins = 16
	fewBins  = 8
	manySize = 96
)

// splitter is the scratch memory of one goroutine. The assembly depends on its layout.
type splitter struct {
	// left holds the union of the boxes up to a place, and right the union from a place on. Binning
	// leaves each bin's own box in right.
	left, right [3][places]prim

	small smallSet

	n       int // number of places in use
	measure measure
	last    int32      // index of the last bin
	lo      [4]float32 // start of the first bin, by axis
	perUnit [4]float32 // bins per metre
	counts  [3][places]int32

	// The costs of each side of a place; scan multiplies them by the area.
	costLeft, costRight [3][places]float32

	watch *watch
}

// place returns the best place to split triangles: before bin at, along an axis. at is 0 if there
// is none, since all are in one bin along each axis.
func (w *splitter) place(prims []prim, centers *span) (axis, at int) {
	bins := fewBins
	if len(prims) > manySize {
		bins = manyBins
	}
	w.frame(centers, bins)
	w.fill(prims)
	w.weigh()
	w.scan()
	return w.choose()
}

// frame lays the bins between the lowest and the highest centre. Along an axis on which the centres
// nearly coincide, all are in the first bin.
func (w *splitter) frame(s *span, n int) {
	w.n, w.last = n, int32(n-1)
	for axis := range 3 {
		w.lo[axis], w.perUnit[axis] = s[axis], 0
		if l := s.length(axis); l >= 0x1p-120 {
			w.perUnit[axis] = float32(n) / l
		}
	}
}

// line maps centres along an axis to bins.
type line struct {
	lo, perUnit float32
	last        int32
}

func (w *splitter) line(axis int) line { return line{w.lo[axis], w.perUnit[axis], w.last} }

func (l *line) bin(center float32) int32 { return min(int32((center-l.lo)*l.perUnit), l.last) }

// stopped reports before each batch but the first whether to stop.
func (w *splitter) stopped(from int) bool { return from > 0 && w.watch.stop() }

// batch is the number of triangles per call of the assembly, which the runtime cannot preempt.
const batch = 1 << 14

var emptyBins = func() (list [places]prim) {
	for i := range list {
		list[i].box = emptyBox
	}
	return list
}()

// fill counts and bounds the triangles in each bin.
func (w *splitter) fill(prims []prim) {
	for axis := range 3 {
		clear(w.counts[axis][:w.n])
		copy(w.right[axis][:w.n], emptyBins[:])
	}
	if assembly && useSIMD {
		for from := 0; from < len(prims) && !w.stopped(from); from += batch {
			fillSIMD(w, &prims[from], min(batch, len(prims)-from))
		}
		return
	}
	x, y, z := w.line(0), w.line(1), w.line(2)
	for i := range prims {
		if w.watch.tick(i) {
			return
		}
		p := &prims[i]
		i, j, k := x.bin(p.center(0)), y.bin(p.center(1)), z.bin(p.center(2))
		w.counts[0][i]++
		w.counts[1][j]++
		w.counts[2][k]++
		w.right[0][i].box.grow(&p.box)
		w.right[1][j].box.grow(&p.box)
		w.right[2][k].box.grow(&p.box)
	}
}

// scan unites the boxes of the bins from both ends, and multiplies costs by areas.
func (w *splitter) scan() {
	if assembly && useSIMD {
		scanSIMD(w)
		return
	}
	for axis := range 3 {
		w.scanAxis(axis, func(i int) *box { return &w.right[axis][i].box })
	}
}

func (w *splitter) scanAxis(axis int, at func(i int) *box) {
	all := emptyBox
	for i := range w.n {
		all.grow(at(i))
		w.left[axis][i].box = all
		w.costLeft[axis][i] *= w.measure.area(&all)
	}
	all = emptyBox
	for i := w.n - 1; i >= 0; i-- {
		all.grow(at(i))
		w.right[axis][i].box = all
		w.costRight[axis][i] *= w.measure.area(&all)
	}
}

// weigh turns the counts of the bins into the costs of each side of a place.
func (w *splitter) weigh() {
	for axis := range 3 {
		left, right := float32(leafShare), float32(leafShare)
		for i := range w.n {
			left += float32(w.counts[axis][i])
			w.costLeft[axis][i] = left
		}
		for i := w.n - 1; i >= 0; i-- {
			right += float32(w.counts[axis][i])
			w.costRight[axis][i] = right
		}
	}
}

// leafShare is the cost of a side beside its triangles, in triangles, as its leaves and nodes are
// not full.
const leafShare = 12

// choose returns the place with the least cost, the first of equals. at is 0 if all triangles are
// in one bin along each axis, as the area of an empty box is infinite.
func (w *splitter) choose() (axis, at int) {
	best := inf32
	for a := range 3 {
		right := w.costRight[a][1:w.n]
		left := w.costLeft[a][:len(right)]
		for i, c := range right {
			if c += left[i]; c < best {
				best, axis, at = c, a, i+1
			}
		}
	}
	return axis, at
}

// partition moves the triangles in the bins before the given one to the front. It returns their
// number and the range of the centres on either side.
func (w *splitter) partition(prims []prim, axis, bin int) (count int, left, right span) {
	left, right = emptySpan, emptySpan
	if assembly && useSIMD {
		for from := 0; from < len(prims) && !w.stopped(from); from += batch {
			count = partitionSIMD(w, &prims[0], from, min(from+batch, len(prims)), count, axis, bin, &left, &right)
		}
		return count, left, right
	}
	// The rest of the loop has no branch to mispredict.
	sides := [2]span{left, right}
	l := w.line(axis)
	for i := range prims {
		if w.watch.tick(i) {
			break
		}
		p := prims[i]
		prims[i], prims[count] = prims[count], p
		c := [4]float32{p.center(0), p.center(1), p.center(2)}
		goes := 0
		if int(l.bin(c[axis&3])) < bin {
			goes = 1
		}
		count += goes
		side := &sides[1-goes]
		side.reach(0, c[0])
		side.reach(1, c[1])
		side.reach(2, c[2])
	}
	return count, sides[0], sides[1]
}
