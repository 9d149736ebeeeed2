// Package enum names the values of enumerations.
package enum

// Name returns the name of a value that counts from 0; "unknown" if there is none.
func Name[E ~uint8](value E, names ...string) string {
	if int(value) < len(names) {
		return names[value]
	}
	return "unknown"
}
