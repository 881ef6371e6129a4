import { afterEach, describe, expect, it } from 'vitest';
import { SubstrateError } from '../../../../src/model/errors.ts';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';
import { cpuTime } from '../../../support/cpu-time.ts';
import { viewOf } from './view-of.ts';

const view = viewOf({
  user: { name: 'Ada', age: 3 },
  list: Array.from({ length: 1000 }, (_, index) => index),
  rows: Array.from({ length: 300 }, (_, index) => ({ id: index, text: 'x'.repeat(1000) })),
  big: 'a'.repeat(1_000_000),
  bigToo: `${'a'.repeat(999_999)}b`,
});

const REFUSED = 'refused';
const STOPPED = 'stopped';

/** The expected outcome: refused before it runs, stopped while it runs, or this harmless value. */
const attacks: [name: string, source: string, outcome: unknown][] = [
  // out of the language, into the process
  ['constructor of a method', '"".sub.constructor("return process")()', REFUSED],
  ['constructor of a string', '"".constructor.constructor("return process")()', REFUSED],
  ['constructor of an array', '[].constructor.constructor("return 1")()', REFUSED],
  ['constructor read only', '"".constructor', null],
  ['constructor by computed name', '""["const" + "ructor"]', null],
  ['constructor by template', '[][`constructor`]', null],
  ['constructor of a state object', 'user.constructor', null],
  ['constructor of the state', 'state.constructor', null],
  ['constructor of the state, computed', 'state["constr" + "uctor"]', null],
  ['constructor of the context', 'context.constructor', null],
  ['constructor called by computed name', 'user["constructor"]("x")', REFUSED],
  ['computed method', 'user.name["at" + ""](0)', REFUSED],
  ['constructor of an arrow function', '(x => x).constructor("return 1")()', REFUSED],
  ['constructor of a callback', '[1].map(x => x.constructor)', [null]],
  ['constructor of Math', 'Math.constructor', STOPPED],
  ['constructor of Object', 'Object.constructor("return 1")()', REFUSED],
  ['method as a value', '[].map', null],
  ['method of a namespace as a value', 'Object.keys', STOPPED],
  ['function as a value', 'Number', null],
  ['process', 'process.exit(1)', REFUSED],
  ['globalThis', 'globalThis.process', STOPPED],
  ['this', 'this', REFUSED],
  ['this in an arrow function', '[1].map(() => this)', REFUSED],
  ['arguments', 'arguments[0]', STOPPED],
  ['import', 'import("node:fs")', REFUSED],
  ['import.meta', 'import.meta', REFUSED],
  ['require', 'require("fs")', REFUSED],
  ['eval', 'eval("1")', REFUSED],
  ['Function', 'Function("return 1")()', REFUSED],
  ['new', 'new Function("return 1")', REFUSED],
  ['tagged template', 'String.raw`x`', REFUSED],
  ['call, apply, bind', '[].map.call("abc", x => x)', REFUSED],
  ['optional call of anything', 'user.name?.constructor?.("x")', REFUSED],
  // much work for little
  [
    'search for what is nearly everywhere',
    '[[1,2,3,4,5,6,7,8,9,10,11,12].reduce(a=>a+a,"aaaaaaaaaaaa")].map(h=>h.indexOf(h.slice(0,20000)+"b"+h.slice(0,19000)))[0]===0',
    STOPPED,
  ],
  // prototypes and mutation
  ['__proto__', 'user.__proto__', null],
  ['__proto__ of an array', '[].__proto__', null],
  ['__proto__ of a string', '"".__proto__', null],
  ['__proto__ twice', '"".__proto__?.__proto__', null],
  ['__proto__ in state', '"__proto__" in state', false],
  ['toString in an object', '"toString" in user', false],
  ['hasOwnProperty', 'user.hasOwnProperty("x")', REFUSED],
  ['__defineGetter__', 'user.__defineGetter__("x", () => 1)', REFUSED],
  ['assignment', 'user.name = "x"', REFUSED],
  ['assignment to a prototype', 'user.__proto__.polluted = 1', REFUSED],
  ['destructuring assignment', '[user.name] = ["x"]', REFUSED],
  ['increment', 'user.age++', REFUSED],
  ['delete', 'delete user.name', REFUSED],
  ['push', '[1].push(2)', REFUSED],
  ['sort', 'list.sort()', REFUSED],
  ['Object.assign', 'Object.assign(user, {})', REFUSED],
  ['Object.getPrototypeOf', 'Object.getPrototypeOf(user)', REFUSED],
  ['object literal with __proto__', '({ __proto__: null })', REFUSED],
  ['getter', '({ get a() { return 1 } }).a', REFUSED],
  ['class', '(class { static { } })', REFUSED],
  ['function', '(function () { return this })()', REFUSED],
  ['default parameter', '[1].map((x = process) => x)', REFUSED],
  ['destructured parameter', '[1].map(({ constructor }) => constructor)', REFUSED],
  ['arrow function with statements', '[1].map(x => { while (true) {} })', REFUSED],
  ['async arrow function', '[1].map(async x => x)', REFUSED],
  ['generator', '(function* () {})', REFUSED],
  ['comma', '(1, 2)', REFUSED],
  ['with', 'with (user) name', REFUSED],
  // disguises
  ['unicode escape in a name', 'user.\\u0063onstructor', null],
  ['unicode escape in a keyword', 'n\\u0065w Date()', REFUSED],
  ['unicode escape in a call', 'user.n\\u0061me.const\\u{72}uctor("x")', REFUSED],
  ['comment inside a chain', 'user/**/.constructor/**/("x")', REFUSED],
  ['HTML comment', '1 <!-- 2', 1],
  ['line separator', 'user.name\u2028user.age', REFUSED],
  ['NUL', 'user\0.name', REFUSED],
  ['parameter named as a global', '[1].map(Math => Math.constructor)', [null]],
  ['parameter named undefined', '[1].map(undefined => undefined)', [1]],
  ['private name', '#x in user', REFUSED],
  // regular expressions
  ['regular expression', '/(a+)+$/.test(big)', REFUSED],
  ['match', 'big.match("(a+)+$")', REFUSED],
  ['replace', 'big.replaceAll("a", big)', REFUSED],
  // too much
  ['deep brackets', `${'('.repeat(1000)}1${')'.repeat(1000)}`, REFUSED],
  ['deep arrays', `${'['.repeat(1000)}${']'.repeat(1000)}`, REFUSED],
  ['deep negation', `${'!'.repeat(2000)}1`, REFUSED],
  ['deep minus', `${'- '.repeat(1000)}1`, REFUSED],
  ['deep typeof', `${'typeof '.repeat(300)}1`, REFUSED],
  ['deep templates', `${'`${'.repeat(500)}1${'}`'.repeat(500)}`, REFUSED],
  ['deep conditionals', `${'1 ? '.repeat(4000)}1${' : 1'.repeat(4000)}`, REFUSED],
  ['deep powers', `${'1 ** '.repeat(3000)}1`, REFUSED],
  ['deep sums', `${'1 + '.repeat(3000)}1`, REFUSED],
  ['deep chain', `a${'.a'.repeat(1000)}`, REFUSED],
  ['deep calls', `"a"${'.trim()'.repeat(1000)}`, REFUSED],
  ['wide and', `${'user.age && '.repeat(400)}1`, 1],
  ['long source', ' '.repeat(1_000_000), REFUSED],
  ['repeat', '"x".repeat(1e9)', REFUSED],
  ['pad', '"x".padEnd(1e9)', REFUSED],
  ['fill', 'Array(1e9).fill(0)', REFUSED],
  ['Array.from', 'Array.from({ length: 1e9 })', REFUSED],
  ['doubled string', `["x"]${'.map(s => s + s)'.repeat(40)}`, STOPPED],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the predicate is what has placeholders
  ['doubled template', `["x"]${'.map(s => `${s}${s}`)'.repeat(40)}`, STOPPED],
  ['doubled by concat', `["x"]${'.map(s => s.concat(s))'.repeat(40)}`, STOPPED],
  ['doubled array', `[1]${'.map(x => [x, x])'.repeat(5)}.length`, 1],
  ['doubled by reduce', 'list.reduce(s => s + s, "x")', STOPPED],
  ['nested by reduce', 'list.concat(list, list).reduce(s => [s], 1) + ""', STOPPED],
  ['shared structure as text', 'list.reduce(s => [s, s], 1) + ""', STOPPED],
  ['shared structure as value', 'list.slice(0, 50).reduce(s => [s, s], 1).length', 2],
  ['nested loops', 'list.map(a => list.map(b => list.map(c => list.map(d => 1))))', STOPPED],
  ['nested some', 'list.some(a => list.some(b => list.some(c => c < 0)))', STOPPED],
  ['nested search', 'list.every(a => big.includes("b") === false)', STOPPED],
  ['search with a long pattern', 'big.includes("b" + big.slice(1, 500000))', STOPPED],
  ['comparison of long strings', 'list.every(a => big !== bigToo)', STOPPED],
  ['lower case of long strings', 'list.every(a => big.toLowerCase())', STOPPED],
  ['numbers of long strings', 'list.every(a => isNaN(Number(big)))', STOPPED],
  ['split', 'big.split("").length', STOPPED],
  ['split and join', 'rows.map(r => r.text).join("").split("").join(big)', STOPPED],
  ['join with a long separator', 'list.join(big)', STOPPED],
  ['spread', '[...big, ...big]', STOPPED],
  ['spread into a call', 'Math.max(...list, ...list)', 999],
  ['concat', `list${'.concat(list)'.repeat(200)}${'.map(x => [x])'.repeat(5)}.length`, STOPPED],
  ['huge number', '1e400', 'Infinity'],
  ['huge index', 'list[4294967295]', null],
  ['negative index', 'list[-1]', null],
  ['slice with huge numbers', 'list.slice(-1e300, 1e300).length', 1000],
  ['toFixed with huge digits', '(1).toFixed(1e9)', STOPPED],
  ['BigInt', '9n ** 9999999n', REFUSED],
  ['shift', '1 << 1e9', 1],
];

