// unpacked returns a file that is packed, as an answer whose body is unpacked while it comes.
async function unpacked(name, type) {
  const response = await fetch(name + '.packed');
  if (!response.ok) throw new Error(response.status + ' ' + response.url);
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip')), {headers: {'Content-Type': type}});
}

// run starts a Go program, which is compiled while it is unpacked. It finds the files in hitscanFiles.
async function run(program, args, files) {
  const go = new Go();
  go.argv = [program, ...args];
  const code = WebAssembly.instantiateStreaming(unpacked(program + '.wasm', 'application/wasm'), go.importObject);
  window.hitscanFiles = {};
  await Promise.all(files.map(async name => {
    hitscanFiles[name] = new Uint8Array(await (await unpacked(name, '')).arrayBuffer());
  }));
  await go.run((await code).instance);
}
