import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

describe('editors', () => {
  let server: PageServer;
  let chromium: Chromium;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    server = await startPageServer();
    chromium = await startChromium();
  });
  afterEach(async () => {
    await app.probe.detach();
    await page.close();
  });
  afterAll(async () => {
    await endAll();
    await server.close();
  });

  async function open(): Promise<void> {
    page = await openPage(chromium, `${server.origin}/editors/`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.until('all editors to be drawn', (state) => state['fields.config'] !== '' && 'fields.note' in state);
  }
  const held = (name: string) => page.evaluate<string>(`held('${name}')`);

  it('are fields that hold the text that can be seen', async () => {
    await open();
    expect(app.state).toMatchObject({
      'fields.query_editor': '{\n  books { title }\n}',
      'fields.result_window': '{"data": 1}',
      'fields.script': 'const tea = 1;\nbrew(tea);',
      'fields.log': expect.stringMatching(/^line 0\nline 1\n/),
      'fields.config': 'port = 80\nhost = "tea"',
      'fields.letter': 'Dear Ada,\nthank you.',
      'fields.note': 'first line\nsecond line',
    });
  });

  it('are not offered to be set where they only show something', async () => {
    await open();
    const setters = [...app.actions.keys()].filter((name) => name.startsWith('set_')).sort();
    expect(setters).toEqual(['set_config', 'set_letter', 'set_note', 'set_query_editor', 'set_script']);
  });

  it.each([
    ['query_editor', 'query', '{\n  authors(first: 2) {\n    name\n  }\n}'],
    ['script', 'script', 'const cups = [1, 2];\nif (cups) {\n  pour();\n}'],
    ['config', 'config', 'port = 81\nhost = "coffee"'],
    ['letter', 'letter', 'Dear Grace, see you soon.'],
    ['note', 'note', 'one line instead of two'],
  ])('%s takes another text in place of all that it held', async (field, name, text) => {
    await open();
    expect(await app.invoke(`set_${field}`, { value: text })).toMatchObject({ ok: true });
    expect(await held(name)).toBe(text);
    expect(await app.read()).toMatchObject({ [`fields.${field}`]: text });
    expect(await app.invoke(`set_${field}`, { value: '' })).toMatchObject({ ok: true });
    expect((await held(name)).trim()).toBe('');
  });

  it('says so when the text did not come out as it was given', async () => {
    await open();
    await page.evaluate(
      `document.getElementById('note').addEventListener('beforeinput', (event) => event.preventDefault())`,
    );
    expect(await app.invoke('set_note', { value: 'never' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('did not take the text'),
    });
  });
});
