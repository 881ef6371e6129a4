/** What some keys of an app held between two times, put together from what was published in its order. */
import type { PublishedResponse } from '../model/fleet-wire.ts';
import type { PublishedEvent } from './published-event.ts';

type Series = PublishedResponse['series'][number];
type Point = Series['points'][number];

/** Of all keys together; the oldest are left out. */
const MAX_POINTS = 10_000;
const MAX_CHARACTERS = 200;

interface Process {
  seenAt: string;
  readonly points: Map<string, Point[]>;
}

export class Told {
  /** Messages between those that were read and `to` of which only the numbers are known. */
  lost = 0;
  private readonly keys: readonly string[];
  private readonly from: number;
  private readonly to: number;
  private readonly processes = new Map<number, Process>();
  private readonly sequences = new Map<string, number>();

  constructor(keys: readonly string[], from: number, to: number) {
    this.keys = [...new Set(keys)];
    this.from = from;
    this.to = to;
  }

  /** In the order in which they were published. False: it is later than what is asked for, as everything that follows. */
  add(event: PublishedEvent | null): boolean {
    if (event === null) return true;
    const { pid, timestamp, values = {}, removed = [], ended } = event;
    if (Date.parse(timestamp) > this.to) return false;
    this.count(event);
    const known = this.processes.get(pid) ?? { seenAt: timestamp, points: new Map<string, Point[]>() };
    known.seenAt = timestamp;
    this.processes.set(pid, known);
    const gone = new Set(removed);
    for (const key of this.keys)
      if (Object.hasOwn(values, key)) this.note(known, key, { at: timestamp, value: shortened(values[key] ?? null) });
      else if (ended || gone.has(key)) this.note(known, key, { at: timestamp });
    return true;
  }

  /** Every key was told before the first moment that is asked for. */
  get isEnough(): boolean {
    return this.keys.every((key) =>
      [...this.processes.values()].some(({ points }) => {
        const first = points.get(key)?.[0];
        return first !== undefined && Date.parse(first.at) <= this.from;
      }),
    );
  }

  series(): Series[] {
    const most = Math.max(1, Math.floor(MAX_POINTS / Math.max(1, this.keys.length * this.processes.size)));
    return [...this.processes].flatMap(([pid, { seenAt, points }]) =>
      this.keys.flatMap((key) => {
        const held = points.get(key) ?? [];
        // One that had gone before is no answer.
        const isGone = held.length === 1 && held[0]?.value === undefined;
        return held.length === 0 || isGone ? [] : [{ key, pid, seen_at: seenAt, points: held.slice(-most) }];
      }),
    );
  }

  /** Of what was held before `from`, the last. */
  private note({ points }: Process, key: string, point: Point): void {
    const held = points.get(key) ?? [];
    const last = held.at(-1);
    if (last === undefined || last.value !== point.value) {
      if (Date.parse(point.at) <= this.from) held.length = 0;
      held.push(point);
    }
    points.set(key, held);
  }

  private count({ instance, pid, sequence, timestamp }: PublishedEvent): void {
    const name = `${instance} ${pid}`;
    const last = this.sequences.get(name);
    const isAsked = Date.parse(timestamp) > this.from;
    if (last !== undefined && sequence > last + 1 && isAsked) this.lost += sequence - last - 1;
    this.sequences.set(name, Math.max(last ?? 0, sequence));
  }
}

function shortened(value: NonNullable<Point['value']> | null) {
  return typeof value === 'string' && value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
}
