// Package systemtest tests the packages together, from an entity to what the user sees:
//
//   - what is seen is what is picked: an ID buffer that OpenGL draws agrees with a ray through
//     every pixel (pixels_test.go, pixels_random_test.go), also 100 km from the origin
//     (far_*_test.go);
//   - a real window with a real pointer: hover, selection and outlines (window_*_test.go);
//   - 1,200 cases from the tests of seven other libraries (vectors_test.go);
//   - 10,000 pairs in the plane beside Chipmunk's Go port, and a pyramid (planar_*_test.go);
//   - the commands and programs of the README, run as its reader would (readme_test.go);
//   - no product is fused with a sum in the machine code, which would change answers from one
//     architecture to the next (fused_test.go).
//
// It has no code besides the tests. The way from the cursor to the selection without a window, and
// the order of imports, are tested in physics_test.go at the root.
package systemtest
