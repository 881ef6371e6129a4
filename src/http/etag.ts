/** Conditional reads: the tag of a state is its capture_id. */
import { SubstrateError } from '../model/errors.ts';
import { bytesReply, type Reply } from './reply.ts';

const TAG = /"([^"]*)"/g;
const MAX_TAGS = 20;
const NO_TAGS: readonly string[] = [];

/** The tags of the client, from If-None-Match. */
export function knownTags(header: string | undefined): readonly string[] {
  if (header === undefined) return NO_TAGS;
  return [...header.matchAll(TAG)].slice(0, MAX_TAGS).map(([, tag = '']) => tag);
}

/** The capture that an action requires, from If-Match; null for any. An invalid value is an error, never ignored. */
export function requiredTag(header: string | undefined): string | null {
  if (header === undefined || header.trim() === '*') return null;
  const tag = /^\s*"([^"]{1,100})"\s*$/.exec(header)?.[1];
  if (tag === undefined) throw new SubstrateError('invalid_request', 'If-Match: expected one capture_id in quotes');
  return tag;
}

/** `chunks` is null if the client already has it. */
export function taggedReply(chunks: readonly Buffer[] | null, tag: string): Reply {
  const reply = chunks === null ? bytesReply([], 304) : bytesReply(chunks);
  return { ...reply, headers: { ETag: `"${tag}"` } };
}
