/** Conditional reads: the tag of a state is its capture_id. */
import { bytesReply, type Reply } from './reply.ts';

const TAG = /"([^"]*)"/g;
const MAX_TAGS = 20;

/** What a client has, as it says in If-None-Match. */
export function knownTags(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(TAG)].slice(0, MAX_TAGS).map(([, tag = '']) => tag);
}

/** Null: the client has it. */
export function taggedReply(chunks: readonly Buffer[] | null, tag: string): Reply {
  const reply = chunks === null ? bytesReply([], 304) : bytesReply(chunks);
  return { ...reply, headers: { ETag: `"${tag}"` } };
}
