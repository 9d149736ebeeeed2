package picking

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hitscan-go/hitscan/internal/wire"
	"github.com/hitscan-go/hitscan/physics/geom"
)

// projectionText is a Projection as JSON. A number that is infinite is a string.
type projectionText struct {
	Kind      string          `json:",omitempty"` // none: the zero Projection
	Clip      string          `json:",omitempty"` // of ClipRange; none: ClipMinusOneToOne
	Symmetric bool            `json:",omitempty"`
	Rectangle *[4]float64     `json:",omitempty"` // left, right, bottom, top
	Near      *float64        `json:",omitempty"`
	Far       json.RawMessage `json:",omitempty"`
	Matrix    *geom.Mat4      `json:",omitempty"`
}

var projectionKinds = [...]string{"", "perspective", "orthographic", "matrix"}

// MarshalJSON writes a projection so that [Projection.UnmarshalJSON] reads the same one back, to
// the bit. It returns an error for one from [ProjectionOf] with a matrix that is not finite.
func (p Projection) MarshalJSON() ([]byte, error) {
	t := projectionText{Kind: projectionKinds[p.kind], Symmetric: p.symmetric}
	if p.clip != ClipMinusOneToOne {
		t.Clip = p.clip.String()
	}
	switch p.kind {
	case explicit:
		t.Matrix = &p.matrix
	case perspective, orthographic:
		t.Rectangle, t.Near, t.Far = &[4]float64{p.left, p.right, p.bottom, p.top}, &p.near, wire.AppendFloat(nil, p.far, 64)
	}
	return json.Marshal(t)
}

// UnmarshalJSON reads what [Projection.MarshalJSON] has written. It returns an error, and changes
// nothing, if the text is damaged or is a projection that no function of this package makes.
func (p *Projection) UnmarshalJSON(data []byte) error {
	q, err := readProjection(data)
	if err != nil {
		return fmt.Errorf("picking: Projection.UnmarshalJSON: %w", err)
	}
	*p = q
	return nil
}

func readProjection(data []byte) (q Projection, err error) {
	var t projectionText
	if err := json.Unmarshal(data, &t); err != nil {
		return q, err
	}
	for q.kind = noProjection; projectionKinds[q.kind] != t.Kind; q.kind++ {
		if q.kind == explicit {
			return q, fmt.Errorf("the Kind is %.40q", t.Kind)
		}
	}
	if t.Clip != "" {
		for ; q.clip.String() != t.Clip; q.clip++ {
			if q.clip == ClipOneToZero {
				return q, fmt.Errorf("Clip is %.40q", t.Clip)
			}
		}
	}
	defer func() { // the checks of the functions that make projections
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	switch q.kind {
	case explicit:
		if t.Matrix == nil {
			return q, errors.New("there is no Matrix")
		}
		q.matrix = *t.Matrix
	case perspective, orthographic:
		if t.Rectangle == nil || t.Near == nil {
			return q, errors.New("there is no Rectangle, or no Near")
		}
		if q.far, err = wire.ParseFloat(t.Far, 64); err != nil {
			return q, fmt.Errorf("the Far is wrong: %w", err)
		}
		r := t.Rectangle
		q.left, q.right, q.bottom, q.top, q.near, q.symmetric = r[0], r[1], r[2], r[3], *t.Near, t.Symmetric
		if q.symmetric {
			checkFinite("Rectangle", r[:]...)
			if !(q.bottom < q.top) || q.left != 0 || q.right != 0 || q.bottom != -q.top {
				return q, fmt.Errorf("Rectangle is %v", *r)
			}
		} else {
			checkRectangle("Rectangle", q.left, q.right, q.bottom, q.top)
		}
		if q.kind == perspective {
			checkNear("Near", q.near)
		} else {
			checkFinite("Near and Far", q.near, q.far)
		}
		checkFar("Far", q.near, q.far)
	}
	return q, nil
}
