import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

const CHAT = `<!doctype html><title>Chat</title><h2>Messages</h2><ul aria-label="Messages" id="list">
<li><span class="msg-author">Ada</span> <time>10:03</time> <div class="msg-body">the kettle is on</div><button>Reply</button></li>
<li><span class="msg-author">Bob</span> <time>10:04</time> <div class="msg-body">on my way</div><button>Reply</button></li></ul>
<h2>News</h2><div class="feed"><div class="card"><span class="username">Cleo</span> <span class="card__date">May 4</span> sold a boat</div>
<div class="card"><span class="username">Dirk</span> <span class="card__date">May 5</span> bought it</div>
<div class="card"><span class="username">Eve</span> <span class="card__date">May 6</span> looked on</div></div>
<ul aria-label="Fruit"><li>Apple</li><li>Pear</li></ul>`;

const TREE = `<!doctype html><title>Tree</title><ul role="tree" aria-label="Files">
<li role="treeitem" aria-expanded="true" aria-selected="false"><span>src</span><ul role="group">
  <li role="treeitem" aria-selected="true"><span>main.ts</span></li><li role="treeitem" aria-selected="false"><span>page.ts</span></li></ul></li>
<li role="treeitem" aria-expanded="false" aria-selected="false"><span>test</span></li></ul>
<div role="tree" aria-label="Keys"><div role="treeitem" aria-level="1" aria-expanded="true">users</div>
<div role="treeitem" aria-level="2">ada</div><div role="treeitem" aria-level="2">pier : <div role="button">west-1</div></div></div>`;

const OPENINGS = `<!doctype html><title>Openings</title><style>[role=menu]:not(.open) { display: none }</style>
<button id="file" aria-expanded="false" aria-haspopup="menu">File</button>
<ul role="menu" id="menu" aria-label="File"><li role="none"><button role="menuitem">New</button></li><li role="none"><button role="menuitem">Close all</button></li></ul>
<details><summary>Advanced</summary><p>Depth: 3</p></details><button id="save">Save</button><div role="alert" id="toast"></div>
<script>
  file.onclick = () => { const isOpen = menu.classList.toggle('open'); file.setAttribute('aria-expanded', isOpen) };
  save.onclick = () => { toast.textContent = 'Saved' };
</script>`;

/** A transparent panel that a class shows slowly; and a button that appears under the pointer. */
const FADED = `<!doctype html><title>Faded</title><style>.docs { opacity: 0; transition: opacity .3s } .docs.on { opacity: 1 }
  .more { opacity: 0 } li:hover .more { opacity: 1 }</style>
<ul><li>Skua <button class="more">Scrap</button></li><li>Gannet</li></ul><button id="show">Docs</button>
<div class="docs" id="docs"><h2>Root types</h2><button>Mutation</button><span class="link" style="cursor: pointer">Query</span><p>All that can be asked for stands here.</p></div>
<script>show.onclick = () => docs.classList.add('on')</script>`;

/** A calendar marked as a table without rows; each event has its time before its name. */
const DAYS = `<!doctype html><title>Days</title><h1>May</h1><div role="table"><div><div role="cell"><time>12</time>
<article><div><time>9:00 AM</time><h4>Dredging</h4></div></article></div><div role="cell"><time>20</time><article><div><time>2:30 PM</time><h4>Pilot exam</h4></div></article></div></div></div>`;

/** Mails that are links, labels whose values are in boxes of their own, and icons that only a title names. */
const MAIL = `<!doctype html><title>Mail</title><style>.btn { cursor: pointer; display: inline-block; width: 20px; height: 20px }</style>
<ul aria-label="Inbox"><li><a href="#1">Berth for the Gannet, to ada@quay.example</a></li><li><a href="#2">Petrel is late, to otto@pilots.example</a></li></ul>
<ul aria-label="Pages"><li><a href="#3">Home</a></li><li><a href="#4">About</a></li></ul>
<div class="row"><div>From:</div><div><x-address><span>grace@tides.example</span></x-address></div></div>
<div class="row"><div>To:</div><div><x-address><span>ada@quay.example</span></x-address></div></div>
<ul role="menu" aria-label="Side"><li role="menuitem"><label>ferries</label><ul><li role="menuitem"><label>List all</label></li></ul></li></ul>
<span class="btn icon-eye" title="Preview" onclick="seen = 1"></span><script>var seen = 0</script>`;

