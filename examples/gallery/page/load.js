// unpacked returns the bytes of a file that is packed by gzip.
async function unpacked(name) {
  const response = await fetch(name + '.packed');
  if (!response.ok) throw new Error(response.status + ' ' + response.url);
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

// whole returns the WebAssembly module of a file in which its code is sorted into streams: see split.go.
function whole(file) {
  const [OPCODES, SIZES, TABLES, LABELS, FLOATS, RETURNS, JUMPS] = [1, 2, 8, 9, 10, 11, 12];
  const numbers = new Uint32Array(file.buffer, 0, 16), operands = file.subarray(64, 320);
  const [head, tail, total] = numbers.subarray(13);
  const module = new Uint8Array(total);
  module.set(file.subarray(320, 320 + head));
  module.set(file.subarray(320 + head, 320 + head + tail), total - tail);
  const from = new Uint32Array(14); // where the next byte of each stream is
  from[1] = 320 + head + tail;
  for (let i = 1; i < 13; i++) from[i + 1] = from[i] + numbers[i];
  let to = head;
  // The integers are LEB128. All are below 2³¹ but some that are only copied.
  const copy = stream => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const b = module[to++] = file[from[stream]++];
      value |= (b & 127) << shift;
      if (b < 128) return value;
    }
  };
  const read = (stream, signed) => {
    for (let value = 0, shift = 0; ;) {
      const b = file[from[stream]++];
      value |= (b & 127) << shift;
      shift += 7;
      if (b < 128) return signed && b & 64 ? value | -1 << shift : value;
    }
  };
  const write = (value, signed) => {
    for (; value > (signed ? 63 : 127) || value < -64; value >>= 7) module[to++] = value | 128;
    module[to++] = value & 127;
  };
  for (let f = 0; f < numbers[0]; f++) {
    const size = copy(SIZES), end = to + size;
    for (let n = 2 * copy(SIZES); n > 0; n--) copy(SIZES);
    let depth = 0, block = 0, address = 0x1000 + f << 16;
    while (to < end) {
      const op = file[from[OPCODES]++];
      if (op === 0xFE) {
        module[to++] = 0x42;
        write(address += read(RETURNS, true), true);
        continue;
      }
      if (op === 0xFF) {
        module[to++] = 0x41;
        write(block += read(JUMPS, true), true);
        continue;
      }
      module[to++] = op;
      if (op >= 2 && op <= 4) depth++;
      if (op === 0x0B) depth--;
      if (op === 0x0E) for (let n = copy(TABLES), label = -1; n >= 0; n--) write(label += read(TABLES, true));
      for (let kinds = operands[op]; kinds; kinds >>= 4) {
        const kind = kinds & 15;
        if (kind === LABELS) write(depth - read(LABELS));
        else if (kind < 15) copy(kind);
        else for (let i = 0; i < 4; i++) module[to++] = file[from[FLOATS]++];
      }
    }
    if (to !== end) throw new Error('function ' + f + ' ends elsewhere than before it was split');
  }
  return module;
}

// run starts a Go program. It finds the files in hitscanFiles.
async function run(program, args, files) {
  const go = new Go();
  go.argv = [program, ...args];
  const code = unpacked(program + '.wasm').then(file => WebAssembly.instantiate(whole(file), go.importObject));
  window.hitscanFiles = {};
  await Promise.all(files.map(async name => { hitscanFiles[name] = await unpacked(name); }));
  await go.run((await code).instance);
}
