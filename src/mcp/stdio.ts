/**
 * `substrate mcp`: the tools over stdin and stdout. A bundle of its own: see scripts/build.mjs. The daemon makes the
 * answers, because it knows what is important; this calls its `/mcp`.
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
  /** Starts a daemon if none answers; returns true if it did. Null if it may not. */
  readonly startDaemon: (() => Promise<boolean>) | null;
  /** The interval of pings that keep a daemon alive which ends without clients. */
  readonly keepAliveMs: number;
}

const STARTED =
  'No daemon was running: one has been started, and ends when its last client has gone. Apps that run already may ' +
  'take some seconds to be listed.';

/** Resolves when the client has closed its input. */
export async function serveMcp({ baseUrl, key, startDaemon, keepAliveMs }: McpOptions): Promise<void> {
  const wire = new HttpWire({ baseUrl, key: key ?? null, fetch: fetchFromOwn });
  const daemon = new DaemonLink(wire, startDaemon);
  // At once, so that apps are attached when the first tool is called. That tool reports a failure.
  daemon.ready().catch(() => undefined);
  // A failed ping is followed by others, and a tool that needs the daemon reports that it is gone.
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
  private notice: string | null = null;

  constructor(wire: HttpWire, startDaemon: McpOptions['startDaemon']) {
    this.wire = wire;
    this.startDaemon = startDaemon;
  }

  /** A message that the model has not got yet. */
  takeNotice(): string | null {
    const { notice } = this;
    this.notice = null;
    return notice;
  }

  /**
   * Resolves when a daemon answers, or when nothing can be done about it. Called before a tool, because no call is
   * repeated.
   */
  async ready(): Promise<void> {
    if (this.startDaemon === null) return;
    this.starting ??= this.start(this.startDaemon).finally(() => {
      this.starting = null;
    });
    await this.starting;
  }

  /** With the key: requests without one do not keep a daemon alive. */
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
      this.notice = STARTED;
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
    const notice = daemon.takeNotice();
    return notice === null ? answer : { ...answer, text: `(${notice})\n${answer.text}` };
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
