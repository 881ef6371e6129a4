/** Third-party programs, as the distribution ships them. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { AttachError } from '../../src/probes/probe.ts';
import { hasJavaFx, javaOf, MAIN_JDK, QUICK, startVm } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';
import { startTomcat, type Tomcat } from '../support/tomcat.ts';

const driver = createJvmDriver(jvm.settings.parse({}));
const { inspector } = createHost();

const folders: string[] = [];
let tomcat: Tomcat | null = null;
afterEach(async () => {
  await endAll();
  tomcat?.removeBase();
  tomcat = null;
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function makeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'java-program-'));
  folders.push(folder);
  return folder;
}

/** A program with windows, on a screen of its own; it prints nothing when it is ready. */
async function startWithWindows(jar: string, args: string[] = []): Promise<Target> {
  const home = makeFolder();
  const options = [`-Duser.home=${home}`, `-Djava.util.prefs.userRoot=${home}`];
  return startVm([QUICK, '-jar', jar, ...args], { env: { DISPLAY: `:${await startScreen()}` }, options, ready: /^/ });
}

/** Like the daemon, tries again while the program is still starting. */
function attach(target: Target): Promise<ProbedApp> {
  return until('the attach', () =>
    ProbedApp.attach(driver, target.info).catch((error: unknown) => {
      if (error instanceof AttachError && error.retry) return null;
      throw error;
    }),
  );
}

describe('Tomcat', () => {
  it('shows the carts of its visitors, and changes one', async () => {
    tomcat = await startTomcat('webapp');
    await fetch(`${tomcat.origin}/webapp/add?item=bread`);
    expect(driver.recognise(tomcat.info, inspector)?.appName).toBe('Tomcat');
    const app = await ProbedApp.attach(driver, tomcat.info);
    const state = await app.until('the session', (seen) => 'sessions[0].attributes.cart.items[0]' in seen);
    expect(state).toMatchObject({ 'sessions.length': 1, 'sessions[0].attributes.cart.items[0]': 'bread' });
    // The id of a session gives access to it.
    const id = await sessionIdOf(tomcat);
    await app.read();
    expect(JSON.stringify(app.state)).not.toContain(id);

    const outcome = await app.invoke('sessions.attributes.setCoupon', { index: 0, key: 'cart', coupon: 'SPRING' });
    expect(outcome.ok).toBe(true);
    expect((await app.read())['sessions[0].attributes.cart.coupon']).toBe('SPRING');
    await app.probe.detach();
    expect(tomcat.exitCode()).toBeNull();
  });

  it('shows what its management beans say, and runs their operations', async () => {
    tomcat = await startTomcat('webapp');
    const app = await ProbedApp.attach(driver, tomcat.info);
    const manager = 'jmx.Catalina.Manager["/webapp"].localhost';
    const state = await app.until('the beans', (seen) => `${manager}.activeSessions` in seen);
    expect(state).toMatchObject({ [`${manager}.activeSessions`]: 0, 'jmx.Catalina.Server.stateName': 'STARTED' });
    await fetch(`${tomcat.origin}/webapp/add?item=bread`);
    await app.until('the session to be counted', (seen) => seen[`${manager}.activeSessions`] === 1);
    const module = [...app.actions.keys()].find((name) => /WebModule.*\.reload$/.test(name)) ?? '';
    expect((await app.invoke(module)).ok).toBe(true);
    await app.until('the reloaded app', (seen) => seen[`${manager}.activeSessions`] !== undefined);
    await app.probe.detach();
  });
});

