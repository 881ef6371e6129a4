/** Whose code is it? Node's own, a library's, or the app's. */
import type { ScriptInfo } from './reflecting.ts';

export type Owner = 'app' | 'library' | 'runtime';

const LIBRARY_FOLDER = '/node_modules/';
/** Where Deno keeps packages of npm, unless the app has a node_modules of its own. */
const DENO_PACKAGES = '/npm/registry.npmjs.org/';
/** What Electron runs when it is given a folder: part of Electron. */
const DEFAULT_APP = '/resources/default_app.asar/';

/** A URL, or a name that a runtime gives to its own scripts. */
const NO_TEXT = /^(?:[a-z][\w+.-]*:|\/|internal\/|electron\/)/i;
const CATALOG = /^(?:i18n|locales?|translations?|constants?)$/i;
const CONSTANT = /^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/;

export class ScriptOwners {
  readonly mainPath: string;
  /** The package that the process runs, where that is one of npm's: then it is the app. */
  private readonly mainPackage: string | null;
  private readonly product: readonly string[];

  /** `product`: packages that are the app as well. */
  constructor(mainPath: string, product: readonly string[] = []) {
    this.product = product;
    this.mainPath = mainPath;
    this.mainPackage = packageOf(mainPath);
  }

  ownerOf(script: ScriptInfo): Owner {
    const path = scriptPath(script);
    if (path === '[eval]' || path === '[stdin]' || path.startsWith('REPL')) return 'app';
    // Deno runs modules from elsewhere, too.
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

  /** A file of a package that holds texts and constants, by its name. Apps of one's own may keep anything anywhere. */
  isCatalog(path: string): boolean {
    return packageOf(path) !== null && CATALOG.test(moduleName(path));
  }

  isPackaged(path: string): boolean {
    return packageOf(path) !== null;
  }

  /** A variable of a package that is written as constants are. */
  isConstant(path: string, name: string): boolean {
    return CONSTANT.test(name) && packageOf(path) !== null;
  }

  /** What tells a module from others of its name. Where an app of one's own lies is chance. */
  folderOf(path: string): string {
    return packageOf(path) === null ? 'module' : moduleFolder(path);
  }

  isMain(script: ScriptInfo): boolean {
    const path = scriptPath(script);
    return path === this.mainPath || !(path.startsWith('/') || isNamedText(path));
  }
}

/** What a program evaluates under a name of its own, as TiddlyWiki does with its modules: `$:/core/modules/server.js`. */
function isNamedText(path: string): boolean {
  return !NO_TEXT.test(path) && /\/.*\.[cm]?js$/.test(path);
}

/** The package that a file belongs to; null: it lies below no node_modules. */
function packageOf(path: string): string | null {
  const at = path.lastIndexOf(LIBRARY_FOLDER);
  if (at < 0) return null;
  const [scopeOrName = '', name = ''] = path.slice(at + LIBRARY_FOLDER.length).split('/');
  return scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName;
}

/** Large programs come as several packages: `@red/nodes` and `red-nodes` are parts of `red`, as `@red/cli` is. */
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

/** The folder that it lies in, to tell it from others of its name: `src` of the first of these, `shop` of the other. */
function moduleFolder(path: string): string {
  return nameable(stepsTo(path).at(-2) ?? 'module');
}

/** A folder stands for its index. */
function stepsTo(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const file = parts.pop()?.replace(/\.[^.]+$/, '');
  if (file === undefined || (file === 'index' && parts.length > 0)) return parts;
  return [...parts, file];
}

function nameable(name: string): string {
  return name.replace(/[^\w$]+/g, '_').replace(/^(?=\d)/, '_');
}
