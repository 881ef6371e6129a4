/** The lines of a live view: latest changes on top, the rest below in its own order, no more than fits. */
import type { AppSummary, Scalar } from '../../client/node.ts';
import { columnsOf, cut, type Paint, printable } from '../terminal.ts';
import { counted, showValue } from '../values.ts';
import type { LiveModel } from './live-model.ts';

/** How long a change is highlighted. */
export const HIGHLIGHT_MS = 1500;
const KEY_SHARE = 0.45;
const HEAD_LINES = 2;

export interface LiveFrame {
  readonly app: Pick<AppSummary, 'app_name' | 'pid'>;
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly paint: Paint;
}

export function liveLines(model: LiveModel, frame: LiveFrame): string[] {
  const { width, height, paint } = frame;
  const room = Math.max(1, height - HEAD_LINES);
  const rows: [key: string, line: string][] = [];
  for (const key of [...model.recent.keys()].toReversed()) {
    if (rows.length >= room) break;
    const change = model.recent.get(key);
    if (change === undefined) continue;
    const isNew = frame.now - change.at < HIGHLIGHT_MS;
    rows.push([key, row(key, change.after, change.before, isNew, frame)]);
  }
  const shown = new Set(rows.map(([key]) => key));
  for (const [key, value] of model.values) {
    if (rows.length >= room) break;
    if (!shown.has(key)) rows.push([key, row(key, value, undefined, false, frame)]);
  }
  const rest = model.values.size - rows.length;
  return [
    heading(model, frame),
    paint('dim', cut(rest > 0 ? `… ${rest} more below; a pattern shows fewer` : model.notice, width)),
    ...rows.map(([, line]) => line),
  ].slice(0, height);
}

function heading(model: LiveModel, { app, width, now, paint }: LiveFrame): string {
  const age = Math.max(0, (now - model.capturedAt) / 1000).toFixed(1);
  const rate = model.changesPerSecond(now).toFixed(1);
  const status = model.status === 'active' ? '' : `${model.status}  `;
  const facts = `${status}${counted(model.values.size, 'key')}  capture ${age} s ago  ${rate} changes/s  ctrl-c ends`;
  const name = cut(
    `${printable(app.app_name)} (pid ${app.pid})`,
    Math.max(Math.floor(width / 2), width - facts.length - 2),
  );
  return `${paint('bold', name)}  ${paint('dim', cut(facts, Math.max(0, width - columnsOf(name) - 2)))}`;
}

function row(
  key: string,
  value: Scalar | undefined,
  before: Scalar | undefined,
  isNew: boolean,
  frame: LiveFrame,
): string {
  const { width, paint } = frame;
  const keyRoom = Math.max(8, Math.floor(width * KEY_SHARE));
  const name = cutStart(printable(key), keyRoom);
  const valueRoom = Math.max(1, width - keyRoom - 2);
  const shown = value === undefined ? paint('dim', cut('gone', valueRoom)) : showValue(value, paint, valueRoom);
  const used = lengthOf(value, valueRoom);
  const was =
    before === undefined || valueRoom - used < 12
      ? ''
      : `  ${paint('dim', cut(`was ${plain(before)}`, valueRoom - used - 2))}`;
  return `${isNew ? paint('inverse', name) : name}${' '.repeat(keyRoom - columnsOf(name))}  ${shown}${was}`;
}

/** Keeps the end, where keys differ. */
function cutStart(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const backwards = [...text].toReversed();
  return [...cut(backwards.join(''), width)].toReversed().join('');
}

function lengthOf(value: Scalar | undefined, room: number): number {
  return Math.min(room, value === undefined ? 'gone'.length : columnsOf(plain(value)));
}

function plain(value: Scalar): string {
  return showValue(value, (_, text) => text);
}
