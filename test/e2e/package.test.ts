/** The package for a user who has only Node: no compiler, no JDK, no network, an empty home. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingFiles } from '../../scripts/package-files.mjs';
import type { SubstrateState } from '../../src/model/wire.ts';
import { freePort } from '../support/chromium.ts';
import { startDotnet } from '../support/dotnet.ts';
import { SHOP, startJava } from '../support/java.ts';
import { callTool } from '../support/mcp-tools.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/.bin/tsc');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-package-'));
const project = path.join(folder, 'project');
const installed = path.join(project, 'node_modules/substrated');
const env = { PATH: path.join(folder, 'bin'), HOME: path.join(folder, 'home'), npm_config_offline: 'true' };
let tarball: string;
let files: string[];

/** Node, npm, npx, the shell that they need, and the one command of every Linux that the daemon itself runs. */
function makePath(): void {
  fs.mkdirSync(env.PATH);
  const commands = (process.env.PATH ?? '').split(path.delimiter);
  for (const name of ['npm', 'npx', 'sh', 'mkfifo']) {
    const found = commands.map((at) => path.join(at, name)).find((file) => fs.existsSync(file));
    if (found === undefined) throw new Error(`there is no ${name}`);
    fs.symlinkSync(found, path.join(env.PATH, name));
  }
  fs.symlinkSync(process.execPath, path.join(env.PATH, 'node'));
}

const inProject = (command: string, ...args: string[]) =>
  execFileSync(path.join(env.PATH, command), args, {
    cwd: project,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  });