describe('H2', () => {
  it('shows its server and the databases that are open, and changes a setting of one', async () => {
    const folder = makeFolder();
    const jar = '/usr/share/java/h2.jar';
    const target = await startVm(
      [QUICK, '-cp', jar, 'org.h2.tools.Server', '-tcp', '-tcpPort', '0', '-ifNotExists', '-baseDir', folder],
      { ready: /TCP server running/ },
    );
    const port = Number(/:(\d+)/.exec(target.output())?.[1]);
    const url = `jdbc:h2:tcp://127.0.0.1:${port}/./stock;DB_CLOSE_DELAY=-1`;
    const shell = ['-url', url, '-user', 'sa', '-password', '', '-sql', 'CREATE TABLE item(name VARCHAR)'];
    await promisify(execFile)(javaOf(MAIN_JDK), [QUICK, '-cp', jar, 'org.h2.tools.Shell', ...shell]);

    expect(driver.recognise(target.info, inspector)?.appName).toBe('H2');
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(Object.keys(state).some((name) => /(?:^|\.)port$/.test(name) && state[name] === port)).toBe(true);
    const rows = `Engine.DATABASES[${JSON.stringify(path.join(folder, 'stock'))}].database.maxMemoryRows`;
    expect(state[rows]).toBeGreaterThan(0);
    const key = path.join(folder, 'stock');
    const setter = 'Engine.DATABASES.database.setMaxMemoryRows';
    await app.until('the action', () => app.actions.has(setter));
    expect(await app.invoke(setter, { key, number: 12_345 })).toMatchObject({ ok: true });
    expect((await app.read())[rows]).toBe(12_345);
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});

describe('jEdit', () => {
  it('shows its window, its menus and its tool bar; a menu opens a dialog, and a field is written', async () => {
    const file = path.join(makeFolder(), 'notes.txt');
    fs.writeFileSync(file, 'hello\n');
    const target = await startWithWindows('/usr/share/jedit/jedit.jar', ['-noserver', '-nosplash', '-norestore', file]);
    await until('it to run', () => driver.recognise(target.info, inspector)?.appName === 'jEdit');
    const app = await attach(target);
    await app.until('its window', (seen) => String(seen['view.title']).includes('notes.txt'));
    // Its help opens beside it, and this screen has no window manager.
    expect(app.capture?.context.window_title).toMatch(/notes\.txt|jEdit Help/);
    expect(await app.invoke('view.search.find')).toMatchObject({ ok: true });
    await app.until('the dialog', (seen) => 'search_dialog.search_for' in seen);
    expect(await app.invoke('search_dialog.set_search_for', { value: 'hello' })).toMatchObject({ ok: true });
    await app.until('the text', (seen) => seen['search_dialog.search_for'] === 'hello');
    await app.until('its tool bar', () => app.actions.has('view.find_next'));
    expect([...app.actions.keys()]).toEqual(
      expect.arrayContaining(['view.undo', 'view.file.save_as', 'view.view.splitting.split_horizontally']),
    );
    await app.invoke('view.split_horizontally');
    await app.until('a second half', (seen) => 'view.buffer_switcher_2.value' in seen);
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});

describe.runIf(hasJavaFx())('PDFsam', () => {
  it('opens a tool from its tiles, and fills in the form in JavaFX that it shows', async () => {
    const home = makeFolder();
    const target = await startVm(
      [QUICK, '-cp', '/usr/share/pdfsam/lib/*', '-Dapp.name=pdfsam-basic', 'org.pdfsam.basic.App'],
      {
        env: { DISPLAY: `:${await startScreen()}` },
        options: [`-Duser.home=${home}`, `-Djava.util.prefs.userRoot=${home}`, '-Dprism.order=sw'],
        ready: /^/,
      },
    );
    await until('it to run', () => driver.recognise(target.info, inspector)?.appName === 'PDFsam');
    const app = await attach(target);
    await app.until('its tiles', () => app.actions.has('window.merge'));
    await app.invoke('window.merge');
    const state = await app.until('the form', (seen) => 'window.bookmarks_handling.value' in seen);
    expect(state).toMatchObject({
      'window.title': expect.stringContaining('PDF Split and Merge'),
      'window.bookmarks_handling.value': 'Retain bookmarks',
      'window.bookmarks_handling.options.length': 4,
      'window.add_a_footer': false,
    });
    await app.invoke('window.set_add_a_footer', { value: true });
    await app.invoke('window.select_bookmarks_handling', { value: 'Discard bookmarks' });
    await app.until('the choices', (seen) => seen['window.bookmarks_handling.value'] === 'Discard bookmarks');
    expect(app.state['window.add_a_footer']).toBe(true);
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});

/** The session of a new visitor. */
async function sessionIdOf({ origin }: Tomcat): Promise<string> {
  const cookie = (await fetch(`${origin}/webapp/add?item=milk`)).headers.get('set-cookie') ?? '';
  const id = /JSESSIONID=(\w+)/.exec(cookie)?.[1];
  if (id === undefined) throw new Error(`no session in ${cookie}`);
  return id;
}
