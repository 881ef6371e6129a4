/** Parses options of the command line. */
import { InvalidArgumentError } from 'commander';
import { REVERSIBILITIES, type Reversibility } from '../model/reversibility.ts';
import { SCOPES, type Scope } from '../model/scope.ts';
import { parseTime } from './time-span.ts';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('expected a port number from 0 to 65535');
  return port;
}

export function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('expected seconds');
  return Number(text);
}

export function parseMs(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected milliseconds');
  return Number(text);
}

/** `2h` ago, or since a date. */
export function parseSince(text: string): number {
  const time = parseTime(text, -1);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 2h, 7d or 2026-01-31');
  return time;
}

/** A flag that may be repeated, or given once with commas. */
export function parseScopes(text: string, before: readonly Scope[] = []): readonly Scope[] {
  return [...before, ...text.split(',').map((name) => oneOf(SCOPES, name.trim()))];
}

export function parseReversibility(text: string): Reversibility {
  return oneOf(REVERSIBILITIES, text);
}

/** `30d`, `12h`, or a date; returns ISO 8601. */
export function parseExpiry(text: string): string {
  const time = parseTime(text, 1);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 30d, 12h or 2027-01-31');
  if (time <= Date.now()) throw new InvalidArgumentError('this time has passed');
  return new Date(time).toISOString();
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`expected one of ${names.join(', ')}`);
  return found;
}
