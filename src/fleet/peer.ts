/** What both ends of a conversation know of the other one. */
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** Several fit into the silence that the other side bears. */
export const SIGN_OF_LIFE_MS = 500;
/** For the other side to say that it is still there. */
export const ACKNOWLEDGE_MS = 10_000;
/** Left for the names and lengths around a message. */
const SLACK_BYTES = 1024;

/** Bytes that a message to this server may have. */
export function roomIn({ info }: NatsConnection): number {
  return Math.max(SLACK_BYTES, (info?.max_payload ?? 0) - SLACK_BYTES);
}

/** The NATS server knows nobody who listens there. */
export function isNobody(error: unknown): boolean {
  if (error instanceof errors.RequestError) return error.isNoResponders();
  return error instanceof errors.NoRespondersError;
}
