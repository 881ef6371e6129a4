// Objects that punish whoever looks at them without care: each touch is counted.
let touched = 0;
const touch = () => {
  touched++;
  throw new Error('do not touch');
};
const trap = new Proxy(
  { real: 1 },
  { get: touch, ownKeys: touch, getOwnPropertyDescriptor: touch, getPrototypeOf: touch, has: touch },
);
const cyclic = { name: 'loop' };
cyclic.self = cyclic;
const state = {
  plain: 1,
  trap,
  cyclic,
  nothing: undefined,
  notANumber: Number.NaN,
  big: 12345678901234567890n,
  when: new Date(0),
  text: 'x'.repeat(100_000),
  __proto__x: 'odd',
  'a.b["c"]': 'quoted',
  toJSON: touch,
  toString: touch,
  valueOf: touch,
  list: [1, , 3],
  bytes: Buffer.alloc(10),
  nested: JSON.parse('{"__proto__": {"polluted": true}}'),
};
Object.defineProperty(state, 'getter', { enumerable: true, get: touch });
Object.defineProperty(state, 'constructor', { enumerable: true, get: touch });
setInterval(() => {
  if (touched > 0) console.log(`touched ${touched}`);
  return state.plain;
}, 20);
console.log('ready');
