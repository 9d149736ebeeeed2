// Opens the gallery in headless Chromium, moves a real mouse over it, and compares what is seen with
// pictures of the same programs on the desktop.
//
//	node browser.js GALLERY DESKTOP OUT    folders: the page, the desktop's pictures, where its own go
const fs = require('fs'), http = require('http'), path = require('path');
const puppeteer = require('puppeteer-core');

const [gallery, desktop, out] = process.argv.slice(2);
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png'};
const server = http.createServer((request, response) => {
  const file = path.join(gallery, new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html'));
  if (!fs.existsSync(file)) { response.writeHead(404); response.end(); return; }
  response.writeHead(200, {'Content-Type': types[path.extname(file)] || 'application/octet-stream'});
  fs.createReadStream(file).pipe(response);
});

const patience = 120_000;

// rest leaves the processor to the program between two looks at it: a picture of it costs as much as some of its frames.
const rest = () => new Promise(done => setTimeout(done, 500));

// differing returns the share of pixels that differ by more than 10 of 255.
async function differing(page, a, b) {
  return page.evaluate(async (...pictures) => {
    const [p, q] = await Promise.all(pictures.map(async data => {
      const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    }));
    if (p.width !== q.width || p.height !== q.height) return 1;
    let n = 0;
    for (let i = 0; i < p.data.length; i += 4)
      if ([0, 1, 2].some(k => Math.abs(p.data[i + k] - q.data[i + k]) > 10)) n++;
    return 4 * n / p.data.length;
  }, a, b);
}

async function main() {
  await new Promise(done => server.listen(0, 'localhost', done));
  const site = `http://localhost:${server.address().port}/`;
  const launch = (...flags) => puppeteer.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', protocolTimeout: patience, args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', ...flags]});
  const failures = [];
  const check = (ok, what) => { console.log(ok ? 'ok  ' : 'FAIL', what, Math.round(performance.now() / 1000) + ' s'); if (!ok) failures.push(what); };
  let browser, page;
  const begin = async () => {
    browser = await launch();
    page = await browser.newPage();
    page.setDefaultTimeout(patience);
    page.on('pageerror', e => check(false, 'error in the page: ' + e.message));
  };
  await begin();

  await page.goto(site);
  const links = await page.$$eval('.thing', all => all.map(a => a.href));
  for (const image of await page.$$('.thing img')) { // which load when they are seen
    await image.evaluate(i => i.scrollIntoView());
    await page.waitForFunction(i => i.complete, {}, image);
  }
  check(await page.$$eval('img', all => all.every(i => i.naturalWidth > 0)), links.length + ' pictures');

  const small = {width: 640, height: 440}; // the processor shades each pixel
  const pictureOf = canvas => canvas.screenshot({encoding: 'base64'});

  // shot returns the canvas as a picture, once it is as the desktop's, or the last one.
  const same = async (name, most) => {
    const want = fs.readFileSync(path.join(desktop, name + '.png')).toString('base64');
    let got, share = 1;
    for (const end = Date.now() + patience; share > most && Date.now() < end;) {
      await rest();
      got = await pictureOf(await page.$('canvas'));
      share = await differing(page, got, want);
    }
    fs.writeFileSync(path.join(out, name + '.png'), Buffer.from(got, 'base64'));
    check(share <= most, `${name}: ${(100 * share).toFixed(2)} % of the pixels differ from the desktop's`);
  };
  const open = async (program, args) => {
    await page.goto(site + `live.html?program=${program}&args=${args}`);
    await page.waitForFunction(() => window.ready, {polling: 50}); // by default it asks for frames, as the program does
    const bytes = fs.statSync(path.join(gallery, program + '.wasm.packed')).size;
    const ready = await page.evaluate(() => window.ready);
    console.log(`     ${program} ${args}: ${(bytes / 1e6).toFixed(2)} MB, the first picture after ${(ready / 1000).toFixed(1)} s`);
    const box = await (await page.$('canvas')).boundingBox();
    // After each step some frames: what comes within one frame is one event.
    const then = f => async (...a) => {
      await f(...a);
      for (let i = 0; i < 3; i++) await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    return {
      move: then((x, y) => page.mouse.move(box.x + x, box.y + y, {steps: 4})),
      down: then(button => page.mouse.down({button})), up: then(button => page.mouse.up({button})),
      key: then(key => page.keyboard.press(key)),
      hold: then(key => page.keyboard.down(key)), let: then(key => page.keyboard.up(key)),
    };
  };

  // changes takes what a user does to a scene, which then looks another way.
  const changes = async (name, act) => {
    const canvas = await page.$('canvas');
    const before = await pictureOf(canvas);
    await act();
    let share = 0, after;
    for (const end = Date.now() + patience; share < 0.002 && Date.now() < end;) {
      await rest();
      after = await pictureOf(canvas);
      share = await differing(page, before, after);
    }
    fs.writeFileSync(path.join(out, name + '.png'), Buffer.from(after, 'base64'));
    check(share >= 0.002, `${name}: ${(100 * share).toFixed(2)} % of the pixels change`);
  };
  const acts = {
    stack: async user => { await user.move(320, 200); await user.down('left'); await user.up('left'); }, // throws a ball
    bridge: user => user.hold('w'), // drives
    arena: user => user.hold('w'), // walks
    corners: async user => { await user.move(200, 300); await user.down('right'); await user.move(260, 280); }, // orbits
    flat: user => user.hold('d'), // walks
    6: async user => { await user.move(39, 204); await user.down('left'); await user.move(39, 120); await user.up('left'); }, // the ray's end
  };
  const looks = [async () => {
    await page.setViewport(small);
    const user = await open('sandbox', '');
    await user.move(320, 30); // the sky
    await same('first', 0.005);
    await user.move(335, 285); // the bunny
    await user.down('left');
    await user.up('left');
    await user.key('b');
    await same('clicked', 0.01);
    await user.move(200, 300); // the ground
    await user.down('right');
    await user.move(260, 280);
    await user.up('right');
    await same('orbited', 0.02);
  }, async () => {
    await page.setViewport({width: 1280, height: 760});
    const learner = await open('slabs', '');
    await same('slabs-2d', 0.01);
    await learner.key('6');
    await same('slabs-heights', 0.01);
  }];
  for (const link of links.filter(l => l.includes('live.html'))) {
    const query = new URL(link).searchParams, program = query.get('program'), args = query.get('args');
    const name = args.split(',').pop() || program;
    if (args === '' && program !== 'flat') continue; // seen above
    looks.push(async () => {
      await page.setViewport(small);
      const user = await open(program, args);
      await changes(name, () => acts[name]?.(user));
    });
  }
  // Under load Chromium may cease to draw, whatever it shows, as long as it runs. What does not answer twice is the program.
  for (const look of looks) {
    await look().catch(async e => {
      console.log('    ', e.message);
      browser.process().kill('SIGKILL');
      await begin();
      await look();
    });
  }

  await page.goto(site + 'rays.html');
  await page.waitForFunction(() => window.rounds >= 5);
  const rows = await page.$$eval('#rates tr', all => all.map(r => [...r.cells].map(c => c.textContent)));
  for (const r of rows) check(r[6] === '' || +r[6] <= 16, r.join('  ')); // on edges either answer is right
  await page.screenshot({path: path.join(out, 'rays.png')});
  await browser.close();

  // A processor without the instructions that vectors of WebAssembly take: the same answers by the portable casts.
  const old = await launch('--js-flags=--no-enable-sse4-1');
  const plain = await old.newPage();
  await plain.goto(site + 'rays.html');
  await plain.waitForFunction(() => window.rounds >= 1, {timeout: patience});
  const slow = await plain.$$eval('#rates tr', all => all.map(r => [...r.cells].map(c => c.textContent)));
  slow.forEach((r, i) => check(r[5] === rows[i][5] && r[6] === rows[i][6], 'without SIMD: ' + r.join('  ')));
  check(!await plain.evaluate(() => WebAssembly.validate(new Uint8Array(
    [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]))), 'there is no SIMD');
  await old.close();
  server.close();
  if (failures.length > 0) process.exitCode = 1;
}

main().catch(e => { console.error(e); process.exit(1); });
