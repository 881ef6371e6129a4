import inspector from 'node:inspector';
import { types } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { Reflector } from '../../../../src/probes/drivers/v8/node/agent/reflector.ts';

/** Creates a value that calls `touch` whenever it is read carelessly. */
type Make = (touch: () => void) => object;

class Private {
  #secret = 7;
  [name: string]: unknown;
  read(): number {
    return this.#secret;
  }
}

const own: Make = (touch) =>
  Object.defineProperty(new Private(), 'length', { get: touch, configurable: true, enumerable: true });
const list: Make = (touch) => Object.assign(own(touch), { splice() {} });
function inheriting(touch: () => void) {
  class Inheriting extends Private {
    get length(): number {
      touch();
      return 1;
    }
    splice() {}
  }
  return Inheriting;
}
const within = (value: unknown) => Object.assign(new Private(), { value });
const failure = (name: string, touch: () => void) => Object.defineProperty(new Error('x'), name, { get: touch });

const LOUD: [string, Make][] = [
  ['its own length', list],
  ['an inherited length', (touch) => new (inheriting(touch))()],
  ['an inherited splice', (touch) => Object.create(Object.defineProperty({}, 'splice', { get: touch }))],
  ['a Proxy that it inherits from', (touch) => Object.create(new Proxy({}, { get: touch }))],
  ['a property', (touch) => within(list(touch))],
  ['a property under a symbol', (touch) => Object.assign(new Private(), { [Symbol('s')]: list(touch) })],
  ['a property that is hidden', (touch) => Object.defineProperty(new Private(), 'x', { value: list(touch) })],
  ['what a promise has come to', (touch) => Promise.resolve(list(touch))],
  ['the stack of an error', (touch) => within(failure('stack', touch))],
  ['the message of an error', (touch) => within(failure('message', touch))],
  ['the name of an error', (touch) => within(failure('name', touch))],
];

const LOUD_FUNCTIONS: [string, Make][] = [
  ['its prototype', inheriting],
  ['a property', (touch) => Object.assign(() => 1, { value: list(touch) })],
  ['what it is bound to', (touch) => (() => 1).bind(list(touch))],
];

/** Test runners write stacks themselves. */
function withStacksBy(write: typeof Error.prepareStackTrace | undefined, work: () => void): void {
  const before = Error.prepareStackTrace;
  Object.assign(Error, { prepareStackTrace: write });
  try {
    work();
  } finally {
    Error.prepareStackTrace = before;
  }
}

describe('the reflector', () => {
  const reflector = new Reflector(inspector, types);
  afterAll(() => reflector.dispose());

  it.each(LOUD)('does not run the getter of %s to list private fields', (_, make) => {
    let touched = 0;
    const value = make(() => void touched++);
    for (let round = 0; round < 3; round++) reflector.privateFields(value);
    expect(touched).toBe(0);
  });

  it.each(LOUD_FUNCTIONS)('does not run the getter of %s to see what a function closes over', (_, make) => {
    let touched = 0;
    const fn = make(() => void touched++);
    for (let round = 0; round < 3; round++) reflector.inspectFunction(fn);
    expect(touched).toBe(0);
  });

  it('runs that of a value in a private field at most once, as nothing shows it beforehand', () => {
    let touched = 0;
    const hidden = list(() => void touched++);
    class Holder {
      #hidden = hidden;
      read() {
        return this.#hidden;
      }
    }
    const holder = new Holder();
    for (let round = 0; round < 3; round++) reflector.privateFields(holder);
    expect(touched).toBeLessThanOrEqual(1);
  });

  it('does not have the app write the stack of an error', () => {
    let touched = 0;
    const value = within(new Error('x'));
    const write = () => void touched++;
    withStacksBy(write, () => {
      for (let round = 0; round < 3; round++) expect(reflector.privateFields(value)).toBeNull();
    });
    expect(touched).toBe(0);
  });

  it('knows a class that cannot be looked at by one of its methods', () => {
    const outer = { kept: 1 };
    const fn = inheriting(() => void outer.kept);
    const view = reflector.inspectFunction(fn);
    expect(view?.script.url).toContain('reflector.test');
    expect(view?.scopes.length).toBeGreaterThan(0);
  });

  it('reads private fields beside errors, lists and functions that are what they seem', () => {
    const value = Object.assign(within(new Error('x')), {
      list: [1],
      length: 3,
      splice() {},
      map: new Map(),
      date: new Date(),
    });
    withStacksBy(undefined, () => expect(reflector.privateFields(value)).toMatchObject({ secret: 7 }));
    expect(reflector.privateFields(new Private())).toMatchObject({ secret: 7 });
    expect(reflector.privateFields({ plain: true })).toBeNull();
  });
});
