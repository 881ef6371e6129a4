import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

/** Labels that contain the value, a theme on the outermost element, and a form that redraws itself at each input. */
const MONITOR = `<!doctype html><html class="light"><title>Monitor</title><body>
<form id="monitor"><h2>Monitor</h2>
<label for="every"></label><input id="every" type="number" value="45">
<label for="keep"></label><input id="keep" type="number" value="180">
<label for="line1">Address line 1</label><input id="line1"><label for="line2">Address line 2</label><input id="line2">
<button>Save</button></form>
<script>
  var saved = null; const by = (id) => document.getElementById(id);
  function draw() {
    document.querySelector('[for=every]').textContent = 'Heartbeat interval (check every ' + by('every').value + ' seconds)';
    document.querySelector('[for=keep]').textContent = 'Keep history for ' + by('keep').value + ' days';
  }
  by('every').addEventListener('input', draw); by('keep').addEventListener('input', draw); draw();
  by('monitor').addEventListener('submit', (event) => {
    event.preventDefault(); saved = by('every').value + ' ' + by('keep').value;
  });
</script></body></html>`;

/** Names on the screen, and parts that style sheets, markup and dialogs hide. */
const SCREENS = `<!doctype html><title>Rooms</title><style>.screen { display: none } .screen.on { display: block } .unseen { visibility: hidden }</style>
<div class="screen" id="connect"><h1>Connect</h1><form id="login"><label>Nickname <input></label><button>Connect</button></form></div>
<div class="screen on" id="room"><h1>Room</h1><button id="more" onclick="modal.className = 'screen on'">Add value</button>
<label class="switch"><input type="checkbox" class="screen">Quiet</label><button class="unseen">Ghost</button>
<p>Nobody is here.</p></div>
<div class="screen" id="modal" role="dialog" aria-modal="true" aria-label="New value">
<form id="value"><label>Value <input></label><button type="button" onclick="modal.className = 'screen'">Store</button></form></div>`;

/** Parts that are cut off, outside the window, disabled, or scrolled away. */
const BOXES = `<!doctype html><title>Boxes</title><style>
  .panel { max-height: 0; overflow: hidden } .open .panel { max-height: 400px }
  .drawer { position: fixed; top: 0; left: 0; width: 200px; height: 300px; transform: translateX(-220px) }
  .drawer.out { transform: none } .shell { overflow: hidden } .shell > div { position: absolute; top: 200px }
  .gone { display: none } .list { height: 60px; overflow: auto } .low { margin-top: 4000px }
</style>
<div class="group" id="group"><button onclick="group.classList.toggle('open')">Filters</button>
<div class="panel"><h2>Filters</h2><p>Only large ships are shown.</p><button>Reset filters</button></div></div>
<div class="drawer" id="drawer"><div><h2>Account</h2><button>Sign out</button></div></div>
<div class="shell"><div><button>Refresh</button></div></div>
<div inert><button>Frozen</button><form aria-label="Frozen form"><label>Word <input></label><button>Send</button></form>
<label>Lone <input></label></div>
<ul class="list"><li>Skua</li><li class="gone" id="petrel">Petrel</li><li>Gannet<ul class="gone"><li>Scrap</li></ul></li></ul>
<table><caption>Piers</caption><tr><th>Pier</th><th>Depth</th></tr><tr><td>west</td><td>7</td></tr><tr class="gone"><td>east</td><td>9</td></tr></table>
<div class="low"><button>Far below</button></div>
<dialog id="ask" aria-label="Leave"><button>Stay</button></dialog>`;

