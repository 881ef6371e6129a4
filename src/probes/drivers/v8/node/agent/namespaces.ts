/** Recognises variables for modules and manifests, which hold no state that is not shown elsewhere. */
import { hasGetter, ownValue } from '../../tree/own-data.ts';

const { getOwnPropertyNames, getPrototypeOf } = Object;
const MANIFEST_PARTS = ['scripts', 'dependencies', 'devDependencies'];

/** Compilers turn `import` into this: the exports of a compiled module, or `{ default }` around those of another. */
export function isNamespace(value: object): boolean {
  if (!isPlain(value)) return false;
  if (ownValue(value, '__esModule') === true) return true;
  const names = getOwnPropertyNames(value);
  // There may also be getters for the exports of the module.
  return names.includes('default') && names.every((name) => name === 'default' || hasGetter(value, name));
}

/** The content of a package.json; only its version says something about the app. */
export function isManifest(value: object): boolean {
  if (!isPlain(value) || typeof ownValue(value, 'name') !== 'string' || typeof ownValue(value, 'version') !== 'string')
    return false;
  return MANIFEST_PARTS.some((part) => typeof ownValue(value, part) === 'object');
}

function isPlain(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
