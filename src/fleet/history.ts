/** The history of published values: a JetStream stream that the first publishing daemon creates and any daemon reads. */
import {
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JsMsg,
  jetstream,
  RetentionPolicy,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { SubstrateError } from '../model/errors.ts';
import type { PublishedQuery } from '../model/fleet.ts';
import type { PublishedResponse } from '../model/fleet-wire.ts';
import type { FleetSettings } from './connect-options.ts';
import { explainJetStream, openJetStream } from './jet-stream.ts';
import { eventOf } from './published-event.ts';
import { PublishedValues } from './published-values.ts';
import { REPUBLISH_MS } from './publisher.ts';
import { eventSubject } from './subjects.ts';

export const EVENT_STREAM = 'substrate_events';
/** Limit per app and host, so that an app that changes often does not displace the others. */
const MAX_PER_APP = 10_000;
const HOUR_MS = 3_600_000;
/** The clocks of hosts differ, and values are republished with a little delay. */
const SLACK_MS = 90_000;
const AT_ONCE = 500;
const WAIT_MS = 2000;
/** Error code of JetStream: the stream exists with another configuration. */
const NAME_TAKEN = 10_058;

/** Creates the stream if there is none. Rejects, with a message for people, if that fails. */
export async function keepHistory(
  connection: NatsConnection,
  { history_hours, history_mb }: Pick<FleetSettings, 'history_hours' | 'history_mb'>,
): Promise<void> {
  try {
    const manager = await openJetStream(connection);
    await manager.streams.add({
      name: EVENT_STREAM,
      description: 'What hosts publish of their apps.',
      subjects: [eventSubject('*', '*')],
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      max_age: nanos(history_hours * HOUR_MS),
      max_bytes: history_mb * 1024 * 1024,
      max_msgs_per_subject: MAX_PER_APP,
    });
  } catch (error) {
    // The first daemon, or an operator, has chosen other limits; these hold.
    if (error instanceof JetStreamApiError && error.code === NAME_TAKEN) return;
    throw new Error(`${explainJetStream(error)} Published values are not kept.`, { cause: error });
  }
}

/** Throws `not_found` if the stream has nothing of the app. */
export async function readHistory(connection: NatsConnection, query: PublishedQuery): Promise<PublishedResponse> {
  const { host, keys, from, to, signal } = query;
  const appId = await resolveApp(connection, query);
  query.allow(appId);
  const read = async (since: number | null) => {
    const values = new PublishedValues(keys, from, to);
    for await (const message of messagesOf(connection, eventSubject(host, appId), since)) {
      signal.throwIfAborted();
      if (!values.add(eventOf(message.data))) break;
    }
    return values;
  };
  const recent = await read(from - REPUBLISH_MS - SLACK_MS);
  // A daemon that was stopped at `from` published its last values longer ago.
  const values = recent.coversStart ? recent : await read(null);
  return {
    host,
    app_id: appId,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    lost: values.lost,
    series: values.series(),
  };
}

/** Finds the app by its app_id, its name, or the beginning of its app_id. */
async function resolveApp(connection: NatsConnection, { host, app }: PublishedQuery): Promise<string> {
  const subjects = await subjectsOf(connection, eventSubject(host, '*'));
  const ids = subjects.map((subject) => subject.slice(subject.lastIndexOf('.') + 1));
  const wanted = app.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const nameOf = (id: string) => id.replace(/-[0-9a-f]{8,16}$/, '');
  const kinds = [
    (id: string) => id === app,
    (id: string) => nameOf(id) === wanted,
    (id: string) => id.startsWith(wanted),
  ];
  const [found, ...others] = kinds.map((isMeant) => ids.filter(isMeant)).find(({ length }) => length > 0) ?? [];
  if (found === undefined)
    throw new SubstrateError('not_found', `The history has nothing that ${host} published of ${app}. ${keptApps(ids)}`);
  if (others.length > 0)
    throw new SubstrateError(
      'invalid_request',
      `app: ${app} may be any of ${[found, ...others].slice(0, 10).join(', ')}`,
    );
  return found;
}

const keptApps = (ids: readonly string[]) =>
  ids.length === 0
    ? 'Choose keys with publish in [fleet] of its configuration.'
    : `It has: ${ids.slice(0, 20).join(', ')}.`;

async function subjectsOf(connection: NatsConnection, filter: string): Promise<string[]> {
  try {
    const manager = await openJetStream(connection);
    const { state } = await manager.streams.info(EVENT_STREAM, { subjects_filter: filter });
    return Object.keys(state.subjects ?? {});
  } catch (error) {
    throw new SubstrateError('not_found', `No history is kept in this fleet. ${explainJetStream(error)}`, {
      cause: error,
    });
  }
}

/** Ends at the newest message. `since` is a time of `Date.now()`; null reads from the beginning. */
async function* messagesOf(
  connection: NatsConnection,
  subject: string,
  since: number | null,
): AsyncGenerator<JsMsg, void, void> {
  const start =
    since === null
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(Math.max(0, since)).toISOString() };
  const consumer = await jetstream(connection).consumers.get(EVENT_STREAM, { filter_subjects: subject, ...start });
  let left = (await consumer.info()).num_pending;
  try {
    while (left > 0) {
      let has = 0;
      for await (const message of await consumer.fetch({ max_messages: Math.min(AT_ONCE, left), expires: WAIT_MS })) {
        has++;
        left = message.info.pending;
        yield message;
      }
      // The stream has dropped the rest meanwhile to make room.
      if (has === 0) return;
    }
  } finally {
    // The server would delete it by itself, only later.
    await consumer.delete().catch(() => undefined);
  }
}
