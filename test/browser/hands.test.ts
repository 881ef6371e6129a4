import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

/** Cells that only a script makes clickable, tabs that only a class marks, and a menu that the pointer opens. */
const GRID = `<!doctype html><title>Grid</title><style>.menu { display: none } .bar:hover .menu { display: block }</style>
<section><h2>Food</h2><div class="cell">0.00</div></section><section><h2>Rent</h2><div class="cell">0.00</div></section>
<ul class="sheets"><li class="active">Ferries</li><li>Pilots</li></ul>
<ul class="json"><li>pier : <div role="button">west-1</div></li><li>lorries : <div role="button">27</div></li></ul>
<button>Delete all</button><div class="bar">Tools<div class="menu"><button>Measure</button></div></div><input aria-label="Note">
<script>
  var edited = '', deleted = 0, keys = [];
  for (const cell of document.querySelectorAll('.cell'))
    cell.addEventListener('dblclick', () => { edited = cell.previousElementSibling.textContent });
  for (const sheet of document.querySelectorAll('.sheets li')) sheet.addEventListener('click', () => {
    document.querySelector('.active').className = ''; sheet.className = 'active' });
  document.querySelector('button').addEventListener('click', () => { deleted++ });
  document.addEventListener('keydown', (event) => { keys.push((event.ctrlKey ? 'Control+' : '') + event.key) });
</script>`;

/** An editor that writes its text into a frame of its own, and hides itself until a style sheet shows it. */
const EDITOR = `<!doctype html><title>Editor</title><style>.editor { visibility: inherit !important }</style>
<div class="editor" style="visibility: hidden"><button>Bold</button>
<iframe title="Text" srcdoc="<body contenteditable aria-label='Rich text'><p>Solveig takes the narrows.</p></body>"></iframe></div>`;

/** A button that adds something comes before the one that submits, and only their words distinguish them. */
const FORM = `<!doctype html><title>Form</title><form aria-label="Table"><label>Table name <input name="table"></label>
<label>Read units <input name="read" type="number" value="3"></label><label>Public <input name="public" type="checkbox"></label>
<button class="add">Add secondary index</button><button type="submit">Submit</button></form>
<form aria-label="Comment"><label>Text <input name="text"></label><button>Send</button></form><button title="Tells everybody at once">Go</button>
<input aria-label="Filter"><script>
  var sent = 0, added = 0;
  document.querySelector('.add').addEventListener('click', (event) => { event.preventDefault(); added++ });
  document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); sent++ });
</script>`;

/** A board whose cards are dragged by the browser, one whose cards follow the pointer, and a menu of the right button. */
const BOARD = `<!doctype html><title>Board</title><style>.column { width: 200px; min-height: 80px; float: left }</style>
<div class="column" id="todo"><h2>To do</h2><div class="card" draggable="true">Paint the hull</div></div>
<div class="column" id="done"><h2>Finished</h2></div><p style="clear: both">Slider</p><div id="handle">Handle</div><div id="mark">Mark</div>
<button oncontextmenu="event.preventDefault(); menu.hidden = false">Berth</button><div role="menu" id="menu" hidden aria-label="Berth"><div role="menuitem">Rename</div></div>
<script>
  var dragged = null, moved = [], pressed = 0;
  document.querySelector('.card').addEventListener('dragstart', (event) => { dragged = event.target; event.dataTransfer.setData('text/plain', 'card') });
  done.addEventListener('dragover', (event) => event.preventDefault());
  done.addEventListener('drop', (event) => { event.preventDefault(); done.append(dragged) });
  handle.addEventListener('mousedown', () => { moved = ['down'] });
  document.addEventListener('mousemove', (event) => { if (moved.length > 0 && event.buttons === 1) moved[1] = event.target.id });
  document.addEventListener('mouseup', (event) => { if (moved.length > 0) moved[2] = 'up ' + event.target.id });
  document.querySelector('button').addEventListener('click', () => { pressed++ });
</script>`;

/** A visible field, one hidden behind a button, one behind its label; and a button that requests no file. */
const UPLOADS = `<!doctype html><title>Papers</title><form aria-label="Papers"><label>Name <input name="name"></label>
<input type="file" name="licence" aria-label="Licence"><button>Send</button></form>
<button onclick="hidden_one.click()">Add a chart</button><input type="file" id="hidden_one" style="display: none">
<label>Crew list <input type="file" style="opacity: 0; width: 1px; height: 1px"></label><button onclick="pressed++">Ring</button>
<script>
  var chosen = {}, pressed = 0;
  for (const field of document.querySelectorAll('[type=file]')) field.addEventListener('change', async () => {
    chosen[field.name || field.id || 'label'] = field.files[0].name + ': ' + await field.files[0].text() });
</script>`;

