/** A command on a pseudo-terminal, made by script(1): its output as a person would see it, and typed input. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { until } from './real-processes.ts';

export interface PtyOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

const running = new Set<Pty>();

export class Pty {
  /** The whole output; control characters are shown as symbols: ␛ ␇. */
  output = '';
  readonly exited: Promise<number | null>;
  private readonly child;

  constructor(command: readonly string[], { env, columns = 80, rows = 24 }: PtyOptions) {
    const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const line = `stty cols ${columns} rows ${rows}; echo "<<$$>>"; exec ${words}`;
    this.child = spawn('script', ['-qfec', line, '/dev/null'], {
      env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += pictured(chunk);
    });
    this.exited = new Promise((resolve) => this.child.once('close', resolve)).then((code) => {
      running.delete(this);
      return typeof code === 'number' ? code : null;
    });
    running.add(this);
  }

  /** The output of the command itself. */
  get text(): string {
    return this.output.replace(/^[\s\S]*?<<\d+>>\r\n/, '');
  }

  /** Without colours and other sequences, line by line; for a redrawn line, its last text. */
  get lines(): string[] {
    return this.text
      .split('\r\n')
      .map((line) => withoutEscapes(line.slice(line.lastIndexOf('\r') + 1)))
      .filter((line) => line !== '');
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  async pid(): Promise<number> {
    return Number(await until('the pid', () => /<<(\d+)>>/.exec(this.output)?.[1]));
  }

  async shows(text: string): Promise<void> {
    await until(JSON.stringify(text), () => this.output.includes(text)).catch((error: unknown) => {
      throw new Error(`${String(error)}; there is: ${JSON.stringify(this.output.slice(-2000))}`);
    });
  }

  /** Like dragging the window. */
  async resize(columns: number, rows: number): Promise<void> {
    const terminal = fs.readlinkSync(`/proc/${await this.pid()}/fd/1`);
    const stty = spawn('stty', ['-F', terminal, 'cols', String(columns), 'rows', String(rows)], { stdio: 'ignore' });
    await new Promise((resolve) => stty.once('close', resolve));
  }

  end(): void {
    this.child.kill('SIGKILL');
  }
}

export function endTerminals(): void {
  for (const pty of running) pty.end();
}

/** Runs to its end. */
export async function onTerminal(
  command: readonly string[],
  options: PtyOptions,
): Promise<{ code: number | null; pty: Pty }> {
  const pty = new Pty(command, options);
  return { code: await pty.exited, pty };
}

export function withoutEscapes(text: string): string {
  return text.replace(/␛(?:\[[0-9;?]*[A-Za-z]|\][^␇]*␇)/g, '');
}

function pictured(text: string): string {
  return text.replaceAll('\x1b', '␛').replaceAll('\x07', '␇').replaceAll('\x9b', '␛[');
}
