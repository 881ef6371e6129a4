/** A real Chromium with a profile of its own, and its tabs. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { createHost } from '../../src/host/host.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import { end, start, until } from './real-processes.ts';

export const CHROMIUM = '/usr/bin/chromium';
/** Works without a screen, and as root. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface ChromiumOptions {
  /** The address of its first tab; `about:blank` by default. */
  readonly url?: string;
  readonly args?: readonly string[];
  /** Its debugging port: a given free one, one that it picks itself, or none. */
  readonly port?: 'flag' | 'zero' | 'none';
  readonly env?: Record<string, string>;
}

export interface Chromium {
  readonly pid: number;
  readonly info: ProcessInfo;
  readonly userDataDir: string;
  /** Null without a debugging port. */
  readonly debugPort: number | null;
  /** Whether it runs. */
  readonly isAlive: () => boolean;
  readonly exited: Promise<number | null>;
  close(): Promise<void>;
}

/** Folders that still exist when the tests end. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) {
    try {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // Its last processes still write.
    }
  }
});

/** Resolves when it accepts connections and shows `url`, or, without a port, when its first tab has a process. */
export async function startChromium(options: ChromiumOptions = {}): Promise<Chromium> {
  const mode = options.port ?? 'zero';
  const userDataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-chromium-'));
  const asked = mode === 'flag' ? await freePort() : 0;
  const started = start(
    CHROMIUM,
    [
      ...CHROMIUM_FLAGS,
      `--user-data-dir=${userDataDir}`,
      ...(mode === 'none' ? [] : [`--remote-debugging-port=${asked}`]),
      ...(options.args ?? []),
      options.url ?? 'about:blank',
    ],
    { stdio: 'ignore', env: { ...process.env, ...options.env } },
  );
  folders.add(userDataDir);
  const removed = new Promise<void>((resolve) => {
    started.child.once('exit', () => void removeFolder(userDataDir).then(resolve));
  });
  const exited = new Promise<number | null>((resolve) => started.child.once('exit', resolve));
  const isAlive = () => started.child.exitCode === null && started.child.signalCode === null;
  const { debugPort, info } = await until('Chromium to be ready', async () => {
    if (!isAlive()) throw new Error('Chromium ended at once');
    const debugPort = mode === 'zero' ? writtenPort(userDataDir) : asked;
    if (mode !== 'none' && !(debugPort && (await answers(debugPort)))) return null;
    const processes = (await createHost().scanner.scan()).appeared;
    const info = processes.find(({ pid }) => pid === started.pid);
    const hasTab = processes.some(({ argv }) => isRenderer(argv, userDataDir));
    return info !== undefined && hasTab && { debugPort: mode === 'none' ? null : debugPort, info };
  });
  if (options.url !== undefined && debugPort !== null) await firstPage(debugPort, options.url);
  return {
    pid: started.pid,
    info,
    userDataDir,
    debugPort,
    isAlive,
    exited,
    close: async () => {
      await end(started);
      await removed;
    },
  };
}

export interface Page {
  readonly targetId: string;
  readonly webSocketUrl: string;
  /** The value of an expression (awaited if it is a promise), over a connection of its own. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** Opens a tab and waits until its document is complete. */
export async function openPage(chromium: Chromium, url: string): Promise<Page> {
  const endpoint = `http://127.0.0.1:${chromium.debugPort}/json`;
  const response = await fetch(`${endpoint}/new?${encodeURIComponent(url)}`, { method: 'PUT' });
  if (!response.ok) throw new Error(`no tab for ${url}: ${await response.text()}`);
  const target = (await response.json()) as { id: string; webSocketDebuggerUrl: string };
  const page: Page = {
    targetId: target.id,
    webSocketUrl: target.webSocketDebuggerUrl,
    evaluate: (expression) => evaluate(target.webSocketDebuggerUrl, expression),
    close: async () => {
      await fetch(`${endpoint}/close/${target.id}`);
    },
  };
  await complete(page.webSocketUrl, url);
  return page;
}

/** A browser opens its first tab empty, and then navigates. */
async function firstPage(debugPort: number, url: string): Promise<void> {
  await complete(await firstTab(debugPort), url);
}

async function firstTab(debugPort: number | null): Promise<string> {
  const page = await until('the first tab', async () => {
    const response = await fetch(`http://127.0.0.1:${debugPort}/json/list`);
    const targets = (await response.json()) as { type: string; webSocketDebuggerUrl: string }[];
    return targets.find(({ type }) => type === 'page');
  });
  return page.webSocketDebuggerUrl;
}

/** In the first tab. */
export async function evaluateInTab<T>({ debugPort }: Chromium, expression: string): Promise<T> {
  return evaluate(await firstTab(debugPort), expression);
}

async function complete(webSocketUrl: string, url: string): Promise<void> {
  const isComplete = `location.href !== 'about:blank' && document.readyState === 'complete'`;
  await until(`${url} to load`, () => url === 'about:blank' || evaluate<boolean>(webSocketUrl, isComplete));
}

interface EvaluateReply {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly result: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
  };
}

async function evaluate<T>(webSocketUrl: string, expression: string): Promise<T> {
  const socket = new WebSocket(webSocketUrl, { perMessageDeflate: false });
  try {
    const reply = await new Promise<EvaluateReply>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the tab is gone')));
      socket.on('message', (data) => {
        const message = JSON.parse(data.toString()) as EvaluateReply;
        if (message.id === 1) resolve(message);
      });
      socket.once('open', () => {
        const params = { expression, returnByValue: true, awaitPromise: true };
        socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }));
      });
    });
    if (reply.error) throw new Error(reply.error.message);
    const thrown = reply.result?.exceptionDetails;
    if (thrown) throw new Error(thrown.exception?.description ?? thrown.text);
    return reply.result?.result.value as T;
  } finally {
    socket.close();
  }
}

function isRenderer(argv: readonly string[], userDataDir: string): boolean {
  // The arguments of a renderer name the folder of the crash handler, which is inside the profile.
  return argv.some((arg) => arg.includes('--type=renderer')) && argv.some((arg) => arg.includes(userDataDir));
}

/** Chromium writes its chosen port into its profile. */
function writtenPort(userDataDir: string): number | null {
  try {
    const [port] = fs.readFileSync(path.join(userDataDir, 'DevToolsActivePort'), 'utf8').split('\n');
    return Number(port) || null;
  } catch {
    return null;
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/json/version`)).ok;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Chromium's other processes end by themselves after the first one, and may write until then: hence the retries. */
async function removeFolder(folder: string): Promise<void> {
  for (let round = 0; round < 100; round++) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      await delay(20);
    }
  }
}
