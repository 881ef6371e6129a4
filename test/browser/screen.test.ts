import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

/** A queue like bull-board's: cards, icon buttons, badges, tooltips from a style sheet. */
const QUEUE = `<!doctype html><title>Queue</title><style>
  .tip::before { content: attr(data-title) } .duplicate::after { content: "Duplicate" } .glyph i::before { content: "\\e900" }
  .gone { display: none } .tile { cursor: pointer }
</style>
<nav><a href="/completed">Completed<span class="badge">6</span></a><a href="/failed">Failed<span>2</span></a>
<a href="/inbox">Inbox (12)</a></nav>
<main><h1>emails<span>6</span><span>2</span></h1>
${['invoice-17', 'welcome-1']
  .map(
    (job) => `<div class="job"><div class="bar"><h4>${job}<span>attempt #3</span></h4>
  <ul><li><span class="tip" data-title="Retry"><button></button></span></li><li><button class="duplicate"></button></li>
  <li><button><svg><title>Clean</title></svg></button></li></ul></div>
  <div class="body"><button class="glyph"><i class="icon-trash"></i></button>
  <button><svg><use href="#edit-icon"></use></svg></button><button></button><button></button><button class="gone"></button>
  <button>Error</button></div></div>`,
  )
  .join('')}
<button>Pause all</button>
<div class="grid"><div class="tile" onclick="opened='thermal'"><div>Thermal Board</div><div>Folder</div></div>
<div class="tile" onclick="opened='clock'"><div>Mission Clock</div></div></div>
<p id="shortcut">Undo<kbd>Ctrl+Z</kbd></p><p id="word">un<b>believ</b>able</p>
<p id="letters"><span>H</span><span>e</span><span>y</span></p>
<button>Seat <b>12</b></button><button>Seat <b>13</b></button>
</main><script>var opened = ''; document.querySelectorAll('.job button').forEach((button) => button.addEventListener('click', () => {
  opened = button.closest('.job').querySelector('h4').firstChild.data + ' ' + [...button.closest('.job').querySelectorAll('button')].indexOf(button) }))</script>`;

/** Words that could mean anything, on controls that only change the view. */
const VIEWS = `<!doctype html><title>Views</title><style>th.sortable { cursor: pointer }</style>
<nav><a href="/book">Book</a><a href="/orders">Order history</a><a href="/logout">Bye</a></nav>
<div role="tablist"><button role="tab" aria-selected="true">Irrigation</button><button role="tab">Reports</button></div>
<button aria-haspopup="menu" aria-expanded="false">Create</button><button>Create account</button>
<ul><li><button class="tab active">Data</button></li><li><button class="tab">Options</button></li><li><button class="tab">Save</button></li></ul>
<button aria-haspopup="dialog">Short keys</button><button aria-haspopup="dialog">Pay</button>
<details><summary>Import</summary>More</details>
<a href="#" class="doc-type-name">Book</a><a href="#" class="btn">Reserve</a>
<table><caption>Orders</caption><tr><th class="sortable">Placed</th><th>Sum</th></tr><tr><td>May</td><td>2</td></tr></table>
<div class="bar"><button>Charts</button><button>Logs</button></div><section id="box"><button>Depth</button></section><p id="said">1</p>
<script>var clicks = 0</script>`;

const FLOW = `<!doctype html><title>Flow</title><h2>Flow 1</h2>
<svg width="300" height="100"><g><rect width="80" height="20"></rect><text y="15"><tspan>Read</tspan><tspan>soil</tspan></text></g>
<g><text y="60">valve</text><text y="60">valve</text></g><text y="90">12</text></svg>
<button><svg><text>x</text></svg></button>
<h2>Fields</h2><div>${['id', 'title', 'author']
  .map((name) => `<div class="field"><a href="#" class="name">${name}</a>: <a href="#" class="type-name">ID</a>!</div>`)
  .join('')}</div>
<div><div class="stat"><span>Cups</span><span>5</span></div><div class="stat"><span>Pots</span><span>2</span></div>
<div class="stat"><span>Cans</span><span>1</span></div></div>
<h2>Answer</h2><pre>{ "books": [{ "title": "Tea" }] }</pre><h2>Same</h2><pre>{ "books": [{ "title": "Tea" }] }</pre><h2>Log</h2><pre>first
  second</pre>`;

