/** Access to JetStream, the storage of a NATS server, which an operator may have left off. */
import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../model/failure.ts';
import { isNobody } from './peer.ts';

const API_MS = 5000;
/** Pause before the next attempt when JetStream could not be used. */
export const OPEN_AGAIN_MS = 60_000;

/** Rejects if the server does not offer it. */
export function openJetStream(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { timeout: API_MS });
}

/** The reason, for people, why JetStream cannot be used. */
export function explainJetStream(error: unknown): string {
  if (isOff(error)) return 'JetStream of the NATS server is off.';
  // The server does not answer a request that is not permitted.
  if (error instanceof errors.TimeoutError || error instanceof errors.PermissionViolationError)
    return 'The NATS server does not answer for JetStream: this user may not be permitted to use it.';
  return `JetStream of the NATS server cannot be used: ${messageOf(error)}.`;
}

function isOff(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.code === JetStreamApiCodes.JetStreamNotEnabledForAccount;
  return isNobody(error) || (error instanceof Error && error.name === 'JetStreamNotEnabled');
}