describe('what a hand can do', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({
      '/grid': GRID,
      '/editor': EDITOR,
      '/form': FORM,
      '/board': BOARD,
      '/uploads': UPLOADS,
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

  async function open(path: string): Promise<void> {
    page = await openPage(chromium, `${pages.origin}${path}`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  }

  it('sends a form by the button that sends it, not by one that adds to it', async () => {
    await open('/form');
    expect([...app.actions.keys()]).toEqual(expect.arrayContaining(['table_submit', 'add_secondary_index']));
    expect(await app.invoke('table_submit', { table_name: 'pilots' })).toMatchObject({ ok: true });
    expect(await page.evaluate('[sent, added]')).toEqual([1, 0]);
  });

  it('sets one field of a form alone, and sends nothing', async () => {
    await open('/form');
    expect(await app.invoke('fill', { field: 'Table name', value: 'tolls' })).toMatchObject({
      ok: true,
      message: 'The field table_name is set.',
    });
    await app.invoke('fill', { field: 'forms.table.read_units', value: '5' });
    await app.invoke('fill', { field: 'public', value: 'true' });
    expect(await app.read()).toMatchObject({
      'forms.table.table_name': 'tolls',
      'forms.table.read_units': 5,
      'forms.table.public': true,
    });
    expect(await page.evaluate('[sent, added]')).toEqual([0, 0]);
    expect(await app.invoke('fill', { field: 'Filter', value: 'x' })).toMatchObject({
      wasRefused: true,
      message: 'It stands alone: use the action set_filter.',
    });
    expect(await app.invoke('fill', { field: 'Colour', value: 'x' })).toMatchObject({
      message: expect.stringContaining('table.table_name, table.read_units, table.public, comment.text'),
    });
  });

  describe('with a file', () => {
    let folder: string;
    let allowed: string;
    const chart = () => path.join(allowed, 'chart.txt');

    beforeAll(() => {
      folder = mkdtempSync(path.join(os.tmpdir(), 'substrate-upload-'));
      allowed = path.join(folder, 'allowed');
      mkdirSync(allowed);
      writeFileSync(chart(), 'depths');
      writeFileSync(path.join(folder, 'private.txt'), 'secret');
      symlinkSync(path.join(folder, 'private.txt'), path.join(allowed, 'link.txt'));
    });
    afterAll(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    async function openUploads(folders: readonly string[]): Promise<void> {
      page = await openPage(chromium, `${pages.origin}/uploads`);
      const uploading = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1, upload_folders: [...folders] });
      app = await ProbedApp.attach(uploading, chromium.info);
      await app.read();
    }

    it.each([
      ['Licence', 'licence'],
      ['Add a chart', 'hidden_one'],
      ['Crew list', 'label'],
    ])('chooses it by %s', async (text, field) => {
      await openUploads([allowed]);
      expect(app.schema('upload').reversibility).toBe('irreversible_write');
      expect(await app.invoke('upload', { text, file: chart() })).toMatchObject({
        ok: true,
        message: 'Chose chart.txt.',
      });
      await until('the file', () => page.evaluate<boolean>(`'${field}' in chosen`));
      expect(await page.evaluate(`chosen`)).toEqual({ [field]: 'chart.txt: depths' });
    });

    it('takes none from elsewhere, and clicks on nothing then', async () => {
      await openUploads([allowed]);
      const others = ['private.txt', 'allowed', 'allowed/link.txt', 'allowed/../private.txt', 'allowed/none.txt'];
      for (const file of [...others.map((name) => path.join(folder, name)), 'chart.txt', '/etc/passwd'])
        await expect(app.invoke('upload', { text: 'Ring', file })).rejects.toThrow('upload_folders');
      expect(await page.evaluate('[pressed, Object.keys(chosen).length]')).toEqual([0, 0]);
    });

    it('says so where nothing asks for one', async () => {
      await openUploads([allowed]);
      expect(await app.invoke('upload', { text: 'Ring', file: chart() })).toMatchObject({
        ok: false,
        message: 'It was clicked, and did not ask for a file.',
      });
      expect(await page.evaluate('pressed')).toBe(1);
    });

    it('is not offered unless the configuration names folders', async () => {
      await openUploads([]);
      expect([...app.actions.keys()]).not.toContain('upload');
      expect(await app.invoke('fill', { field: 'Licence', value: chart() })).toMatchObject({
        wasRefused: true,
        message: expect.stringContaining('upload_folders'),
      });
    });
  });

  it('knows what a title says of a control that says little', async () => {
    await open('/form');
    expect(app.actions.get('go')?.schema.description).toContain('"Tells everybody at once"');
  });

  it('clicks on a text, once or twice, where it is', async () => {
    await open('/grid');
    expect(await app.invoke('click_text', { text: '0.00' })).toMatchObject({ wasRefused: true });
    expect(await app.invoke('click_text', { text: '0.00', in: 'rent', twice: true })).toMatchObject({ ok: true });
    expect(await page.evaluate('edited')).toBe('Rent');
    const missing = await app.invoke('click_text', { text: 'Nowhere' });
    expect(missing).toMatchObject({ wasRefused: true, message: 'The text "Nowhere" is not shown.' });
  });

  it('leaves to the gates what has an action of its own', async () => {
    await open('/grid');
    const { message } = await app.invoke('click_text', { text: 'Delete all' });
    expect(message).toBe('The text "Delete all" is the action delete_all.');
    expect(await page.evaluate('deleted')).toBe(0);
  });

  it('presses keys, alone and with others', async () => {
    await open('/grid');
    await app.invoke('focus', { selector: 'input' });
    for (const key of ['a', 'Escape', 'Control+k', 'F2', 'ArrowDown']) await app.invoke('press_key', { key });
    expect(await page.evaluate('keys')).toEqual(['a', 'Escape', 'Control+k', 'F2', 'ArrowDown']);
    expect(await app.read()).toMatchObject({ 'fields.note': 'a' });
    await expect(app.invoke('press_key', { key: 'Nonsense' })).rejects.toThrow('is no key');
  });

  it('points at what opens under the pointer', async () => {
    await open('/grid');
    expect(app.actions.has('measure')).toBe(false);
    await app.invoke('hover', { text: 'Tools' });
    await app.until('the menu', () => app.actions.has('measure'));
  });

  it('chooses one of several of which one is marked, and reads what a label announces', async () => {
    await open('/grid');
    expect(app.state).toMatchObject({ 'lists.list_2[0]': 'pier : west-1', 'lists.list_2[1]': 'lorries : 27' });
    expect(app.schema('pilots').reversibility).toBe('reversible_write');
    expect(app.state['tabs.selected']).toBe('Ferries');
    await app.invoke('pilots');
    expect(await page.evaluate(`document.querySelector('.active').textContent`)).toBe('Pilots');
    expect((await app.read())['tabs.selected']).toBe('Pilots');
  });

  it('reaches into a frame that the page wrote itself, and what a style sheet shows after all', async () => {
    await open('/editor');
    await app.until('the text', (state) =>
      Object.values(state).some((value) => String(value).includes('Solveig takes the narrows')),
    );
    expect(app.actions.has('bold')).toBe(true);
  });

  it('drags one thing onto another', async () => {
    await open('/board');
    expect(app.schema('drag').reversibility).toBe('irreversible_write');
    expect(await app.invoke('drag', { text: 'Paint the hull', to: 'Finished' })).toMatchObject({
      ok: true,
      message: 'Dragged "Paint the hull".',
    });
    expect(await page.evaluate(`done.textContent`)).toBe('FinishedPaint the hull');
    await app.invoke('drag', { text: 'Handle', to: 'Mark' });
    expect(await page.evaluate('moved')).toEqual(['down', 'mark', 'up mark']);
    expect(await app.invoke('drag', { text: 'Handle', to: 'Nowhere' })).toMatchObject({ wasRefused: true });
  });

  it('opens what the right button opens, and presses nothing', async () => {
    await open('/board');
    expect(await app.invoke('click_text', { text: 'Berth', right: true })).toMatchObject({
      message: 'Right-clicked "Berth".',
    });
    await app.until('the menu', (state) => state['menus.berth.items[0]'] === 'Rename');
    expect(await page.evaluate('pressed')).toBe(0);
  });
});
