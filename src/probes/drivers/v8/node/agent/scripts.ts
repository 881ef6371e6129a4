/** Finds the owner of code: Node itself, a library, or the app. */
import type { ScriptInfo } from './reflecting.ts';

export type Owner = 'app' | 'library' | 'runtime';

const LIBRARY_FOLDER = '/node_modules/';
/** Deno's folder for packages of npm, unless the app has a node_modules of its own. */
const DENO_PACKAGES = '/npm/registry.npmjs.org/';
/** Electron's own app that runs a given folder. */
const DEFAULT_APP = '/resources/default_app.asar/';

/** A URL, or a name that a runtime gives to its own scripts. */
const NO_TEXT = /^(?:[a-z][\w+.-]*:|\/|internal\/|electron\/)/i;
const CATALOG = /^(?:i18n|locales?|translations?|constants?)$/i;
const CONSTANT = /^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/;

export class ScriptOwners {
  readonly mainPath: string;
  /** The package that the process runs, if it is one of npm's: then it is the app. */
  private readonly mainPackage: string | null;
  private readonly product: readonly string[];

  /** `product`: packages that belong to the app as well. */
  constructor(mainPath: string, product: readonly string[] = []) {
    this.product = product;
    this.mainPath = mainPath;
    this.mainPackage = packageOf(mainPath);
  }

  ownerOf(script: ScriptInfo): Owner {
    const path = scriptPath(script);
    if (path === '[eval]' || path === '[stdin]' || path.startsWith('REPL')) return 'app';
    // Deno also runs remote modules.
    if (/^https?:/.test(path)) return path === this.mainPath ? 'app' : 'library';
    if (isNamedText(path)) return 'app';
    if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path)) return 'runtime';
    if (path.includes(DEFAULT_APP)) return 'runtime';
    if (path.includes(DENO_PACKAGES)) return 'library';
    const name = packageOf(path);
    if (name === null) return 'app';
    if (this.product.includes(name)) return 'app';
    return this.mainPackage !== null && isOfProduct(name, this.mainPackage) ? 'app' : 'library';
  }

  /** True for a file of a package with texts and constants, by its name. An app's own files may be anything. */
  isCatalog(path: string): boolean {
    return packageOf(path) !== null && CATALOG.test(moduleName(path));
  }

  isPackaged(path: string): boolean {
    return packageOf(path) !== null;
  }

  /** True for a variable of a package that is named like a constant. */
  isConstant(path: string, name: string): boolean {
    return CONSTANT.test(name) && packageOf(path) !== null;
  }

  /** Distinguishes modules of the same name. The folder of an app's own files is arbitrary. */
  folderOf(path: string): string {
    return packageOf(path) === null ? 'module' : moduleFolder(path);
  }

  isMain(script: ScriptInfo): boolean {
    const path = scriptPath(script);
    return path === this.mainPath || !(path.startsWith('/') || isNamedText(path));
  }
}

/**
 * Code that a program evaluates under a name of its own, as TiddlyWiki does with its modules:
 * `$:/core/modules/server.js`.
 */
function isNamedText(path: string): boolean {
  return !NO_TEXT.test(path) && /\/.*\.[cm]?js$/.test(path);
}

/** The package of a file; null if it is not below a node_modules. */
function packageOf(path: string): string | null {
  const at = path.lastIndexOf(LIBRARY_FOLDER);
  if (at < 0) return null;
  const [scopeOrName = '', name = ''] = path.slice(at + LIBRARY_FOLDER.length).split('/');
  return scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName;
}

/** Large programs consist of several packages: `@red/nodes` and `red-nodes` are parts of `red`, as `@red/cli` is. */
function isOfProduct(name: string, main: string): boolean {
  const [, mainScope] = /^@([^/]+)\//.exec(main) ?? [];
  const product = mainScope ?? main;
  return name === main || name === product || name.startsWith(`@${product}/`) || name.startsWith(`${product}-`);
}

/** CommonJS scripts are known by their path, ES modules by their file URL. */
export function scriptPath(script: ScriptInfo): string {
  if (!script.url.startsWith('file://')) return script.url;
  const path = script.url.slice('file://'.length).replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // Not encoded after all.
    return path;
  }
}

/** `/srv/shop/src/cart/index.js` -> `cart`, `/srv/shop/price-list.js` -> `price_list`. */
export function moduleName(path: string): string {
  return nameable(stepsTo(path).at(-1) ?? 'module');
}

/**
 * The folder of the module, to distinguish it from others of its name: `src` for the first of these, `shop` for the
 * other.
 */
function moduleFolder(path: string): string {
  return nameable(stepsTo(path).at(-2) ?? 'module');
}

/** A folder represents its index. */
function stepsTo(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const file = parts.pop()?.replace(/\.[^.]+$/, '');
  if (file === undefined || (file === 'index' && parts.length > 0)) return parts;
  return [...parts, file];
}

function nameable(name: string): string {
  return name.replace(/[^\w$]+/g, '_').replace(/^(?=\d)/, '_');
}
