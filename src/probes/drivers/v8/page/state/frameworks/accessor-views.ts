/**
 * Some frameworks turn fields into accessors of their own. Such a getter only returns a stored value; its text
 * distinguishes it from getters of the app, which are never called.
 */
import { attempt, isFunction, own, sourceText } from '../safe.ts';

const { getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
const { apply } = Reflect;

export type GetterTest = (text: string) => boolean;

/** Vue 2: `function(){var e=n?n.call(t):r;return Dep.target&&(o.depend(),…),e}`. */
export const isVue2Getter: GetterTest = (text) => text.includes('.depend()');
/** Ember: `function(){let e=t(this);return(Array.isArray(e)||n(e))&&r(i(e,"[]")),e}`. */
export const isTrackedGetter: GetterTest = (text) => /Array\.isArray\(/.test(text) && /["'`]\[\]["'`]/.test(text);
/** Lit: `get(){return this[t]}`. */
export const isLitGetter: GetterTest = (text) =>
  /^(?:get|function)?\s*\(\)\s*\{\s*return this\[[\w$]+\];?\s*\}$/.test(text);

export class AccessorViews {
  private readonly views = new WeakMap<object, Record<string, unknown>>();
  private readonly judged = new WeakMap<object, boolean>();

  /** A plain copy of the fields of `value`, the same object each time, updated to this moment. */
  viewOf(value: object, isTrusted: GetterTest, inherited: boolean): Record<string, unknown> {
    const view = this.views.get(value) ?? (Object.create(null) as Record<string, unknown>);
    this.views.set(value, view);
    const names = new Set(keys(value));
    if (inherited) for (const name of inheritedAccessors(value)) names.add(name);
    for (const name of names) {
      const read = attempt(() => this.read(value, name, isTrusted), 'AccessorViews.read');
      if (read !== undefined) view[name] = read;
      else if (name in view) delete view[name];
    }
    for (const name of keys(view)) if (!names.has(name)) delete view[name];
    return view;
  }

  /** One field, as data or through a trusted getter. */
  read(value: object, name: string, isTrusted: GetterTest): unknown {
    for (let at: object | null = value; at !== null; at = getPrototypeOf(at)) {
      const descriptor = getOwnPropertyDescriptor(at, name);
      if (!descriptor) continue;
      const { get } = descriptor;
      if (!get) return own(at, name);
      let trusted = this.judged.get(get);
      if (trusted === undefined) {
        trusted = isTrusted(sourceText(get));
        this.judged.set(get, trusted);
      }
      return trusted ? apply(get, value, []) : undefined;
    }
    return undefined;
  }
}

function inheritedAccessors(value: object): string[] {
  const names: string[] = [];
  let at: object | null = getPrototypeOf(value);
  for (let depth = 0; at !== null && at !== Object.prototype && depth < 6; depth++, at = getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at))
      if (!name.startsWith('_') && isFunction(getOwnPropertyDescriptor(at, name)?.get)) names.push(name);
  }
  return names;
}
