/** Who is in the fleet: every daemon is a micro service of NATS, which answers whoever asks for it by name. */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { HOST_NAME } from '../model/config.ts';
import { isNobody } from './peer.ts';
import { SERVICE, subjectOfHost } from './subjects.ts';

/** What a daemon says of itself: others wrote it. */
const metadata = z.object({ host: z.string().regex(HOST_NAME), since: z.iso.datetime(), instance: z.string().max(64) });
const info = z.object({ metadata, version: z.string().max(64) });
export type Metadata = z.infer<typeof metadata>;
export type Found = Metadata & { readonly version: string };

/** For all to say that they are there; it is over when none has come for a while. */
const FIND = { strategy: 'stall', maxWait: 2000, stall: 400 } as const;

/** Of one name there are one or two. */
const FIND_ONE = { strategy: 'stall', maxWait: 1000, stall: 250 } as const;

export async function findDaemons(connection: NatsConnection): Promise<Found[]> {
  const found: Found[] = [];
  try {
    // Not by the library's own client, which ends at the first answer that is no JSON.
    for await (const { data } of await connection.requestMany(`$SRV.INFO.${SERVICE}`, '', { ...FIND }))
      found.push(...described(data));
  } catch (error) {
    if (!isNobody(error)) throw error;
  }
  return found;
}

/** Those that answer to one name: nobody else is asked, however many there are. */
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

/** Lets others of the same name know of this one. Returns how to stop. */
export function answerToName(connection: NatsConnection, self: Metadata): () => void {
  const callback = (error: Error | null, message: Msg) => {
    if (error === null) message.respond(JSON.stringify(self));
  };
  const subscription = connection.subscribe(nameSubject(self.host), { callback });
  return () => subscription.unsubscribe();
}

/** Apart from requests, which have two more parts. */
const nameSubject = (host: string) => `${subjectOfHost(host)}.name`;

/** Nothing where it is no daemon of this kind. */
function described(data: Uint8Array): Found[] {
  return parsed(info, data).map(({ metadata: given, version }) => ({ ...given, version }));
}

function parsed<T>(schema: z.ZodType<T>, data: Uint8Array): T[] {
  try {
    return [schema.parse(JSON.parse(new TextDecoder().decode(data)))];
  } catch {
    // Anybody may answer there; what is no description of a daemon is none.
    return [];
  }
}
