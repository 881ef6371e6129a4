import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { Publisher } from '../../../src/fleet/publisher.ts';
import { KeyGauges, MAX_KEY_GAUGES } from '../../../src/http/key-gauges.ts';
import type { AppChange } from '../../../src/model/change-feed.ts';
import { KeySelection } from '../../../src/model/key-selection.ts';
import { EVERYTHING, Permissions } from '../../../src/model/permissions.ts';
import type { KeyChange } from '../../../src/model/state-look.ts';

const app = { appId: 'coffee-0123456789abcdef', appName: 'Coffee Shop', isForeign: false };
const change = (captureId: string, changes: Record<string, KeyChange['after']>, more: Partial<AppChange> = {}) => ({
  pid: 42,
  app,
  captureId,
  timestamp: '2026-01-02T03:04:05.678Z',
  changes: Object.entries(changes).map(([key, after]) => ({ key, before: undefined, after })),
  ...more,
});

describe('chosen keys', () => {
  it('are those of apps by name or id', () => {
    const chosen = new KeySelection(['coffee*:shop.queue.**', 'Coffee Shop:day', 'other:**']);
    const filter = chosen.keysOf(app);
    expect(['shop.queue.length', 'day', 'shop.name'].map((key) => filter?.matches(key))).toEqual([true, true, false]);
    expect(chosen.keysOf({ ...app, appId: 'tea-0123456789abcdef', appName: 'Tea' })).toBeNull();
    // Apps of other users only by their id, as for keys.
    expect(chosen.keysOf({ ...app, isForeign: true })).toBeNull();
  });
});

describe('what is published', () => {
  const sent: { subject: string; event: Record<string, unknown> }[] = [];
  const connection = {
    info: { max_payload: 4096 },
    isClosed: () => false,
    publish: (subject: string, payload: Uint8Array) =>
      sent.push({ subject, event: JSON.parse(Buffer.from(payload).toString()) }),
  } as unknown as NatsConnection;

  it('is what changed of the chosen keys, with a number that is missing where something is lost', () => {
    let isThere = true;
    const chosen = new KeySelection(['coffee*:shop.**']);
    const parts = { host: 'web-3', instance: 'i', chosen, connection: () => (isThere ? connection : null) };
    const publisher = new Publisher(parts);
    publisher.changed(change('a', { 'shop.open': true, secret: 1 }));
    publisher.changed(change('b', { secret: 2 }));
    isThere = false;
    publisher.changed(change('c', { 'shop.open': false }));
    isThere = true;
    publisher.changed(change('d', { 'shop.name': 'x'.repeat(5000) }));
    publisher.changed(change('e', { 'shop.open': undefined, 'shop.name': 'y' }));
    publisher.forgotten(42);
    publisher.forgotten(42);
    expect(sent.map(({ subject }) => subject)).toEqual(Array(3).fill(`substrate.events.v1.web-3.${app.appId}`));
    expect(sent.map(({ event }) => event)).toMatchObject([
      { sequence: 1, capture_id: 'a', prev_capture_id: null, values: { 'shop.open': true }, removed: [], pid: 42 },
      { sequence: 4, capture_id: 'e', prev_capture_id: 'd', values: { 'shop.name': 'y' }, removed: ['shop.open'] },
      { sequence: 5, ended: true, host: 'web-3', instance: 'i' },
    ]);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });
});

describe('gauges of keys', () => {
  const gauges = () => new KeyGauges(new KeySelection(['coffee*:shop.**']));

  it('are the chosen numbers, as they are now, for who may read the app', () => {
    const shown = gauges();
    shown.changed(change('a', { 'shop.queue.length': 3, 'shop.name': 'x', day: 1 }));
    shown.changed(change('b', { 'shop.queue.length': 4, 'shop["a\\"b"].n': 0.5 }));
    const text = shown.text(EVERYTHING);
    expect(text).toContain(`substrate_key_value{app_id="${app.appId}",pid="42",key="shop.queue.length"} 4\n`);
    expect(text).toContain('key="shop[\\"a\\\\\\"b\\"].n"} 0.5\n');
    expect(text).not.toMatch(/shop\.name|day/);
    expect(shown.text(new Permissions({ apps: ['tea'] }))).not.toContain('shop');
    shown.changed(change('c', { 'shop.queue.length': undefined }));
    expect(shown.text(EVERYTHING)).not.toContain('queue');
    shown.forgotten(42);
    expect(shown.text(EVERYTHING)).not.toContain('pid="42"');
  });

  it('are bounded in number, and say how many are not shown', () => {
    const shown = gauges();
    const many = Object.fromEntries(
      Array.from({ length: MAX_KEY_GAUGES + 5 }, (_, index) => [`shop.n${index}`, index]),
    );
    shown.changed(change('a', many));
    expect(shown.text(EVERYTHING).match(/^substrate_key_value\{/gm)).toHaveLength(MAX_KEY_GAUGES);
    expect(shown.text(EVERYTHING)).toContain('substrate_key_values_left_out 5\n');
    shown.forgotten(42);
    shown.changed(change('b', { 'shop.n1': 1 }));
    expect(shown.text(EVERYTHING)).toContain('substrate_key_values_left_out 0\n');
  });
});
