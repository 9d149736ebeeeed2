// Package meshio reads triangle meshes from files: Wavefront OBJ, STL (text and binary) and glTF
// 2.0 (.gltf and .glb).
//
// [ReadFile] selects the format by the file's extension; [DecodeOBJ], [DecodeSTL] and [DecodeGLTF]
// read from an io.Reader. All return a [Model]: its parts are for drawing, and [Model.Mesh] returns
// the mesh for queries:
//
//	model, err := meshio.ReadFile("statue.glb")
//	if err != nil {
//		log.Fatal(err) // meshio: statue.glb: byte 20: …
//	}
//	m, err := model.Mesh()
//
// [ReadHeights] reads a height map of 16 or 8 bits from a PNG, for [mesh.NewFieldOfCodes].
//
// Parts have texture coordinates and vertex colours, and those of glTF a [Material] with the image
// of the base colour, not decoded, the node that placed them and the application's own data.
// [Model.PartOf] and [Part.UVAt] find the texture coordinate at a hit of a ray. [Model.Nodes] has
// empties too, such as places where players appear.
//
// [DecodeSkins] reads the skins of glTF: bones, and the vertices with their weights. The package
// reads no cameras, morph targets or animations, and no extensions (KHR_texture_transform is not
// applied). It does not change coordinates. glTF is in metres with Y up, like hitscan; OBJ and STL
// specify neither unit nor axes, and STL files are often in millimetres with Z up: the caller must
// transform those.
//
// # Damaged files
//
// Files from untrusted sources are safe to read. Damage is returned as an [*Error] with the file's
// name and the line of a text file or the byte of a binary file; nothing panics. No memory is
// allocated for a size in the file before the bytes it stands for are known to exist. Coordinates
// that are NaN or infinite are an error.
package meshio
