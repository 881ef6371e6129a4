/** Prints a trace for people: the steps and waits with their times. */
import type { TraceStep } from '../../client/node.ts';
import { printable, type Terminal } from '../terminal.ts';
import { counted } from '../values.ts';

const TIME_COLUMNS = 9;
const LENGTH_COLUMNS = 10;

export class TraceStory {
  private readonly terminal: Pick<Terminal, 'paint'>;
  /** Times are relative to the first printed step. */
  private originMs: number | null = null;
  /** Steps whose beginning was printed. */
  private readonly begun = new Set<number>();
  private readonly ended = new Set<number>();

  constructor(terminal: Pick<Terminal, 'paint'>) {
    this.terminal = terminal;
  }

  /**
   * The lines for new steps, in chronological order. A step under way gets one line now, and one at its end.
   * `onlyEnded`: this is the last call.
   */
  lines(steps: readonly TraceStep[], onlyEnded = false): string[] {
    const lines: { readonly atMs: number; readonly text: string }[] = [];
    for (const step of steps) {
      if (this.ended.has(step.number)) continue;
      this.originMs ??= step.at_ms;
      const hasBegun = this.begun.has(step.number);
      if (step.ms === null) {
        if (hasBegun || onlyEnded) continue;
        this.begun.add(step.number);
        lines.push({ atMs: step.at_ms, text: this.line(step) });
      } else {
        this.ended.add(step.number);
        lines.push(
          hasBegun
            ? { atMs: step.at_ms + step.ms, text: this.endLine(step) }
            : { atMs: step.at_ms, text: this.line(step) },
        );
      }
    }
    return lines.sort((one, other) => one.atMs - other.atMs).map(({ text }) => text);
  }

  private line(step: TraceStep): string {
    const indent = '  '.repeat(step.depth);
    const length = step.ms === null ? '…' : step.ms === 0 ? '' : duration(step.ms);
    return `${this.time(step.at_ms)}  ${length.padStart(LENGTH_COLUMNS)}  ${indent}${this.words(step)}`;
  }

  private endLine(step: TraceStep): string {
    const indent = '  '.repeat(step.depth);
    const ms = step.ms ?? 0;
    return `${this.time(step.at_ms + ms)}  ${duration(ms).padStart(LENGTH_COLUMNS)}  ${indent}└ ${this.words(step)}`;
  }

  private time(atMs: number): string {
    const text = `+${Math.round(atMs - (this.originMs ?? 0))} ms`;
    return this.terminal.paint('dim', text.padStart(TIME_COLUMNS));
  }

  private words(step: TraceStep): string {
    const { id, pid, port, sent, received, count, result, problem, times, omitted } = step;
    const facts = [
      ...(id === undefined ? [] : [`#${id}`]),
      ...(pid === undefined ? [] : [`pid ${pid}`]),
      ...(port === undefined ? [] : [`port ${port}`]),
      ...(sent === undefined ? [] : [`${sent} bytes out`]),
      ...(received === undefined ? [] : [`${received} bytes in`]),
      ...(count === undefined ? [] : [`count ${count}`]),
      ...(times === undefined ? [] : [`${times} times`]),
      ...(omitted === undefined ? [] : [`${counted(omitted, 'further step')} not kept`]),
    ];
    const about = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    const found = result === undefined ? '' : `: ${printable(result)}`;
    const failed = problem === undefined ? '' : this.terminal.paint('red', ` ✗ ${printable(problem)}`);
    return `${printable(step.step)}${about}${found}${failed}`;
  }
}

/** From the last attach on, with the decision before it. */
export function lastAttach(steps: readonly TraceStep[]): TraceStep[] {
  const attach = steps.findLastIndex(({ step, depth }) => step === 'attach' && depth === 0);
  if (attach < 0) return [...steps];
  const before = steps.slice(0, attach).findLastIndex(({ step, depth }) => step === 'judged' && depth === 0);
  return steps.slice(before < 0 ? attach : before);
}

function duration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
