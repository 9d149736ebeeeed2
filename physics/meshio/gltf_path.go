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

// jsonPath is a path into the JSON: keys are strings, indices of lists are ints. Only an error
// converts it to a line or a byte, by parsing the text again.
type jsonPath []any

// then returns the path extended by steps. The receiver is not changed.
func (p jsonPath) then(steps ...any) jsonPath { return append(p[:len(p):len(p)], steps...) }

// errorf returns an error at a path: the line of a .gltf, the byte of a .glb.
func (f *gltfFile) errorf(p jsonPath, format string, args ...any) error {
	return f.at(offsetOf(f.json, p), fmt.Errorf(format, args...))
}

// at returns an error at an offset into the JSON.
func (f *gltfFile) at(offset int64, err error) error {
	if f.binary {
		return &Error{Offset: f.jsonAt + offset, Err: err}
	}
	return &Error{Line: 1 + bytes.Count(f.json[:offset], []byte{'\n'}), Err: err}
}

// offsetOf returns the offset at which the value at a path begins; if the path does not exist, that
// of the last value on it that exists.
func offsetOf(text []byte, p jsonPath) int64 {
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

// culprit returns the path of the element of the document that cannot be decoded. The offsets in
// errors of encoding/json are no help: for a type with its own UnmarshalJSON they are relative to
// an inner value.
func culprit(text []byte, whole error) (jsonPath, error) {
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
					return jsonPath{key, i}, plain(err)
				}
			}
		}
		return jsonPath{key}, plain(err)
	}
	return nil, plain(whole)
}

// plain rewords a mismatch of types without the names of Go types.
func plain(err error) error {
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		return fmt.Errorf("%s does not fit at %q", clippedWords(mismatch.Value), mismatch.Field)
	}
	return clippedError{err}
}
