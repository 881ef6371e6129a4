import { describe, expect, it } from 'vitest';
import { readFunction } from '../../../../src/probes/drivers/v8/js/js-source.ts';
import { accessorsUsed } from '../../../../src/probes/drivers/v8/tree/accessors.ts';

const effectOf = (source: string) => readFunction(source).effect;
const effectOfBody = (body: string) => effectOf(`method(a, b) { ${body} }`);

describe('none', () => {
  it.each([
    'return this.total;',
    'return this.a.b[a]?.c ?? 0;',
    'let x = 0; x += a; x++; return x;',
    'var x; for (x of a) {} return x;',
    'let x; for (x in a) {} return x;',
    'let x, y; [x, y = 2] = a; ({ x, ...y } = b); return x;',
    'for (let i = 0; i < a; i++) {}',
    'let sum = 0; for (const item of this.items) sum += item.price; return sum;',
    'return this.items.reduce((sum, item) => sum + item.price, 0);',
    'return this.items.filter((x) => x.done).map(({ id }) => id).join(", ");',
    'return this.items.map(String).map(Number);',
    'this.items.forEach((x) => { let y = x; y++; });',
    'return [...this.items, { ...a }];',
    'return Math.max(...this.values) + Math.round(a);',
    'return JSON.stringify(this.state, null, 2);',
    'return Object.keys(this.map).length + Date.now();',
    'return String(a).split(",").join(";").replace(/x/g, "y");',
    'return String(a).trim().replace("a", "b") + "x".repeat(3);',
    'return new Date().toISOString() + new Map(a).get(b);',
    'try { return this.a; } catch (error) { error = 1; return error; }',
    'try { return this.a; } catch { return 1; }',
    'outer: for (const x of a) { for (const y of b) { if (x === y) continue outer; break outer; } }',
    'switch (a) { case 1: { let x = 1; x = 2; return x; } default: return 0; }',
    'throw new RangeError("no");',
    'return a, b;',
    'return typeof a === "string" && !a && void 0;',
    'return this.list.includes(a) && this.names.has(b) && a.startsWith("x");',
    'if (a) { const f = (x) => x + 1; return this.items.map((x) => x); }',
    'return (function (x) { let y = x; y = 1; return y; });',
    'const { x, y: [z] } = a; return x + z;',
    'a = 1; b++; return a;',
    'return new.target;',
    'return this.#hidden;',
    'return Array.from(this.set, (x) => x.id);',
    'return Array.isArray(a) ? structuredClone(a) : parseInt(a, 10);',
  ])('%s', (body) => {
    expect(effectOfBody(body)).toBe('none');
  });

  it.each([
    '() => 1',
    '(x) => x.y',
    'get total() { return this.a * 2; }',
    'function f(a = 1, { b = 2 } = {}) { return a; }',
    'f(a, b = (a = 1)) { var a; a = 2; return b; }',
    'f() { var x; return (y = (x = 1)) => y; }',
  ])('%s', (source) => {
    expect(effectOf(source)).toBe('none');
  });
});

describe('setter', () => {
  it.each([
    'set(value) { this.value = value; }',
    'setCoupon(coupon) { this.coupon = coupon; return this; }',
    'set value(value) { this._value = value; }',
    'set(value) { this.#value = value; }',
    'set(value = 1) { this.value = value; }',
    'set(value) { if (value < 0) throw new RangeError("no"); this.value = value; }',
    '(value) => { this.value = value; }',
    'value => this.value = value',
  ])('%s', (source) => {
    expect(effectOf(source)).toBe('setter');
  });

  it.each([
    'set(a, b) { this.value = a; }',
    'set(a) { this.value = a; this.other = a; }',
    'set(a) { this.value += a; }',
    'set(a) { this.value = a + 1; }',
    'set(a) { this.value = other; }',
    'set(a) { this[a] = a; }',
    'set(a) { this.x.y = a; }',
    'set(a) { a = 3; this.value = a; }',
    'set(a) { a++; this.value = a; }',
    'set(a) { for (a of this.list) this.value = a; }',
    'set(a) { [a] = this.list; this.value = a; }',
    'set(a) { var a = 2; this.value = a; }',
    'set(a) { { let a = 2; this.value = a; } }',
    'set(a) { this.list.forEach((a) => { this.value = a; }); }',
    'set({ a }) { this.value = a; }',
    'set(a) { delete this.value; this.value = a; }',
    'set(a) { this.value ??= a; }',
  ])('not %s', (source) => {
    expect(effectOf(source)).toBe('own-state');
  });

  it.each([
    'set(a = log()) { this.value = a; }',
    'set(a) { this.value = a; log(a); }',
    'async set(a) { this.value = a; }',
  ])('not at all %s', (source) => {
    expect(effectOf(source)).toBe('unknown');
  });
});

