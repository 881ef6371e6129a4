/** Takes over the whole window of a terminal, and restores it whatever happens. */
import type { Stream } from '../terminal.ts';

/** Alternate screen, no cursor, long lines cut instead of wrapped; and the reverse. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const SIGNAL_NUMBERS = { SIGTERM: 15, SIGHUP: 1 } as const;

export class Screen {
  private readonly stream: Stream;
  private shown: readonly string[] = [];
  private isEntered = false;
  private readonly onResize = () => {
    this.shown = [];
    if (this.isEntered) this.stream.write('\x1b[2J');
    this.redraw();
  };
  private readonly onExit = () => this.leave();
  private readonly onStop = () => {
    this.leave();
    process.kill(process.pid, 'SIGSTOP');
  };
  private readonly onContinue = () => {
    this.enter();
    this.onResize();
  };
  private readonly onKill = (signal: NodeJS.Signals) => {
    this.leave();
    process.exit(128 + (signal === 'SIGHUP' ? SIGNAL_NUMBERS.SIGHUP : SIGNAL_NUMBERS.SIGTERM));
  };
  private readonly redraw: () => void;

  /** `redraw` is called when the size of the window changes. */
  constructor(stream: Stream, redraw: () => void) {
    this.stream = stream;
    this.redraw = redraw;
  }

  open(): void {
    this.enter();
    this.stream.on?.('resize', this.onResize);
    // Also after a crash: Node emits this event.
    process.on('exit', this.onExit);
    process.on('SIGTERM', this.onKill).on('SIGHUP', this.onKill);
    process.on('SIGTSTP', this.onStop).on('SIGCONT', this.onContinue);
  }

  close(): void {
    this.leave();
    this.stream.off?.('resize', this.onResize);
    process.off('exit', this.onExit);
    process.off('SIGTERM', this.onKill).off('SIGHUP', this.onKill);
    process.off('SIGTSTP', this.onStop).off('SIGCONT', this.onContinue);
  }

  get size(): { readonly width: number; readonly height: number } {
    // A terminal that does not know its size reports 0.
    return { width: this.stream.columns || 80, height: this.stream.rows || 24 };
  }

  /** Writes only the lines that differ. */
  draw(lines: readonly string[]): void {
    let text = '';
    for (let at = 0; at < Math.max(lines.length, this.shown.length); at++)
      if (lines[at] !== this.shown[at]) text += `\x1b[${at + 1};1H\x1b[K${lines[at] ?? ''}`;
    this.shown = lines;
    if (this.isEntered && text !== '') this.stream.write(text);
  }

  private enter(): void {
    if (this.isEntered) return;
    this.isEntered = true;
    this.stream.write(ENTER);
  }

  private leave(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    this.stream.write(LEAVE);
  }
}
