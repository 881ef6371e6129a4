/**
 * `substrate mcp`: the tools for a model, over stdin and stdout. A bundle of its own: see scripts/build.mjs. What they
 * answer is decided in the daemon, which knows what matters: it is asked by its `/mcp`.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { HttpWire } from '../client/http-wire.ts';
import { ConnectionError, SubstrateError } from '../client/index.ts';
import { fetchFromOwn } from '../client/own-peer.ts';
import { Transport } from '../client/transport.ts';
import { messageOf } from '../model/failure.ts';
import { VERSION } from '../version.ts';
import { callDaemon } from './call-daemon.ts';
import { answerOf } from './call-tool.ts';
import { type CallTool, createMcpServer, type ToolAnswer } from './server.ts';
import type { Tool } from './tools.ts';

interface McpOptions {
  readonly baseUrl: string;
  readonly key?: string;
  /** Starts a daemon where none answers; true when it did. Null: that is left to others. */
  readonly startDaemon: (() => Promise<boolean>) | null;
  /** How often the daemon is asked for nothing, so that one that ends without clients does not. */
  readonly keepAliveMs: number;
}

const STARTED =
  'No daemon was running: one has been started, and ends when its last client has gone. Apps that run already may ' +
  'take some seconds to be listed.';

/** Resolves when whoever started it has closed its input. */
export async function serveMcp({ baseUrl, key, startDaemon, keepAliveMs }: McpOptions): Promise<void> {
  const wire = new HttpWire({ baseUrl, key: key ?? null, fetch: fetchFromOwn });
  const daemon = new DaemonLink(wire, startDaemon);
  // At once, so that apps are attached to when the first tool is called; whether it worked is told by that tool.
  daemon.ready().catch(() => undefined);
  // A ping that fails is followed by others, and a tool that needs the daemon says that it is gone.
  const timer = setInterval(() => void daemon.ping().catch(() => undefined), keepAliveMs);
  const handle = serveStdio(() => createMcpServer(callOf(new Transport(wire), daemon), VERSION));
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  clearInterval(timer);
  await handle.close();
}

class DaemonLink {
  private readonly wire: HttpWire;
  private readonly startDaemon: McpOptions['startDaemon'];
  private starting: Promise<void> | null = null;
  private news: string | null = null;

  constructor(wire: HttpWire, startDaemon: McpOptions['startDaemon']) {
    this.wire = wire;
    this.startDaemon = startDaemon;
  }

  /** What a model has not been told yet. */
  takeNews(): string | null {
    const { news } = this;
    this.news = null;
    return news;
  }

  /** A daemon answers, or there is nothing to be done about it. Asked before a tool: no call is ever made twice. */
  async ready(): Promise<void> {
    if (this.startDaemon === null) return;
    this.starting ??= this.start(this.startDaemon).finally(() => {
      this.starting = null;
    });
    await this.starting;
  }

  /** With the key: to be asked by anybody else is no reason for a daemon to stay. */
  async ping(): Promise<void> {
    const path = '/substrate/v1/health';
    await this.wire.send({ method: 'GET', path, headers: {}, body: undefined, signal: undefined, isBodyUnread: false });
  }

  private async start(startDaemon: () => Promise<boolean>): Promise<void> {
    try {
      await this.ping();
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      if (!(await startDaemon().catch(explainFailure))) return;
      this.news = STARTED;
      await this.ping();
    }
  }
}

/** The reason is for a person; the model can pass it on. */
function explainFailure(error: unknown): never {
  if (error instanceof ConnectionError || error instanceof SubstrateError) throw error;
  throw new ConnectionError(`No daemon runs, and none could be started: ${messageOf(error)}`);
}

const callOf =
  (transport: Transport, daemon: DaemonLink): CallTool =>
  async (tool, input, signal) => {
    const answer = await callTool(transport, daemon, tool, input, signal);
    const news = daemon.takeNews();
    return news === null ? answer : { ...answer, text: `(${news})\n${answer.text}` };
  };

const callTool = (
  transport: Transport,
  daemon: DaemonLink,
  { name }: Tool,
  input: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> =>
  answerOf(async () => {
    await daemon.ready();
    return callDaemon(transport, name, input, signal);
  });
