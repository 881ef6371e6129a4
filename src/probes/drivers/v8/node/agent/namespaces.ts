/** Variables that stand for modules, and for what describes them: they hold no state that is not shown elsewhere. */
import { hasGetter, ownValue } from '../../tree/own-data.ts';

const { getOwnPropertyNames, getPrototypeOf } = Object;
const MANIFEST_PARTS = ['scripts', 'dependencies', 'devDependencies'];

/** What compilers make of `import`: the exports of a compiled module, or `{ default }` around those of another. */
export function isNamespace(value: object): boolean {
  if (!isPlain(value)) return false;
  if (ownValue(value, '__esModule') === true) return true;
  const names = getOwnPropertyNames(value);
  // Beside it there may be getters for what the module exports.
  return names.includes('default') && names.every((name) => name === 'default' || hasGetter(value, name));
}

/** The content of a package.json; who wants to know something of the app wants its version. */
export function isManifest(value: object): boolean {
  if (!isPlain(value) || typeof ownValue(value, 'name') !== 'string' || typeof ownValue(value, 'version') !== 'string')
    return false;
  return MANIFEST_PARTS.some((part) => typeof ownValue(value, part) === 'object');
}

function isPlain(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
