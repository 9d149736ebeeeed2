// unpacked returns the bytes of a file that is packed by gzip.
async function unpacked(name) {
  const response = await fetch(name + '.packed');
  if (!response.ok) throw new Error(response.status + ' ' + response.url);
  return new Uint8Array(await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

// whole returns the WebAssembly module of a file in which its code is sorted into streams: see split.go.
function whole(file) {
  const OPCODES = 1, OFFSETS = 4, CALLS = 7; // kinds of streams, each of 256
  const [SIZES, TABLES, LABELS, FLOATS, RETURNS, JUMPS] = [2, 8, 9, 10, 11, 12].map(kind => kind << 8);
  const [functions, head, tail, total] = new Uint32Array(file.buffer, 0, 4);
  const lengths = new Uint32Array(file.buffer, 16, 15 << 8);
  const operands = file.subarray(16 + lengths.byteLength), ends = operands.subarray(256);
  const module = new Uint8Array(total);
  module.set(ends.subarray(0, head));
  module.set(ends.subarray(head, head + tail), total - tail);
  const from = new Uint32Array(lengths.length + 1); // where the next byte of each stream is
  from[0] = ends.byteOffset + head + tail;
  for (let i = 0; i < lengths.length; i++) from[i + 1] = from[i] + lengths[i];
  // The integers are LEB128. All are below 2³¹ but some that are only copied.
  const copy = (to, stream) => {
    let at = from[stream], b;
    do module[to++] = b = file[at++]; while (b > 127);
    from[stream] = at;
    return to;
  };
  const read = (stream, signed) => {
    for (let value = 0, shift = 0; ;) {
      const b = file[from[stream]++];
      value |= (b & 127) << shift;
      shift += 7;
      if (b < 128) return signed && b & 64 ? value | -1 << shift : value;
    }
  };
  const write = (to, value, signed) => {
    for (; value > (signed ? 63 : 127) || value < -64; value >>= 7) module[to++] = value | 128;
    module[to++] = value & 127;
    return to;
  };
  let op = 0, before = 0;
  // body writes the instructions of a function. Each call is compiled further than a loop would be.
  const body = (to, end, f) => {
    let depth = 0, block = 0, address = 0x1000 + f << 16, ops = from[OPCODES << 8];
    while (to < end) {
      before = op;
      op = file[ops++];
      if (op === 0xFE) {
        module[to++] = 0x42;
        to = write(to, address += read(RETURNS, true), true);
        continue;
      }
      if (op === 0xFF) {
        module[to++] = 0x41;
        to = write(to, block += read(JUMPS, true), true);
        continue;
      }
      module[to++] = op;
      if (op >= 2 && op <= 4) depth++;
      if (op === 0x0B) depth--;
      if (op === 0x0E) {
        let n = read(TABLES);
        to = write(to, n);
        for (let label = -1; n >= 0; n--) to = write(to, label += read(TABLES, true));
      }
      for (let kinds = operands[op]; kinds; kinds >>= 4) {
        const kind = kinds & 15;
        if (kind === OPCODES) while ((module[to++] = file[ops++]) > 127);
        else if (kind << 8 === LABELS) to = write(to, depth - read(LABELS));
        else if (kind === OFFSETS) to = copy(to, kind << 8 | op | (before === 0x20) << 7);
        else if (kind === CALLS) to = copy(to, kind << 8 | op);
        else if (kind < 15) to = copy(to, kind << 8 | file[ops]); // by the next opcode
        else for (let i = 0; i < 4; i++) module[to++] = file[from[FLOATS]++];
      }
    }
    from[OPCODES << 8] = ops;
    return to;
  };
  let to = head;
  for (let f = 0; f < functions; f++) {
    const size = read(SIZES);
    to = write(to, size);
    const end = to + size;
    let locals = read(SIZES);
    to = write(to, locals);
    for (locals *= 2; locals > 0; locals--) to = copy(to, SIZES);
    to = body(to, end, f);
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