describe('attacks', () => {
  afterEach(() => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(view.map.get('user.name')).toBe('Ada');
  });

  it.each(attacks)('%s', (_name, source, outcome) => {
    expect(cpuTime(() => expect(outcomeOf(source)).toEqual(outcome))).toBeLessThan(2000);
  });

  it('does not allocate an array for one element far out', () => {
    const sparse = viewOf({});
    sparse.map.set('list[999999999]', 1);
    expect(compilePredicate('list.length').evaluate(sparse).value).toBe(1_000_000_000);
    const { explanation } = compilePredicate('list.map(x => 1).length').evaluate(sparse);
    expect(explanation).toContain('could not be evaluated');
  });

  it('shows a large value in part', () => {
    expect(compilePredicate('big').evaluate(view).value).toHaveLength(10_001);
    expect(JSON.stringify(compilePredicate('[list, rows, state]').evaluate(view)).length).toBeLessThan(1_000_000);
    const doubled = compilePredicate('list.slice(0, 50).reduce(s => [s, s], 1)').evaluate(view);
    expect(JSON.stringify(doubled).length).toBeLessThan(10_000);
  });
});

function outcomeOf(source: string): unknown {
  try {
    const { value, explanation } = compilePredicate(source).evaluate(view);
    return explanation.includes('could not be evaluated') ? STOPPED : value;
  } catch (error) {
    if (error instanceof SubstrateError && error.code === 'invalid_request') return REFUSED;
    throw error;
  }
}
