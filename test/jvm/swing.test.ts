/** Windows of a real Swing app on a screen of its own: their content, and their actions. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/model/scalar.ts';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { BadArgumentError, NotDispatchedError } from '../../src/probes/probe.ts';
import { jdks, MAIN_JDK, startJava } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';

const config = jvm.settings.parse({});
const driver = createJvmDriver(config);
const FRONT_DESK = { target: 'swing', main: 'FrontDesk' };
const AWT_DESK = { target: 'swing', main: 'AwtDesk' };
const DEPOT = { target: 'swing', main: 'Depot' };

const homes: string[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

async function open(program = FRONT_DESK, jdk = MAIN_JDK): Promise<{ app: ProbedApp; target: Target }> {
  const target = await startJava(program, { jdk, ready: /ready/, ...(await onScreen()) });
  return { app: await ProbedApp.attach(driver, target.info), target };
}

/** Java writes into the user's home folder, whatever `$HOME` is. */
async function onScreen(): Promise<{ env: Record<string, string>; options: string[] }> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'swing-home-'));
  homes.push(home);
  return { env: { DISPLAY: `:${await startScreen()}` }, options: [`-Duser.home=${home}`] };
}

/** A JDK without its graphical libraries cannot show a window. */
const GRAPHICAL = jdks()
  .filter(({ version, java }) => version >= 11 && hasScreenLibrary(path.dirname(path.dirname(java))))
  .map(({ version }) => version);

function hasScreenLibrary(home: string): boolean {
  return fs.existsSync(path.join(home, 'lib/libawt_xawt.so'));
}

const inWindow = (state: Record<string, Scalar>, window: string) =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([key]) => key.startsWith(`${window}.`))
      .map(([key, value]) => [key.slice(window.length + 1), value]),
  );

