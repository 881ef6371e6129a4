/** Windows of a JavaFX app on a screen of its own: their content, and their actions. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { BadArgumentError, NotDispatchedError } from '../../src/probes/probe.ts';
import { hasJavaFx, startJava } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';

const MODULES = ['--module-path', '/usr/share/openjfx/lib', '--add-modules', 'javafx.controls'];

describe.runIf(hasJavaFx())('a JavaFX app', () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'javafx-home-'));
  let target: Target;
  let app: ProbedApp;

  beforeAll(async () => {
    target = await startJava(
      { target: 'fx', main: 'FxDesk' },
      {
        ready: /ready/,
        env: { DISPLAY: `:${await startScreen()}` },
        options: [`-Duser.home=${home}`, '-Dprism.order=sw', ...MODULES],
      },
    );
    app = await ProbedApp.attach(createJvmDriver(jvm.settings.parse({})), target.info);
    await app.until('the window', (state) => 'window.title' in state);
  });
  afterAll(async () => {
    await endAll();
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const status = (text: string) => app.until(`"${text}"`, (state) => state['window.status'] === text);

  it('shows its fields under their labels, and no secret', async () => {
    expect(app.state).toMatchObject({
      'window.title': 'Front desk',
      'window.tab': 'Booking',
      'window.guest_name': 'Ada',
      'window.door_pin': '[redacted]',
      'window.room.value': 'Blue',
      'window.room.options[2]': 'Red',
      'window.beds.value': 2,
      'window.arrival': '2024-05-31',
      'window.nights': 3,
      'window.heating': 21,
      'window.notes': 'late arrival',
      'window.cleaning': 0.25,
      'window.breakfast': false,
      'window.choice.value': 'Cash',
      'window.choice.options[1]': 'Card',
      'window.extras': false,
      'window.status': 'nothing yet',
      'window.file.quiet_hours': false,
    });
    const everything = JSON.stringify([app.state, [...app.actions.keys()]]);
    expect(everything).not.toMatch(/swordfish|Hidden words|hidden_words|parking|Locked|window\.locked/);
  });

  it('takes what a person would enter', async () => {
    await app.invoke('window.set_guest_name', { value: 'Grace' });
    await app.invoke('window.submit_guest_name');
    await status('entered Grace');
    await app.invoke('window.select_room', { value: 'Green' });
    await app.invoke('window.select_beds', { value: '3' });
    await app.invoke('window.set_arrival', { value: '2024-06-01' });
    await app.invoke('window.set_nights', { value: 5 });
    await app.invoke('window.set_heating', { value: 18 });
    await app.invoke('window.set_choice', { value: 'Card' });
    await app.invoke('window.set_breakfast', { value: true });
    await status('breakfast true');
    expect(app.state).toMatchObject({
      'window.guest_name': 'Grace',
      'window.room.value': 'Green',
      'window.beds.value': 3,
      'window.arrival': '2024-06-01',
      'window.nights': 5,
      'window.heating': 18,
      'window.choice.value': 'Card',
    });
    await expect(app.invoke('window.select_room', { value: 'Pink' })).rejects.toThrow(BadArgumentError);
    await expect(app.invoke('window.set_heating', { value: 99 })).rejects.toThrow('from 0 to 30');
    await expect(app.invoke('window.set_arrival', { value: 'soon' })).rejects.toThrow('a date such as');
  });

  it('presses buttons by their words, their tip, or the words that they cover', async () => {
    await app.invoke('window.print_the_bill');
    await status('printed');
    await app.invoke('window.help');
    await status('helped');
    await app.invoke('window.send_bill');
    await status('sent');
    await app.invoke('window.file.save_booking');
    await status('saved');
    await app.invoke('window.file.quiet_hours');
    await status('quiet true');
    expect(app.schema('window.close_window').reversibility).toBe('irreversible_write');
    expect(app.schema('window.file.quit').reversibility).toBe('irreversible_write');
  });

  it('unfolds what is folded', async () => {
    await app.invoke('window.set_extras', { value: true });
    await app.until('the extras', (state) => state['window.parking'] === false);
  });

  it('says that a dialog opened, blocks what is behind it, and answers it', async () => {
    const opened = await app.invoke('window.cancel_booking');
    expect(opened).toMatchObject({ ok: true, message: 'opened the dialog "Confirmation"' });
    const state = await app.until('the dialog', (seen) => 'dialog.message' in seen);
    expect(state['dialog.message']).toBe('Please confirm\nCancel the booking of Grace?');
    expect([...app.actions.keys()].filter((name) => name.startsWith('window.'))).toEqual([]);
    await app.invoke('dialog.ok');
    await status('answered OK');
    expect(Object.keys(app.state).filter((key) => key.startsWith('dialog'))).toEqual([]);
  });

  it('reads tables, lists and trees, and selects in them', async () => {
    await app.invoke('window.select_tab', { value: 'Guests' });
    const state = await app.until('the table', (seen) => 'window.guest.rows.length' in seen);
    expect(state).toMatchObject({
      'window.guest.rows[0].name': 'Ada',
      'window.guest.rows[1].nights': 1,
      'window.guest.selected_row': null,
      'window.room.rows[0]': 'Attic',
      'window.house.rows[0]': 'House',
      'window.house.rows[1]': 'House / First floor',
      'window.house.rows.length': 2,
    });
    await app.invoke('window.select_guest', { index: 1 });
    await app.invoke('window.select_room', { index: 1 });
    await status('room 1');
    await app.invoke('window.expand_house', { index: 1 });
    await app.until('the room', (seen) => seen['window.house.rows[2]'] === 'House / First floor / Room 11');
    expect(app.state['window.guest.selected_row']).toBe(1);
    await expect(app.invoke('window.select_guest', { index: 2 })).rejects.toThrow('index must be from 0 to 1');
  });

  it('reports what a handler throws, and refuses what is gone', async () => {
    await app.invoke('window.select_tab', { value: 'Booking' });
    await app.until('the booking', (state) => 'window.guest_name' in state);
    const thrown = await app.invoke('window.break');
    expect(thrown).toMatchObject({ ok: false, message: 'threw java.lang.IllegalStateException: out of paper' });
    const { binding } = app.actions.get('window.set_guest_name') ?? {};
    await app.invoke('window.select_tab', { value: 'Guests' });
    await expect(app.probe.invoke(binding ?? '', { value: 'x' }, AbortSignal.timeout(20_000))).rejects.toThrow(
      NotDispatchedError,
    );
  });

  it('closes as by the cross of its frame', async () => {
    // It may have ended before it could answer.
    await app.invoke('window.close_window').catch((error: unknown) => expect(String(error)).toContain('was lost'));
    expect(await target.exited).toBe(0);
  });
});
