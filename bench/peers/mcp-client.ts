/** A client of an MCP server over its standard input and output: only as much as calling a tool needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';

const CALL_TIMEOUT_MS = 120_000;
const PROTOCOL_VERSION = '2025-06-18';

const message = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const toolResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
});

interface Waiter {
  readonly timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class McpClient {
  private readonly child: ChildProcess;
  private readonly input: Writable;
  private readonly waiting = new Map<number, Waiter>();
  private lastId = 0;

  static async start(file: string, args: readonly string[], env: Record<string, string> = {}): Promise<McpClient> {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    const client = new McpClient(child, child.stdin, child.stdout);
    await client.call('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    client.write({ method: 'notifications/initialized' });
    return client;
  }

  private constructor(child: ChildProcess, input: Writable, output: Readable) {
    this.child = child;
    this.input = input;
    input.on('error', () => undefined);
    readline.createInterface({ input: output }).on('line', (line) => this.receive(line));
    child.once('exit', () => {
      for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(new Error('the MCP server ended'));
    });
  }

  /** The text of the tool's answer. */
  async tool(name: string, args: object = {}): Promise<string> {
    const { text, isError } = await this.answer(name, args);
    if (isError) throw new Error(`${name}: ${text.slice(0, 300)}`);
    return text;
  }

  /** The tool's answer, including errors. */
  async answer(name: string, args: object = {}): Promise<{ text: string; isError: boolean }> {
    const result = toolResult.parse(await this.call('tools/call', { name, arguments: args }));
    return { text: result.content.map((part) => part.text ?? '').join('\n'), isError: result.isError === true };
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  private call(method: string, params: object): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.settle(id)?.reject(new Error(`${method} got no answer`)), CALL_TIMEOUT_MS);
      this.waiting.set(id, { timer, resolve, reject });
      this.write({ id, method, params });
    });
  }

  private write(body: object): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...body })}\n`);
  }

  private receive(line: string): void {
    const { data } = message.safeParse(parseJson(line));
    if (!data) return;
    const waiter = this.settle(data.id);
    if (data.error) waiter?.reject(new Error(data.error.message));
    else waiter?.resolve(data.result);
  }

  private settle(id: number): Waiter | undefined {
    const waiter = this.waiting.get(id);
    clearTimeout(waiter?.timer);
    this.waiting.delete(id);
    return waiter;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
