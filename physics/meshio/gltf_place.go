package meshio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/qmuntal/gltf"
)

// place is a path into the JSON: keys are strings, places in lists are ints. It becomes a line or a
// byte only when an error is made, by walking the text again.
type place []any

// then returns the place further down a path. The receiver is not changed.
func (p place) then(steps ...any) place { return append(p[:len(p):len(p)], steps...) }

// errorf returns an error at a place: the line of a .gltf, the byte of a .glb.
func (f *gltfFile) errorf(p place, format string, args ...any) error {
	return f.at(offsetOf(f.json, p), fmt.Errorf(format, args...))
}

// at returns an error at an offset into the JSON.
func (f *gltfFile) at(offset int64, err error) error {
	if f.binary {
		return &Error{Offset: f.jsonAt + offset, Err: err}
	}
	return &Error{Line: 1 + bytes.Count(f.json[:offset], []byte{'\n'}), Err: err}
}

// offsetOf returns where the value at a path begins; if the path leads nowhere, where the last
// value on it begins.
func offsetOf(text []byte, p place) int64 {
	offset := skipJSONSpace(text, 0)
	for _, step := range p {
		next, ok := child(text[offset:], step)
		if !ok {
			break
		}
		offset += next
	}
	return offset
}

func child(text []byte, step any) (int64, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	open, err := dec.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return 0, false
	}
	for i := 0; dec.More(); i++ {
		var name any = i
		if open == json.Delim('{') {
			if name, err = dec.Token(); err != nil {
				return 0, false
			}
		}
		if name == step {
			return skipJSONSpace(text, dec.InputOffset()), true
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return 0, false
		}
	}
	return 0, false
}

func skipJSONSpace(text []byte, at int64) int64 {
	for at < int64(len(text)) && (isSpace(text[at]) || text[at] == ',' || text[at] == ':') {
		at++
	}
	return at
}

// culprit finds the element of the document that cannot be decoded, as the offsets of the errors of
// encoding/json count from the start of an inner value where a type decodes itself.
func culprit(text []byte, whole error) (place, error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil {
		return nil, errors.New("the document is not an object")
	}
	fails := func(key string, value []byte) error {
		one, err := json.Marshal(map[string]json.RawMessage{key: value})
		if err != nil {
			return err
		}
		return json.Unmarshal(one, new(gltf.Document))
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		err := fails(key, fields[key])
		if err == nil {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(fields[key], &list) == nil {
			for i, value := range list {
				if err := fails(key, fmt.Appendf(nil, "[%s]", value)); err != nil {
					return place{key, i}, plain(err)
				}
			}
		}
		return place{key}, plain(err)
	}
	return nil, plain(whole)
}

// plain words a mismatch of types without the names of Go's.
func plain(err error) error {
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		return fmt.Errorf("%s does not fit at %q", mismatch.Value, mismatch.Field)
	}
	return err
}
