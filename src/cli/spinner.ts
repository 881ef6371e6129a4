/** Shows on stderr what the command waits for: redrawn on a terminal, elsewhere one line per change. */
import { cut, type Terminal } from './terminal.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const USUAL_WIDTH = 80;
const MARGIN = 12;

export class Spinner {
  private readonly terminal: Terminal;
  private readonly isLive: boolean;
  private readonly timer: NodeJS.Timeout | null;
  private readonly began = performance.now();
  private text = '';
  private frame = 0;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    this.isLive = terminal.notesAreLive;
    this.timer = this.isLive ? setInterval(() => this.draw(), FRAME_MS) : null;
  }

  say(text: string): void {
    if (text === this.text) return;
    this.text = text;
    if (this.isLive) this.draw();
    else this.terminal.note(text);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    if (this.isLive && this.text !== '') this.terminal.stderr.write('\r\x1b[K');
  }

  private draw(): void {
    if (this.text === '') return;
    const frame = FRAMES[this.frame++ % FRAMES.length] ?? '';
    const seconds = Math.round((performance.now() - this.began) / 1000);
    // A wrapped line could not be redrawn.
    const text = cut(this.text, Math.max(8, (this.terminal.stderr.columns || USUAL_WIDTH) - MARGIN));
    this.terminal.stderr.write(`\r\x1b[K${this.terminal.paint('cyan', frame)} ${text} (${seconds} s)`);
  }
}
