// One way to make an observer's life hard per `?case=`. `window.victim` is what the page calls its state, `window.ready`
// is true once it is built, and `visits` counts clicks on "Go" so that each case has something harmless that changes.
// `&auto` starts what otherwise waits for the click, after a second.
let visits = 0;

const query = new URLSearchParams(location.search);
const show = (text) => {
  document.getElementById('done').textContent = text;
};
const say = (text) => () => {
  show(text);
};

function nested(levels) {
  let value = { bottom: true };
  for (let i = 0; i < levels; i++) value = { next: value };
  return value;
}

/** Every trap counts and throws. */
function trappedProxy(target) {
  const names = Object.getOwnPropertyNames(Reflect).filter((name) => typeof Reflect[name] === 'function');
  const handler = Object.fromEntries(
    names.map((name) => [
      name,
      () => {
        window.trapCalls += 1;
        throw new Error(`trap ${name}`);
      },
    ]),
  );
  return new Proxy(target, handler);
}

function throwing(name) {
  return () => {
    window.overrideCalls += 1;
    throw new Error(`${name} is not what it was`);
  };
}

/** Replaces functions of a built-in object by ones that count and throw. */
function poison(object, label, names) {
  for (const name of names) object[name] = throwing(`${label}.${String(name)}`);
}

const ordinary = () => ({ plan: 'gold', seats: 5, users: [{ name: 'Ada' }, { name: 'Grace' }] });

/** Runs at load; returns the state, and the effect of a click on "Go". */
const CASES = {
  alert: () => ({ state: ordinary(), go: () => alert('Are you still there?') }),
  confirm: () => ({ state: ordinary(), go: () => show(`answer ${confirm('Delete everything?')}`) }),
  prompt: () => ({ state: ordinary(), go: () => show(`answer ${prompt('Your name?', 'Anonymous')}`) }),

  beforeunload: () => {
    addEventListener('beforeunload', (event) => event.preventDefault());
    return { state: ordinary(), go: () => location.assign('?case=alert') };
  },

  loop: () => ({
    state: ordinary(),
    go: () => {
      for (;;) visits += 1;
    },
  }),

  'throwing-getter': () => {
    window.getterCalls = 0;
    const state = ordinary();
    Object.defineProperty(state, 'balance', {
      enumerable: true,
      get() {
        window.getterCalls += 1;
        throw new Error('this getter must not run');
      },
    });
    return { state, go: say('nothing was asked') };
  },

  proxy: () => {
    window.trapCalls = 0;
    const state = { ...ordinary(), proxied: trappedProxy({ inside: 1 }), list: trappedProxy([1, 2]) };
    state.callable = trappedProxy(() => 1);
    return { state, go: say('nothing was trapped') };
  },

  cyclic: () => {
    const parent = { name: 'parent', children: [] };
    const child = { name: 'child', parent };
    parent.children.push(child, child);
    parent.self = parent;
    const map = new Map([['parent', parent]]);
    map.set(map, map);
    return { state: { parent, map }, go: () => parent.children.push({ name: 'late', parent }) };
  },

  tojson: () => {
    window.toJsonCalls = 0;
    for (const prototype of [Object.prototype, Array.prototype]) {
      prototype.toJSON = function toJSON() {
        window.toJsonCalls += 1;
        return 'poisoned';
      };
    }
    return { state: ordinary(), go: say('poisoned') };
  },

  'proto-key': () => {
    const text =
      '{"name":"Ada","__proto__":{"isAdmin":true},"constructor":{"prototype":{"hacked":1}},"toString":"text"}';
    return { state: { parsed: JSON.parse(text), list: [JSON.parse('{"__proto__":7}')] }, go: say('still there') };
  },

  'override-json': () => {
    window.overrideCalls = 0;
    window.JSON = { parse: throwing('JSON.parse'), stringify: throwing('JSON.stringify') };
    return { state: ordinary(), go: say('JSON is gone') };
  },

  'override-map': () => {
    window.overrideCalls = 0;
    for (const type of [Map, Set, WeakMap, WeakSet]) poison(type.prototype, type.name, ['get', 'set', 'has', 'add']);
    for (const type of [Map, Set])
      poison(type.prototype, type.name, ['forEach', 'entries', 'keys', 'values', Symbol.iterator]);
    for (const name of ['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef']) window[name] = throwing(name);
    return { state: ordinary(), go: say('Map is gone') };
  },

  'override-object': () => {
    window.overrideCalls = 0;
    const state = ordinary();
    poison(Object, 'Object', [
      'keys',
      'values',
      'entries',
      'getOwnPropertyNames',
      'getOwnPropertyDescriptor',
      'getOwnPropertyDescriptors',
      'getOwnPropertySymbols',
      'getPrototypeOf',
      'defineProperty',
      'create',
      'freeze',
    ]);
    poison(Reflect, 'Reflect', ['ownKeys', 'get', 'getOwnPropertyDescriptor', 'getPrototypeOf', 'apply']);
    poison(Array, 'Array', ['isArray', 'from']);
    poison(Array.prototype, 'Array', ['push', 'map', 'filter', 'slice', 'forEach', 'join']);
    poison(Function.prototype, 'Function', ['call', 'apply', 'bind']);
    return { state, go: say('Object is gone') };
  },

  'huge-string': () => {
    const state = { ...ordinary(), text: 'x'.repeat(50 * 1024 * 1024) };
    return { state, go: () => (state.text += 'y') };
  },

  'big-dom': () => {
    const area = document.createDocumentFragment();
    for (let i = 0; i < 20_000; i++) {
      const paragraph = document.createElement('p');
      paragraph.textContent = `line ${i}`;
      area.append(paragraph);
    }
    document.getElementById('area').append(area);
    const first = document.querySelector('#area p');
    return { state: ordinary(), go: () => (first.textContent = `line 0, visit ${visits}`) };
  },

  deep: () => {
    const state = { ...ordinary(), chain: nested(10_000) };
    return { state, go: () => (state.chain = { next: state.chain }) };
  },

  'many-keys': () => {
    const dictionary = {};
    for (let i = 0; i < 100_000; i++) dictionary[`key${i}`] = i;
    return { state: { ...ordinary(), dictionary }, go: () => (dictionary.key50000 += 1) };
  },
};

const name = query.get('case') ?? 'alert';
const { state, go } = CASES[name]();
window.victim = state;
document.title = `Hostile: ${name}`;
document.getElementById('case').textContent = name;

function visit() {
  visits += 1;
  state.seats = 5 + visits;
  go();
}

document.getElementById('go').addEventListener('click', visit);
if (query.has('auto')) setTimeout(visit, 1000);
window.ready = true;
