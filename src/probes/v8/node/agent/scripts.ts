/** Whose code is it? Node's own, a library's, or the app's. */
import type { ScriptInfo } from './reflecting.ts';

export type Owner = 'app' | 'library' | 'runtime';

const LIBRARY_FOLDER = '/node_modules/';
/** Where Deno keeps packages of npm, unless the app has a node_modules of its own. */
const DENO_PACKAGES = '/npm/registry.npmjs.org/';
/** What Electron runs when it is given a folder: part of Electron. */
const DEFAULT_APP = '/resources/default_app.asar/';

export class ScriptOwners {
  /** The folder of the package that the process runs, itself perhaps below node_modules (an npx tool). */
  private readonly appFolder: string;
  readonly mainPath: string;

  constructor(mainPath: string) {
    this.mainPath = mainPath;
    const at = mainPath.lastIndexOf(LIBRARY_FOLDER);
    if (at < 0) this.appFolder = '';
    else {
      const [scopeOrName = '', name = ''] = mainPath.slice(at + LIBRARY_FOLDER.length).split('/');
      const packageName = scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName;
      this.appFolder = `${mainPath.slice(0, at + LIBRARY_FOLDER.length)}${packageName}/`;
    }
  }

  ownerOf(script: ScriptInfo): Owner {
    const path = scriptPath(script);
    if (path === '[eval]' || path === '[stdin]' || path.startsWith('REPL')) return 'app';
    // Deno runs modules from elsewhere, too.
    if (/^https?:/.test(path)) return path === this.mainPath ? 'app' : 'library';
    if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path)) return 'runtime';
    if (path.includes(DEFAULT_APP)) return 'runtime';
    if (path.includes(DENO_PACKAGES)) return 'library';
    const inApp = this.appFolder !== '' && path.startsWith(this.appFolder);
    const rest = inApp ? `/${path.slice(this.appFolder.length)}` : path;
    return rest.includes(LIBRARY_FOLDER) ? 'library' : 'app';
  }

  isMain(script: ScriptInfo): boolean {
    const path = scriptPath(script);
    return path === this.mainPath || !path.startsWith('/');
  }
}

/** CommonJS scripts are known by their path, ES modules by their file URL. */
export function scriptPath(script: ScriptInfo): string {
  if (!script.url.startsWith('file://')) return script.url;
  const path = script.url.slice('file://'.length).replace(/[?#].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `/srv/shop/src/cart/index.js` -> `cart`, `/srv/shop/price-list.js` -> `price_list`. */
export function moduleName(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const file = (parts.pop() ?? 'module').replace(/\.[^.]+$/, '');
  const name = file === 'index' ? (parts.pop() ?? file) : file;
  return name.replace(/[^\w$]+/g, '_').replace(/^(?=\d)/, '_');
}
