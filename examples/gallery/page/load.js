// run starts a Go program. It is packed, and unpacked while it is compiled.
async function run(program, args) {
  const response = await fetch(program + '.wasm.packed');
  if (!response.ok) throw new Error(response.status + ' ' + response.url);
  const code = new Response(response.body.pipeThrough(new DecompressionStream('gzip')), {headers: {'Content-Type': 'application/wasm'}});
  const go = new Go();
  go.argv = [program, ...args];
  await go.run((await WebAssembly.instantiateStreaming(code, go.importObject)).instance);
}
