package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// worldCase is a world that each program measures.
type worldCase struct {
	name  string
	flags []string // of raybench, that name it
	// Arguments of embree_world, except the setting at the end; none if embree_world cannot measure
	// it.
	peer []string
}

// worldResult is what the programs said about one world.
type worldResult struct {
	worldCase
	programs programs
}

// The programs in their settings, beside those of meshes.
const (
	twoCores = "hitscan, two cores"
	sah      = "Embree, SAH"
	morton   = "Embree, Morton"
)

// worldResults is everything there is to say about worlds.
type worldResults struct {
	worlds []worldResult
	lives  []worldResult // that moved on for many ticks
	scale  []worldResult // of more and more bodies
}

// findWorlds returns the worlds of the measuring data, or one that raybench makes.
func findWorlds(data string) ([]worldCase, error) {
	if data == "" {
		return []worldCase{{name: "100,000 bodies", flags: []string{"-world", "100000"}}}, nil
	}
	world, bodyRays := filepath.Join(data, "worlds", "boxes100k.wld"), filepath.Join(data, "worlds", "boxes100k.rays")
	placed, meshRays := filepath.Join(data, "worlds", "bunnies10k.ins"), filepath.Join(data, "worlds", "bunnies10k.rays")
	bunny := filepath.Join(data, "meshes", "bunny.obj")
	if err := thereAre(world, bodyRays, placed, meshRays, bunny); err != nil {
		return nil, err
	}
	return []worldCase{
		{"boxes100k", []string{"-world", world, "-rays", bodyRays}, []string{"boxes", world, bodyRays}},
		{"bunnies10k", []string{"-instances", placed, "-mesh", bunny, "-rays", meshRays}, []string{"instances", placed, bunny, meshRays}},
	}, nil
}

// worldSubject is a program in one of its settings, as a command.
type worldSubject struct {
	name    string
	command []string
}

// worldSubjects returns the programs that measure a world.
func worldSubjects(o options, c worldCase) []worldSubject {
	pin := strings.Fields(o.pin)
	list := []worldSubject{{ours, join(pin, []string{o.raybench}, c.flags)}}
	if o.twoCores {
		list = append(list, worldSubject{twoCores, join([]string{o.raybench}, c.flags, []string{"-threads", "2"})})
	}
	if o.embreeWorld == "" || c.peer == nil {
		return list
	}
	settings := []struct{ name, word string }{{sah, "sah"}, {morton, "morton"}}
	if c.peer[0] == "instances" {
		settings = []struct{ name, word string }{{embree, "fast"}, {robust, "robust"}}
	}
	for _, s := range settings {
		list = append(list, worldSubject{s.name, join(pin, []string{o.embreeWorld}, c.peer, []string{s.word})})
	}
	return list
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// ask runs the programs on a world in turn, so many rounds; who goes first changes from round to
// round. It is an error if one lacks a figure that is needed.
func ask(c worldCase, list []worldSubject, rounds int, needed ...string) (worldResult, error) {
	r := worldResult{worldCase: c}
	for _, s := range list {
		r.programs = append(r.programs, program{name: s.name, values: map[string][]float64{}})
	}
	for round := range rounds {
		for k := range list {
			k = (k + round) % len(list)
			said, err := say(list[k].command, "", needed...)
			if err != nil {
				return r, err
			}
			for name, value := range said {
				r.programs[k].values[name] = append(r.programs[k].values[name], value)
			}
		}
	}
	return r, nil
}

// measureWorlds measures the worlds beside Embree, worlds that live for long, and worlds of more
// and more bodies. Raybench itself checks the answers to the rays that have true ones beside them,
// and fails if they are wrong.
func measureWorlds(o options, cases []worldCase, progress io.Writer) (worldResults, error) {
	var all worldResults
	pin := strings.Fields(o.pin)
	ours1 := func(c worldCase, more ...string) []worldSubject {
		return []worldSubject{{ours, join(pin, []string{o.raybench}, c.flags, more)}}
	}
	add := func(to *[]worldResult, c worldCase, list []worldSubject, rounds int) error {
		fmt.Fprintln(progress, c.name)
		r, err := ask(c, list, rounds, "closest_mrays_per_s", "update_ms")
		*to = append(*to, r)
		return err
	}
	for _, c := range cases {
		if err := add(&all.worlds, c, worldSubjects(o, c), o.rounds); err != nil {
			return all, err
		}
	}
	if o.ticks > 0 {
		for _, c := range []worldCase{{name: "10,000 bodies", flags: []string{"-world", "10000"}}, cases[0]} {
			c.name += ", for long"
			if err := add(&all.lives, c, ours1(c, "-ticks", strconv.Itoa(o.ticks)), 1); err != nil {
				return all, err
			}
		}
	}
	for _, word := range strings.FieldsFunc(o.sizes, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 2 {
			return all, fmt.Errorf("-sizes %s: want numbers of bodies from 2, with commas between", o.sizes)
		}
		c := worldCase{name: thousands(n), flags: []string{"-world", word}}
		if err := add(&all.scale, c, ours1(c), min(o.rounds, scaleRounds)); err != nil {
			return all, err
		}
	}
	return all, nil
}

// scaleRounds is how often worlds of more and more bodies are measured, at most: the largest take
// long.
const scaleRounds = 3

// thousands returns a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
