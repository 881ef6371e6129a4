/** Checks for `substrate doctor` whether the NATS server is reached, and with which permissions. Joins no fleet. */
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../model/failure.ts';
import { connectOptions, type FleetSettings } from './connect-options.ts';
import { findDaemons } from './find.ts';
import { explainJetStream, openJetStream } from './jet-stream.ts';
import { explain } from './link.ts';
import { hostNameOf, SERVICE, subjectOfHost } from './subjects.ts';

export type { FleetSettings } from './connect-options.ts';

export type FleetLook =
  | { readonly isReached: false; readonly problem: string; readonly remedy: string }
  | {
      readonly isReached: true;
      readonly server: string;
      readonly host: string;
      /** Names of the daemons that answer. */
      readonly hosts: readonly string[];
      /** Descriptions of the permissions that this user lacks. */
      readonly missing: readonly string[];
      /** The reason why nothing can be shared or kept; null if it can. */
      readonly jetStreamProblem: string | null;
    };

/** The permissions that a daemon needs, each tried on a subject that no daemon uses. */
const needs = (host: string) =>
  [
    ['subscription', `${subjectOfHost(host)}.get.doctor`, 'answer requests'],
    ['subscription', `$SRV.INFO.${SERVICE}`, 'be found by others'],
    ['subscription', '_INBOX.doctor', 'get answers'],
    ['publish', `${subjectOfHost(host)}.name`, 'look whether its name is taken'],
    ['publish', `$SRV.INFO.${SERVICE}`, 'find others'],
    ['publish', '_INBOX.doctor', 'send answers'],
    ['publish', `${subjectOfHost(NOBODY)}.get.doctor`, 'read other hosts'],
    ['publish', `${subjectOfHost(NOBODY)}.post.doctor`, 'act on other hosts'],
  ] as const;
/** No host has this name, so nothing is asked of a real one. */
const NOBODY = 'no-host-is-called-this';

export async function lookAtFleet(
  settings: FleetSettings,
  credentials: Uint8Array | null,
  machine: string,
): Promise<FleetLook> {
  let connection: NatsConnection;
  const host = settings.host ?? hostNameOf(machine);
  try {
    const options = { ...connectOptions(settings, credentials), reconnect: false };
    connection = await connect(options).catch((error: unknown) => {
      throw new Error(explain(error, options), { cause: error });
    });
  } catch (error) {
    return { isReached: false, problem: messageOf(error), remedy: remedyFor(error) };
  }
  try {
    const refused = await refusals(connection, host);
    const found = await findDaemons(connection);
    const hosts = [...new Set(found.map((daemon) => daemon.host))].sort();
    const missing = needs(host).flatMap(([kind, subject, what]) => (refused.has(`${kind} ${subject}`) ? [what] : []));
    const jetStreamProblem = await problemOfJetStream(connection);
    return { isReached: true, server: connection.getServer(), host, hosts, missing, jetStreamProblem };
  } finally {
    await connection.close();
  }
}

async function problemOfJetStream(connection: NatsConnection): Promise<string | null> {
  try {
    await openJetStream(connection);
    return null;
  } catch (error) {
    return explainJetStream(error);
  }
}

/** Tries each permission, because older servers do not list them. */
async function refusals(connection: NatsConnection, host: string): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  const note = (error: Error | null) => {
    if (error instanceof errors.PermissionViolationError) refused.add(`${error.operation} ${error.subject}`);
  };
  void (async () => {
    for await (const status of connection.status()) if (status.type === 'error') note(status.error);
  })();
  const subscriptions = needs(host).flatMap(([kind, subject]) => {
    if (kind === 'subscription') return [connection.subscribe(subject, { callback: note })];
    connection.publish(subject);
    return [];
  });
  // The server answers in order: all refusals have arrived when it answers the flush.
  await connection.flush();
  for (const subscription of subscriptions) subscription.unsubscribe();
  return refused;
}

function remedyFor(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof errors.AuthorizationError || cause instanceof errors.UserAuthenticationExpiredError)
    return 'Let credentials in [fleet] name a file of a user whom the server knows.';
  if (cause === undefined) return 'Correct [fleet] in the configuration: docs/configuration.md lists what there is.';
  if (/certificate|tls|ssl/i.test(messageOf(cause)))
    return 'Let ca_file in [fleet] name the certificate that the server is signed by; cert_file and key_file where it wants one.';
  return 'Start it, or correct servers in [fleet].';
}
