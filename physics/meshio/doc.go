// Package meshio reads triangle meshes from files: Wavefront OBJ, STL (text and binary) and glTF
// 2.0 (.gltf and .glb).
//
// [ReadFile] chooses the format by the file's extension; [DecodeOBJ], [DecodeSTL] and [DecodeGLTF]
// read from anywhere. All return a [Model], whose parts a renderer draws and whose [Model.Mesh] a
// query casts at:
//
//	model, err := meshio.ReadFile("statue.glb")
//	if err != nil {
//		log.Fatal(err) // meshio: statue.glb: byte 20: …
//	}
//	m, err := model.Mesh()
//
// Only geometry is read: no materials, textures, cameras, skins, morph targets or animations.
// Coordinates are taken as they stand. glTF is in metres with Y up, as hitscan is; OBJ and STL name
// neither unit nor axes, and STL files are often in millimetres with Z up: that is for the caller's
// transform.
//
// # Damaged files
//
// A file from outside is never trusted. What is wrong comes back as an [*Error] with the file's
// name and the line of a text or the byte of a binary; nothing panics. No size that a file claims
// is allocated before the bytes behind it were seen, and coordinates that are NaN or infinite are
// refused.
package meshio