describe('own state', () => {
  it.each([
    'this.count++;',
    'this.items.push(a);',
    'this.items[a].done = !this.items[a].done;',
    'this.#count += 1;',
    'this.items.pop(); this.items.shift(); this.items.unshift(a); this.items.splice(a, 1);',
    'this.items.reverse(); this.items.fill(0);',
    'this["items"][a] = b;',
    'this.items[0] = b;',
    'this.items = this.items.filter((x) => x !== a);',
    'this.items.sort((x, y) => x - y);',
    'this.items?.push(a);',
    'delete this.cache[a];',
    '[this.a] = b;',
    '[this.a = 1, ...this.rest] = b;',
    '({ a: this.b } = b);',
    '({ a: { b: this.c }, ...this.rest } = b);',
    'for (this.x of a) {}',
    'for (this.x in a) {}',
    'this.items.forEach((x) => { this.sum += x; });',
    'const add = () => { this.n = 1; };',
    'try { this.a = 1; } catch { this.b = 2; } finally { this.c = 3; }',
    'this.a = 1, this.b = 2;',
    'label: { this.a = 1; break label; }',
  ])('%s', (body) => {
    expect(effectOfBody(body)).toBe('own-state');
  });

  it.each([
    '() => { this.count++; }',
    'add(a = this.n++) { return a; }',
    'add({ a = (this.n = 1) } = {}) { return a; }',
  ])('%s', (source) => {
    expect(effectOf(source)).toBe('own-state');
  });
});

describe('unknown', () => {
  it.each([
    // Aliases and foreign objects.
    'const t = this; t.x = 1;',
    'const { items } = this; items.push(1);',
    'const items = this.items; items[0] = 1;',
    'a.x = 1;',
    'a.push(1);',
    'arguments[0].x = 1;',
    'arguments[0] = 1;',
    'x = 1;',
    'x++;',
    'x.y = 1;',
    'globalThis.x = 1;',
    'method = null;',
    'window.location = a;',
    '[x] = a;',
    '({ a: x } = b);',
    '({ a: b.c } = b);',
    'for (x of a) {}',
    'for (x in a) {}',
    'for (a.x of b) {}',
    'delete a.x;',
    'delete x;',
    'this.constructor.count++;',
    'this.__proto__.x = 1;',
    'this["constructor"].x = a;',
    'this["__proto__"].x = a;',
    'this[`constructor`].x = a;',
    'this["constructor"].list.push(a);',
    'this.get().x = 1;',
    // Names that are only local elsewhere.
    '{ let x = 1; } x = 2;',
    'const f = () => { let x; }; x = 2;',
    'for (let x = 0; x < 1; x++) {} x = 2;',
    'try {} catch (x) {} x = 2;',
    'const f = (x) => x; x = 2;',
    // Another `this`.
    'this.items.map(function () { this.x = 1; });',
    'return { get y() { this.x = 1; return 1; } };',
    'return { set(v) { this.x = v; } };',
    // Invisible code.
    'a();',
    'a?.();',
    'log(a);',
    'this.save();',
    'this.save?.();',
    'this.#save();',
    'this.#filter(a);',
    'this.get(a);',
    'this.push(a);',
    'this.clear();',
    'this.map((x) => x);',
    'this["push"](a);',
    'this.items["push"](a);',
    'this.items[a](b);',
    'super.save();',
    'super.x = 1;',
    'return super.x;',
    'this.api.get(a);',
    'router.replace(a);',
    'this.room.join(a);',
    'this.items.map(a);',
    'this.items.forEach(this.handler);',
    'this.items.find(handler);',
    'this.items.sort(a);',
    // A Map, or the client of a database: unknown.
    'this.redis.set(a, b);',
    'this.queue.add(a);',
    'this.bucket.delete(a);',
    'this.cache.clear();',
    'structuredClone(a, { transfer: [b] });',
    'structuredClone(...a);',
    'this.items.map(structuredClone);',
    'const structuredClone = a; structuredClone(b);',
    'using x = a;',
    '{ using x = a; }',
    'for (using x of a) {}',
    'const f = async () => { await using x = a; };',
    'this.items.map();',
    'String(a).replace("x", handler);',
    'JSON.parse(a, b);',
    'Array.from(a, b);',
    'a`text`;',
    'String.raw`x`;',
    'eval(a);',
    '(0, eval)(a);',
    'new Function(a)();',
    'new Foo();',
    'new this.Foo();',
    'new Proxy(a, b);',
    'new Promise((resolve) => resolve());',
    'setTimeout(() => {}, 1);',
    'import("node:fs");',
    '(() => { log(); })();',
    '(function () {})();',
    'const f = () => 1; f();',
    'debugger;',
    'with (a) { b; }',
    'var x; with (this) { x = 1; }',
    'class A { static x = log(); }',
    'return class { };',
    'return { m() { log(); } };',
    'fetch(a);',
    'process.exit();',
    'Reflect.set(this, a, b);',
    'Object.assign(this, a);',
    'Object["assign"](this, a);',
    'Object.defineProperty(this, a, b);',
    'Object.setPrototypeOf(a, b);',
    'Object.freeze(this);',
    'Array.prototype.push.call(a, b);',
    'Math[a](b);',
    'const Math = a; Math.max(1);',
    'const String = a; String(1);',
    'const Map = a; new Map();',
    'const Object = a; Object.keys(b);',
    'this.items.map((x) => { x.done = true; });',
    'this.items.forEach((x) => log(x));',
    'try { log(); } catch {}',
    'a, log();',
    'outer: while (a) { log(); break outer; }',
    'return [...log()];',
    ['return `$', '{log()}`;'].join(''),
    'const { x = log() } = a;',
    'const [x = log()] = a;',
    'return a ?? log();',
    'this.items.push(log());',
    'this.x = log();',
  ])('%s', (body) => {
    expect(effectOfBody(body)).toBe('unknown');
  });

  it.each([
    'async method() { return 1; }',
    'async method() { await this.x; }',
    '*method() { yield 1; }',
    'async () => 1',
    'method(a = log()) { return a; }',
    'method({ a = log() }) { return a; }',
    'method({ [log()]: a }) { return a; }',
    'method([a = log()]) { return a; }',
    'method(a, b = (x = 1)) { return a; }',
    'function reset() { reset = null; }',
    'bump(x = (counter = counter + 1)) { var counter; return x; }',
    'bump() { return (x = (counter = 1)) => { var counter; }; }',
    'bump(f = () => { counter++; }) { var counter; return f; }',
  ])('%s', (source) => {
    expect(effectOf(source)).toBe('unknown');
  });
});

