import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFunction } from '../../../../src/probes/drivers/v8/js/js-source.ts';
import { SOURCE_LIMIT } from '../../../../src/probes/drivers/v8/js/source-limit.ts';

const names = (source: string) => readFunction(source).parameters.map(({ name }) => name);
const effectOf = (source: string) => readFunction(source).effect;

describe('forms of functions', () => {
  it.each([
    'function add(a, b) { return a; }',
    'function (a, b) {}',
    'async function add(a, b) {}',
    'function* add(a, b) {}',
    '(a, b) => a',
    'async (a, b) => a',
    'add(a, b) { return 1; }',
    'async add(a, b) {}',
    '*add(a, b) {}',
    'async *add(a, b) {}',
    'get(a, b) {}',
    'static add(a, b) {}',
    '[Symbol.iterator](a, b) {}',
    '"odd name"(a, b) {}',
    '42(a, b) {}',
    '#add(a, b) { return this.#other; }',
    'static #add(a, b) {}',
    'add(a, b) { return this.#x + this.#x + this.#y; }',
    'add(a, b) { return #x in a; }',
    'add(a, b) { return super.add(a); }',
    'add(a, b) { } // end',
    '(a, b) => a // end',
    'constructor(a, b) { this.a = a; }',
  ])('%s', (source) => {
    expect(names(source)).toEqual(['a', 'b']);
  });

  it.each([
    ['x => x', ['x']],
    ['get total() { return this.a; }', []],
    ['set total(value) { this.a = value; }', ['value']],
  ])('%s', (source, expected) => {
    expect(names(source)).toEqual(expected);
  });

  it.each([
    '',
    ' ',
    'class A { constructor(a) { this.a = a; } }',
    'class { set(a) { this.a = a; } }',
    'function push() { [native code] }',
    'a, b',
    'a: 1',
    '{}',
    '1',
    'function f(a) { return a',
    '...x',
    'let',
    '"',
    '`',
    '/',
  ])('%j is not readable', (source) => {
    expect(readFunction(source)).toMatchObject({ parameters: [], effect: 'unknown', returns: 'unknown' });
  });

  it('does not judge a source that was cut', () => {
    const long = `x => this.a + ${'this.b + '.repeat(2000)}this.c`;
    const cut = long.slice(0, SOURCE_LIMIT).replace(/[ +]+$/, (tail) => ' '.repeat(tail.length));
    expect(cut.length).toBe(SOURCE_LIMIT);
    expect(effectOf(cut)).toBe('unknown');
    expect(effectOf(`x => this.a + ${'this.b + '.repeat(100)}this.c`)).toBe('none');
  });

  it('never throws', () => {
    const token = fc.constantFrom(
      ...'( ) { } [ ] => = + - , ; : . ... ` # ? ?. function async get set static class this a b x return await yield new delete for of in let const var if "s" 1 /x/ * ** ++ super'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(token).map((tokens) => tokens.join(' ')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const facts = readFunction(source);
        expect(['none', 'setter', 'own-state', 'unknown']).toContain(facts.effect);
      }),
      { numRuns: 1500 },
    );
    const deep = 4000;
    for (const source of ['('.repeat(deep), `()=>${'!'.repeat(deep)}a`, `()=>${'['.repeat(deep)}${']'.repeat(deep)}`])
      readFunction(source);
    expect(effectOf(`() => ${'a+'.repeat(3500)}a`)).toBe('none');
  });
});

describe('parameters', () => {
  it('describes each by its form and by its use', () => {
    const source = `add(name, price = 1, { id, size: s }, [x], on = true, list = [], text = \`t\`, minus = -1, ...rest) {}`;
    expect(readFunction(source).parameters).toEqual([
      { name: 'name', type: null, required: true },
      { name: 'price', type: 'number', required: false },
      { name: 'options3', type: 'object', required: true, description: 'with id, size' },
      { name: 'argument4', type: 'array', required: true },
      { name: 'on', type: 'boolean', required: false },
      { name: 'list', type: 'array', required: false },
      { name: 'text', type: 'string', required: false },
      { name: 'minus', type: 'number', required: false },
      { name: 'rest', type: 'array', required: false, description: 'further arguments' },
    ]);
    expect(readFunction('f({ a } = {}) {}').parameters).toEqual([
      { name: 'options', type: 'object', required: false, description: 'with a' },
    ]);
  });

  it.each([
    ['a.toLowerCase()', 'string'],
    ['a.trim().length', 'string'],
    ['a.map((x) => x)', 'array'],
    ['a.toFixed(2)', 'number'],
    ['a * 2', 'number'],
    ['this.n -= a', 'number'],
    ["a === 'x'", 'string'],
    ["'x' === a", 'string'],
    ['a !== true', 'boolean'],
    ['a == 3', 'number'],
    ["typeof a === 'string'", 'string'],
    ["'number' === typeof a", 'number'],
    ["typeof a !== 'boolean'", 'boolean'],
    ['a === null', null],
    ["typeof a === 'function'", null],
    ['a + 1', null],
    ['[...a]', null],
    ['b.trim()', null],
    ['a', null],
  ])('%s makes it %s', (use, type) => {
    expect(readFunction(`f(a) { return ${use}; }`).parameters[0]?.type).toBe(type);
  });

  it.each([
    ['f() {}', 'void'],
    ['f() { return; }', 'void'],
    ['f() { return 1; }', 'number'],
    ['f() { return -1; }', 'number'],
    ["f() { return x ? 'a' : 'b'; }", 'unknown'],
    ["f() { if (x) return 'a'; return `b`; }", 'string'],
    ["f() { if (x) return 'a'; return 1; }", 'unknown'],
    ['f() { return []; }', 'array'],
    ['f() { return {}; }', 'object'],
    ['f() { return null; }', 'unknown'],
    ['() => true', 'boolean'],
    ['() => ({})', 'object'],
    ['async () => 1', 'unknown'],
    ['*f() { return 1; }', 'unknown'],
    ['f() { this.a.forEach((x) => { return 1; }); }', 'void'],
    ["f() { this.a.map(function (x) { return 'a'; }); return 1; }", 'number'],
  ])('%s returns %s', (source, returns) => {
    expect(readFunction(source).returns).toBe(returns);
  });
});
