/** Finds the daemons of the fleet: each is a NATS micro service and answers requests to the name of the service. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { HOST_NAME } from '../model/config.ts';
import { isNobody } from './peer.ts';
import { SERVICE, subjectOfHost } from './subjects.ts';

/** A daemon's description of itself, validated because anybody may send one. */
const metadata = z.object({ host: z.string().regex(HOST_NAME), since: z.iso.datetime(), instance: z.string().max(64) });
const info = z.object({ metadata, version: z.string().max(64) });
export type Metadata = z.infer<typeof metadata>;
export type Found = Metadata & { readonly version: string };

/** The search for all daemons ends when no further answer has come for 400 ms. */
const FIND = { strategy: 'stall', maxWait: 2000, stall: 400 } as const;

/** A name has one or two owners, so this search may end sooner. */
const FIND_ONE = { strategy: 'stall', maxWait: 1000, stall: 250 } as const;

export async function findDaemons(connection: NatsConnection): Promise<Found[]> {
  const found: Found[] = [];
  try {
    // The library's own client would end at the first answer that is not JSON.
    for await (const { data } of await connection.requestMany(`$SRV.INFO.${SERVICE}`, '', { ...FIND }))
      found.push(...described(data));
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  return found;
}

/** Finds the daemons of one name. No other daemon gets the request, so the size of the fleet does not matter. */
export async function findNamesakes(connection: NatsConnection, host: string): Promise<Metadata[]> {
  const found: Metadata[] = [];
  try {
    for await (const { data } of await connection.requestMany(nameSubject(host), '', { ...FIND_ONE }))
      found.push(...parsed(metadata, data));
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  return found;
}

/** Answers searches for this daemon's name. Returns a function that stops it. */
export function answerToName(connection: NatsConnection, self: Metadata): () => void {
  const callback = (error: Error | null, message: Msg) => {
    if (error === null) message.respond(JSON.stringify(self));
  };
  const subscription = connection.subscribe(nameSubject(self.host), { callback });
  return () => subscription.unsubscribe();
}

/** Requests have two parts after the host, so they never match this subject. */
const nameSubject = (host: string) => `${subjectOfHost(host)}.name`;

/** Empty if the answer does not describe a daemon. */
function described(data: Uint8Array): Found[] {
  return parsed(info, data).map(({ metadata: given, version }) => ({ ...given, version }));
}

function parsed<T>(schema: z.ZodType<T>, data: Uint8Array): T[] {
  try {
    return [schema.parse(JSON.parse(new TextDecoder().decode(data)))];
  } catch {
    // Other programs may answer on this subject, too.
    return [];
  }
}
