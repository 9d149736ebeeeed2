// Runs the script of the page, whose path is the argument, without a browser: a click casts the ray
// that is seen at its pixel, and a drag casts none.
const fs = require('fs');
const element = () => ({value: '', getContext: () => new Proxy({}, {get: () => () => {}, set: () => true})});
const elements = {}, asked = [];
global.document = {getElementById: id => elements[id] ??= element()};
global.location = {pathname: '/debug/hitscan'};
global.innerWidth = 800; global.innerHeight = 600;
global.setTimeout = () => {};
const boxes = [{Min: [4, -1, -1], Max: [6, 1, 1], Is: ''}, {Min: [-9, -1, 3], Max: [6, 2, 8], Is: 'static'}];
global.fetch = async url => {
  asked.push(url);
  const answer = url.endsWith('frame') ? {Colliders: 2, Boxes: boxes} : {Text: '<why>', OK: false, Boxes: boxes};
  return {ok: true, json: async () => answer};
};
const script = fs.readFileSync(process.argv[2], 'utf8').match(/<script>([^]*)<\/script>/)[1];
eval(script + `;(async () => {
  const tick = () => new Promise(r => setImmediate(r));
  await tick(); await tick();
  $('mask').value = '6';
  canvas.onpointerdown({clientX: 123, clientY: 456});
  canvas.onpointerup({clientX: 123, clientY: 456});
  await tick(); await tick();
  const q = new URLSearchParams(asked.at(-1).split('?')[1]);
  const [from, dir] = ['from', 'dir'].map(n => q.get(n).split(',').map(Number));
  for (const t of [0.5, 1, 3]) console.log(project(add(from, dir, t * distance / 2)).map(x => Math.round(1e6 * x) / 1e6).join(' '));
  canvas.onpointerdown({clientX: 5, clientY: 6});
  canvas.onpointermove({clientX: 30, clientY: 6, buttons: 1, movementX: 25, movementY: 0});
  canvas.onpointerup({clientX: 30, clientY: 6});
  canvas.onwheel({deltaY: 100});
  console.log(asked.length, asked[0], asked[1].split('?')[0], q.get('mask'), elements.state.textContent, elements.text.textContent);
})()`);
