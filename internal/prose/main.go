// Prose checks the comments and strings of the project's Go files: no comment reaches beyond column
// 100, and no word stands in them that the project's style bans. It prints each place and exits
// with 1 if there is one. Generated files are left out.
//
//	go run ./internal/prose $(git ls-files '*.go')
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"log"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxColumn = 100
	tabWidth  = 4
)

// banned are archaisms, and verbs of speech and will, whose subject in a comment usually is data,
// which does nothing.
var banned = regexp.MustCompile(`(?i)\b(befell|anew|but for|for ever|nobody's|told|tells|knows|wants|(is|are|was|were|be) asked)\b`)

func main() {
	log.SetFlags(0)
	bad := 0
	for _, name := range os.Args[1:] {
		source, err := os.ReadFile(name)
		if err != nil {
			log.Fatal("prose: ", err)
		}
		for _, fault := range check(name, source) {
			fmt.Println(fault)
			bad++
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// check returns what is wrong in a file, a line each.
func check(name string, source []byte) (faults []string) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, source, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil || ast.IsGenerated(parsed) {
		return nil // the compiler complains
	}
	lines := strings.Split(string(source), "\n")
	set = token.NewFileSet()
	file := set.AddFile(name, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return faults
		}
		if kind != token.COMMENT && kind != token.STRING {
			continue
		}
		first := file.Line(pos)
		for i, line := range strings.Split(text, "\n") {
			if word := banned.FindString(line); word != "" {
				faults = append(faults, fmt.Sprintf("%s:%d: %q", name, first+i, word))
			}
			isLink := len(strings.Fields(line)) <= 2 // which cannot be wrapped
			if n := columns(lines[first+i-1]); kind == token.COMMENT && n > maxColumn && !isLink {
				faults = append(faults, fmt.Sprintf("%s:%d: a comment reaches column %d", name, first+i, n))
			}
		}
	}
}

// columns returns the width of a line.
func columns(line string) int {
	tabs := len(line) - len(strings.TrimLeft(line, "\t"))
	return tabs*tabWidth + utf8.RuneCountInString(line[tabs:])
}
