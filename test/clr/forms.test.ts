/** Windows of real Windows Forms programs on a screen of their own: their content, and their actions. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/model/scalar.ts';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { BadArgumentError, NotDispatchedError } from '../../src/probes/probe.ts';
import { commandOf, startDotnet } from '../support/dotnet.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';

const config = clr.settings.parse({});
const driver = createClrDriver(config);

const homes: string[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

async function onScreen(): Promise<Record<string, string>> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'forms-home-'));
  homes.push(home);
  return { DISPLAY: `:${await startScreen()}`, HOME: home, XDG_CONFIG_HOME: home };
}

async function open(which = 'front', attaching = driver): Promise<{ app: ProbedApp; target: Target }> {
  const target = await startDotnet('mono', 'forms', { args: [which], ready: /ready/, env: await onScreen() });
  const app = await ProbedApp.attach(attaching, target.info);
  await app.until('the window', (seen) => `${which === 'two' ? 'front' : which}_desk.title` in seen);
  return { app, target };
}

const inWindow = (state: Record<string, Scalar>, window: string) =>
  Object.fromEntries(
    Object.entries(state)
      .filter(([key]) => key.startsWith(`${window}.`))
      .map(([key, value]) => [key.slice(window.length + 1), value]),
  );

const actionsIn = (app: ProbedApp, window: string) =>
  [...app.actions.keys()].filter((name) => name.startsWith(`${window}.`));

describe('the windows of a Windows Forms program', () => {
  it('shows what stands in a window and can be used, under the names that people use', async () => {
    const { app } = await open();
    expect(inWindow(app.state, 'front_desk')).toMatchObject({
      title: 'Front desk',
      tab: 'Order',
      customer_name: 'Ada',
      password: '[redacted]',
      pin: '[redacted]',
      amount: '12.50',
      remark: 'plain',
      'size.value': 'small',
      'size.options.length': 3,
      copies: 2,
      volume: 30,
      due: '2024-05-31',
      express_delivery: false,
      'payment.value': 'Invoice',
      delivery_notes: 'first line\r\nsecond line',
      upload: 40,
      status: 'Ready',
      total: 42.5,
      bold: false,
      find: '',
      'view.show_grid': true,
    });
    expect(JSON.stringify(app.state)).not.toContain('tops3cret');
    expect(app.capture?.context).toMatchObject({ window_title: 'Front desk', window_id: 'front_desk' });

    // Usable controls, with their effects according to their words.
    const names = actionsIn(app, 'front_desk');
    for (const name of ['set_customer_name', 'select_size', 'set_payment', 'save_order', 'refresh', 'submit_find'])
      expect(names).toContain(`front_desk.${name}`);
    for (const name of ['file.new_order', 'file.export.as_csv', 'view.show_grid', 'lock_the_desk', 'close_window'])
      expect(names).toContain(`front_desk.${name}`);
    // Disabled: a button, a field, a menu item, a button of the tool bar.
    for (const name of ['locked', 'set_remark', 'file.print', 'paste'])
      expect(names).not.toContain(`front_desk.${name}`);
    expect(app.schema('front_desk.set_customer_name').reversibility).toBe('reversible_write');
    expect(app.schema('front_desk.view.show_grid').reversibility).toBe('reversible_write');
    expect(app.schema('front_desk.save_order').reversibility).toBe('irreversible_write');
    expect(app.schema('front_desk.close_window').reversibility).toBe('irreversible_write');
    expect(app.schema('front_desk.select_size').parameters[0]?.description).toContain('small | medium | large');
  });

  it('fills in a form as a person would: handlers are told', async () => {
    const { app, target } = await open();
    await app.invoke('front_desk.set_customer_name', { value: 'Grace' });
    await app.invoke('front_desk.set_express_delivery', { value: true });
    await app.invoke('front_desk.select_size', { value: 'large' });
    await app.invoke('front_desk.set_payment', { value: 'Card' });
    await app.invoke('front_desk.set_copies', { value: 5 });
    await app.invoke('front_desk.set_volume', { value: 70 });
    await app.invoke('front_desk.set_due', { value: '2025-01-02' });
    await app.invoke('front_desk.set_password', { value: 'another' });
    await app.invoke('front_desk.set_bold', { value: true });
    await app.invoke('front_desk.view.show_grid');
    await app.invoke('front_desk.set_find', { value: 'tea' });
    await app.invoke('front_desk.submit_find');
    const state = await app.until('the search', (seen) => seen['front_desk.status'] === 'found tea');
    expect(inWindow(state, 'front_desk')).toMatchObject({
      customer_name: 'Grace',
      express_delivery: true,
      'size.value': 'large',
      'payment.value': 'Card',
      copies: 5,
      volume: 70,
      due: '2025-01-02',
      password: '[redacted]',
      bold: true,
      'view.show_grid': false,
    });
    const told = [
      'typed Grace',
      'express True',
      'size large',
      'payment Card',
      'copies 5',
      'volume 70',
      'due 2025-01-02',
    ];
    for (const line of [...told, 'grid False']) expect(target.output()).toContain(line);
  });

  it('reads lists, trees and grids, a list of a million rows within bounds', async () => {
    const { app } = await open();
    await app.invoke('front_desk.select_tab', { value: 'Stock' });
    const state = await app.until('the lists', (seen) => 'front_desk.shelf.rows[0].item' in seen);
    const stock = inWindow(state, 'front_desk');
    expect(stock).toMatchObject({
      'shelf.rows.length': 2,
      'shelf.rows[1].item': 'milk',
      'shelf.rows[1].in_stock': '7',
      'ledger.rows[2].entry': 'entry 2',
      'ledger.row_count': 1_000_000,
      'places.rows[1]': 'Warehouse / North',
      'suppliers.rows[0]': 'Supplier in Lyon',
      'suppliers.selected': null,
      'extras.rows[0].item': 'Gift wrap',
      'extras.rows[0].checked': true,
    });
    expect(Object.keys(stock).filter((key) => key.startsWith('ledger.')).length).toBeLessThan(500);
    await app.invoke('front_desk.select_suppliers', { index: 1 });
    await app.invoke('front_desk.expand_places', { index: 1 });
    await app.invoke('front_desk.check_extras', { index: 1, value: true });
    await app.invoke('front_desk.select_shelf', { index: 1 });
    await app.invoke('front_desk.open_shelf', { index: 0 });
    const after = await app.until('the double click', (seen) => seen['front_desk.status'] === 'opened tea');
    expect(inWindow(after, 'front_desk')).toMatchObject({
      'suppliers.selected': 'Supplier in Oslo',
      'places.rows[2]': 'Warehouse / North / Bay 1',
      'extras.rows[1].checked': true,
      'shelf.selected_row': 0,
    });
    await expect(app.invoke('front_desk.select_shelf', { index: 2 })).rejects.toThrow('ndex must be from 0 to 1');
    await app.invoke('front_desk.select_tab', { value: 'Orders' });
    const orders = await app.until('the grid', (seen) => 'front_desk.orders.rows[1].item' in seen);
    expect(inWindow(orders, 'front_desk')).toMatchObject({ 'orders.rows[0].count': 2, 'orders.rows[1].paid': false });
    await app.invoke('front_desk.set_orders_cell', { row: 0, column: 'count', value: 9 });
    await app.invoke('front_desk.select_orders', { index: 1 });
    await app.until('the cell', (seen) => seen['front_desk.orders.rows[0].count'] === 9);
    expect(app.state['front_desk.orders.selected_row']).toBe(1);
  });

  it('takes a modal dialog for what a button opened, and answers it', async () => {
    const { app } = await open();
    expect(await app.invoke('front_desk.ask')).toMatchObject({ ok: true, message: 'opened the dialog "Question"' });
    const state = await app.until('the box', (seen) => 'dialog.message' in seen);
    expect(inWindow(state, 'dialog')).toMatchObject({ title: 'Question', message: 'Really order?', modal: true });
    // The window behind it is still shown, but cannot be used.
    expect(state['front_desk.customer_name']).toBe('Ada');
    expect(actionsIn(app, 'front_desk')).toEqual([]);
    expect(app.schema('dialog.cancel').reversibility).toBe('reversible_write');
    await app.invoke('dialog.ok');
    const after = await app.until('the answer', (seen) => seen['front_desk.status'] === 'answered OK');
    expect(after).not.toHaveProperty(['dialog.title']);
    expect(await app.invoke('front_desk.details')).toMatchObject({ message: 'opened the dialog "Order details"' });
    await app.until('the dialog', (seen) => seen['details.note'] === '');
    expect(app.capture?.context).toMatchObject({ window_title: 'Order details', window_id: 'details' });
    await app.invoke('details.set_note', { value: 'two bags' });
    await app.invoke('details.ok');
    await app.until('its end', (seen) => seen['front_desk.status'] === 'details OK two bags');
  });

  it('says what a handler threw, and what was refused', async () => {
    const { app, target } = await open();
    const outcome = await app.invoke('front_desk.fail');
    expect(outcome).toMatchObject({ ok: false, invocationContext: null });
    expect(outcome.message).toContain('System.InvalidOperationException: no stock');
    await expect(app.invoke('front_desk.select_size', { value: 'huge' })).rejects.toThrow(
      new BadArgumentError('parameters.value: there is no "huge" to choose.'),
    );
    await expect(app.invoke('front_desk.set_copies', { value: 50 })).rejects.toThrow('alue must be from 1 to 9');
    // Now it is another button, even before the next capture.
    await app.invoke('front_desk.lock_the_desk');
    await expect(app.invoke('front_desk.change_me')).rejects.toThrow('now says "Other words"');
    const press = app.actions.get('front_desk.save_order')?.binding ?? '';
    await app.invoke('front_desk.select_tab', { value: 'Stock' });
    await expect(app.probe.invoke(press, {}, AbortSignal.timeout(25_000))).rejects.toBeInstanceOf(NotDispatchedError);
    expect(target.output()).not.toMatch(/unhandled|changed|saved/);
  });

  it('goes on with what it knows while the thread of the window hangs', async () => {
    const { app, target } = await open('front');
    const before = app.state;
    const hang = app.invoke('front_desk.hang', {}, 1_000);
    await until('the hang', () => target.output().includes('hanging'));
    expect(inWindow(await app.read(), 'front_desk')).toEqual(inWindow(before, 'front_desk'));
    expect(target.output()).not.toContain('hung');
    const outcome = await hang;
    expect(outcome.ok).toBe(false);
    expect(outcome.message).toContain('still runs on the thread of the window');
    await until('the end of the hang', () => target.output().includes('hung'));
    await app.invoke('front_desk.save_order');
    await app.until('the window to answer again', (seen) => seen['front_desk.status'] === 'saved 1');
  });

  it('reads and uses a window that has a thread of its own', async () => {
    const { app } = await open('two');
    await app.until('the other window', (seen) => seen['side_desk.guest'] === 'Grace');
    await app.invoke('side_desk.set_guest', { value: 'Ada' });
    await app.until('the guest', (seen) => seen['side_desk.guest'] === 'Ada');
    await app.invoke('side_desk.close_window');
    const state = await app.until('its end', (seen) => !('side_desk.title' in seen));
    expect(state['front_desk.title']).toBe('Front desk');
  });

  it('reads what it can of controls that throw, dawdle, come and go', async () => {
    const { app, target } = await open('odd');
    expect(inWindow(app.state, 'odd_desk')).toMatchObject({
      plain: 'fine',
      throwing: null,
      endless: '[text of 1000000 characters]',
      unequal: 'also fine',
      'slow.row_count': 500,
      'owners.rows[0]': null,
      'owners.rows[1]': 7,
      'owners.rows[2]': 'Ada',
      'owners.rows[3]': 'Keeper',
    });
    expect((await app.invoke('odd_desk.set_throwing', { value: 'x' })).message).toContain('not to be written');
    await app.invoke('odd_desk.flicker');
    await until('the last window', async () => {
      await app.read();
      return target.output().includes('flickered');
    });
    await app.until('the end of the windows', (seen) => !('flicker.title' in seen));
    expect(app.state['odd_desk.plain']).toBe('fine');
    expect(target.output()).not.toMatch(/was called|unhandled/);
  });

  it('knows windows inside of a window, and older controls', async () => {
    const { app } = await open('old');
    const state = await app.until('the papers', (seen) => 'old_desk.invoice.title' in seen);
    expect(inWindow(state, 'old_desk')).toMatchObject({
      'zoom.value': '100 %',
      mood: 'calm',
      third: 'indeterminate',
      day: '2024-05-31T14:30:00',
      fixed: 'as it is',
      status: 'Ready',
      'tasks.rows[1].item': 'lock',
      'tasks.rows[1].checked': true,
      'rooms.rows[0].checked': false,
      'file.pinned': true,
      'letter.to': 'the reader of the Letter',
      'invoice.to': 'the reader of the Invoice',
    });
    const names = actionsIn(app, 'old_desk');
    for (const name of ['file.frozen', 'set_fixed', 'submit_zoom']) expect(names).not.toContain(`old_desk.${name}`);
    const status = (text: string) => app.until(text, (seen) => seen['old_desk.status'] === text);
    await app.invoke('old_desk.file.count');
    await status('counted');
    await app.invoke('old_desk.copy');
    await status('copied');
    await app.invoke('old_desk.copy.copy_twice');
    await status('copied twice');
    await app.invoke('old_desk.more');
    await status('followed');
    await app.invoke('old_desk.open_rooms', { index: 0 });
    await status('entered Hall');
    await app.invoke('old_desk.file.pinned');
    await app.invoke('old_desk.set_third', { value: true });
    await app.invoke('old_desk.set_mood', { value: 'stormy' });
    await app.invoke('old_desk.select_zoom', { value: '50 %' });
    await app.invoke('old_desk.check_tasks', { index: 0, value: true });
    await app.invoke('old_desk.check_rooms', { index: 0, value: true });
    await app.invoke('old_desk.letter.set_to', { value: 'you' });
    await expect(app.invoke('old_desk.set_day', { value: '2019-01-01' })).rejects.toThrow(
      'alue must be from 2020-01-01',
    );
    await expect(app.invoke('old_desk.set_day', { value: 'soon' })).rejects.toThrow('alue must be a date');
    await app.invoke('old_desk.invoice.close_window');
    const after = await app.until('the paper to go', (seen) => !('old_desk.invoice.title' in seen));
    expect(inWindow(after, 'old_desk')).toMatchObject({
      'file.pinned': false,
      third: true,
      mood: 'stormy',
      'zoom.value': '50 %',
      'tasks.rows[0].checked': true,
      'rooms.rows[0].checked': true,
      'letter.to': 'you',
    });
  });

  it('ends with its last window, and works on without us', async () => {
    const { app, target } = await open();
    await app.probe.detach();
    const again = await ProbedApp.attach(driver, target.info);
    await again.until('the window', (seen) => 'front_desk.title' in seen);
    // It may have ended before it could answer.
    await again
      .invoke('front_desk.close_window')
      .catch((error: unknown) => expect(String(error)).toContain('was lost'));
    // Nothing of ours keeps it alive.
    expect(await target.exited).toBe(0);
    expect(target.output()).toContain('ended');
  });
});

describe('KeePass', { timeout: 60_000 }, () => {
  const MASTER = 'Vw8#kq-Zu2!mTr9_Lx5pQ';

  async function openKeePass(): Promise<ProbedApp> {
    const env = await onScreen();
    const target = await startProgram(commandOf('mono'), ['/usr/lib/keepass2/KeePass.exe'], { env, ready: /^/ });
    const app = await until('KeePass to take the agent', () => ProbedApp.attach(driver, target.info).catch(() => null));
    await app.until('its window', (seen) => seen['main_form.title'] === 'KeePass');
    await app.until('its menus', () => app.actions.has('main_form.help.about_keepass'));
    return app;
  }

  /** Steps through consecutive dialogs, each with the key that shows that it is open. */
  async function goThrough(app: ProbedApp, steps: readonly [string, string, Record<string, unknown>?][]) {
    for (const [what, action, args] of steps) {
      await app.until(what, (seen) => what in seen && app.actions.has(action));
      await app.invoke(action, args ?? {});
    }
  }

  it('shows its window, what is done in it, and what is in a database that it makes, without the passwords', async () => {
    const app = await openKeePass();
    expect(app.state).toMatchObject({
      'main_form.view.show_toolbar': true,
      'main_form.view.show_entry_view': true,
      'main_form.entries.rows.length': 0,
      'main_form.groups.rows.length': 0,
      'main_form.status_part_info': 'Ready.',
    });
    await app.invoke('main_form.view.show_entry_view');
    await app.until('the entry view to go', (seen) => seen['main_form.view.show_entry_view'] === false);
    expect(await app.invoke('main_form.help.about_keepass')).toMatchObject({
      message: 'opened the dialog "About KeePass"',
    });
    const about = await app.until('the dialog', (seen) => 'about_form.title' in seen);
    expect(about['about_form.components.rows[0].component']).toBe('KeePass');
    await app.invoke('about_form.ok');
    await app.until('its end', (seen) => !('about_form.title' in seen));

    // A database, created by its dialogs.
    await goThrough(app, [
      ['main_form.title', 'main_form.file.new'],
      ['dialog.message', 'dialog.ok'],
      ['dialog.file_name.value', 'dialog.select_file_name', { value: 'vault.kdbx' }],
      ['dialog.file_name.value', 'dialog.save'],
      ['key_creation_form.password', 'key_creation_form.set_password', { value: MASTER }],
      ['key_creation_form.repeat_password', 'key_creation_form.set_repeat_password', { value: MASTER }],
    ]);
    expect(await app.read()).toMatchObject({
      'key_creation_form.password': '[redacted]',
      'key_creation_form.repeat_password': '[redacted]',
    });
    await goThrough(app, [
      ['key_creation_form.title', 'key_creation_form.ok'],
      ['database_settings_form.title', 'database_settings_form.ok'],
      ['dialog.message', 'dialog.no'],
    ]);
    const state = await app.until('the entries', (seen) => seen['main_form.entries.rows.length'] === 2);
    expect(state).toMatchObject({
      'main_form.title': 'vault.kdbx* - KeePass',
      'main_form.groups.selected': 'vault',
      'main_form.groups.rows[5]': 'vault / eMail',
      'main_form.entries.rows[1].title': 'Sample Entry #2',
      'main_form.entries.rows[1].user_name': 'Michael321',
    });
    const opened = await app.invoke('main_form.open_entries', { index: 1 });
    expect(opened.message).toBe('opened the dialog "Edit Entry"');
    const entry = await app.until('the entry', (seen) => 'pw_entry_form.title' in seen);
    expect(entry).toMatchObject({
      'pw_entry_form.user_name': 'Michael321',
      'pw_entry_form.password': '[redacted]',
      'pw_entry_form.repeat': '[redacted]',
    });
    const seen = JSON.stringify(
      Object.entries(entry).filter(([key]) => /^(main|pw_entry|key_creation)_form\./.test(key)),
    );
    expect(seen).not.toContain('12345');
    expect(JSON.stringify(entry)).not.toContain(MASTER);
  });
});
