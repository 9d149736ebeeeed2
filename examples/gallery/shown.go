package main

// thing is something that hitscan does: what the page says of it, its picture in docs, and the
// program that shows it, with its arguments.
type thing struct {
	Title, Text, Picture, Program string
	Args, Files                   string // separated by commas
}

// URL returns the page on which the program runs.
func (t thing) URL() string {
	if t.Program == "rays" {
		return "rays.html"
	}
	return "live.html?program=" + t.Program + "&args=" + t.Args + "&files=" + t.Files
}

// models are the files of what the first scene of the sandbox shows: meshes with their trees.
const models = "bunny.mesh,dragon.mesh"

var shown = []thing{
	{"Picking", "Hover, click, orbit: what is outlined is what a ray through the cursor hits, to the pixel.", "sandbox.png", "sandbox", "", models},
	{"Handles", "Select an object and drag it, turn it or scale it: keys 1, 2 and 3.", "gizmo.png", "sandbox", "", models},
	{"What a ray does", "BVH boxes (B), AABBs (A), and the ray explained node by node (X).", "overlays.png", "sandbox", "", models},
	{"Slabs", "A ray and a box: drag its ends, and see each axis's two crossings, the intervals and the table.", "slabs-2d.png", "slabs", "", ""},
	{"Height fields", "A ray over a row of heights: the boxes it skips, the cells it crosses, a hole that lets it through.", "slabs-heights.png", "slabs", "-page,6", ""},
	{"Ten thousand movers", "Colliders that all move, and a ray among them, every frame.", "swarm.png", "sandbox", "-scene,swarm", ""},
	{"Stacks", "A pyramid, a tower, dominoes: click to throw a ball, drag to pull, and slide back in time.", "stack.png", "sandbox", "-scene,stack", ""},
	{"A pile", "Two thousand bodies that are poured, come to rest and fall asleep.", "pile.png", "sandbox", "-scene,pile", ""},
	{"Ragdolls", "Figures of capsules and ball joints with limits, from a skin.", "ragdolls.png", "sandbox", "-scene,ragdolls", ""},
	{"A car and a bridge", "Wheels with suspension on planks that hang: drive by W, A, S and D.", "bridge.png", "sandbox", "-scene,bridge", ""},
	{"A character", "Walk by W, A, S and D, jump by space, shoot by F: slopes, steps, lifts, doors and zones.", "arena.png", "sandbox", "-scene,arena", ""},
	{"Contacts", "Shapes at the corners of meshes, with the points and normals at which they touch.", "contacts.png", "sandbox", "-scene,corners", ""},
	{"Flat worlds", "A game in a plane: tiles, crates, a rope, one-way platforms. A and D walk, space jumps.", "flat.png", "flat", "", ""},
	{"Rays a second", "The bunny beside three-mesh-bvh, the same rays in the same page.", "rays.png", "rays", "", ""},
}
