package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// build is test binaries with several mutants of one package, each in a copy of the body of its
// function, of which the environment selects one: so a package is built once for all of them.
// Mutants that are in no function, or in one whose body cannot be copied, have a build of their
// own.
type build struct {
	dir, overlay string
	mutants      []*mutant
	binaries     map[*pkg]string
	broken       map[string]bool // the tests that fail without a mutant too
	only         map[string]bool // if not nil, the tests to run
}

// variable is where a test binary finds which mutant it has.
const variable = "HITSCAN_MUTANT"

// buildsOf returns the builds of mutants in the order of packages, and how many do not compile.
func buildsOf(dir string, mutants []*mutant) (builds []*build, invalid int, err error) {
	add := func(mutants ...*mutant) error {
		b := &build{mutants: mutants, binaries: map[*pkg]string{}, broken: map[string]bool{}}
		if b.dir, err = os.MkdirTemp(dir, ""); err != nil {
			return err
		}
		for len(b.mutants) > 0 {
			wrong, err := b.compile()
			if err != nil {
				return err
			}
			if len(wrong) == 0 {
				builds = append(builds, b)
				break
			}
			var right []*mutant
			for i, m := range b.mutants {
				if wrong[i+1] {
					invalid++
				} else {
					right = append(right, m)
				}
			}
			b.mutants = right
		}
		return nil
	}
	for len(mutants) > 0 {
		var together []*mutant
		p := mutants[0].pkg
		for len(mutants) > 0 && mutants[0].pkg == p {
			if m := mutants[0]; m.body != nil {
				together = append(together, m)
			} else if err := add(m); err != nil {
				return nil, 0, err
			}
			mutants = mutants[1:]
		}
		if err := add(together...); err != nil {
			return nil, 0, err
		}
	}
	return builds, invalid, nil
}

// compile writes the overlay and returns which mutants do not compile, by their numbers from 1.
func (b *build) compile() (wrong map[int]bool, err error) {
	p := b.mutants[0].pkg
	replace := map[string]string{}
	write := func(name, text string) error {
		replace[name] = filepath.Join(b.dir, filepath.Base(name))
		return os.WriteFile(replace[name], []byte(text), 0o644)
	}
	if m := b.mutants[0]; m.body == nil {
		err = write(m.file, string(m.apply()))
	} else {
		for _, m := range b.mutants {
			if replace[m.file] == "" && err == nil {
				err = write(m.file, b.selecting(m.file))
			}
		}
		if err == nil {
			name := regexp.MustCompile(`(?m)^package .*$`).FindString(string(m.text))
			err = write(filepath.Join(p.dir, "mutant_number.go"), name+`
import ("os"; "strconv")
var mutantNumber, _ = strconv.Atoi(os.Getenv("`+variable+`"))
`)
		}
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	b.overlay = filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(b.overlay, text, 0o644); err != nil {
		return nil, err
	}
	command := exec.Command("go", "build", "-gcflags=-e", "-overlay", b.overlay, ".")
	command.Dir = p.dir
	out, err := command.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	if b.mutants[0].body == nil {
		return map[int]bool{1: true}, nil
	}
	wrong = map[int]bool{}
	for _, place := range regexp.MustCompile(`(?m)^(\S+\.go):(\d+):`).FindAllStringSubmatch(string(out), -1) {
		text, err := os.ReadFile(filepath.Join(b.dir, filepath.Base(place[1])))
		if err != nil {
			return nil, err
		}
		line, _ := strconv.Atoi(place[2])
		before := strings.Join(strings.SplitAfter(string(text), "\n")[:line], "")
		if cases := caseOf.FindAllStringSubmatch(before, -1); cases != nil {
			number, _ := strconv.Atoi(cases[len(cases)-1][1])
			wrong[number] = true
		}
	}
	if len(wrong) == 0 {
		return nil, fmt.Errorf("go build: %s", out)
	}
	return wrong, nil
}

var caseOf = regexp.MustCompile(`case (\d+): //mutant`)

// selecting returns a file in which a function with mutants begins with a copy of its body for
// each.
func (b *build) selecting(file string) string {
	type place struct {
		at   int
		text string
	}
	copies := map[*ast.FuncDecl]*place{}
	var order []*place
	var text string
	for i, m := range b.mutants {
		if m.file != file {
			continue
		}
		text = string(m.text)
		c := copies[m.body]
		if c == nil {
			c = &place{at: m.bodyFrom + 1}
			copies[m.body] = c
			order = append(order, c)
		}
		end := ""
		if m.body.Type.Results == nil {
			end = "\nreturn"
		}
		c.text += fmt.Sprintf("\ncase %d: //mutant\n%s%s%s%s\n", i+1, text[m.bodyFrom+1:m.from], m.by, text[m.to:m.bodyTo-1], end)
	}
	for i := len(text); i >= 0; i-- {
		for _, c := range order {
			if c.at == i {
				text = text[:i] + "\nswitch mutantNumber {" + c.text + "}\n" + text[i:]
			}
		}
	}
	return text
}

// binary returns the path of the tests of a package.
func (b *build) binary(p *pkg) (string, error) {
	if b.binaries[p] == "" {
		name := filepath.Join(b.dir, strings.ReplaceAll(strings.TrimPrefix(p.path, module+"/"), "/", "_")+".test")
		command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", name, ".")
		command.Dir = p.dir
		if out, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go test -c: %s", out)
		}
		b.binaries[p] = name
	}
	return b.binaries[p], nil
}
