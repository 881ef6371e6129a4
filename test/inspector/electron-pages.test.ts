import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import { hasRuntime, RUNTIME_TARGETS, removeHomes, startElectron } from '../support/runtimes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const DESK = path.join(RUNTIME_TARGETS, 'electron/desk');

describe.runIf(hasRuntime('electron'))('an Electron app that was started with no flags', () => {
  afterEach(endAll);
  afterAll(removeHomes);

  it('shows its window and its main process, and acts on both', async () => {
    const target = await startElectron({ args: [DESK], ready: /ready \d+\n/ });
    expect(driver.recognise(target.info, createHost().inspector)).toMatchObject({
      runtime: 'v8',
      runtimeName: 'Electron',
    });
    const app = await ProbedApp.attach(driver, target.info);
    await app.until(
      'the window',
      (state) => state['page.heading'] === 'Desk' && state['main.notes.list[0]'] === 'milk',
    );
    expect(app.state).toMatchObject({
      count: 3,
      'main.settings.theme': 'dark',
      'tabs.length': 1,
      'tabs[0].title': 'Desk',
      'tabs[0].active': true,
    });
    expect(app.capture?.context).toMatchObject({ window_title: 'Desk', location: '/' });
    expect(app.confidence).toBeGreaterThanOrEqual(0.8);

    expect((await app.invoke('main.notes.add', { text: 'tea' })).ok).toBe(true);
    await app.until('the note', (state) => state['main.notes.list.length'] === 2);
    expect((await app.invoke('navigate', { url: String(app.capture?.context.url).replace(/\/$/, '/second') })).ok).toBe(
      true,
    );
    await app.until('the other page', (state) => state['page.heading'] === 'Second');
    await expect(app.invoke('open_tab', { url: 'http://127.0.0.1/' })).rejects.toThrow('decides itself which windows');
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });

  it('is reached by its debugging port where its owner opened one', async () => {
    const target = await startElectron({ args: ['--remote-debugging-port=0', DESK], ready: /ready \d+\n/ });
    const app = await ProbedApp.attach(driver, target.info);
    await app.until('the window', (state) => state['page.heading'] === 'Desk' && state.count === 3);
    await app.probe.detach();
    expect(target.output()).not.toContain('Debugger attached');
  });
});
