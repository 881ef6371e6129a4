import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { openPage, startChromium } from '../support/chromium.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector, scanner } = createHost();

describe('a browser', () => {
  afterEach(endAll);

  it.each(['flag', 'zero'] as const)('is found by its debugging port (%s)', async (port) => {
    const chromium = await startChromium({ port, url: 'data:text/html,<title>Hello</title><h1>Hello</h1>' });
    const app = await ProbedApp.attach(driver, chromium.info);
    await app.until('the page', (state) => state['page.heading'] === 'Hello');
    expect(app.state).toMatchObject({ 'tabs.length': 1, 'tabs[0].title': 'Hello', 'tabs[0].active': true });
    await app.probe.detach();
    await chromium.close();
  });

  it('is one app from its first moment on, whose other processes are none', async () => {
    let isReady = false;
    const starting = startChromium().finally(() => {
      isReady = true;
    });
    const young = new Map<number, ProcessInfo>();
    const recognised: ProcessInfo[] = [];
    // Like the daemon, but far more often: for some milliseconds a forked process looks exactly like its browser.
    while (!isReady) {
      const { appeared, gone } = await scanner.scan();
      for (const { pid } of gone) young.delete(pid);
      for (const process of appeared) young.set(process.pid, process);
      for (const process of young.values()) {
        if (driver.recognise(process, inspector) === null || !inspector.isAlive(process)) continue;
        young.delete(process.pid);
        recognised.push(process);
      }
      await nextTurn();
    }
    const chromium = await starting;
    const isIts = ({ pid, ppid, argv }: ProcessInfo) =>
      [pid, ppid].includes(chromium.pid) || argv.some((argument) => argument.includes(chromium.userDataDir));
    expect([...young.values()].filter(isIts).length).toBeGreaterThan(2);
    expect(recognised.filter(isIts).map(({ pid }) => pid)).toEqual([chromium.pid]);
    expect(driver.recognise(chromium.info, inspector)).toMatchObject({ runtime: 'v8', appName: 'Chromium' });
    await chromium.close();
  });

  it('is another app with another profile, and the same after a restart', async () => {
    const [one, two] = [await startChromium(), await startChromium()];
    const identities = [one, two].map(({ info }) => driver.recognise(info, inspector)?.identity);
    expect(identities[0]).not.toBe(identities[1]);
    expect(identities[0]).not.toMatch(/\d{5}$/);
  });

  it('says exactly why it cannot be looked into without a port', async () => {
    const chromium = await startChromium({ port: 'none' });
    await expect(ProbedApp.attach(driver, chromium.info)).rejects.toThrow(
      'This Chromium runs without a debugging port, and none can be opened from outside. Start it with --remote-debugging-port=0 --user-data-dir=<folder>.',
    );
    expect(chromium.isAlive()).toBe(true);
  });

  it('is not taken in by a port file that another run left behind', async () => {
    const chromium = await startChromium({ port: 'none' });
    fs.writeFileSync(path.join(chromium.userDataDir, 'DevToolsActivePort'), '1\n/devtools/browser/left-over\n');
    await expect(ProbedApp.attach(driver, chromium.info)).rejects.toThrow('runs without a debugging port');
  });

  it('names the pipe when another program holds it', async () => {
    const chromium = await startChromium({ port: 'none' });
    const piped = { ...chromium.info, argv: [...chromium.info.argv, '--remote-debugging-pipe'] };
    await expect(ProbedApp.attach(driver, piped)).rejects.toThrow('is debugged through a pipe');
  });

  it('is left as it was: no session, no global, no listener', async () => {
    const url = 'data:text/html,<title>Clean</title><script>state={n:1}</script><input><button>Go</button>';
    const chromium = await startChromium({ url });
    const page = await openPage(chromium, url);
    const globals = () =>
      page.evaluate<string>(`JSON.stringify([Object.getOwnPropertyNames(window), Object.keys(document.body),
        Object.getOwnPropertyNames(Array.prototype), Object.getOwnPropertyNames(Object.prototype)])`);
    const before = await globals();
    const app = await ProbedApp.attach(driver, chromium.info);
    expect(await app.read()).toMatchObject({ 'state.n': 1 });
    expect(await globals()).toBe(before);
    await app.probe.detach();
    await app.probe.closed;
    expect(await globals()).toBe(before);
    const targets = (await (await fetch(`http://127.0.0.1:${chromium.debugPort}/json/list`)).json()) as object[];
    // A page that is being debugged offers no address.
    expect(targets).not.toEqual([]);
    expect(targets.every((target) => 'webSocketDebuggerUrl' in target)).toBe(true);
  });
});
