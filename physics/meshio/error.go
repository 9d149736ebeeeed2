package meshio

import "fmt"

// Error is damage in a file and its position.
type Error struct {
	File   string // the name given to [ReadFile]; empty if the data came from a reader
	Line   int    // the line of a text file, from 1; 0 for a binary file
	Offset int64  // the byte of a binary file, from 0
	Err    error  // the cause
}

// Error returns "meshio: file:line: what" for a text and "meshio: file: byte offset: what" for a
// binary file; without a file name, "meshio: line 3: what" and "meshio: byte 84: what".
func (e *Error) Error() string {
	switch {
	case e.Line == 0 && e.File == "":
		return fmt.Sprintf("meshio: byte %d: %v", e.Offset, e.Err)
	case e.Line == 0:
		return fmt.Sprintf("meshio: %s: byte %d: %v", e.File, e.Offset, e.Err)
	case e.File == "":
		return fmt.Sprintf("meshio: line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("meshio: %s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the cause, without the position.
func (e *Error) Unwrap() error { return e.Err }

func atLine(line int, format string, args ...any) error {
	return &Error{Line: line, Err: fmt.Errorf(format, args...)}
}

func atByte(offset int64, format string, args ...any) error {
	return &Error{Offset: offset, Err: fmt.Errorf(format, args...)}
}