describe('objects without a text of their own', () => {
  it('are shown as their renderer shows them, by a field that names them, or by their class', async () => {
    const { app } = await open(DEPOT);
    const state = await app.until('the rows', (seen) => 'window.sheet.rows[0].crate' in seen);
    expect(inWindow(state, 'window')).toMatchObject({
      'crates.rows[0]': 'Pears',
      'crates.rows[1]': 'Pallet',
      'crates.rows[2]': 'Crate',
      'crates.rows[3]': 'ada@cafe',
      'choice.value': 'crate C7',
      'choice.options[1]': 'crate C8',
      'places.rows[0]': 'root',
      'places.rows[1]': 'root / North',
      'places.rows[2]': 'root / Pallet',
      'places.rows[3]': 'root / South',
      'rendered.rows[1]': 'the root / tagged',
      'sheet.rows[0].crate': 'Nuts',
      'sheet.rows[0].count': 3,
    });
    expect(JSON.stringify(state)).not.toMatch(/(?:Crate|Pallet)[^"]*@/);
  });
});

describe('the windows of a Swing app', () => {
  it.each(GRAPHICAL)('shows what stands in a window under the names that people use, on JDK %i', async (jdk) => {
    const { app } = await open(FRONT_DESK, jdk);
    const state = await app.until('the window', (seen) => seen['front_desk.title'] === 'Front desk');
    expect(inWindow(state, 'front_desk')).toMatchObject({
      tab: 'Order',
      customer_name: 'Ada',
      password: '[redacted]',
      amount: '12.50',
      remark: 'plain',
      'size.value': 'small',
      'size.options.length': 3,
      copies: 2,
      volume: 30,
      express_delivery: false,
      'payment.value': 'Invoice',
      delivery_notes: 'first line\nsecond line',
      upload_progress: 40,
      status: 'Ready',
      total: 42.5,
      'view.show_grid': true,
    });
    expect(JSON.stringify(state)).not.toContain('tops3cret');
    expect(app.capture?.context).toMatchObject({ window_title: 'Front desk', window_id: 'front_desk' });
  });

  it('lists what can be used, with what it does as far as its words tell', async () => {
    const { app } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    const names = [...app.actions.keys()];
    expect(names).toEqual(
      expect.arrayContaining([
        'front_desk.set_customer_name',
        'front_desk.submit_customer_name',
        'front_desk.select_size',
        'front_desk.set_payment',
        'front_desk.save_order',
        'front_desk.file.new_order',
        'front_desk.file.export.as_csv',
        'front_desk.view.show_grid',
        'front_desk.close_window',
      ]),
    );
    // Disabled: a button, a field and a menu item.
    for (const name of ['locked', 'set_remark', 'file.print']) expect(names).not.toContain(`front_desk.${name}`);
    expect(app.schema('front_desk.set_customer_name').reversibility).toBe('reversible_write');
    expect(app.schema('front_desk.view.show_grid').reversibility).toBe('reversible_write');
    expect(app.schema('front_desk.save_order').reversibility).toBe('irreversible_write');
    expect(app.schema('front_desk.close_window').reversibility).toBe('irreversible_write');
    expect(app.schema('front_desk.select_size').parameters[0]?.description).toContain('small | medium | large');
  });

  it('fills in a form as a person would: listeners are told', async () => {
    const { app, target } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    await app.invoke('front_desk.set_customer_name', { value: 'Grace' });
    await app.invoke('front_desk.submit_customer_name');
    await app.until('the search', (seen) => seen['front_desk.status'] === 'searched Grace');
    await app.invoke('front_desk.set_express_delivery', { value: true });
    await app.until('the check box', (seen) => seen['front_desk.express_delivery'] === true);
    await app.invoke('front_desk.select_size', { value: 'large' });
    await app.invoke('front_desk.set_payment', { value: 'Card' });
    await app.invoke('front_desk.set_copies', { value: 5 });
    await app.invoke('front_desk.set_volume', { value: 70 });
    await app.invoke('front_desk.set_password', { value: 'another' });
    await app.invoke('front_desk.view.show_grid');
    const state = await app.until('the menu item', (seen) => seen['front_desk.view.show_grid'] === false);
    expect(state).toMatchObject({
      'front_desk.customer_name': 'Grace',
      'front_desk.size.value': 'large',
      'front_desk.payment.value': 'Card',
      'front_desk.copies': 5,
      'front_desk.volume': 70,
      'front_desk.password': '[redacted]',
    });
    for (const line of ['typed Grace', 'express true', 'size large', 'payment Card', 'copies 5', 'grid false'])
      expect(target.output()).toContain(line);
  });

  it('reads tables, lists and trees, a model of a million rows within bounds', async () => {
    const { app } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    await app.invoke('front_desk.select_tab', { value: 'Stock' });
    const state = await app.until('the tables', (seen) => 'front_desk.shelf.rows[0].item' in seen);
    const stock = inWindow(state, 'front_desk');
    expect(stock).toMatchObject({
      'shelf.rows.length': 2,
      'shelf.rows[1].item': 'milk',
      'shelf.rows[1].in_stock': 7,
      'ledger.rows[2].entry': 'entry 2',
      'ledger.row_count': 1_000_000,
      'places.rows[1]': 'Warehouse / North',
      'suppliers.rows[0]': 'Supplier in Lyon',
      'suppliers.selected': null,
    });
    expect(Object.keys(stock).filter((key) => key.startsWith('ledger.')).length).toBeLessThan(500);
    const counter = Object.keys(state).find((key) => key.endsWith('modelCalls')) ?? '';
    const calls = Number(state[counter]);
    for (let round = 0; round < 5; round++) await app.read();
    const more = Number(app.state[counter]) - calls;
    // 200 rows of two cells at each capture, and the requests of painting meanwhile.
    expect(more).toBeGreaterThan(0);
    expect(more).toBeLessThan(6 * 400 + 1_000);
    await app.invoke('front_desk.select_suppliers', { index: 1 });
    await app.invoke('front_desk.expand_places', { index: 1 });
    await app.invoke('front_desk.set_shelf_cell', { row: 0, column: 'item', value: 'coffee' });
    await app.invoke('front_desk.select_shelf', { index: 1 });
    const after = await app.until('the new row', (seen) => seen['front_desk.shelf.selected_row'] === 1);
    expect(after).toMatchObject({
      'front_desk.suppliers.selected': 'Supplier in Oslo',
      'front_desk.places.rows[2]': 'Warehouse / North / Bay 1',
      'front_desk.shelf.rows[0].item': 'coffee',
    });
    await expect(app.invoke('front_desk.select_shelf', { index: 2 })).rejects.toThrow('ndex must be from 0 to 1');
  });

  it('takes a modal dialog for what a button opened, and answers it', async () => {
    const { app } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    expect(await app.invoke('front_desk.ask')).toMatchObject({ ok: true, message: 'opened the dialog "Question"' });
    const state = await app.until('the dialog', (seen) => 'dialog.message' in seen);
    expect(state).toMatchObject({
      'dialog.title': 'Question',
      'dialog.message': 'Really order?',
      'dialog.modal': true,
    });
    // The window behind it is still shown, but cannot be used.
    expect(state['front_desk.customer_name']).toBe('Ada');
    expect([...app.actions.keys()].filter((name) => name.startsWith('front_desk.'))).toEqual([]);
    expect(app.schema('dialog.cancel').reversibility).toBe('reversible_write');
    await app.invoke('dialog.ok');
    const after = await app.until('the answer', (seen) => seen['front_desk.status'] === 'answered 0');
    expect(after).not.toHaveProperty(['dialog.title']);
  });

  it('says what a listener threw, and what was refused', async () => {
    const { app } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    const outcome = await app.invoke('front_desk.fail');
    expect(outcome).toMatchObject({ ok: false, invocationContext: null });
    expect(outcome.message).toContain('IllegalStateException: no stock');
    await expect(app.invoke('front_desk.select_size', { value: 'huge' })).rejects.toThrow(
      new BadArgumentError('parameters.value: there is no "huge" to choose.'),
    );
    const press = app.actions.get('front_desk.save_order')?.binding ?? '';
    await app.invoke('front_desk.select_tab', { value: 'Stock' });
    await expect(app.probe.invoke(press, {}, AbortSignal.timeout(25_000))).rejects.toBeInstanceOf(NotDispatchedError);
  });

  it('goes on with what it knows while the event thread hangs', async () => {
    const target = await startJava(FRONT_DESK, { ready: /ready/, ...(await onScreen()) });
    const app = await ProbedApp.attach(createJvmDriver(config), target.info);
    const before = await app.until('the window', (seen) => 'front_desk.title' in seen);
    const hang = app.invoke('front_desk.hang', {}, 1_000);
    await until('the hang', () => target.output().includes('hanging'));
    expect(inWindow(await app.read(), 'front_desk')).toEqual(inWindow(before, 'front_desk'));
    expect(target.output()).not.toContain('hung');
    const outcome = await hang;
    expect(outcome.ok).toBe(false);
    expect(outcome.message).toContain('still runs on the event thread');
    await until('the end of the hang', () => target.output().includes('hung'));
    await app.invoke('front_desk.save_order');
    await app.until('the window to answer again', (seen) => seen['front_desk.status'] === 'saved 1');
  });

  it('gives a window its name, whatever else is called so', async () => {
    const { app } = await open({ target: 'swing', main: 'Namesake' });
    const state = await app.until('the window', (seen) => 'window.title' in seen);
    expect(state).toMatchObject({ 'window.title': 'Namesake', 'window.text': 'text' });
    expect(state).not.toHaveProperty(['window.opened']);
    const opened = Object.keys(state).filter((key) => key.endsWith('.opened'));
    expect(opened).toHaveLength(1);
    await app.invoke('window.set_text', { value: 'more' });
    const after = await app.until('the text', (seen) => seen['window.text'] === 'more');
    expect(after[opened[0] ?? '']).toBe(1);
  });

  it('forgets a window that is closed', async () => {
    const { app, target } = await open();
    await app.until('the window', (seen) => 'front_desk.title' in seen);
    // It may have ended before it could answer.
    await app.invoke('front_desk.close_window').catch((error: unknown) => expect(String(error)).toContain('was lost'));
    // Its last window is gone, and nothing of ours keeps it alive.
    expect(await target.exited).toBe(0);
  });
});

describe('the windows of an AWT app', () => {
  it('reads and uses the controls that AWT draws itself', async () => {
    const { app, target } = await open(AWT_DESK);
    const state = await app.until('the window', (seen) => 'awt_desk.title' in seen);
    expect(inWindow(state, 'awt_desk')).toMatchObject({
      name: 'Ada',
      secret: '[redacted]',
      urgent: false,
      'colour.value': 'red',
    });
    expect(JSON.stringify(state)).not.toContain('tops3cret');
    await app.invoke('awt_desk.set_name', { value: 'Grace' });
    await app.invoke('awt_desk.set_urgent', { value: true });
    await app.invoke('awt_desk.select_colour', { value: 'blue' });
    await app.invoke('awt_desk.greet');
    await app.invoke('awt_desk.tools.count');
    const after = await app.until('the choice', (seen) => seen['awt_desk.colour.value'] === 'blue');
    expect(after).toMatchObject({ 'awt_desk.name': 'Grace', 'awt_desk.urgent': true });
    for (const line of ['hello Grace', 'urgent 1', 'counted', 'colour blue'])
      await until(line, () => target.output().includes(line));
  });
});
