import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { learnRequest } from '../../src/model/wire.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { learn } from '../../src/semantic/learn.ts';
import { type Chromium, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
/** One app; its variables are named by a build. */
const build = (cart: string, guest: string, other: string) =>
  `<!doctype html><title>Tea</title><h1>Tea</h1><script>
    var ${other} = { theme: 'dark', language: 'en', z: 7 };
    var ${cart} = { total: 12, currency: 'EUR', q: 3, lines: [{ article: 'Green', cents: 4 }] };
    var ${guest} = { visits: 5, table: 'window', address: { street: 'Main', city: 'Ulm' } };
  </script>`;

describe('a page that was built again', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({ '/one': build('e', 't', 'n'), '/two': build('n', 'Xe', 'e') });
    chromium = await startChromium({ url: `${pages.origin}/one` });
    app = await ProbedApp.attach(driver, chromium.info);
  });
  afterAll(async () => {
    await app.probe.detach();
    await endAll();
    await pages.close();
  });

  function correct(observed_key: string | undefined, correct_label: string): void {
    const { engine } = app;
    const request = learnRequest.parse({
      capture_id: 'c',
      schema_version: engine.schema.schema_version,
      corrections: [{ observed_key, correct_label, correct_type: 'number' }],
    });
    expect(learn(engine, { raw: [], named: new Map() }, request, 'key-1').rejections).toEqual([]);
  }

  it('has the names that a person gave', async () => {
    await app.until('the page', ({ visits }) => visits === 5);
    correct(
      Object.keys(app.state).find((key) => app.engine.rawPathOf(key)?.endsWith('_e.q')),
      'cart.pieces',
    );
    correct('visits', 'guest.visitsSoFar');
    await app.until('the names', (state) => state['cart.pieces'] === 3 && state['guest.visitsSoFar'] === 5);
    const where = () => ['cart.pieces', 'guest.visitsSoFar'].map((key) => app.engine.rawPathOf(key)?.split('_').at(-1));
    expect(where()).toEqual(['e.q', 't.visits']);
    await app.invoke('navigate', { url: `${pages.origin}/two` });
    await app.until('the other build', (state) => String(state['tabs[0].url']).endsWith('/two'));
    await app.until('the names again', (state) => state['cart.pieces'] === 3 && state['guest.visitsSoFar'] === 5);
    expect(where()).toEqual(['n.q', 'Xe.visits']);
    expect(app.state).toMatchObject({ theme: 'dark', total: 12, 'address.city': 'Ulm' });
  });
});
