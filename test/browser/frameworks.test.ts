import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/model/scalar.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import { expectSteadyNames } from '../support/steady-names.ts';

interface Expectation {
  readonly page: string;
  readonly holds: Record<string, Scalar>;
  readonly action: string;
  readonly args?: Record<string, unknown>;
  readonly changes: Record<string, Scalar>;
  readonly secret?: string;
}

/** Production builds, minified; each with the expected state, and an action that changes it. */
const EXPECTATIONS: readonly Expectation[] = [
  {
    page: 'react-rtk',
    holds: {
      'inbox.emails.length': 5,
      'inbox.emails[0].subject': 'Quarterly report',
      'inbox.emails[0].read': false,
      'inbox.selectedId': null,
      'inbox.filter': 'all',
      'session.user.name': 'Ada Lovelace',
      'session.authToken': '[redacted]',
      'forms.compose.recipient': '',
    },
    action: 'mark_quarterly_report_as_read',
    changes: { 'inbox.emails[0].read': true },
    secret: 'tok_live_9f8e7d6c5b4a39281706',
  },
  {
    page: 'react-zustand',
    holds: {
      'items[0].name': 'Green tea',
      'items[1].quantity': 1,
      'preferences.currency': 'EUR',
      'preferences.sessionToken': '[redacted]',
    },
    action: 'add_cup',
    changes: { 'items[1].quantity': 2 },
    secret: 'sess_live_71c2d3e4f5a6b7c8',
  },
  {
    page: 'react-mobx',
    holds: { 'todos.length': 3, 'todos[0].title': 'Buy milk', 'todos[0].done': false, filter: 'all', 'tags.home': 2 },
    action: 'new_todo_add_todo',
    args: { title: 'Water plants' },
    changes: { 'todos.length': 4, 'todos[3].title': 'Water plants' },
    secret: 'mobx_live_a1b2c3d4e5f60718',
  },
  {
    page: 'react-jotai',
    holds: { target: 21, 'rooms[0].name': 'Kitchen', 'rooms[0].celsius': 19.5 },
    action: 'heat_kitchen',
    changes: { 'rooms[0].celsius': 20.5 },
  },
  {
    page: 'react-state',
    holds: {
      'components.invoice.lines[0].text': 'Consulting',
      'text.total': 400.5,
      'forms.new_line.password': '[redacted]',
    },
    action: 'new_line_add_line',
    args: { text: 'Hotel', amount: 100 },
    changes: { 'components.invoice.lines.length': 3, 'text.total': 500.5 },
    secret: 'hunter2-react',
  },
  {
    page: 'react-query',
    holds: { 'queries.team.data.members[1].name': 'Grace', 'queries.team.data.members[1].role': 'Engineer' },
    action: 'promote_grace',
    changes: { 'queries.team.data.members[1].role': 'Director' },
  },
  {
    page: 'react-immutable',
    holds: {
      'board.name': 'Release 2',
      'board.columns[2]': 'done',
      'cards.c1.column': 'todo',
      'cards.c1.labels[0]': 'bug',
    },
    action: 'advance_fix_login',
    changes: { 'cards.c1.column': 'doing' },
    secret: 'imm_live_0f1e2d3c4b5a6978',
  },
  {
    page: 'vue3-pinia',
    holds: {
      'products.items[0].name': 'Teapot',
      'cart.lines[0].quantity': 2,
      'cart.coupon': '',
      'cart.paymentToken': '[redacted]',
    },
    action: 'cart.checkout',
    changes: { 'cart.orders': 1 },
    secret: 'pay_live_4e5f60718293a4b5',
  },
  {
    page: 'vue3-vuex',
    holds: { 'tickets.list[1].title': 'Slow login', 'tickets.list[1].open': true, 'tickets.sortBy': 'id' },
    action: 'close_slow_login',
    changes: { 'tickets.list[1].open': false },
    secret: 'vuex_live_8a7b6c5d4e3f2a1b',
  },
  {
    page: 'vue2',
    holds: { 'components.addressBook.contacts[1].name': 'Alan Turing', 'status.found': 2 },
    action: 'remove_alan_turing',
    changes: { 'components.addressBook.contacts.length': 1, 'status.found': 1 },
    secret: 'vue2_live_1122334455667788',
  },
  {
    page: 'preact',
    holds: {
      'components.poll.votes.tea': 4,
      'components.poll.question': 'Tea or coffee?',
      'ballot.entries[0].voter': 'Ada',
    },
    action: 'vote_tea',
    changes: { 'components.poll.votes.tea': 5, 'ballot.entries.length': 2 },
  },
  {
    page: 'lit',
    holds: { 'components.weatherApp.cities[0].name': 'Lyon', 'components.weatherApp.unit': 'C' },
    action: 'switch_unit',
    changes: { 'components.weatherApp.unit': 'F' },
  },
  {
    page: 'alpine',
    holds: { 'components.timesheet.project': 'Apollo', 'components.timesheet.entries[0].hours': 8 },
    action: 'one_hour_more_on_monday',
    changes: { 'components.timesheet.entries[0].hours': 9 },
    secret: 'alpine_live_5566778899aabbcc',
  },
  {
    page: 'react-apollo',
    holds: {
      'apollo["Book:b1"].title': 'Notes on the Analytical Engine',
      'apollo["Book:b1"].available': true,
      'apollo["Reader:r1"].cardNumber': '[redacted]',
    },
    action: 'borrow_notes_on_the_analytical_engine',
    changes: { 'apollo["Book:b1"].available': false },
    secret: '4111111111111111',
  },
  {
    page: 'recoil',
    holds: { 'foundNotes.length': 2, 'foundNotes[1].text': 'Renew passport', 'foundNotes[1].pinned': false },
    action: 'toggle_pin_renew_passport',
    changes: { 'foundNotes[1].pinned': true },
  },
  {
    page: 'svelte',
    holds: { playing: false, volume: 70, 'position.seconds': 12, likes: 5, 'lists.playlist.length': 2 },
    action: 'like',
    changes: { likes: 6, 'status.likes': 6 },
  },
  {
    page: 'angular',
    holds: {
      'components.appRoot.service.depot': 'Lyon',
      'components.appRoot.service.parcels[0].delivered': false,
      'components.appRoot.lastAction': 'none',
    },
    action: 'deliver_p_1',
    changes: { 'components.appRoot.service.parcels[0].delivered': true },
    secret: 'ng_live_0011223344556677',
  },
  {
    page: 'ember',
    holds: { 'garden.plants[0].name': 'Tomato', 'garden.plants[0].watered': false, 'garden.season': 'summer' },
    action: 'water_tomato',
    changes: { 'garden.plants[0].watered': true },
    secret: 'ember_live_99aabbccddeeff00',
  },
  {
    page: 'vue3-setup',
    holds: { room: 'Blue', nights: 2, 'guests[0].name': 'Ada', total: 190, pin: '[redacted]' },
    action: 'one_more_night',
    changes: { nights: 3, total: 285 },
  },
  {
    page: 'closure',
    holds: { holder: 'Ada Lovelace', balance: 120, 'transactions.length': 1, apiSecret: '[redacted]' },
    action: 'deposit',
    args: { amount: 25 },
    changes: { balance: 145, 'transactions.length': 2 },
    secret: 'clo_live_13579bdf02468ace',
  },
];

