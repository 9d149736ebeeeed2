package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/hitscan-go/hitscan/physics/geom"
)

// report is the table of a page.
type report struct {
	hit  bool
	why  string // a sentence
	head []string
	rows []row // under the head
	more []fact
}

// row is a line of numbers.
type row struct {
	label string
	cells []string
	color uint32
}

// fact is a name and a value. An empty fact is a gap.
type fact struct{ name, value string }

// number formats a number with three decimals, from 10,000 on with none, from a million on with an
// exponent, and infinities as ∞.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "none"
	case math.IsInf(x, 1):
		return "+∞"
	case math.IsInf(x, -1):
		return "−∞"
	}
	s := fmt.Sprintf("%.3f", x)
	switch most := math.Abs(x); {
	case most >= 1e6:
		s = fmt.Sprintf("%.3g", x)
	case most >= 1e4:
		s = fmt.Sprintf("%.0f", x)
	}
	if rest, negative := strings.CutPrefix(s, "-"); negative && strings.Trim(rest, "0.") != "" {
		return "−" + rest
	} else if negative {
		return rest
	}
	return s
}

// short formats a number without trailing zeros.
func short(x float32) string {
	s := number(float64(x))
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// place formats a point or a direction; in the plane without z.
func place(p geom.Vec3, flat bool) string {
	if flat {
		return fmt.Sprintf("(%s, %s)", short(p.X), short(p.Y))
	}
	return fmt.Sprintf("(%s, %s, %s)", short(p.X), short(p.Y), short(p.Z))
}

// limit formats the end of a ray's range.
func limit(r geom.Ray) string {
	_, tMax := r.Range()
	if math.IsInf(float64(tMax), 1) {
		return "none (+∞)"
	}
	return short(tMax)
}

var axisNames = [3]string{"x", "y", "z"}

// faceName names a face as seen with X to the right, Y upward and Z towards the viewer.
func faceName(f geom.Face) string {
	names := [...]string{"left", "right", "bottom", "top", "back", "front"}
	return fmt.Sprintf("%v, the %s", f, names[f])
}

// modes lists the result of the cast in each start mode.
func modes(cast func(geom.StartMode) (geom.Hit, bool)) []fact {
	var list []fact
	for _, m := range [...]geom.StartMode{geom.Solid, geom.Exit, geom.Ignore} {
		value := "miss"
		if h, ok := cast(m); ok {
			value = "T " + number(float64(h.T))
			switch {
			case h.Inside:
				value += ", Inside"
			case h.BackFace:
				value += ", BackFace"
			}
		}
		list = append(list, fact{m.String(), value})
	}
	return list
}

const noDirection = "A and B are one point: a ray without a direction hits nothing."

// outside returns the reason why a non-empty interval is outside a ray's range; empty if it is not.
// Casts compare T in float32.
func outside(r geom.Ray, tNear, tFar float64, thing, near, far string) string {
	tMin, tMax := r.Range()
	switch {
	case float32(tFar) < tMin:
		return fmt.Sprintf("%s is behind the ray: %s %s < %s.", thing, far, number(tFar), short(tMin))
	case float32(tNear) > tMax:
		return fmt.Sprintf("%s is beyond MaxT: %s %s > %s.", thing, near, number(tNear), short(tMax))
	}
	return ""
}

// whySlabs returns a sentence on why a ray hits or misses a box.
func whySlabs(r geom.Ray, s geom.Slabs) string {
	tMin, _ := r.Range()
	if r.Dir == (geom.Vec3{}) {
		return noDirection
	}
	if !s.Hit {
		for i, parallel := range s.Parallel {
			if parallel && math.IsInf(s.Near[i], 1) {
				return fmt.Sprintf("The ray is parallel to the %s slab and not in it: from +∞ to −∞ there is no T.", axisNames[i])
			}
		}
		return fmt.Sprintf("%s enters at %s, after %s has left at %s: there is no T at which the line is in both slabs.",
			axisNames[s.NearAxis], number(s.TNear), axisNames[s.FarAxis], number(s.TFar))
	}
	if why := outside(r, s.TNear, s.TFar, "The box", "tNear", "tFar"); why != "" {
		return why
	}
	switch {
	case s.TNear < float64(tMin):
		return fmt.Sprintf("The ray starts inside: tNear %s < %s ≤ tFar %s.", number(s.TNear), short(tMin), number(s.TFar))
	case s.TNear == s.TFar:
		return fmt.Sprintf("tNear = tFar = %s: the ray touches the box, which is a hit.", number(s.TNear))
	}
	return fmt.Sprintf("tNear %s ≤ tFar %s: in between, the ray is in all slabs at once.", number(s.TNear), number(s.TFar))
}

// explainBox is the report of a ray and a box: of a rectangle in the plane, or of all three axes.
func explainBox(box geom.AABB, r geom.Ray, flat bool) report {
	s := box.Slabs(r)
	_, hit := box.CastRay(r, geom.Solid)
	rep := report{hit: hit, why: whySlabs(r, s), head: []string{"slab", "near", "far"}}
	axes := 3
	if flat {
		axes = 2
	}
	for i := range axes {
		label := axisNames[i]
		if s.Parallel[i] {
			label += ", parallel"
		}
		rep.rows = append(rep.rows, row{label, []string{number(s.Near[i]), number(s.Far[i])}, axisColors[i]})
	}
	rep.rows = append(rep.rows, row{"tNear, tFar", []string{number(s.TNear), number(s.TFar)}, amber})
	enters, leaves := fact{"Enters at", "nowhere"}, fact{"Leaves at", "nowhere"}
	near, far := axisNames[s.NearAxis], axisNames[s.FarAxis]
	if s.Hit { // a finite box: both are finite
		enters.value, leaves.value = place(s.EnterPoint, flat), place(s.ExitPoint, flat)
		near, far = near+": "+faceName(s.EnterFace), far+": "+faceName(s.ExitFace)
	}
	rep.more = []fact{{"Origin", place(r.Origin, flat)}, {"Dir", place(r.Dir, flat)}, {"MaxT", limit(r)}, {},
		{"tNear is of", near}, enters, {"tFar is of", far}, leaves, {}}
	rep.more = append(rep.more, modes(func(m geom.StartMode) (geom.Hit, bool) { return box.CastRay(r, m) })...)
	return rep
}
