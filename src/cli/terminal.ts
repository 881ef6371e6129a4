/** The output of a command: its result on stdout, everything else on stderr; with colours for people only. */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, inverse: 7 } as const;
export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

/** The part of `process.stdout` and `process.stderr` that is used. */
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
  /** The result as one JSON value. */
  json(value: unknown): void;
  /** A line besides the result: progress, remarks, failures. */
  note(line: string): void;
  readonly paint: Paint;
  readonly width: number;
  /** Somebody watches the result, so it may be redrawn. */
  readonly isLive: boolean;
  /** The same for the notes. */
  readonly notesAreLive: boolean;
  readonly stdout: Stream;
  readonly stderr: Stream;
}

/** The codes that `paint` adds. */
const PAINTED = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
/** East Asian characters and emoji, which take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NARROWEST = 40;
/** For a terminal that does not know its size. */
const USUAL_WIDTH = 80;

export function createTerminal(stdout: Stream, stderr: Stream, env: NodeJS.ProcessEnv): Terminal {
  const isLive = stdout.isTTY === true && env.TERM !== 'dumb';
  const notesAreLive = stderr.isTTY === true && env.TERM !== 'dumb';
  // Painted for the result; notes may go elsewhere, as with 2> file.
  const forNotes = hasColours(notesAreLive, env) ? (line: string) => line : withoutColours;
  return {
    out: (line) => void stdout.write(`${line}\n`),
    json: (value) => void stdout.write(`${harmlessJson(value)}\n`),
    note: (line) => void stderr.write(`${forNotes(line)}\n`),
    paint: hasColours(isLive, env) ? (colour, text) => `\x1b[${CODES[colour]}m${text}\x1b[0m` : (_, text) => text,
    // Output for a file or a program is not cut.
    width: isLive ? Math.max(NARROWEST, stdout.columns || USUAL_WIDTH) : Number.POSITIVE_INFINITY,
    isLive,
    notesAreLive,
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

function withoutColours(line: string): string {
  return line.replaceAll(PAINTED, '');
}

/** The same value: JSON itself does not escape characters that control a terminal, such as U+009B. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu,
    // Two escapes for a character that JavaScript counts as two.
    (character) =>
      Array.from({ length: character.length }, (_, at) => {
        return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
      }).join(''),
  );
}

/** Text of an app could control the terminal, so such characters become question marks. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** The number of terminal columns of a text. Marks without width are counted, too, so that no line becomes too long. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Longer texts end in an ellipsis. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const character of text) {
    room -= columnsOf(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Wraps at words to lines of at most this width. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
