/** The views of a session: its state for predicates, and the context of the app without secrets for clients. */
import type { StateLook } from '../model/state-look.ts';
import type { AppContext } from '../model/wire.ts';
import type { Engine } from '../semantic/engine.ts';
import type { StateView } from '../semantic/predicate/predicate.ts';
import { redactText } from '../semantic/redact.ts';
import type { Change } from '../semantic/state-table.ts';
import { closedActions } from './openers.ts';
import type { WatchEvent } from './service.ts';
import type { SnapshotHead, SnapshotOwner } from './snapshot.ts';

const EMPTY_CONTEXT: AppContext = { url: null, location: null, view: null, window_title: null, window_id: null };

/** Addresses contain tokens. */
export function withoutSecrets({ url, location, view, window_title, window_id }: AppContext): AppContext {
  const clean = (text: string | null) => text && redactText(text);
  return {
    url: clean(url),
    location: clean(location),
    view: clean(view),
    window_title: clean(window_title),
    window_id,
  };
}

/** The view of its state at the moment of this snapshot. */
export function lookAt(session: SnapshotOwner & Looked, head: SnapshotHead): StateLook {
  const { engine, process, recognition, appId } = session;
  return {
    facts: {
      pid: process.pid,
      app_id: appId,
      app_name: recognition.appName,
      schema_version: head.schemaVersion,
      confidence: head.confidence,
      confidence_reason: head.confidenceReason,
      capture_id: head.captureId,
      context: head.context,
    },
    keys: engine.keyList(),
    get: (key) => engine.table.get(key),
    isShown: (key) => engine.isShown(key),
    isScreen: (root) => engine.salience.isScreen(root),
    salience: (key) => engine.salienceOf(key),
    hasAction: (name) => session.actions.has(name),
    actionTexts: () => [...session.actions].map(([name, { schema }]) => [name, schema.description] as const),
    closedActions: () => closedActions(session, session.actions),
  };
}

/** The message for watchers. */
export function watchEvent(
  { appId, engine }: { readonly appId: string; readonly engine: Engine },
  { captureId, capturedAt }: SnapshotHead,
  changes: readonly Change[],
): WatchEvent {
  const keys = changes.map(({ key }) => key);
  const hiddenKeys = keys.filter((key) => !engine.isShown(key));
  return {
    appId,
    captureId,
    changedKeys: hiddenKeys.length === 0 ? keys : keys.filter((key) => engine.isShown(key)),
    ...(hiddenKeys.length === 0 ? {} : { hiddenKeys }),
    timestamp: capturedAt,
  };
}

interface Looked {
  readonly engine: Engine;
  readonly actions: ReadonlyMap<string, { readonly schema: { readonly description: string } }>;
}

/** The parts of a session that a view needs. */
interface Viewed {
  readonly engine: Engine;
  readonly head: SnapshotHead | null;
}

export function viewOf(session: Viewed): StateView {
  const { table } = session.engine;
  return {
    get: (key) => table.get(key),
    keys: () => table.keys(),
    get keySetVersion() {
      return table.keySetVersion;
    },
    get context() {
      return session.head?.context ?? EMPTY_CONTEXT;
    },
  };
}
