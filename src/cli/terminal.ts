/** Where a command writes: its result to stdout, everything else to stderr; with colours for people only. */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, inverse: 7 } as const;
export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

/** What is used of `process.stdout` and `process.stderr`. */
export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface Terminal {
  /** A line of the result. */
  out(line: string): void;
  /** A line about it: progress, remarks, failures. */
  note(line: string): void;
  readonly paint: Paint;
  readonly width: number;
  /** Somebody looks at the result as it is made: it may be drawn over. */
  readonly isLive: boolean;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

const NARROWEST = 40;
/** Of a terminal that does not know its own. */
const USUAL_WIDTH = 80;

export function createTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Terminal {
  const isLive = stdout.isTTY === true && env.TERM !== 'dumb';
  return {
    out: (line) => void stdout.write(`${line}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    paint: hasColours(isLive, env) ? (colour, text) => `\x1b[${CODES[colour]}m${text}\x1b[0m` : (_, text) => text,
    // What no terminal shows is for a file or a program: nothing is cut off.
    width: isLive ? Math.max(NARROWEST, stdout.columns || USUAL_WIDTH) : Number.POSITIVE_INFINITY,
    isLive,
    stdout,
    stderr,
  };
}

/** https://no-color.org, and its counterpart. */
function hasColours(isLive: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true;
  return isLive;
}

/** Text of an app could steer the terminal: what would do so is shown as a question mark. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** Longer texts end in an ellipsis. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