describe('a property that is code', () => {
  const status = (get: string | null, set: string | null) => [{ name: 'status', get, set }];
  const PLAIN_GET = 'get status() { return this._status; }';
  const PLAIN_SET = 'set status(value) { this._status = value; }';
  const POST = 'set status(value) { fetch("/status", { body: value }); }';
  const COUNT = 'get status() { return this.api.count(); }';

  it.each([
    ['setStatus(v) { this.status = v; }', [], 'setter'],
    ['setStatus(v) { this.status = v; }', status(PLAIN_GET, PLAIN_SET), 'setter'],
    ['setStatus(v) { this.status = v; }', status(null, POST), 'unknown'],
    ['setStatus(v) { this["status"] = v; }', status(null, POST), 'unknown'],
    ['fill(v) { [this.status] = v; }', status(null, POST), 'unknown'],
    ['count() { this.status++; }', status(null, POST), 'unknown'],
    ['getStatus() { return this.status; }', status(PLAIN_GET, null), 'none'],
    ['getStatus() { return this.status; }', status(COUNT, null), 'unknown'],
    ['getStatus() { const { status } = this; return status; }', status(COUNT, null), 'unknown'],
    ['getStatus() { const self = this; return self.status; }', status(COUNT, null), 'unknown'],
    ['getTotal() { return this.total; }', status(COUNT, POST), 'none'],
    ['setStatus(v) { this.status = v; }', status(null, 'function (v) { [native code] }'), 'unknown'],
    [
      'setStatus(v) { this.status = v; }',
      status(
        'function () { return this[$mobx].getObservablePropValue_(key); }',
        'function (value) { return this[$mobx].setObservablePropValue_(key, value); }',
      ),
      'setter',
    ],
  ])('%s beside %j is %s', (source, accessors, effect) => {
    expect(readFunction(source, accessors).effect).toBe(effect);
  });

  it('may use another one', () => {
    const total = { name: 'total', get: 'get total() { return this.sum * 2; }', set: null };
    const sum = { name: 'sum', get: 'get sum() { return this.a + this.b; }', set: null };
    expect(readFunction('getTotal() { return this.total; }', [total, sum]).effect).toBe('none');
    const sends = { ...sum, get: 'get sum() { return this.api.ask(); }' };
    expect(readFunction('getTotal() { return this.total; }', [total, sends]).effect).toBe('unknown');
  });

  it.each(['this.el.innerHTML = v', 'this.innerHTML = v', 'this.frame.src = v', 'this.el.location.href = v'])(
    'of a page is not known: %s',
    (write) => {
      expect(effectOf(`setText(v) { ${write}; }`)).toBe('unknown');
    },
  );

  it('is not what a field is only called like', () => {
    expect(effectOf('setSrc(v) { this.src = v; }')).toBe('setter');
  });

  it('is found on the object and its prototypes', () => {
    class Base {
      get total() {
        return 1;
      }
    }
    class Shop extends Base {
      name = 'x';
      set status(_: string) {}
      report() {
        return this.total + this.name;
      }
    }
    const shop = Object.defineProperty(new Shop(), 'own', { get: () => 2 });
    const named = (source: string) => accessorsUsed(shop, source).map(({ name, get, set }) => [name, !!get, !!set]);
    expect(named(Shop.prototype.report.toString())).toEqual([['total', true, false]]);
    expect(named('f(v) { this.status = v; return this.own + this.toString(); }')).toEqual([
      ['status', false, true],
      ['own', true, false],
    ]);
  });
});
