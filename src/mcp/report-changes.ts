/** Reports changes, and how to read the rest of them. */

import { anyCaseMatcher } from '../model/glob.ts';
import { inSlices, type SliceOptions } from '../model/in-slices.ts';
import { KeyFilter } from '../model/key-filter.ts';
import type { ActionEffect, KeyChange, StateLook } from '../model/state-look.ts';
import { changeLines } from './change-lines.ts';
import { type Grouped, groupKeys, isInView } from './key-groups.ts';
import { outline } from './outline.ts';
import { addressOf, listed, partOfLook } from './read-state.ts';
import { outlineState } from './state-outline.ts';

/** Makes lines for this many characters, in steps, because there may be many changes. */
export type Report = (room: number) => Generator<void, readonly string[], void>;

const PATTERNS = 200;
/** Keys per step. */
const STEP = 64;

/** `since`: the argument of `read_changes` for the rest. */
export function reportChanges(changes: readonly KeyChange[], look: StateLook, since: string, all: boolean): Report {
  return function* (room) {
    // A click scrolls to what it clicks: that is told to those who ask for it.
    const worth = all ? changes : changes.filter(({ key }) => !isInView(key));
    const { lines, left, noise } = yield* changeLines(worth, look, room, all);
    const groups = yield* outline(left, 6);
    const rest = [...left.values()].reduce((sum, count) => sum + count, 0);
    return [
      ...lines,
      ...(rest === 0
        ? []
        : [`(${rest} more changes: read_changes with since ${since} and globs such as ${listed(groups, PATTERNS)})`]),
      ...(noise === 0 ? [] : [`(${noise} changes in what seems to be insides of libraries)`]),
    ];
  };
}

/** After a navigation the new page matters, not the keys of the old one. */
export async function reportEffect(
  effect: ActionEffect,
  look: StateLook,
  globs: readonly string[] | undefined,
  slices: SliceOptions,
): Promise<Report> {
  const { since, urlBefore } = effect;
  const changes = globs
    ? await inSlices(matching(effect.changes, new KeyFilter(globs, anyCaseMatcher)), slices)
    : effect.changes;
  if (globs || urlBefore === look.facts.context.url) return reportChanges(changes, look, since, globs !== undefined);
  const there = new Set(changes.filter(({ after }) => after !== undefined).map(({ key }) => key));
  const keys = look.keys.keys.filter((key) => there.has(key));
  const fresh = await inSlices(partOfLook(look, keys), slices);
  const grouped = await inSlices(groupKeys(fresh, { isWhole: true }), slices);
  return function* (room) {
    yield;
    return reportPage(fresh, grouped, look.keys.keys.length, room);
  };
}

function reportPage(fresh: StateLook, grouped: Grouped, total: number, room: number): string[] {
  const { lines, reported } = outlineState(fresh, grouped, room);
  const count = [...reported.values()].reduce((sum, each) => sum + each, 0);
  return [
    'Another page:',
    ...addressOf(fresh),
    ...lines,
    ...(count === total ? [] : [`(${count} of its ${total} keys are above: read_state has more)`]),
  ];
}

export function* matching(changes: readonly KeyChange[], filter: KeyFilter): Generator<void, KeyChange[], void> {
  const kept: KeyChange[] = [];
  for (const [at, change] of changes.entries()) {
    if (filter.matches(change.key)) kept.push(change);
    if (at % STEP === 0) yield;
  }
  return kept;
}
