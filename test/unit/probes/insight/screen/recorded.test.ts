/**
 * Windows of real programs, as reported by agents, and their meaning. The expectations were recorded from agents that
 * still decided it themselves; only the first rows of long lists are kept.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { screenUpdate } from '../../../../../src/probes/insight/screen/screen-facts.ts';
import { ScreenSource } from '../../../../../src/probes/insight/screen/screen-source.ts';

const FOLDER = path.join(import.meta.dirname, 'fixtures');
const recording = z.object({
  update: screenUpdate,
  front: z.object({ title: z.string(), name: z.string() }),
  leaves: z.record(z.string(), z.unknown()),
  actions: z.array(z.object({ name: z.string() }).loose()),
});

const names = fs.readdirSync(FOLDER).map((file) => path.basename(file, '.json'));
const read = (name: string) => recording.parse(JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')));

describe.each(names)('%s', (name) => {
  const { update, front, leaves, actions } = read(name);

  it('has these values and these actions', () => {
    const source = new ScreenSource();
    source.apply(update);
    expect(source.screen.front).toEqual(front);
    expect(Object.fromEntries(source.screen.leaves)).toEqual(leaves);
    expect(source.screen.actions.map(({ binding: _, returns: __, ...action }) => action)).toEqual(actions);
  });

  it('means the same when it is told widget by widget', () => {
    const source = new ScreenSource();
    source.apply({ ...update, widgets: [] });
    for (const widget of update.widgets) source.apply({ ...update, full: false, widgets: [widget] });
    const whole = new ScreenSource();
    whole.apply(update);
    expect([...source.screen.leaves.values()].sort()).toEqual([...whole.screen.leaves.values()].sort());
    expect(source.screen.actions.length).toBe(whole.screen.actions.length);
  });
});