/** A wiki page: paragraphs, content hidden by a style sheet, and a plan with movable parts. */
const WIKI = `<!doctype html><title>Wiki</title><style>.off { display: none } g.part { cursor: move }</style>
<h1>Harbour <small>book</small></h1><p>Kept by <a href="/ada">Ada</a> since <b>1843</b>.</p>
<h2>Pilots</h2><div>Grace has the north channel.<br>Linus has the south channel.</div><div class="off">Draft</div>
<div>Loose words<section><p>In a part of its own</p></section></div><p>1</p>
<ul><li><p>An item</p></li></ul><p id="total">Total: 3</p><label>Name <input></label>
<h2>Plan</h2><svg width="300" height="100"><g class="part" transform="translate(5,5)"><rect width="120" height="30"></rect>
<text y="15">Lock gate</text><text y="28">open</text></g><g><text y="80">Scale 1:100</text></g></svg>
<script>var opened = 0, pressed = 0; const gate = document.querySelector('g.part');
  gate.addEventListener('dblclick', () => { opened++ }); gate.addEventListener('click', () => { pressed++ })</script>`;

/** Old-style modules: only their functions see their state. */
const MODULES = `<!doctype html><title>Harbour</title><h1>Harbour</h1><script>
  var HARBOUR = {};
  HARBOUR.ferries = (function () {
    var e = [{ id: 'f1', name: 'Sandpiper', seats: 310 }];
    return { add(name) { e.push({ id: 'f' + e.length, name: name, seats: 0 }) }, count() { return e.length } };
  })();
  HARBOUR.view = (function () {
    function Chosen() { this.length = 1; this[0] = document.body }
    Chosen.prototype.jquery = '3.7.1';
    var box = new Chosen();
    return { show() { return box } };
  })();
  var traps = 0;
  HARBOUR.tides = (function () {
    var count = { ownKeys(on) { traps++; return Reflect.ownKeys(on) }, getPrototypeOf(on) { traps++; return Reflect.getPrototypeOf(on) } };
    var watched = new Proxy({ read() {}, write() {} }, count);
    return { look() { return watched } };
  })();
  HARBOUR.pilots = (function () {
    var register = (function () {
      var held = { grace: { name: 'Grace', years: 12 } };
      return { get(name) { return held[name] } };
    })();
    return { find(name) { return register.get(name) } };
  })();
</script>`;