/** Keys of state that only closures lead to, in a build without names. */
const VARIABLES = /^(unnamed|unknown_)/;

describe('production builds of real frameworks', () => {
  const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
  let server: PageServer;
  let chromium: Chromium;
  let page: Page;

  beforeAll(async () => {
    server = await startPageServer();
    chromium = await startChromium();
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await endAll();
    await server.close();
  });

  it.each(EXPECTATIONS)('$page: finds the state, acts on it, shows no secret', async (expected) => {
    page = await openPage(chromium, `${server.origin}/${expected.page}/`);
    const app = await ProbedApp.attach(driver, chromium.info);
    await app.until('its state', (state) => Object.keys(expected.holds).every((key) => key in state)).catch(() => null);
    expect(app.state).toMatchObject(expected.holds);
    expect(app.confidence).toBeGreaterThanOrEqual(0.8);
    expect(await app.read()).toMatchObject(expected.holds);
    expect(app.capture?.leaves.kind).toBe('same');
    if (expected.secret) expect(JSON.stringify([app.state, [...app.actions]])).not.toContain(expected.secret);

    expect(await app.invoke(expected.action, expected.args)).toMatchObject({ ok: true });
    await app
      .until('the change', (state) =>
        Object.keys(expected.changes).every((key) => state[key] === expected.changes[key]),
      )
      .catch(() => null);
    expect(app.state).toMatchObject(expected.changes);
    await expectSteadyNames(app, page);
    const keys = Object.keys(app.state);

    // After a reload the same places have the same names.
    await page.evaluate('location.reload()').catch(() => undefined);
    await app.until('the state again', (state) => Object.keys(expected.holds).every((key) => key in state));
    expect(keys.filter((key) => key.startsWith('unknown_0x') && !(key in app.state))).toEqual([]);
    await app.probe.detach();
  });

  it('names what a framework draws late as if it had been there from the start', async () => {
    page = await openPage(chromium, `${server.origin}/react-state/?late`);
    const app = await ProbedApp.attach(driver, chromium.info);
    // Before React draws anything, only closures lead to the lines.
    await app.until('the variables', (state) => Object.keys(state).some((key) => VARIABLES.test(key)));
    await page.evaluate('void document.dispatchEvent(new Event("draw"))');
    await app.until('the component', (state) => 'components.invoice.lines[0].text' in state);
    expect(Object.keys(app.state).filter((key) => VARIABLES.test(key))).toEqual([]);
    await app.probe.detach();
  });
});
