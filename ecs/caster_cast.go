package physecs

import (
	"cmp"
	"slices"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/par"
	"github.com/hitscan-go/hitscan/physics"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// casts holds all casts of one kind, rays or shapes, and their results.
type casts[C, H any] struct {
	jobs []job[C] // in the order of the query
	keys []uint64 // entity ID and index of each job, sorted: words sort faster than jobs

	// Casts that cannot share a batch are cast one by one, in chunks that workers claim. Each chunk
	// has a buffer of its own, so that the memory needed and the place of each hit depend on the
	// casters alone.
	alone  []int32
	chunks []*chunk[H]
	one    func(*chunk[H], *job[C]) // casts a job
	space  *Space
	filter *Filter // the system's
	loop   par.Loop[*casts[C, H]]
	some   func(c *casts[C, H], _, start, end int) // castChunk, made once

	results, before []result // by rising entity ID
	hits            []H
}

// job is one caster's cast in world space, and the range of its hits.
type job[C any] struct {
	castRules
	cast       C
	aimed      bool // it has a target, and the ray is valid or has no length
	blocked    bool
	chunk      int32 // the chunk with the hits; −1: the batch has them
	start, end int32
}

// chunk is a number of casts for one worker.
type chunk[H any] struct {
	hits   []H
	space  *Space
	filter Filter // a copy of the system's
	rules  *castRules
	// Whether the present job's cast sees a collider; made once.
	accepts func(physics.ColliderID) bool
	// Whether the system's filter accepts a hit; made once.
	acceptsHit func(physics.Hit) bool

	rays  []physics.Hit
	swept []physics.ShapeHit
}

// chunkSize is how many casts a worker claims at a time.
const chunkSize = 32

func (c *casts[C, H]) reset() { c.jobs, c.alone = c.jobs[:0], c.alone[:0] }

// castAlone casts the jobs listed in alone, on all processors.
func (c *casts[C, H]) castAlone() {
	n := (len(c.alone) + chunkSize - 1) / chunkSize
	for len(c.chunks) < n {
		ch := new(chunk[H])
		ch.acceptsHit = func(h physics.Hit) bool { return query{&ch.space.Queries, &ch.filter}.acceptsHit(h) }
		ch.accepts = func(id physics.ColliderID) bool {
			e := ch.space.owner(id)
			return query{&ch.space.Queries, &ch.filter}.seesEntity(e) && !ch.rules.ignores(ch.space, e)
		}
		c.chunks = append(c.chunks, ch)
	}
	if c.some == nil {
		c.some = (*casts[C, H]).castChunk
	}
	c.loop.Run(c, par.Workers(len(c.alone), chunkSize), len(c.alone), chunkSize, c.some)
}

// castChunk casts the jobs listed in alone from start to end.
func (c *casts[C, H]) castChunk(_, start, end int) {
	k := start / chunkSize
	ch := c.chunks[k]
	ch.hits, ch.space, ch.filter = ch.hits[:0], c.space, *c.filter
	for _, i := range c.alone[start:end] {
		j := &c.jobs[i]
		ch.rules = &j.castRules
		j.chunk, j.start = int32(k), int32(len(ch.hits))
		c.one(ch, j)
		j.end = int32(len(ch.hits))
		j.blocked = j.blocked || j.end > j.start
	}
	ch.rules, ch.space, ch.filter = nil, nil, Filter{}
}

func castRayJob(ch *chunk[Hit], j *job[geom.Ray]) {
	s, f := ch.space, j.filter()
	f.Predicate = ch.accepts
	if ch.filter.HitPredicate != nil {
		f.HitPredicate = ch.acceptsHit
	}
	switch {
	case j.mode == CastAny:
		j.blocked = s.physics.CastRayAny(j.cast, f)
	case j.mode == CastAll && j.limit > 0:
		for h := range s.physics.Hits(j.cast, f) {
			ch.hits = append(ch.hits, s.hitOf(&h))
			if len(ch.hits)-int(j.start) == int(j.limit) {
				return
			}
		}
	case j.mode == CastAll:
		ch.rays = s.physics.CastRayAll(ch.rays[:0], j.cast, f)
		for i := range ch.rays {
			ch.hits = append(ch.hits, s.hitOf(&ch.rays[i]))
		}
	default:
		if h, ok := s.physics.CastRay(j.cast, f); ok {
			ch.hits = append(ch.hits, s.hitOf(&h))
		}
	}
}

func castShapeJob(ch *chunk[ShapeHit], j *job[physics.ShapeCast]) {
	s, f := ch.space, j.filter()
	f.Predicate = ch.accepts
	switch j.mode {
	case CastAny:
		j.blocked = s.physics.CastShapeAny(j.cast, f)
	case CastAll:
		ch.swept = s.physics.CastShapeAll(ch.swept[:0], j.cast, f)
		n := len(ch.swept)
		if j.limit > 0 {
			n = min(n, int(j.limit))
		}
		for i := range ch.swept[:n] {
			ch.hits = append(ch.hits, s.shapeHitOf(&ch.swept[i]))
		}
	default:
		if h, ok := s.physics.CastShape(j.cast, f); ok {
			ch.hits = append(ch.hits, s.shapeHitOf(&h))
		}
	}
}

// castBatch casts the rays that share a batch with all rays of the same conditions. Rays that hit
// an entity they pass are added to those that are cast alone.
func (h *CasterHits) castBatch() {
	jobs := h.rays.jobs
	slices.SortFunc(h.batch, func(a, b int32) int {
		aLayers, aRest := jobs[a].key()
		bLayers, bRest := jobs[b].key()
		return cmp.Or(cmp.Compare(aLayers, bLayers), cmp.Compare(aRest, bRest), cmp.Compare(a, b))
	})
	h.found = h.found[:0]
	f := h.filter
	for rest := h.batch; len(rest) > 0; {
		g := &jobs[rest[0]].castRules
		layers, key := g.key()
		h.cast = h.cast[:0]
		n := 0
		for ; n < len(rest); n++ {
			j := &jobs[rest[n]]
			if l, k := j.key(); l != layers || k != key {
				break
			}
			h.cast = append(h.cast, j.cast)
		}
		h.filter.OwnLayer, h.filter.Mask, h.filter.Sensors = g.layer, g.mask, g.sensors
		h.filter.Start, h.filter.Cull = g.start, g.cull
		if g.mode == CastAny {
			h.any = h.space.CastRaysAny(h.any[:0], h.cast, h.filter)
			for k, i := range rest[:n] {
				jobs[i].blocked = h.any[k]
			}
		} else {
			start := len(h.found)
			h.found = h.space.CastRays(h.found, h.cast, h.filter)
			for k, i := range rest[:n] {
				j := &jobs[i]
				j.start, j.end = int32(start+k), int32(start+k)
				if e := h.found[start+k].Entity; !e.IsZero() {
					if j.ignores(h.space, e) {
						h.rays.alone = append(h.rays.alone, i)
						continue
					}
					j.end, j.blocked = j.end+1, true
				}
			}
		}
		rest = rest[n:]
	}
	h.filter = f
}

// gather copies the hits of all jobs into one slice, by rising entity ID. batch has the hits of the
// batch.
func (c *casts[C, H]) gather(batch []H, entity func(*H) ecs.Entity) {
	c.results, c.before = c.before[:0], c.results
	c.hits, c.keys = c.hits[:0], c.keys[:0]
	for i := range c.jobs {
		c.keys = append(c.keys, uint64(c.jobs[i].caster.ID())<<32|uint64(i))
	}
	slices.Sort(c.keys)
	for _, k := range c.keys {
		j := &c.jobs[uint32(k)]
		hits := batch
		if j.chunk >= 0 {
			hits = c.chunks[j.chunk].hits
		}
		r := result{caster: j.caster, target: j.target, start: int32(len(c.hits)), blocked: j.blocked}
		c.hits = append(c.hits, hits[j.start:j.end]...)
		r.end = int32(len(c.hits))
		if r.end > r.start {
			r.first = entity(&c.hits[r.start])
		}
		r.sees = j.aimed && (!j.blocked || r.first == j.target)
		c.results = append(c.results, r)
	}
}
