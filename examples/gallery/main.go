// Gallery builds a web page with a picture and a live example of each thing that hitscan does, and
// a count of rays beside three-mesh-bvh, and serves it.
//
//	go run -C examples/gallery .              builds the page and serves it on localhost:8099
//	go run -C examples/gallery . -out folder  builds it into a folder, for any static host
//
// The examples are the sandbox, the lesson on rays and the 2D game, built for WebAssembly. For
// three-mesh-bvh it takes npm; without npm the count is of hitscan alone.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
)

func main() {
	out := flag.String("out", "", "build the page into this `folder` and exit")
	address := flag.String("addr", "localhost:8099", "serve on this `address`")
	flag.Parse()
	if err := run(*out, *address); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func run(out, address string) error {
	if out != "" {
		return build(out)
	}
	folder, err := os.MkdirTemp("", "gallery")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := build(folder); err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", address)
	return http.ListenAndServe(address, http.FileServer(http.Dir(folder)))
}
