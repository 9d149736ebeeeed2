package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Text writes values as JSON and reads them back, by the exported fields of their types. It differs
// from encoding/json: a field whose value is zero is left out, NaN and infinities are the strings
// "NaN", "+Inf" and "-Inf", small constants with a String method are written by name, an unknown
// field is an error, and errors name the field. It is for one goroutine at a time.
type Text struct {
	forms  map[reflect.Type]form
	fields map[reflect.Type][]reflect.StructField
}

// form is how the values of a type are written.
type form struct {
	write func(v reflect.Value) (any, error)
	read  func(raw []byte, v reflect.Value) error
}

// Use makes values of a type written as those that write returns, as encoding/json does, and read
// by read. A value for which write returns 0 or "" is zero.
func Use[T, J any](t *Text, write func(T) (J, error), read func(J) (T, error)) {
	if t.forms == nil {
		t.forms = map[reflect.Type]form{}
	}
	t.forms[reflect.TypeFor[T]()] = form{
		func(v reflect.Value) (any, error) { return write(v.Interface().(T)) },
		func(raw []byte, v reflect.Value) error {
			var j J
			if err := json.Unmarshal(raw, &j); err != nil {
				return fmt.Errorf("%s is no %T", short(raw), j)
			}
			x, err := read(j)
			v.Set(reflect.ValueOf(x))
			return err
		},
	}
}

// Append appends a value. An error begins with path and the field's.
func (t *Text) Append(b []byte, v reflect.Value, path string) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return b, fmt.Errorf("%s: %w", path, err) }
	if f, ok := t.forms[v.Type()]; ok {
		j, err := f.write(v)
		if err != nil {
			return fail(err)
		}
		text, err := json.Marshal(j)
		if err != nil {
			return fail(err)
		}
		return append(b, text...), nil
	}
	if m, ok := v.Interface().(json.Marshaler); ok {
		text, err := m.MarshalJSON()
		if err != nil {
			return fail(err)
		}
		return append(b, text...), nil
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Float32, reflect.Float64:
		return AppendFloat(b, v.Float(), v.Type().Bits()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint8, reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if name, ok := nameOf(v); ok {
			return strconv.AppendQuote(b, name), nil
		}
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.String:
		text, err := json.Marshal(v.String())
		return append(b, text...), err
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = t.Append(b, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	case reflect.Struct:
		b = append(b, '{')
		first := len(b)
		for _, f := range t.fieldsOf(v.Type()) {
			start := len(b)
			if start > first {
				b = append(b, ',')
			}
			b = append(strconv.AppendQuote(b, f.Name), ':')
			value := len(b)
			var err error
			if b, err = t.Append(b, v.FieldByIndex(f.Index), path+"."+f.Name); err != nil {
				return b, err
			}
			switch string(b[value:]) {
			case "0", "false", "{}", `""`, "[]":
				b = b[:start]
			}
		}
		return append(b, '}'), nil
	}
	return fail(fmt.Errorf("a %v cannot be written", v.Type()))
}

// AppendFloat appends a number of 32 or 64 bits so that it is read back exactly.
func AppendFloat(b []byte, x float64, bits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return append(strconv.AppendFloat(append(b, '"'), x, 'g', -1, bits), '"') // NaN, +Inf, -Inf
	}
	return strconv.AppendFloat(b, x, 'g', -1, bits)
}

// ParseFloat parses what AppendFloat has written.
func ParseFloat(raw []byte, bits int) (float64, error) {
	text := string(raw)
	switch text {
	case `"NaN"`, `"+Inf"`, `"-Inf"`:
		text = text[1 : len(text)-1]
	default:
		if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
			return 0, fmt.Errorf("%s is no number", short(raw))
		}
	}
	x, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return 0, fmt.Errorf("%s is out of range", short(raw))
	}
	return x, nil
}

