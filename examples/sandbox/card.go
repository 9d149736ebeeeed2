package main

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
	"time"

	physecs "github.com/hitscan-go/hitscan/ecs"
	"github.com/hitscan-go/hitscan/physics/geom"
	"github.com/hitscan-go/hitscan/picking"
	"github.com/hitscan-go/hitscan/render"
)

// The card describes what is under the cursor. It always has the same lines, with the numbers in
// columns, so that each stays in its place.

// reading is the content of the card.
type reading struct {
	name                 string // of the entity under the cursor
	collider             *physecs.Collider
	detail               string // of the shape, such as its number of triangles; may be empty
	hit                  physecs.Hit
	ok                   bool          // whether anything is under the cursor
	busy                 bool          // the camera is being moved, and nothing is looked for
	pick                 time.Duration // the median of the last frames
	again                time.Duration // at once for the second time
	colliders, triangles int           // of the whole scene
	selected             []string
	handle               picking.GizmoHandle // under the cursor, or dragged
	why                  []line              // of the explanation, if that is shown
}

// line is a line of the card: text, or numbers with a unit.
type line struct {
	key, text string
	numbers   []string
	unit      string
	color     color.NRGBA // of the text; zero: the usual one
	apart     bool        // a gap is above it
	minor     bool        // left out where there is little room
}

// belowGap returns the line with a gap above it.
func (l line) belowGap() line { l.apart = true; return l }

// asMinor returns the line as one that is left out where there is little room.
func (l line) asMinor() line { l.minor = true; return l }

const none = "–"

var selectedText = render.RGB(0x8CC2FF)

// lines returns the lines of the card.
func (r *reading) lines() (title string, lines []line) {
	title = "nothing under the cursor"
	entity, shape := line{text: none}, line{text: none}
	t, point, normal, triangle, weights, pick := entity, entity, entity, entity, entity, entity
	if r.busy {
		title = "looking around"
	}
	if r.handle != picking.NoHandle {
		title = "handle " + strings.ToLower(r.handle.String())
	}
	if r.ok {
		title = r.name
		entity.text = fmt.Sprintf("%d, generation %d", r.hit.Entity.ID(), r.hit.Entity.Generation())
		shape.text = shapeName(r.collider, r.hit.Child, r.detail)
		t = line{numbers: []string{number(r.hit.T)}, unit: "m"}
		point, normal = vectorLine(r.hit.Point), vectorLine(r.hit.Normal)
		if r.hit.Triangle >= 0 {
			triangle = line{numbers: []string{thousands(int(r.hit.Triangle))}}
			weights = vectorLine(geom.V(1-r.hit.U-r.hit.V, r.hit.U, r.hit.V))
		}
	}
	if r.pick > 0 {
		us := func(d time.Duration) string {
			return strconv.FormatFloat(float64(d)/float64(time.Microsecond), 'f', 1, 64)
		}
		pick = line{numbers: []string{us(r.pick)}, unit: "µs"}
		if r.again > 0 {
			pick.unit += ", " + us(r.again) + " again"
		}
	}
	// The selection does not depend on the cursor.
	colliders, triangles := line{text: none}, line{text: none}
	if r.colliders > 0 {
		colliders.text = thousands(r.colliders) + " colliders"
		triangles.text = thousands(r.triangles) + " triangles"
	}
	lines = []line{entity, shape, t, point, normal, triangle, weights, pick, colliders, triangles,
		{text: list(r.selected), color: selectedText, apart: true}}
	for i, key := range [...]string{"entity", "shape", "T", "point", "normal", "triangle", "weights", "pick", "among", "", "selected"} {
		lines[i].key = key
	}
	for _, i := range [...]int{0, 4, 5, 6, 8, 9} { // entity, normal, triangle, weights, among
		lines[i].minor = true
	}
	return title, append(lines, r.why...)
}

func vectorLine(v geom.Vec3) line {
	return line{numbers: []string{number(v.X), number(v.Y), number(v.Z)}}
}

// number formats a number with three decimals, or fewer if it is large, and without −0.
func number(x float32) string {
	for decimals := 3; ; decimals-- {
		s := strconv.FormatFloat(float64(x), 'f', decimals, 64)
		if strings.Trim(s, "-0.") == "" {
			s = strings.TrimPrefix(s, "-")
		}
		if len(s) <= 8 || decimals == 0 {
			return strings.Replace(s, "-", "−", 1)
		}
	}
}

// shapeName names the shape of a collider, with the part of a compound that was hit.
func shapeName(c *physecs.Collider, child int32, detail string) string {
	if c == nil {
		return none
	}
	s := c.Kind.String()
	if child >= 0 {
		s += fmt.Sprintf(", part %d", child)
	}
	if detail != "" {
		s += ", " + detail
	}
	return s
}

// thousands formats a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// list joins as many names as fit on the card.
func list(names []string) string {
	const fits = 24
	if len(names) == 0 {
		return none
	}
	for n := len(names); n > 0; n-- {
		s := strings.Join(names[:n], ", ")
		if n < len(names) {
			s += fmt.Sprintf(" + %d", len(names)-n)
		}
		if len([]rune(s)) <= fits {
			return s
		}
	}
	return fmt.Sprintf("%d entities", len(names))
}
