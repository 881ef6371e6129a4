/** The difference on the screen: read again when another pair is selected or, for now, when the app has changed. */
import { useEffect, useState } from 'preact/hooks';
import { SubstrateError } from '../../client/index.ts';
import type { AppModel } from '../live/app-model.ts';
import type { Differences } from '../live/state-diff.ts';
import { onChange } from '../predicate/on-change.ts';
import { Paced } from '../predicate/paced.ts';
import { messageOf } from '../ui/message-of.ts';
import type { Pair } from './choice.ts';
import { readDiff } from './read-diff.ts';

const PACE_MS = 500;

export interface ShownDiff {
  readonly diff: Differences | null;
  readonly problem: { readonly title: string; readonly text: string } | null;
}

const NOTHING: ShownDiff = { diff: null, problem: null };

export function useDiff(model: AppModel, pair: Pair | null): ShownDiff {
  const [shown, setShown] = useState<ShownDiff>(NOTHING);
  const { from, to } = pair ?? { from: null, to: null };
  useEffect(() => {
    if (from === null) {
      setShown(NOTHING);
      return;
    }
    const stop = new AbortController();
    const paced = new Paced(async () => {
      try {
        const diff = await readDiff(model.substrate, { pid: model.pid, from, to }, stop.signal);
        if (!stop.signal.aborted) setShown({ diff, problem: null });
      } catch (error) {
        if (!stop.signal.aborted) setShown({ diff: null, problem: problemOf(error) });
      }
    }, PACE_MS);
    paced.ask();
    const unsubscribe = to === null ? onChange(model, () => paced.ask()) : () => {};
    return () => {
      unsubscribe();
      paced.stop();
      stop.abort();
    };
  }, [model, from, to]);
  return shown;
}

function problemOf(error: unknown): { title: string; text: string } {
  if (error instanceof SubstrateError && error.code === 'capture_not_found') {
    return {
      title: 'A capture is no longer in the history',
      text: 'The daemon keeps only the last ones, and none from before its start. Choose newer captures, or raise [probe] history.',
    };
  }
  return { title: 'The captures could not be compared', text: messageOf(error) };
}