// Read reads a value over the zero one. An error begins with path and the field's.
func (t *Text) Read(raw []byte, v reflect.Value, path string) error {
	fail := func(format string, a ...any) error { return fmt.Errorf("%s: "+format, append([]any{path}, a...)...) }
	raw = bytes.TrimSpace(raw)
	if f, ok := t.forms[v.Type()]; ok {
		if err := f.read(raw, v); err != nil {
			return fail("%w", err)
		}
		return nil
	}
	if m, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		if err := m.UnmarshalJSON(raw); err != nil {
			return fail("%w", err)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Bool:
		if s := string(raw); s != "true" && s != "false" {
			return fail("%s is no bool", short(raw))
		}
		v.SetBool(string(raw) == "true")
	case reflect.Float32, reflect.Float64:
		x, err := ParseFloat(raw, v.Type().Bits())
		if err != nil {
			return fail("%w", err)
		}
		v.SetFloat(x)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, err := strconv.ParseInt(string(raw), 10, v.Type().Bits())
		if err != nil {
			return fail("%s is no whole number of %d bits", short(raw), v.Type().Bits())
		}
		v.SetInt(x)
	case reflect.Uint8, reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if len(raw) > 0 && raw[0] == '"' {
			if !setByName(v, raw) {
				return fail("%s is no %s", short(raw), v.Type().Name())
			}
			return nil
		}
		x, err := strconv.ParseUint(string(raw), 10, v.Type().Bits())
		if err != nil {
			return fail("%s is no whole number of %d bits from 0 on", short(raw), v.Type().Bits())
		}
		v.SetUint(x)
	case reflect.String:
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return fail("%s is no string", short(raw))
		}
		v.SetString(s)
	case reflect.Slice, reflect.Array:
		return t.readList(raw, v, path)
	case reflect.Struct:
		return t.readStruct(raw, v, path)
	default:
		return fail("a %v cannot be read", v.Type())
	}
	return nil
}

func (t *Text) readList(raw []byte, v reflect.Value, path string) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return fmt.Errorf("%s: %s is no list", path, short(raw))
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	} else if len(list) != v.Len() {
		return fmt.Errorf("%s: %d elements instead of %d", path, len(list), v.Len())
	}
	for i, one := range list {
		if err := t.Read(one, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (t *Text) readStruct(raw []byte, v reflect.Value, path string) error {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil || values == nil {
		return fmt.Errorf("%s: %s is no object", path, short(raw))
	}
	for _, f := range t.fieldsOf(v.Type()) {
		one, ok := values[f.Name]
		if !ok {
			continue
		}
		delete(values, f.Name)
		if err := t.Read(one, v.FieldByIndex(f.Index), path+"."+f.Name); err != nil {
			return err
		}
	}
	for name := range values {
		return fmt.Errorf("%s: there is no field %.40q", path, name)
	}
	return nil
}

// fieldsOf returns the exported fields, with those of embedded structs in their place.
func (t *Text) fieldsOf(of reflect.Type) []reflect.StructField {
	list, ok := t.fields[of]
	if !ok {
		list = slices.DeleteFunc(reflect.VisibleFields(of), func(f reflect.StructField) bool {
			return !f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct
		})
		if t.fields == nil {
			t.fields = map[reflect.Type][]reflect.StructField{}
		}
		t.fields[of] = list
	}
	return list
}

// nameOf returns the name of a constant of 8 bits, unless it is zero, or shares it with another.
func nameOf(v reflect.Value) (string, bool) {
	s, ok := v.Interface().(fmt.Stringer)
	if !ok || v.Kind() != reflect.Uint8 || v.Uint() == 0 {
		return "", false
	}
	again := reflect.New(v.Type()).Elem()
	name := s.String()
	return name, setByName(again, strconv.AppendQuote(nil, name)) && again.Uint() == v.Uint()
}

// setByName sets a constant of 8 bits to the lowest with a name.
func setByName(v reflect.Value, raw []byte) bool {
	var name string
	if _, ok := v.Interface().(fmt.Stringer); !ok || v.Kind() != reflect.Uint8 || json.Unmarshal(raw, &name) != nil {
		return false
	}
	for i := range uint64(256) {
		if v.SetUint(i); v.Interface().(fmt.Stringer).String() == name {
			return true
		}
	}
	v.SetUint(0)
	return false
}

// short returns the beginning of a text, for an error.
func short(raw []byte) string {
	if len(raw) > 40 {
		return string(raw[:40]) + "…"
	}
	return string(raw)
}
