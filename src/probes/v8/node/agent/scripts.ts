/** Whose code is it? Node's own, a library's, or the app's. */
import type { ScriptInfo } from './reflector.ts';

export type Owner = 'app' | 'library' | 'runtime';

const LIBRARY_FOLDER = '/node_modules/';

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
    if (!path.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(path)) return 'runtime';
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