describe('names of what is on the screen', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({ '/monitor': MONITOR, '/screens': SCREENS, '/boxes': BOXES });
    chromium = await startChromium();
  });
  afterEach(async () => {
    await app.probe.detach();
    await page.close();
  });
  afterAll(async () => {
    await endAll();
    await pages.close();
  });

  async function open(path: string): Promise<void> {
    page = await openPage(chromium, `${pages.origin}${path}`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  }
  const names = () => [...app.actions.keys()];

  it('stay while values, their labels and the theme change', async () => {
    await open('/monitor');
    const [keys, actions] = [Object.keys(app.state), names()];
    expect(app.state).toMatchObject({
      'forms.monitor.heartbeat_interval': 45,
      'forms.monitor.keep_history_for_days': 180,
      'forms.monitor.address_line_1': '',
      'forms.monitor.address_line_2': '',
    });
    const values = { heartbeat_interval: 120, keep_history_for_days: 90 };
    expect(await app.invoke('monitor_save', values)).toMatchObject({ ok: true });
    expect(await page.evaluate('saved')).toBe('120 90');
    await page.evaluate(`document.documentElement.className = 'dark'`);
    await app.read();
    expect([Object.keys(app.state), names()]).toEqual([keys, actions]);
    expect(app.state['forms.monitor.heartbeat_interval']).toBe(120);
  });

  it('are those of what a person can see', async () => {
    await open('/screens');
    expect(app.state['page.heading']).toBe('Room');
    expect(app.state['headings.length'] ?? 1).toBe(1);
    expect(names()).toEqual(expect.arrayContaining(['add_value', 'set_quiet']));
    for (const name of ['login_connect', 'value_store', 'store', 'ghost']) expect(names()).not.toContain(name);
    expect(app.state).toMatchObject({ 'dialogs.new_value.open': false });
  });

  it('show what opens, and that the rest is behind it', async () => {
    await open('/screens');
    await app.invoke('add_value');
    await app.until('the dialog', (state) => state['dialogs.new_value.open'] === true);
    expect(app.actions.get('store')?.schema.description).not.toContain('behind');
    expect(app.actions.get('add_value')?.schema.description).toContain('(behind the dialog "New value")');
    await app.invoke('store');
    await app.until('the dialog to close', (state) => state['dialogs.new_value.open'] === false);
    expect(names()).not.toContain('store');
    await page.evaluate(`room.className = 'screen', connect.className = 'screen on'`);
    await app.until('the other screen', (state) => state['page.heading'] === 'Connect');
    expect(names()).toContain('login_connect');
    expect(names()).not.toContain('add_value');
  });

  it('are not those of what is cut off, waits beside the window or cannot be used', async () => {
    await open('/boxes');
    for (const name of ['reset_filters', 'sign_out', 'frozen', 'frozen_form_send', 'set_lone'])
      expect(names()).not.toContain(name);
    expect(names()).toEqual(expect.arrayContaining(['filters', 'refresh', 'far_below']));
    expect(Object.values(app.state)).not.toContain('Only large ships are shown.');
    expect(app.state).toMatchObject({ 'lists.list[0]': 'Skua', 'lists.list[1]': 'Gannet', 'lists.list.length': 2 });
    expect(app.state['tables.piers.length']).toBe(1);
  });

  it('come and go with the boxes around them', async () => {
    await open('/boxes');
    await app.invoke('filters');
    await app.until('the panel', () => names().includes('reset_filters'));
    expect(Object.values(app.state)).toContain('Only large ships are shown.');
    await app.invoke('filters');
    await app.until('the panel to close', () => !names().includes('reset_filters'));
    await page.evaluate(`drawer.classList.add('out')`);
    await app.until('the drawer', () => names().includes('sign_out'));
    await page.evaluate(`drawer.classList.remove('out')`);
    await app.until('the drawer to go', () => !names().includes('sign_out'));
    await page.evaluate(`petrel.className = ''`);
    await app.until('the other ship', (state) => state['lists.list[1]'] === 'Petrel');
    await page.evaluate('ask.showModal()');
    await app.until('the dialog', () => names().includes('stay'));
    expect(app.actions.get('refresh')?.schema.description).toContain('(behind the dialog "Leave")');
    expect(app.actions.get('stay')?.schema.description).not.toContain('behind');
  });
});
