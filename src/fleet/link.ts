/** The connection to the NATS server, which is restored for as long as the daemon runs. */
import { connect, errors, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';

export interface LinkParts {
  readonly options: NodeConnectionOptions;
  readonly log: Logger;
  /** Called after each connect and reconnect. */
  onUp(connection: NatsConnection): void;
}

const RETRY_MS = 1000;

export class Link {
  private readonly parts: LinkParts;
  private readonly end = new AbortController();
  private current: NatsConnection | null = null;
  private isUp = false;
  private trouble: string | null = 'The NATS server has not been reached yet.';
  private finished: Promise<void> = Promise.resolve();

  constructor(parts: LinkParts) {
    this.parts = parts;
  }

  /** Null while the server is not reached: a message that is sent then would arrive late. */
  get connection(): NatsConnection | null {
    return this.isUp ? this.current : null;
  }

  /** The reason why there is no connection; null if there is one. */
  get problem(): string | null {
    return this.trouble;
  }

  start(): void {
    this.finished = this.run();
  }

  async close(): Promise<void> {
    this.end.abort();
    await this.current?.close();
    await this.finished;
  }

  private async run(): Promise<void> {
    const { options, log } = this.parts;
    while (!this.end.signal.aborted) {
      try {
        this.current = await connect(options);
        if (this.end.signal.aborted) await this.current.close();
        else await this.follow(this.current);
      } catch (error) {
        this.note(explain(error, options));
      }
      this.isUp = false;
      this.current = null;
      await pauseUntil(this.end.signal, RETRY_MS);
    }
    log.debug({}, 'left the NATS server');
  }

  /** Resolves when the connection is closed for good. */
  private async follow(connection: NatsConnection): Promise<void> {
    const up = () => {
      this.isUp = true;
      this.trouble = null;
      this.parts.log.info({ server: connection.getServer() }, 'the NATS server is reached');
      this.parts.onUp(connection);
    };
    const changes = connection.status();
    up();
    for await (const status of changes) {
      if (status.type === 'disconnect') {
        this.isUp = false;
        this.note(`The connection to the NATS server ${status.server} is lost.`);
      } else if (status.type === 'reconnect') up();
      else if (status.type === 'error') this.parts.log.warn({ err: status.error }, 'the NATS server refuses something');
    }
    const reason = await connection.closed();
    if (reason instanceof Error) throw reason;
  }

  /** Logs each reason once, because a server may be away for days. */
  private note(problem: string): void {
    if (this.trouble !== problem && !this.end.signal.aborted) this.parts.log.warn({}, problem);
    this.trouble = problem;
  }
}

/** The reason, for people, why the server cannot be reached. */
export function explain(error: unknown, { servers }: NodeConnectionOptions): string {
  const where = [servers ?? []].flat().join(', ');
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError)
    return `The NATS server at ${where} refuses the credentials of [fleet]: ${error.message}.`;
  return `The NATS server at ${where} is not reached: ${messageOf(error)}.`;
}

function pauseUntil(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