/** A grid with cells in boxes, which draws some of its rows and sorts by its heads. */
const cellsIn = (role: string, texts: readonly string[]) =>
  `<div role="row"><div class="left"></div><div class="middle">${texts
    .map(
      (text) =>
        `<div role="${role}"${role === 'columnheader' ? ' aria-sort="none" onclick="sorted = this.innerText"' : ''}>${text}</div>`,
    )
    .join('')}</div></div>`;
const GRID = `<!doctype html><title>Grid</title><h1>Ships</h1><div role="grid" aria-rowcount="406"><div role="rowgroup">${cellsIn('columnheader', ['Ship', 'Pier'])}</div>
<div role="rowgroup">${cellsIn('gridcell', ['Skua', 'east-3'])}${cellsIn('gridcell', ['Gannet', 'west-1'])}</div></div><script>var sorted = ''</script>`;

/** The drawing is in objects of the app, below a meaningless name. */
const DRAWN = `<!doctype html><title>Drawn</title><canvas></canvas><script>
  var sheet = { name: 'ferries', rows: { len: 1, _: { 0: { cells: { 0: { text: 'Skua' } } } }, _hidden: { x: 1 } } };
</script>`;

/** As Konva keeps and tells it: stages, groups with children, texts in attributes, boxes in pixels of the stage. */
const STAGE = `<!doctype html><title>Stage</title><h1>Plan</h1><div id="plan" style="width: 450px; margin-top: 300px"><canvas width="900" height="500" style="display: block; width: 450px; height: 250px"></canvas></div>
<script>
  var clicked = '';
  const text = (words, x, y) => ({ attrs: { text: words }, isVisible: () => true, getClientRect: () => ({ x, y, width: 100, height: 20 }) });
  const group = (...children) => ({ attrs: {}, children });
  window.Konva = { stages: [{ attrs: {}, container: () => plan, width: () => 900, height: () => 500, children: [
    group(text('Close the gate', 40, 260)), group(text('Skua', 40, 60), text('Moor', 40, 90)), group(text('Gannet', 300, 60), text('Moor', 300, 90)) ] }] };
  plan.onclick = (event) => { const box = plan.getBoundingClientRect(); clicked = Math.round(event.clientX - box.left) + ',' + Math.round(event.clientY - box.top) };
</script>`;
const CANVAS = `<!doctype html><title>Canvas</title><h1>Plan</h1><canvas width="900" height="500"></canvas>`;

/** A list that scrolls in a box of its own, and headings far below. */
const LONG = `<!doctype html><title>Long</title><h1>Berths</h1>
<ul id="berths" aria-label="Berths" style="height: 200px; overflow: auto; margin: 0; padding: 0">${Array.from(
  { length: 40 },
  (_, at) => `<li style="height: 20px">Berth ${at} of the quay</li>`,
).join('')}</ul>
<ul aria-label="Short"><li>North</li><li>South</li></ul>
${['Prices', 'Rules', 'Pilots', 'Tides', 'Cranes'].map((name) => `<h2 style="margin-top: 3000px">${name}</h2>`).join('')}`;

