/** The values that keys of an app held between two times, from the published events in their order. */
import type { PublishedResponse } from '../model/fleet-wire.ts';
import type { PublishedEvent } from './published-event.ts';

type Series = PublishedResponse['series'][number];
type Point = Series['points'][number];

/** Limit for all keys together; the oldest points are dropped. */
const MAX_POINTS = 10_000;
const MAX_CHARACTERS = 200;

interface Process {
  seenAt: string;
  readonly points: Map<string, Point[]>;
}

export class PublishedValues {
  /** Number of events that are missing between `from` and `to`, by gaps in the sequence numbers. */
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

  /** Takes events in the order of their publication. False if the event is after `to`, as all that follow are. */
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

  /** True if the value of every key at `from` is known. */
  get coversStart(): boolean {
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
        // A key that was removed before `from` held nothing.
        const isGone = held.length === 1 && held[0]?.value === undefined;
        return held.length === 0 || isGone ? [] : [{ key, pid, seen_at: seenAt, points: held.slice(-most) }];
      }),
    );
  }

  /** Keeps only the last of the points before `from`. */
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
