package broad

// The constants of the trees. Only the last group affects answers; the others affect time and
// memory.

const (
	// width is the number of children of a node. It is fixed: eight float32 fill an AVX2 register,
	// and refs, bit masks and the assembly are made for it.
	width = 8
	// maxLevels bounds the height of a tree, and with it the stack of a traversal. A tree that is
	// built has ⌈log₈ n⌉ levels, rarely one more: 10 for the most boxes there can be. A tree that
	// would grow beyond the bound by insertion is rebuilt. Smaller: rebuilds of trees grown by
	// insertion.
	maxLevels = 16
	// minFill is the least number of children that a node keeps when some are taken out; with
	// fewer, it is dissolved and they are inserted elsewhere (m in Guttman 1984). Greater: more
	// insertions; above (width+1)/2 a node that is split cannot meet it. Smaller: nodes that are
	// mostly empty.
	minFill = 3
	// Lanes is the number of rays that a [Walks] interleaves. Fewer: processors wait for memory.
	// More: the stacks, 1 KB each, leave the L1 cache.
	Lanes = 12
)

// When a tree changes, see Phase.settle.
const (
	// fatMargin is how far a fat AABB reaches beyond the box that its node had, as a fraction of
	// the longest side of that box. Greater: fewer insertions and looser nodes. Smaller: boxes that
	// move leave their nodes within a few ticks.
	fatMargin = 0.25
	// insertionCost is about the number of boxes that a build handles in the time of one insertion.
	// Wrong by a factor, it makes some ticks slower.
	insertionCost = 48
	// rebuildMotion: a tree that has become worse is rebuilt when one in so many boxes moves in a
	// tick. Then a build takes less than ten times as long as the refit that the tick needs anyway.
	// Greater: rare slow ticks in calm worlds.
	rebuildMotion = 4
	// rebuildGrowth: a tree has become worse when its leaves fill more of their fat AABBs, by area
	// and on average, by this factor than when it was built. Smaller: more builds. Greater: rays
	// open more nodes between builds.
	rebuildGrowth = 1.1
	// largeFactor: boxes longer than so many average leaves are kept in leaves of their own, since
	// one large box makes its whole leaf large. Smaller: mixed sizes are separated without need.
	largeFactor = 4
)

// When a subtree is rebuilt, see Phase.repair.
const (
	// wornOut is the number of boxes that may come and go below a node of level 2, which has up to
	// 512, before that subtree is rebuilt.
	wornOut = 96
	// wornTops is the number of rebuilds below a node of level 3 before that whole subtree is
	// rebuilt.
	wornTops = 6
	// highestRepaired is the highest level of a subtree that is rebuilt alone, of up to 32,768
	// boxes. Higher: single ticks become slow.
	highestRepaired = 4
	// repairShare is the number of changes that pay for the rebuild of one node of level 2. It must
	// be less than wornOut, or worn nodes accumulate.
	repairShare = 32
)

// How a build and its workers cut the work.
const (
	// gridLeast is the least number of boxes that a grid partitions; fewer are cut one by one.
	gridLeast = 4 * blockSize
	// gridBits is log₂ of the most cells of a grid. At most 16, since cells are kept as uint16. 13
	// makes counts of 32 KB, which fit into the L1 cache.
	gridBits = 13
	// perCellBits is log₂ of the average number of boxes in a cell.
	perCellBits = 2
	// sharedPoints and sharedNodes are the least numbers of boxes in a build and of dirty nodes in
	// a refit that are worth more than one worker: below, starting goroutines takes longer than it
	// saves.
	sharedPoints = 16 * blockSize
	sharedNodes  = 2048
	// minTasks is the number of tasks that a search for pairs is divided into, if there are so
	// many. Fewer: workers wait for the one with the largest task.
	minTasks = 64
)

// How far boxes are widened. These are bounds of rounding errors: smaller values lose hits, greater
// ones only return more boxes.
const (
	// rounding is half an ulp of a float32, relative to its value at most: the unit of what
	// follows.
	rounding = 0x1p-24
	// slack widens the boxes for a ray, as a fraction of the distance from the ray's origin to what
	// it may meet: twenty-four roundings. Exact tests take the ray into the space of a shape in
	// single precision, in up to sixteen roundings, of which some are those of a T rounded to
	// single precision, so that of boxes at the same T none is skipped in favour of another; three
	// roundings happen in ray.prepare and in the slab test; the rest is reserve.
	slack = 24 * rounding
	// relativePad is slack for [Front] and VisitNearest, which compute in double precision: about
	// seventeen roundings of the exact test, as a fraction of the length of the ray.
	relativePad = 1e-6
	// sweepTouch is how near a shape that moves may pass another, as a fraction of the greatest
	// distance involved, and still be reported as touching by an exact test of round shapes in
	// double precision.
	sweepTouch = 0x1p-28
	// originRounding bounds the rounding of an origin that is moved by the widening, relative to
	// its coordinates: half an ulp, doubled.
	originRounding = 2 * rounding
	// leastSlope bounds the inverse of a direction: a component that is less than this fraction of
	// the longest is raised to it. Over the reach of a ray that is a deviation of 1e-9, a sixtieth
	// of a rounding, and far less than slack.
	leastSlope = 1e-9
)
