/** An uncaught error must not end the daemon: one odd program would end the watches of all others. */
import type { EventEmitter } from 'node:events';
import type { Logger } from '../model/log.ts';

/** More of them within a minute, and the daemon is broken: its supervisor restarts it. */
const MAX_FAULTS = 100;
const WITHIN_MS = 60_000;

export function installLastResort(
  events: EventEmitter,
  log: Pick<Logger, 'error'>,
  exit: (code: number) => void,
): void {
  let faults = 0;
  let since = performance.now();
  const note = (error: unknown) => {
    if (performance.now() - since > WITHIN_MS) {
      faults = 0;
      since = performance.now();
    }
    log.error({ fault: placeOf(error) }, 'a fault that nobody caught; the daemon goes on');
    if (++faults < MAX_FAULTS) return;
    log.error({ faults }, 'too many faults within a minute; the daemon ends');
    exit(1);
  };
  events.on('uncaughtException', note);
  events.on('unhandledRejection', note);
}

/** Its kind and origin. Not its message, which may quote an app. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.map((line) => line.trim())].join(' ');
}
