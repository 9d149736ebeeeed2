// Runs the script of the page, whose path is the argument, without a browser: a click casts the ray
// that is seen at its pixel, and a drag casts none.
const fs = require('fs');
const element = () => ({
  value: '', checked: true, style: {}, cells: [], children: [], getContext: () => context,
  append() {}, replaceChildren(...all) { this.children = all; },
  insertCell() { this.cells.push(element()); return this.cells.at(-1); },
});
const drawn = []; // where lines begin and end
const context = new Proxy({}, {get: (_, name) => (...a) => { if (/To$/.test(name)) drawn.push(a); }, set: () => true});
const elements = {}, asked = [];
global.document = {getElementById: id => elements[id] ??= element(), createElement: element};
global.location = {pathname: '/debug/hitscan'};
global.innerWidth = 800; global.innerHeight = 600;
let later = () => {};
global.setTimeout = f => { later = f; };
const boxes = [{ID: '7.1', Min: [4, -1, -1], Max: [6, 1, 1], Is: '', Shape: 1, At: [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0]}, {ID: '8.1', Min: [-9, -1, 3], Max: [6, 2, 8], Is: 'static'},
  {ID: '9.1', Min: [-90, -90, -90], Max: [90, 90, 90], Is: 'static'}];
const all = {
  Tick: 5, Colliders: 2, Boxes: boxes, Shapes: [[-1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0]], Bodies: 2, Asleep: 1, Left: 3, Contacts: [{At: [5, 0, 0], Normal: [0, 1, 0], Depth: 0}],
  Planes: [{ID: '6.1', Point: [0, -2, 0], Normal: [0, 1, 0], Is: 'static'}], Looks: [1, 3, 5], Saves: [2, 4], Control: true, Paused: true,
  Rays: [{From: [0, 0, 0], To: [1, 2, 3], Hit: false}], Times: [{Name: 'Dynamics', Microseconds: 250.4}],
};
global.fetch = async (url, {method} = {}) => {
  asked.push((method ? method + ' ' : '') + url);
  const answer = url.includes('frame') ? all : {Text: '<why>', OK: false, Boxes: boxes, Why: 'it is farther'};
  return {ok: true, json: async () => answer};
};
const script = fs.readFileSync(process.argv[2], 'utf8').match(/<script>([^]*)<\/script>/)[1];
eval(script + `;(async () => {
  const tick = () => new Promise(r => setImmediate(r));
  await tick(); await tick();
  // The grid of the plane, first: 21 × 21 corners in it, at multiples of a hundred metres, without those behind the eye.
  const place = p => p && p.map(x => x.toFixed(3)).join(), corners = [];
  for (let x = -1000; x <= 1000; x += 100) for (let z = -1000; z <= 1000; z += 100) corners.push(place(project([x, -2, z])));
  const seen = corners.filter(c => c), grid = new Set(drawn.map(place));
  console.log(seen.length > 300 && seen.every(c => grid.has(c)));
  // After it come the lines of the first shape, then the edges of boxes: on the ends of the second line is the first's.
  const ends = [[4, 0, 0], [5, 1, 0], [5, 1, 0], [6, 0, 0]].map(project);
  const i = drawn.findIndex(p => p[0] === ends[0][0] && p[1] === ends[0][1]);
  console.log(ends.every((p, k) => p[0] === drawn[i + k][0] && p[1] === drawn[i + k][1]));
  $('mask').value = '6'; $('sensors').checked = false;
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
  console.log(asked.length, asked[0], asked[1].split('?')[0], q.get('mask'), q.get('sensors'), elements.text.textContent);
  console.log(elements.state.textContent, elements.times.children[0].cells.map(c => c.textContent).join(' '));
  const sides = [[6, 0.9, -0.9], [-8, 0, 8]].map(project); // of both boxes in the third: what should have been hit
  for (const [clientX, clientY] of sides) {
    canvas.onpointerdown({clientX, clientY});
    canvas.onpointerup({clientX, clientY, altKey: true});
    await tick(); await tick();
    const again = new URLSearchParams(asked.at(-1).split('?')[1]);
    console.log(again.get('why'), again.get('from') === q.get('from'), elements.why.textContent);
  }
  for (const [p, control] of [[[0.5, 1, 1.5], true], [[0, 40, 0], true], [[0, 0, 0], false]]) { // on the ray, beside it, without control
    const [clientX, clientY] = project(p), before = asked.length;
    canvas.onpointerdown({clientX, clientY});
    canvas.onpointerup({clientX, clientY, ctrlKey: control});
    const again = new URLSearchParams(asked.at(-1).split('?')[1]);
    console.log(asked.length - before, control ? again.get('from') + ' ' + again.get('dir') : '', again.get('maxt'));
  }
  console.log($('look').value, $('seen').textContent, $('past').value, $('at').textContent, $('pause').textContent);
  for (const id of ['pause', 'step']) { $(id).onclick(); console.log(asked.at(-1)); }
  $('past').value = 0; $('past').oninput(); console.log(asked.at(-1));
  $('look').value = 1; $('look').oninput(); later(); console.log(asked.at(-1));
  await tick(); await tick();
  canvas.onpointerdown({clientX: 123, clientY: 456});
  canvas.onpointerup({clientX: 123, clientY: 456});
  console.log(new URLSearchParams(asked.at(-1).split('?')[1]).get('tick'));
  $('look').value = 3; $('look').oninput(); later(); console.log(asked.at(-1));
})()`);
