/** Limits that both ends of a conversation between daemons share. */
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** Shorter than the silence after which the other side gives up, so that one may be lost. */
export const SIGN_OF_LIFE_MS = 500;
/** Time for the other side to acknowledge. */
export const ACKNOWLEDGE_MS = 10_000;
/** Room for the protocol around a message. */
const SLACK_BYTES = 1024;

/** The largest message that this server takes, in bytes. */
export function roomIn({ info }: NatsConnection): number {
  return Math.max(SLACK_BYTES, (info?.max_payload ?? 0) - SLACK_BYTES);
}

/** True if the NATS server has no subscriber for the subject. */
export function isNobody(error: unknown): boolean {
  if (error instanceof errors.RequestError) return error.isNoResponders();
  return error instanceof errors.NoRespondersError;
}