describe('what a page shows', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({
      '/chat': CHAT,
      '/tree': TREE,
      '/openings': OPENINGS,
      '/faded': FADED,
      '/drawn': DRAWN,
      '/days': DAYS,
      '/mail': MAIL,
      '/grid': GRID,
      '/long': LONG,
      '/stage': STAGE,
      '/canvas': CANVAS,
    });
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

  async function open(path: string): Promise<Record<string, unknown>> {
    page = await openPage(chromium, `${pages.origin}${path}`);
    app = await ProbedApp.attach(driver, chromium.info);
    return app.read();
  }

  it('has the cells of a grid wherever they lie in a row, and how many rows there are', async () => {
    await open('/grid');
    expect(app.state).toMatchObject({
      'tables.ships.length': 2,
      'text.rows_of_ships': 405,
      'tables.ships[1].ship': 'Gannet',
      'tables.ships[1].pier': 'west-1',
    });
    expect(app.schema('pier').reversibility).toBe('reversible_write');
    await app.invoke('pier');
    await app.until('the click', (state) => state.sorted === 'Pier');
  });

  it('has links that say something, values beside their labels, and icons by their titles', async () => {
    await open('/mail');
    expect(app.state).toMatchObject({
      'lists.inbox[0]': 'Berth for the Gannet, to ada@quay.example',
      'text.from': 'grace@tides.example',
      'text.to': 'ada@quay.example',
    });
    expect(app.state['lists.pages[0]']).toBeUndefined();
    expect(Object.keys(app.state).filter((key) => key.startsWith('texts'))).toEqual([]);
    expect([...app.actions.keys()]).toEqual(expect.arrayContaining(['ferries', 'list_all']));
    await app.invoke('preview');
    await app.until('the click', (state) => state.seen === 1);
  });

  it('is a text under the heading of its small part, also before it', async () => {
    await open('/days');
    expect(app.state).toMatchObject({ 'texts.dredging[0]': '9:00 AM', 'texts.pilot_exam[0]': '2:30 PM' });
    expect(Object.keys(app.state).filter((key) => key.startsWith('tables'))).toEqual([]);
  });

  it('keeps who said it, when and what apart, in chats and feeds', async () => {
    expect(await open('/chat')).toMatchObject({
      'lists.messages[0].author': 'Ada',
      'lists.messages[0].time': '10:03',
      'lists.messages[0].text': 'the kettle is on',
      'lists.messages[1].author': 'Bob',
      'lists.fruit[0]': 'Apple',
    });
    expect(app.state).toMatchObject({
      'lists.news[2].author': 'Eve',
      'lists.news[2].time': 'May 6',
      'lists.news[2].text': 'looked on',
    });
    await page.evaluate(
      `list.insertAdjacentHTML('beforeend', '<li><span class="msg-author">Eve</span> <time>10:09</time> <div class="msg-body">me too</div></li>')`,
    );
    expect(await app.until('the new one', (state) => 'lists.messages[2].text' in state)).toMatchObject({
      'lists.messages[2].author': 'Eve',
      'lists.messages[2].text': 'me too',
    });
  });

  it('has the nodes of a tree with level, selected and expanded', async () => {
    expect(await open('/tree')).toMatchObject({
      'lists.files[0].text': 'src',
      'lists.files[0].level': 1,
      'lists.files[0].expanded': true,
      'lists.files[1].text': 'main.ts',
      'lists.files[1].level': 2,
      'lists.files[1].selected': true,
      'lists.files[3].text': 'test',
      'lists.files[3].level': 1,
      'lists.files[3].expanded': false,
      'lists.keys[0].text': 'users',
      'lists.keys[1].text': 'ada',
      'lists.keys[1].level': 2,
      'lists.keys[2].text': 'pier : west-1',
    });
    await page.evaluate(`document.querySelector('[aria-selected=true]').setAttribute('aria-selected', 'false')`);
    expect((await app.read())['lists.files[1].selected']).toBe(false);
  });

  it('says which entries of a list are scrolled away, and keeps them', async () => {
    await open('/long');
    const before = await app.until('the view', (state) => state['page.in_view.lists.berths'] !== undefined);
    expect(before).toMatchObject({
      'page.in_view.lists.berths': '[0] to [9] of 40',
      'page.in_view.headings': '[0] to [0] of 6',
      'lists.berths[39]': 'Berth 39 of the quay',
      'headings[5]': 'Cranes',
    });
    expect(before['page.in_view.lists.short']).toBeUndefined();
    await page.evaluate(`berths.scrollTop = 300`);
    const after = await app.until('the scroll', (state) => state['page.in_view.lists.berths'] === '[15] to [24] of 40');
    const changed = Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
    expect(changed).toEqual(['page.in_view.lists.berths']);
    await page.evaluate(`document.querySelectorAll('h2')[4].scrollIntoView()`);
    await app.until('the end of the page', (state) => state['page.in_view.lists.berths'] === 'none of 40');
    await page.evaluate(
      `berths.style.height = 'auto', scrollTo(0, 0), document.querySelectorAll('li').forEach((row) => (row.style.height = '8px', row.style.overflow = 'hidden'))`,
    );
    await app.until('all rows', (state) => state['page.in_view.lists.berths'] === undefined);
  });

  it('can be clicked where a library drew it, and is said to be out of reach on other canvases', async () => {
    await open('/stage');
    expect(await app.invoke('click_text', { text: 'close the gate' })).toMatchObject({
      message: 'Clicked "Close the gate".',
    });
    expect(await page.evaluate('clicked')).toBe('45,135');
    expect(await app.invoke('click_text', { text: 'Moor' })).toMatchObject({
      wasRefused: true,
      message: expect.stringContaining('2 places show'),
    });
    await app.invoke('click_text', { text: 'Moor', in: 'Gannet' });
    expect(await page.evaluate('clicked')).toBe('175,50');
  });

  it('cannot be clicked on a canvas that nothing tells of', async () => {
    await open('/canvas');
    expect(await app.invoke('click_text', { text: 'Close the gate' })).toMatchObject({
      wasRefused: true,
      message: expect.stringContaining('is not shown, unless it is drawn on a canvas, whose content cannot be read'),
    });
  });

  it('is read from its objects where it is drawn', async () => {
    const state = await open('/drawn');
    expect(state['sheet.rows._["0"].cells["0"].text']).toBe('Skua');
    expect(Object.keys(state).filter((key) => key.includes('_hidden'))).toEqual([]);
  });

  it('is not what is quite transparent, until that is shown', async () => {
    const before = await open('/faded');
    expect(Object.keys(before).filter((key) => /^(?:headings|texts)/.test(key))).toEqual([]);
    expect([...app.actions.keys()]).toEqual(expect.arrayContaining(['docs', 'scrap']));
    for (const hidden of ['mutation', 'query']) expect([...app.actions.keys()]).not.toContain(hidden);
    await app.invoke('docs');
    await app.until('the panel', (state) => state['headings[0]'] === 'Root types');
    expect([...app.actions.keys()]).toEqual(expect.arrayContaining(['mutation', 'query']));
  });

  it('says that a menu, a part or a message has opened', async () => {
    const before = await open('/openings');
    expect(before).toMatchObject({ 'expanded.file': false, 'expanded.advanced': false });
    expect(Object.keys(before).filter((key) => key.startsWith('menus.'))).toEqual([]);
    await app.invoke('file');
    expect(await app.until('the menu', (state) => state['menus.file.open'] === true)).toMatchObject({
      'expanded.file': true,
      'menus.file.items[0]': 'New',
      'menus.file.items[1]': 'Close all',
    });
    await app.invoke('file');
    await app.until('its end', (state) => state['menus.file.open'] === undefined && state['expanded.file'] === false);
    await app.invoke('toggle_advanced');
    await app.until('the part', (state) => state['expanded.advanced'] === true && state['text.depth'] === 3);
    await app.invoke('save');
    await app.until('the message', (state) => state['status.toast'] === 'Saved');
  });
});
