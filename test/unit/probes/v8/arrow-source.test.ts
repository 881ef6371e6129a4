import { describe, expect, it } from 'vitest';
import { usesOuterThis } from '../../../../src/probes/drivers/v8/node/agent/arrow-source.ts';

class Sample {
  readonly field = () => this;
  method() {
    return [this];
  }
}

const USES: [string, string][] = [
  ['a plain arrow function', '(q, r) => { this.hits++; r.end(); }'],
  ['one without parentheses', 'socket => this.add(socket)'],
  ['an async one', 'async (q) => { await this.save(q); }'],
  ['an async one without parentheses', 'async q => this.save(q)'],
  ['one called async', 'async => this.save(async)'],
  ['super', '() => super.close()'],
  ['an arrow function inside', '(list) => list.forEach((one) => this.add(one))'],
  ['the default of a parameter', '(limit = this.limit) => limit'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
  ['a template', '() => log(`hits: ${this.hits}`)'],
  ['a use after quotes in a pattern', "(text) => { const t = text.replace(/['\"`]/g, ''); this.add(t); }"],
  ['a use after an apostrophe in a comment', "() => { // it's\n this.add(); }"],
  ['a use after an apostrophe in a template', "() => { log(`it's`); this.add(); }"],
  ['a use after a function', '() => { const f = function (a = {}) { return a; }; this.add(f); }'],
  ['a use after a class', '() => { class A extends B { go() { return 1; } } this.add(A); }'],
  ['a division', '(a) => { const half = a / 2; this.set(half / 3); }'],
  ['a field of a class', String(new Sample().field)],
];

const USES_NOT: [string, string][] = [
  ['none', '(q, r) => { r.end(hits); }'],
  ['a function', 'function (q, r) { this.hits++; }'],
  ['an async function', 'async function () { return () => this.x; }'],
  ['a method', 'start() { return () => this.x; }'],
  ['a real method', String(new Sample().method)],
  ['a generator', '*rows() { yield () => this.x; }'],
  ['a class', 'class A { x = () => this; }'],
  ['a text', '() => log("this is it")'],
  ['the text of a template', '() => log(`this is it`)'],
  ['a comment', '() => { /* this */ return 1; } // this'],
  ['a function inside', '(list) => list.forEach(function () { this.x = 1; })'],
  ['a class inside', '() => class { x = this; }'],
  ['a property of that name', '(node) => node.this + node.super'],
  ['a key of that name', '() => ({ this: 1 })'],
  ['a name that begins so', '(thisOne) => thisOne'],
  ['what is native', 'function () { [native code] }'],
];

describe('whether a function uses the `this` around it', () => {
  it.each(USES)('yes: %s', (_, source) => expect(usesOuterThis(source)).toBe(true));
  it.each(USES_NOT)('no: %s', (_, source) => expect(usesOuterThis(source)).toBe(false));

  it('takes a moment for long sources, too', () => {
    const long = `() => { ${'const a = { b: (c) => c / 2 };\n'.repeat(900)} this.x = 1; }`;
    const start = performance.now();
    expect(usesOuterThis(long)).toBe(true);
    expect(usesOuterThis(`() => { ${"'".repeat(30_000)}`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
