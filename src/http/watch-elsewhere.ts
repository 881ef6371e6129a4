/** Watches an app of another host for a client of this one: messages of the host are forwarded. */
import { SubstrateError } from '../model/errors.ts';
import type { FleetPort } from '../model/fleet.ts';
import type { Message, WatchSink } from '../model/message.ts';
import { replyOf } from './forward.ts';
import type { Reply } from './reply.ts';

/** The time limit for the host's agreement. */
const AGREE_MS = 30_000;

interface Watching {
  readonly host: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Opens the client's connection, once the host has agreed. */
  open(): WatchSink;
}

/** Resolves to the refusal of the host, or to null when the watch has begun. Throws `host_unreachable`. */
export async function watchElsewhere(fleet: FleetPort | null, watching: Watching): Promise<Reply | null> {
  if (fleet === null)
    throw new SubstrateError('not_found', 'This daemon is in no fleet: [fleet] of its configuration names no servers.');
  const { host, target, headers, signal, open } = watching;
  const message: Message = { method: 'GET', target, headers, body: null, limitMs: AGREE_MS, signal };
  const sink = new LateSink();
  const answer = await fleet.watch(host, message, sink);
  if ('status' in answer) return replyOf(answer, false);
  signal.addEventListener('abort', () => answer.stop(), { once: true });
  if (signal.aborted) answer.stop();
  else sink.become(open());
  return null;
}

/** Keeps messages that arrive before the client's connection is open. */
class LateSink implements WatchSink {
  private sink: WatchSink | null = null;
  private readonly early: ((sink: WatchSink) => void)[] = [];

  become(sink: WatchSink): void {
    this.sink = sink;
    for (const work of this.early.splice(0)) work(sink);
  }

  send(text: string): void {
    this.later((sink) => sink.send(text));
  }

  hasRoom(): boolean {
    return this.sink?.hasRoom() ?? true;
  }

  end(why: Parameters<WatchSink['end']>[0]): void {
    this.later((sink) => sink.end(why));
  }

  private later(work: (sink: WatchSink) => void): void {
    if (this.sink === null) this.early.push(work);
    else work(this.sink);
  }
}
