package testenv

import "reflect"

// VisitNumbers calls f for each exported float32 and float64 of a struct, in structs within it too,
// with its path, such as ".Mover.Velocity.X".
func VisitNumbers(v reflect.Value, f func(path string, x reflect.Value)) { visitNumbers(v, "", f) }

func visitNumbers(v reflect.Value, path string, f func(path string, x reflect.Value)) {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		f(path, v)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				visitNumbers(v.Field(i), path+"."+field.Name, f)
			}
		}
	}
}
