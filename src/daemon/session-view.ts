/** What others see of a session: predicates its state, clients the context of the app without secrets. */
import type { AppContext } from '../model/wire.ts';
import type { Engine } from '../semantic/engine.ts';
import type { StateView } from '../semantic/predicate/predicate.ts';
import { redactText } from '../semantic/redact.ts';
import type { SnapshotHead } from './snapshot.ts';

const EMPTY_CONTEXT: AppContext = { url: null, location: null, view: null, window_title: null, window_id: null };

/** Addresses carry tokens. */
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

/** What a view needs of a session. */
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
