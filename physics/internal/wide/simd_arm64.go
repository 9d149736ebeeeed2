//go:build !noasm

package wide

import "os"

// useSIMD reports whether NEON is used: all processors have it. HITSCAN_PORTABLE=1 in the
// environment forces the portable traversal.
var useSIMD = os.Getenv("HITSCAN_PORTABLE") != "1"
