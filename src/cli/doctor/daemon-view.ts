/** The answers of a running daemon, if there is one. */

import {
  type AppSummary,
  type Attachment,
  ForeignListenerError,
  type HealthResponse,
  Substrate,
} from '../../client/node.ts';
import { messageOf } from '../../model/failure.ts';
import { inTime } from '../connection.ts';

/** A daemon that answers at all may be busy with attaches. */
const BUSY_ANSWER_MS = 15_000;

export interface DaemonView {
  readonly baseUrl: string;
  /** Null if no daemon answers. */
  readonly health: HealthResponse | null;
  /** Why it does not answer, or refuses access; otherwise null. */
  readonly problem: string | null;
  /** The listener at its address belongs to another user. */
  readonly isForeign: boolean;
  /** By pid; empty without access. */
  readonly apps: ReadonlyMap<number, TrackedApp>;
}

export interface TrackedApp {
  readonly summary: AppSummary;
  /** For an app with a problem: the daemon's own reason. */
  readonly problem: string | null;
  /** Whether it is attached to without being asked, and why; null if it has ended. */
  readonly attachment: Attachment | null;
}

/** `connect` is called only if a daemon answers: it may create a key for this user. */
export async function askDaemon(
  baseUrl: string,
  connect: () => Promise<{ readonly baseUrl: string; readonly key?: string }>,
): Promise<DaemonView> {
  const view = { baseUrl, health: null, problem: null, isForeign: false, apps: new Map() };
  let health: HealthResponse;
  try {
    health = await new Substrate({ baseUrl }).health(inTime());
  } catch (error) {
    return { ...view, problem: messageOf(error), isForeign: error instanceof ForeignListenerError };
  }
  try {
    const substrate = new Substrate(await connect());
    const attachments = new Map(
      (await substrate.attachments(inTime(BUSY_ANSWER_MS))).map((found) => [found.pid, found]),
    );
    const listed = (await substrate.apps(inTime(BUSY_ANSWER_MS))).filter(({ pid }) => attachments.has(pid));
    const apps = await Promise.all(
      listed.map(
        async (summary): Promise<[number, TrackedApp]> => [
          summary.pid,
          { summary, problem: await problemOf(substrate, summary), attachment: attachments.get(summary.pid) ?? null },
        ],
      ),
    );
    return { ...view, health, apps: new Map(apps) };
  } catch (error) {
    return { ...view, health, problem: messageOf(error) };
  }
}

async function problemOf(substrate: Substrate, { pid, probe_status, has_state }: AppSummary): Promise<string | null> {
  if (probe_status !== 'error') return null;
  try {
    await substrate.state(pid, inTime());
    return has_state ? null : 'The daemon has no state of it.';
  } catch (error) {
    return messageOf(error);
  }
}
