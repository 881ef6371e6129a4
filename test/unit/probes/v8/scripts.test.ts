import { describe, expect, it } from 'vitest';
import { moduleName, ScriptOwners, scriptPath } from '../../../../src/probes/drivers/v8/node/agent/scripts.ts';

const script = (url: string) => ({ id: '1', url, minified: false });

describe('ScriptOwners', () => {
  it.each([
    ['/srv/shop/main.js', '/srv/shop/main.js', 'app'],
    ['/srv/shop/main.js', 'file:///srv/shop/src/cart.mjs?v=1', 'app'],
    ['/srv/shop/main.js', '/srv/shop/node_modules/express/index.js', 'library'],
    ['/srv/shop/main.js', 'node:internal/timers', 'runtime'],
    ['/srv/shop/main.js', '', 'runtime'],
    ['/srv/shop/main.js', 'evalmachine.<anonymous>', 'runtime'],
    ['/x/node_modules/wiki/wiki.js', '$:/core/modules/server.js', 'app'],
    ['/srv/shop/main.js', 'internal/timers.js', 'runtime'],
    ['', '[eval]', 'app'],
    ['', '[stdin]', 'app'],
    ['', 'REPL1', 'app'],
    ['', 'C:\\shop\\main.js', 'app'],
    ['/x/node_modules/tool/bin/cli.js', '/x/node_modules/tool/lib/run.js', 'app'],
    ['/x/node_modules/tool/bin/cli.js', '/x/node_modules/tool/node_modules/dep/i.js', 'library'],
    ['/x/node_modules/tool/bin/cli.js', '/x/node_modules/toolbox/i.js', 'library'],
    ['/x/node_modules/@a/tool/cli.js', '/x/node_modules/@a/tool/lib.js', 'app'],
    ['/x/node_modules/@a/tool/cli.js', '/x/node_modules/@a/other/lib.js', 'app'],
    ['/x/node_modules/@a/tool/cli.js', '/x/node_modules/a-core/lib.js', 'app'],
    ['/x/node_modules/@a/tool/cli.js', '/x/node_modules/a/lib.js', 'app'],
    ['/x/node_modules/@a/tool/cli.js', '/x/node_modules/tool/lib.js', 'library'],
    ['/x/node_modules/tool/cli.js', '/x/node_modules/@tool/runtime/lib.js', 'app'],
    ['/x/node_modules/tool/cli.js', '/x/node_modules/@toolbox/runtime/lib.js', 'library'],
    ['/x/node_modules/tool/cli.js', '/x/node_modules/tool/node_modules/@tool/runtime/lib.js', 'app'],
    ['/x/node_modules/tool/cli.js', '/x/node_modules/tool-auth/lib.js', 'app'],
    ['/x/node_modules/tool/cli.js', '/x/node_modules/.pnpm/@tool+ui@2/node_modules/@tool/ui/lib.js', 'app'],
    ['/x/node_modules/tool/cli.js', '/home/ada/settings.js', 'app'],
    ['/srv/tool/main.js', '/srv/tool/node_modules/@tool/runtime/lib.js', 'library'],
  ])('of %j: %s belongs to the %s', (main, url, owner) => {
    expect(new ScriptOwners(main).ownerOf(script(url))).toBe(owner);
  });

  it('knows texts and constants of packages, and takes nothing in other folders for such', () => {
    const owners = new ScriptOwners('/x/node_modules/tool/cli.js');
    expect(owners.isCatalog('/x/node_modules/@tool/util/lib/i18n.js')).toBe(true);
    expect(owners.isCatalog('/x/node_modules/tool/locales/index.js')).toBe(true);
    expect(owners.isCatalog('/x/node_modules/tool/lib/store.js')).toBe(false);
    expect(owners.isCatalog('/srv/shop/i18n.js')).toBe(false);
    expect(owners.isConstant('/x/node_modules/tool/lib/store.js', 'HTTP_STATUS')).toBe(true);
    expect(owners.isConstant('/x/node_modules/tool/lib/store.js', 'Status')).toBe(false);
    expect(owners.isConstant('/srv/shop/main.js', 'ORDERS')).toBe(false);
  });

  it.each([
    ['/x/node_modules/tool/lib/flows/index.js', 'lib'],
    ['/x/node_modules/tool/lib/api/flows.js', 'api'],
    ['/x/node_modules/tool/index.js', 'node_modules'],
    ['/srv/shop/flows.js', 'module'],
  ])('%s is told from others by %s', (path, folder) => {
    expect(new ScriptOwners('').folderOf(path)).toBe(folder);
  });

  it('knows the main script, by path or URL', () => {
    const owners = new ScriptOwners('/srv/my shop/main.js');
    expect(owners.isMain(script('file:///srv/my%20shop/main.js'))).toBe(true);
    expect(owners.isMain(script('/srv/my shop/main.js'))).toBe(true);
    expect(owners.isMain(script('/srv/my shop/other.js'))).toBe(false);
    expect(owners.isMain(script('[eval]'))).toBe(true);
    expect(owners.isMain(script('$:/core/modules/server.js'))).toBe(false);
  });
});

describe('scriptPath', () => {
  it.each([
    ['/a/b.js', '/a/b.js'],
    ['file:///a/b%20c.js', '/a/b c.js'],
    ['file:///a/b.js?t=1#x', '/a/b.js'],
    ['file:///a/100%.js', '/a/100%.js'],
  ])('%s', (url, path) => {
    expect(scriptPath(script(url))).toBe(path);
  });
});

describe('moduleName', () => {
  it.each([
    ['/srv/shop/src/cart/index.js', 'cart'],
    ['/srv/shop/price-list.js', 'price_list'],
    ['/srv/shop/2fa.mjs', '_2fa'],
    ['/index.js', 'index'],
    ['/srv/shop.config.js', 'shop_config'],
    ['', 'module'],
  ])('%s is %s', (path, name) => {
    expect(moduleName(path)).toBe(name);
  });
});
