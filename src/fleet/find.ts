/** Who is in the fleet: every daemon is a micro service of NATS, which answers whoever asks for it by name. */
import type { NatsConnection } from '@nats-io/transport-node';
import * as z from 'zod';
import { HOST_NAME } from '../model/config.ts';
import { isNobody } from './peer.ts';
import { SERVICE } from './subjects.ts';

/** What a daemon says of itself: others wrote it. */
const metadata = z.object({ host: z.string().regex(HOST_NAME), since: z.iso.datetime(), instance: z.string().max(64) });
const info = z.object({ metadata, version: z.string().max(64) });
export type Metadata = z.infer<typeof metadata>;
export type Found = Metadata & { readonly version: string };

/** For all to say that they are there; it is over when none has come for a while. */
const FIND = { strategy: 'stall', maxWait: 1500, stall: 250 } as const;

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

/** Nothing where it is no daemon of this kind. */
function described(data: Uint8Array): Found[] {
  try {
    const { metadata: given, version } = info.parse(JSON.parse(new TextDecoder().decode(data)));
    return [{ ...given, version }];
  } catch {
    // Anybody may answer there; what is no description of a daemon is none.
    return [];
  }
}
