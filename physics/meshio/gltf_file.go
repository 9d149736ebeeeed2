package meshio

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/qmuntal/gltf"
)

// gltfFile is a glTF file during decoding: its JSON, and the buffers read so far.
type gltfFile struct {
	files    fs.FS
	binary   bool
	json     []byte
	jsonAt   int64  // byte of the file at which json begins
	chunk    []byte // the GLB's own buffer; nil if it has none
	doc      gltf.Document
	buffers  map[int][]byte
	read     map[string][]byte // the beginnings of files, by name
	budget   budget            // of which the JSON and the buffers are read
	up       []int             // the parents of nodes, once a skin is read
	bonesOf  map[int]boundBones
	framesOf map[int][]jointFrame

	nodes     []Node // of the scene
	extras    extras
	materials map[int]*Material
	textures  map[int]*Texture // by image
}

const (
	glbHeader = 12
	chunkJSON = 0x4e4f534a // "JSON"
	chunkBIN  = 0x004e4942 // "BIN\0"
)

// open splits a GLB into its chunks and decodes the document.
func (f *gltfFile) open(data []byte) error {
	f.json, f.buffers, f.bonesOf = data, map[int][]byte{}, map[int]boundBones{}
	f.framesOf = map[int][]jointFrame{}
	f.materials, f.textures = map[int]*Material{}, map[int]*Texture{}
	if f.binary = bytes.HasPrefix(data, []byte("glTF")); f.binary {
		if err := f.openBinary(data); err != nil {
			return err
		}
	} else {
		f.json = skipBOM(data)
		f.jsonAt = int64(len(data) - len(f.json))
	}
	f.budget.read = int64(len(f.json))
	if err := f.budget.spend(objectBytes * int64(bytes.Count(f.json, []byte{'{'}))); err != nil {
		return f.at(0, err)
	}
	// The specification pads with spaces; some writers pad with zeros.
	text := bytes.TrimRight(f.json, "\x00 \t\r\n")
	if err := f.decodeDocument(text); err != nil {
		return err
	}
	return f.readExtras(text)
}

func (f *gltfFile) openBinary(data []byte) error {
	if len(data) < glbHeader {
		return atByte(int64(len(data)), "the file ends within the %d bytes that a GLB begins with", glbHeader)
	}
	word := func(at int64) int64 { return int64(binary.LittleEndian.Uint32(data[at:])) }
	if v := word(4); v != 2 {
		return atByte(4, "GLB version %d, want 2", v)
	}
	size := word(8)
	if size > int64(len(data)) {
		return atByte(8, "the file claims %d bytes and has %d", size, len(data))
	}
	f.json = nil
	for at := int64(glbHeader); at < size; {
		if at+8 > size {
			return atByte(at, "the file ends within a chunk's header")
		}
		length, kind := word(at), word(at+4)
		start := at + 8
		if length > size-start {
			return atByte(at, "a chunk claims %d bytes, and %d are left", length, size-start)
		}
		chunk := data[start : start+length : start+length]
		switch {
		case at == glbHeader && kind != chunkJSON:
			return atByte(at, "the first chunk is not the JSON")
		case at == glbHeader:
			f.json, f.jsonAt = chunk, start
		case kind == chunkBIN && f.chunk == nil:
			f.chunk = chunk
		}
		at = start + length
	}
	if f.json == nil {
		return atByte(glbHeader, "the file has no JSON chunk")
	}
	return nil
}

func (f *gltfFile) decodeDocument(text []byte) error {
	err := json.Unmarshal(text, &f.doc)
	if err == nil {
		return nil
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		// The offset is after the wrong byte, or at the end of the input if that is too short.
		at := syntax.Offset
		if at > 0 && at < int64(len(text)) {
			at--
		}
		return f.at(min(at, int64(len(text))), fmt.Errorf("JSON: %w", err))
	}
	at, err := culprit(text, err)
	return f.errorf(at, "JSON: %w", err)
}

// buffer returns the bytes of a buffer: byteLength or more.
func (f *gltfFile) buffer(i int, from jsonPath) ([]byte, error) {
	if data, ok := f.buffers[i]; ok {
		return data, nil
	}
	b, at, err := item(f, f.doc.Buffers, "buffers", i, from)
	if err != nil {
		return nil, err
	}
	var data []byte
	switch {
	case b.URI == "" && i == 0 && f.chunk != nil:
		data = f.chunk
		f.budget.read += int64(len(data))
	case b.URI == "":
		return nil, f.errorf(at, "the buffer has neither a uri nor a chunk of the file")
	case strings.HasPrefix(b.URI, "data:"):
		data, err = decodeDataURI(b.URI)
		f.budget.read += int64(len(data))
	default:
		data, err = f.external("buffer", b.URI, int64(b.ByteLength))
	}
	if err != nil {
		return nil, f.errorf(at.then("uri"), "%w", err)
	}
	if len(data) < b.ByteLength {
		return nil, f.errorf(at.then("byteLength"), "buffer %d claims %d bytes and has %d", i, b.ByteLength, len(data))
	}
	f.buffers[i] = data
	return data, nil
}

func decodeDataURI(uri string) ([]byte, error) {
	head, body, ok := strings.Cut(uri, ",")
	if !ok || !strings.HasSuffix(head, ";base64") {
		return nil, errors.New("the embedded buffer is not base64")
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	if err != nil {
		return nil, fmt.Errorf("the embedded buffer is damaged: %w", err)
	}
	return data, nil
}

// external reads the first length bytes of a file in the folder of the model, or all of a shorter
// file. what is what the file is for, in an error. Files that are named several times are read
// once, or twice as far each time.
func (f *gltfFile) external(what, uri string, length int64) ([]byte, error) {
	name, err := url.PathUnescape(uri)
	if err != nil {
		return nil, fmt.Errorf("%s file: %w", what, err)
	}
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if !fs.ValidPath(name) || strings.Contains(name, ":") {
		return nil, fmt.Errorf("the %s %q is not in the folder of the model", what, clipped(uri))
	}
	if f.files == nil {
		return nil, fmt.Errorf("the %s %q is in another file, and no folder was given", what, clipped(uri))
	}
	info, err := fs.Stat(f.files, name) // before it is opened: a named pipe would wait for a writer
	if err != nil {
		return nil, fmt.Errorf("%s file: %w", what, clippedError{err})
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the %s %q is not a file", what, clipped(uri))
	}
	length = max(0, min(length, info.Size()))
	known := f.read[name]
	if int64(len(known)) >= length && known != nil {
		return known[:length:length], nil
	}
	file, err := f.files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s file: %w", what, clippedError{err})
	}
	defer file.Close()
	size := max(length, min(2*int64(len(known)), info.Size()))
	f.budget.read += size - int64(len(known))
	if err := f.budget.spend(size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("%s file %q: %w", what, clipped(uri), err)
	}
	if f.read == nil {
		f.read = map[string][]byte{}
	}
	f.read[name] = data
	return data[:length:length], nil
}

// item returns an element of one of the document's lists, and its path. from is the path of the
// reference to it.
func item[T any](f *gltfFile, list []*T, key string, i int, from jsonPath) (*T, jsonPath, error) {
	if i < 0 || i >= len(list) {
		return nil, nil, f.errorf(from, "%s[%d] does not exist, there are %d", key, i, len(list))
	}
	at := jsonPath{key, i}
	if list[i] == nil {
		return nil, nil, f.errorf(at, "%s[%d] is null", key, i)
	}
	return list[i], at, nil
}