beforeAll(() => {
  fs.mkdirSync(env.HOME);
  fs.mkdirSync(project);
  makePath();
  // The build before the tests has made everything; `prepack` would make it again.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = JSON.parse(
    execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const [{ filename, files: entries }] = Array.isArray(packed) ? packed : Object.values(packed);
  tarball = path.join(folder, filename);
  files = entries.map((entry: { path: string }) => entry.path);
  fs.writeFileSync(path.join(project, 'package.json'), '{ "private": true, "type": "module" }');
  inProject('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', tarball);
});
afterAll(async () => {
  await endAll();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('has everything that runs, what is to be read, and nothing else', () => {
    const allowed = [
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^dist\/(?:substrate\.js|dashboard\.html|THIRD-PARTY-LICENSES\.txt)$/,
      /^dist\/[a-z-]+-[0-9A-Z]{8}\.js$/,
      /^dist\/client\/(?:index\.js|node\.js|[\w-]+\.d\.c?ts)$/,
      /^dist\/test\/(?:(?:index|vitest|jest|playwright)\.c?js|[\w-]+\.d\.c?ts)$/,
      /^clients\/python\/substrated\.py$/,
      /^dist\/jvm\/(?:agent-(?:x64|arm64)\.so|boot\.jar|payload\.jar|build\.json)$/,
      /^dist\/clr\/(?:(?:profiler_loader|heap)-(?:x64|arm64)\.so|SubstrateClr_[0-9a-f]{16}\.dll|build\.json)$/,
      /^dist\/host\/(?:enter-network-(?:x64|arm64)|build\.json)$/,
      /^docs\/[\w-]+\.md$/,
      /^docs\/images\/[\w-]+\.(?:svg|png)$/,
    ];
    expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json']));
    expect(missingFiles(path.join(installed, 'dist'))).toEqual([]);
    for (const cpu of ['x64', 'arm64'])
      fs.accessSync(path.join(installed, `dist/host/enter-network-${cpu}`), fs.constants.X_OK);
    // A package of 1.5 MB; ten times as much would be a mistake.
    expect(fs.statSync(tarball).size).toBeLessThan(4_000_000);
  });

  it('is not made without all agents', () => {
    const part = path.join(folder, 'part');
    fs.cpSync(path.join(installed, 'dist'), part, { recursive: true });
    for (const name of ['jvm/payload.jar', 'clr/heap-arm64.so']) fs.rmSync(path.join(part, name));
    expect(missingFiles(part)).toEqual(['jvm/payload.jar', 'clr/heap-arm64.so']);
    const { scripts } = JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(scripts.prepack).toContain('--complete');
  });

  it('needs no other package, and says so in a way that registries and bundlers understand', async () => {
    expect(fs.readdirSync(path.join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'substrated',
    ]);
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  it('tells nothing of the machine that built it', () => {
    const telling = fs
      .readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(installed, name))
      .filter((file) => fs.statSync(file).isFile())
      .filter((file) => tellingTexts(file).some((text) => fs.readFileSync(file).includes(text)));
    expect(telling).toEqual([]);
  });

  /** An example in the docs may have somebody's home in it. */
  function tellingTexts(file: string): string[] {
    const isMade = file.startsWith(path.join(installed, 'dist'));
    return isMade && os.homedir() !== '/' ? [ROOT, `${os.homedir()}/`] : [ROOT];
  }

  it('has the licences of what is inside', () => {
    const licences = fs.readFileSync(path.join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['acorn', 'commander', 'preact', 'ws', 'zod', '@modelcontextprotocol/server'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it.each([
    ['nodenext', ['--module', 'nodenext', '--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules/@types')]],
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', '']],
  ])('has types of its client for moduleResolution %s', (name, options) => {
    const file = `use-${name}.ts`;
    fs.writeFileSync(
      path.join(project, file),
      `import { Substrate, SubstrateError, type App } from 'substrated/client';
export async function totals(): Promise<readonly number[]> {
  const substrate = new Substrate({ baseUrl: 'http://127.0.0.1:7842', key: 'sk_x' });
  const apps: readonly { pid: number }[] = await substrate.apps();
  return apps.map((app) => app.pid);
}
export const isOurs = (error: unknown): error is SubstrateError => error instanceof SubstrateError;
export type Of = App;
// @ts-expect-error a key is a text
new Substrate({ key: 7 });
`,
    );
    execFileSync(TSC, ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', ...options, file], {
      cwd: project,
    });
  });
});

describe('the installed command', () => {
  const targets: Record<string, Target> = {};
  let daemon: ReturnType<typeof spawn>;
  let base: string;
  let key: string;

  beforeAll(async () => {
    key = JSON.parse(inProject('npx', 'substrated', 'keygen', '--json')).key;
    // A group of its own: npx starts a shell, which starts the daemon.
    daemon = spawn(path.join(env.PATH, 'npx'), ['substrated', 'serve', '--port', '0'], {
      cwd: project,
      env: { ...env, SUBSTRATE_PROBE__SETTLE_MS: '0', SUBSTRATE_SCANNER__INTERVAL_MS: '50' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let printed = '';
    daemon.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    base = await until('the ready line', () => /^substrate listening on (http:\/\/\S+)\n/.exec(printed)?.[1]);
    const [node, java, mono] = await Promise.all([
      startTarget('shop.cjs'),
      startJava(SHOP),
      startDotnet('mono', 'shop'),
    ]);
    Object.assign(targets, { node, java, mono });
  });
  afterAll(async () => {
    if (daemon?.pid === undefined || daemon.exitCode !== null) return;
    process.kill(-daemon.pid, 'SIGTERM');
    await once(daemon, 'close');
  });

  const get = async <Body>(route: string) =>
    (await (await fetch(`${base}/substrate/v1/${route}`, { headers: { 'x-substrate-key': key } })).json()) as Body;

  it('tells its version', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(inProject('npx', 'substrated', '--version').trim()).toBe(version);
  });

  it.each([
    ['node', 'v8', 'cart.items[0].name'],
    ['java', 'jvm', 'shop.name'],
    ['mono', 'clr', 'Counter.Shop.Name'],
  ])('attaches its own agents: %s', async (name, runtime, path) => {
    const pid = targets[name]?.pid;
    // The first capture may come before the program has got that far.
    const state = await until(`${path} of ${name}`, async () => {
      const read = await get<Partial<SubstrateState>>(`state/${pid}`);
      return read.objects !== undefined && path in read.objects && read;
    });
    expect(state.runtime).toBe(runtime);
  });

  it('serves the dashboard', async () => {
    const page = await fetch(`${base}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toBe(fs.readFileSync(path.join(installed, 'dist/dashboard.html'), 'utf8'));
  });

  it('is reached by the client that comes with it', () => {
    const script = `import { Substrate } from 'substrated/client';
      const apps = await new Substrate({ baseUrl: '${base}', key: '${key}' }).apps();
      console.log(JSON.stringify(apps.map(({ pid }) => pid)));`;
    expect(JSON.parse(inProject('node', '--input-type=module', '-e', script))).toContain(targets.node?.pid);
  });

  it('serves models', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const command = path.join(env.PATH, 'npx');
    const args = ['substrated', 'mcp', '--url', base, '--key', key];
    await client.connect(new StdioClientTransport({ command, args, env, cwd: project, stderr: 'ignore' }));
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('read_state');
    await client.close();
  });
});

describe("the README's path, by npx", () => {
  const substrated = (...args: string[]) => inProject('npx', '--no-install', 'substrated', ...args);
  let shop: Target;
  let settings: Record<string, string>;

  beforeAll(async () => {
    settings = {
      SUBSTRATE_SERVER__PORT: String(await freePort()),
      SUBSTRATE_SCANNER__ATTACH: 'asked',
      SUBSTRATE_MCP__IDLE_EXIT_SECS: '2',
    };
    Object.assign(env, settings);
    shop = await startTarget('shop.cjs');
  });
  afterAll(() => {
    substrated('down');
  });

  it('leads from up to a state and an action with proof', () => {
    expect(substrated('up').trim()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=\S+$/);
    const pid = String(shop.pid);
    expect(substrated('state', pid, 'cart', '--wait', '--flat')).toContain('cart.items[0].name = "apple"');
    const add = [
      'action',
      pid,
      'cart.addItem',
      'name=tea',
      'price=2.5',
      '--verify',
      'cart.items.length === 2',
      '--json',
    ];
    expect(JSON.parse(substrated(...add))).toMatchObject({ success: true, verification: { passed: true } });
    expect(substrated('down')).toContain('has ended');
  });

  it('leads from one line of configuration to an action with proof, while nothing else runs', async () => {
    const configuration = path.join(env.HOME, '.cursor/mcp.json');
    substrated('mcp', 'install', 'cursor', '--yes');
    const { command, args } = JSON.parse(fs.readFileSync(configuration, 'utf8')).mcpServers.substrate;
    expect([command, ...args]).toEqual(['npx', '-y', 'substrated', 'mcp']);
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: path.join(env.PATH, command),
      args,
      env: { ...env },
      cwd: project,
      stderr: 'ignore',
    });
    await client.connect(transport);
    expect((await callTool(client, 'list_apps')).text).toContain('one has been started');
    const app = shop.pid;
    const state = await until('the state', async () => {
      const { text, isError } = await callTool(client, 'read_state', { app, globs: ['cart'] });
      return !isError && text;
    });
    expect(state).toContain('cart.items[1].name = "tea"');
    const set = { app, action: 'cart.setCoupon', parameters: { coupon: 'TEN' }, verify: 'cart.coupon === "TEN"' };
    expect((await callTool(client, 'run_action', set)).text).toMatch(/^Done\.\nVerification passed\./);
    // There is none on this path.
    expect((await callTool(client, 'open_browser', { url: 'https://example.org' })).text).toContain('is installed');
    await client.close();
    await until('the daemon to end', () => !fs.existsSync(path.join(env.HOME, '.local/share/substrate/daemon.json')));
  });
});
