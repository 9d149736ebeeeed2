package physecs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"

	"github.com/hitscan-go/hitscan/internal/testenv"
)

// BenchmarkFileCost is what scenes cost that are made to cost much: see docs/files.md.
func BenchmarkFileCost(b *testing.B) {
	every := ""
	for _, c := range sceneTypes {
		every += `,"` + c.Name() + `":{}`
	}
	of := func(entity, key, one string) func(n int) ([]byte, int) {
		return func(n int) ([]byte, int) {
			var t strings.Builder
			t.WriteString(`{"Format":"hitscan scene","Version":1,"Entities":[{"ID":1}`)
			if entity != "" {
				for i := range n {
					fmt.Fprintf(&t, `,{"ID":%d%s}`, i+2, entity)
				}
			}
			t.WriteString("]")
			if key != "" {
				fmt.Fprintf(&t, `,%q:[%s%s]`, key, strings.Repeat(one+",", n), one)
			}
			return []byte(t.String() + "}"), 0
		}
	}
	for name, file := range map[string]func(n int) ([]byte, int){
		"entities":  of(" ", "", ""),
		"colliders": of(`,"Collider":{}`, "", ""),
		"all":       of(every, "", ""),
		"names":     of(`,"Collider":{"Mesh":"`+strings.Repeat("x", 100)+`"}`, "", ""),
		"lumps":     of(`,"physecs.sceneLump":{}`, "", ""),
		"selection": of("", "Selection", "1"),
		"views":     of("", "Views", "{}"),
	} {
		b.Run(name, func(b *testing.B) {
			testenv.FileCost(b, file, func(data []byte) {
				w := ecs.NewWorld()
				_, _ = (&Scene{Components: []any{sceneLump{}}}).Read(&w, bytes.NewReader(data))
			})
		})
	}
}
