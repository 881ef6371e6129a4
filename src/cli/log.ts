/** The log of the daemon: lines on stderr, each written at once, so that nothing is lost when the process ends. */
import { writeSync } from 'node:fs';
import type { Config } from '../model/config.ts';
import { codeOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 100 } as const;
type Level = Exclude<keyof typeof LEVELS, 'silent'>;

const STDERR = 2;
/** How long to wait for a slow reader; then the rest of the line is lost, because the daemon must go on. */
const RETRIES = 50;
const RETRY_MS = 2;
const FULL = new Set(['EAGAIN', 'EBUSY']);

export function createLogger({ level, format }: Config['log'], write: (text: string) => void = writeNow): Logger {
  const lineOf = format === 'json' ? jsonLine : prettyLine;
  const at = (name: Level) =>
    LEVELS[name] < LEVELS[level]
      ? () => {}
      : (fields: object, message: string) => write(`${escaped(lineOf(name, fields, message))}\n`);
  return {
    // Absent if nobody reads traces.
    ...(level === 'trace' ? { trace: at('trace') } : {}),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

function jsonLine(level: Level, fields: object, message: string): string {
  return JSON.stringify({ level: LEVELS[level], time: Date.now(), ...fields, msg: message }, plainError);
}

function prettyLine(level: Level, fields: object, message: string): string {
  const detail = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields, plainError)}` : '';
  return `${new Date().toISOString()} ${level} ${message}${detail}`;
}

/** The properties of an error are not enumerable. */
function plainError(_: string, value: unknown): unknown {
  return value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value;
}

/** Text of an app could control the terminal that shows the log. These escapes mean the same in JSON. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (letter) =>
    Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

function writeNow(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  for (let tries = 0; written < bytes.length && tries < RETRIES; ) {
    try {
      written += writeSync(STDERR, bytes, written);
    } catch (error) {
      // Its reader has gone: the daemon goes on without a log.
      if (!FULL.has(codeOf(error) ?? '')) return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
