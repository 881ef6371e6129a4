/** A snapshot as bytes: everything but its keys is small and written once; the keys come from the state's own text. */
import type { ProcessInfo } from '../model/process.ts';
import type { UnmatchedGlob } from '../model/unmatched-globs.ts';
import type { AppContext, ProbeMetadata } from '../model/wire.ts';
import type { Recognition } from '../probes/probe.ts';
import type { JsonBytes } from './service.ts';

/** A snapshot without its keys, which are in the engine's table. */
export interface SnapshotHead {
  readonly captureId: string;
  readonly capturedAt: string;
  readonly schemaVersion: string;
  readonly confidence: number;
  /** The reason for the confidence, in one sentence. */
  readonly confidenceReason: string;
  readonly context: AppContext;
  /** Its content is still loading. */
  readonly isLoading: boolean;
  readonly metadata: Omit<ProbeMetadata, 'cache_hit'>;
}

/** True if both describe the same app state for a client, regardless of when and how it was read. */
export function isSameApp(one: SnapshotHead, other: SnapshotHead): boolean {
  return (
    one.schemaVersion === other.schemaVersion &&
    one.confidence === other.confidence &&
    one.confidenceReason === other.confidenceReason &&
    one.metadata.filtered_object_count === other.metadata.filtered_object_count &&
    JSON.stringify(one.context) === JSON.stringify(other.context)
  );
}

export interface SnapshotOwner {
  readonly appId: string;
  readonly process: ProcessInfo;
  readonly recognition: Recognition;
}

/** The JSON text of the state, with its fields in the documented order. */
export function renderState(
  owner: SnapshotOwner,
  head: SnapshotHead,
  objects: JsonBytes,
  actions: Buffer,
  fromCache: boolean,
  unmatched: readonly UnmatchedGlob[] = [],
): JsonBytes {
  const before = JSON.stringify({
    capture_id: head.captureId,
    app_id: owner.appId,
    app_name: owner.recognition.appName,
    pid: owner.process.pid,
    runtime: owner.recognition.runtime,
    schema_version: head.schemaVersion,
    captured_at: head.capturedAt,
    confidence: head.confidence,
    confidence_reason: head.confidenceReason,
    context: head.context,
  });
  const { dom_tier_used, probe_tier, ...counts } = head.metadata;
  const metadata = JSON.stringify({ ...counts, cache_hit: fromCache, dom_tier_used, probe_tier });
  return [
    Buffer.from(`${before.slice(0, -1)},"objects":{`),
    ...objects,
    Buffer.from('},"actions":'),
    actions,
    Buffer.from(
      `,"probe_metadata":${metadata}${unmatched.length === 0 ? '' : `,"unmatched":${JSON.stringify(unmatched)}`}}`,
    ),
  ];
}