describe('what is on the screen', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({ '/queue': QUEUE, '/views': VIEWS, '/flow': FLOW, '/wiki': WIKI, '/modules': MODULES });
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

  it('names buttons by what people see of them, or by their place', async () => {
    await open('/queue');
    for (const job of ['invoice_17', 'welcome_1'])
      expect(names()).toEqual(
        expect.arrayContaining([
          ...['retry', 'duplicate', 'clean', 'trash', 'edit', 'error'].map((what) => `${what}_${job}`),
          `button_6_in_${job}`,
          `button_7_in_${job}`,
        ]),
      );
    expect(names().filter((name) => name.startsWith('button_8'))).toEqual([]);
  });

  it('takes each control for one of the thing that is nearest', async () => {
    await open('/queue');
    await app.invoke('retry_invoice_17');
    await app.until('the click', (state) => state.opened === 'invoice-17 0');
    await app.invoke('button_7_in_welcome_1');
    await app.until('the other click', (state) => state.opened === 'welcome-1 6');
    expect(app.schema('pause_all').description).not.toMatch(/welcome/);
  });

  it('offers what can be clicked without being a button', async () => {
    await open('/queue');
    expect(app.schema('thermal_board_folder').description).toContain('Thermal Board');
    await app.invoke('mission_clock');
    await app.until('the click', (state) => state.opened === 'clock');
  });

  it('keeps apart what stands in two elements, and together what is one word', async () => {
    await open('/queue');
    expect(app.state).toMatchObject({
      'headings[0]': 'emails 6 2',
      'headings[1]': 'invoice-17 attempt #3',
      'text.shortcut': 'Undo Ctrl+Z',
      'text.word': 'unbelievable',
      'text.letters': 'Hey',
    });
    expect(Object.keys(app.state).filter((key) => key.startsWith('lists.'))).toEqual([]);
  });

  it('keeps names when a count changes, unless the number is the name', async () => {
    await open('/queue');
    expect(names()).toEqual(
      expect.arrayContaining(['open_completed', 'open_failed', 'open_inbox', 'seat_12', 'seat_13']),
    );
    const before = names();
    await page.evaluate(`document.querySelector('.badge').textContent = '7'`);
    await app.read();
    expect(names()).toEqual(before);
  });

  it('knows what only changes the view by what it is, not by what it is called', async () => {
    await open('/views');
    const tierOf = (name: string) => app.schema(name).reversibility;
    for (const name of [
      'open_book',
      'open_order_history',
      'show_irrigation',
      'show_reports',
      'create',
      'toggle_import',
    ])
      expect([name, tierOf(name)]).toEqual([name, 'reversible_write']);
    expect(['book', 'placed'].map(tierOf)).toEqual(['reversible_write', 'reversible_write']);
    for (const name of ['data', 'options', 'short_keys'])
      expect([name, tierOf(name)]).toEqual([name, 'reversible_write']);
    for (const name of ['open_bye', 'create_account', 'reserve', 'save', 'pay'])
      expect([name, tierOf(name)]).toEqual([name, 'irreversible_write']);
  });

  it('judges a control again when something around it changes', async () => {
    await open('/views');
    const tiers = () => ['charts', 'logs', 'depth'].map((name) => app.schema(name).reversibility);
    expect(tiers()).toEqual(['irreversible_write', 'irreversible_write', 'irreversible_write']);
    await page.evaluate(`document.querySelector('.bar button').className = 'active', said.textContent = 'two'`);
    await app.read();
    expect(tiers()).toEqual(['reversible_write', 'reversible_write', 'irreversible_write']);
    await page.evaluate(`box.setAttribute('role', 'listbox')`);
    await app.read();
    expect(tiers()).toEqual(['reversible_write', 'reversible_write', 'reversible_write']);
    await page.evaluate(`box.inert = true`);
    await app.read();
    expect(app.actions.has('depth')).toBe(false);
    await page.evaluate(`box.inert = false, document.querySelector('.bar button').dataset.confirm = 'Sure?'`);
    await app.read();
    expect(tiers()).toEqual(['irreversible_write', 'reversible_write', 'reversible_write']);
  });

  it('reads the texts of drawings, lists that only look like lists, and listings as they are written', async () => {
    await open('/flow');
    expect(app.state).toMatchObject({
      'lists.flow_1.length': 2,
      'lists.flow_1[0]': 'Read soil',
      'lists.flow_1[1]': 'valve',
      'lists.fields.length': 3,
      'lists.fields[0]': 'id: ID!',
      'text.cups': 5,
      'data.answer.books[0].title': 'Tea',
      'data.same.books[0].title': 'Tea',
      'text.log': 'first\n  second',
    });
    await page.evaluate(`document.querySelectorAll('text')[1].textContent = 'valve 2'`);
    expect(await app.read()).toMatchObject({ 'lists.flow_1[1]': 'valve 2' });
  });

  it('reads text that stands for itself, by the heading above it, and nothing twice', async () => {
    await open('/wiki');
    const texts = Object.entries(app.state).filter(([key]) => key.startsWith('texts.'));
    expect(texts).toEqual([
      ['texts.harbour.length', 1],
      ['texts.harbour[0]', 'Kept by Ada since 1843.'],
      ['texts.pilots.length', 3],
      ['texts.pilots[0]', 'Grace has the north channel. Linus has the south channel.'],
      ['texts.pilots[1]', 'Loose words'],
      ['texts.pilots[2]', 'In a part of its own'],
    ]);
    await page.evaluate(`document.querySelector('.off').className = ''`);
    expect(await app.read()).toMatchObject({ 'texts.pilots[1]': 'Draft' });
  });

  it('offers the shapes of a drawing that can be taken hold of, by one click or two', async () => {
    await open('/wiki');
    expect(app.schema('lock_gate')).toMatchObject({ parameters: [{ name: 'twice', required: false }] });
    expect([...app.actions.keys()].some((name) => /scale|open$/.test(name))).toBe(false);
    expect(await app.invoke('lock_gate')).toMatchObject({ ok: true, message: 'Clicked "Lock gate open".' });
    expect(await page.evaluate('[pressed, opened]')).toEqual([1, 0]);
    expect(await app.invoke('lock_gate', { twice: true })).toMatchObject({
      ok: true,
      message: 'Double-clicked "Lock gate open".',
    });
    expect(await page.evaluate('[pressed, opened]')).toEqual([3, 1]);
  });

  it('is what modules keep to themselves, under the names of the modules', async () => {
    await open('/modules');
    await app.until('the modules', (state) => state['ferries[0].name'] === 'Sandpiper');
    expect(app.state).toMatchObject({ 'ferries.length': 1, 'held.grace.years': 12 });
    expect(Object.keys(app.state).filter((key) => /^(?:box|view)/.test(key))).toEqual([]);
    expect(await page.evaluate('traps')).toBe(0);
    await page.evaluate(`HARBOUR.ferries.add('Petrel')`);
    await app.until('the new ferry', (state) => state['ferries[1].name'] === 'Petrel');
  });
});
