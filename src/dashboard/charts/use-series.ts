/** The values of the pinned keys: read from the daemon once, then updated by the model's watch. */
import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../live/app-model.ts';
import { Paced } from '../predicate/paced.ts';
import { messageOf } from '../ui/message-of.ts';
import { extended, type Series, seriesFrom } from './series.ts';

const PACE_MS = 2000;

export interface ShownSeries {
  readonly series: readonly Series[];
  /** Null if nothing was read yet. */
  readonly fromMs: number | null;
  readonly problem: string | null;
}

const NOTHING: ShownSeries = { series: [], fromMs: null, problem: null };

export function useSeries(model: AppModel, keys: readonly string[]): ShownSeries {
  const [shown, setShown] = useState<ShownSeries>(NOTHING);
  const wanted = JSON.stringify(keys);
  useEffect(() => {
    if (keys.length === 0) {
      setShown(NOTHING);
      return;
    }
    const stop = new AbortController();
    const paced = new Paced(async () => {
      try {
        const history = await model.substrate.history(model.pid, keys, { signal: stop.signal });
        if (stop.signal.aborted) return;
        setShown({ series: seriesFrom(history), fromMs: Date.parse(history.from), problem: null });
      } catch (error) {
        if (!stop.signal.aborted) setShown((before) => ({ ...before, problem: messageOf(error) }));
      }
    }, PACE_MS);
    paced.ask();
    const unsubscribe = model.subscribe((changed) => {
      const { state, values } = model;
      // The watch leaves out keys that are not shown; after a complete reload there may be other keys.
      if (state === null || changed === null || (changed.length > 0 && keys.some((key) => !values.has(key)))) {
        if (changed === null || changed.length > 0) paced.ask();
      } else if (changed.length > 0) {
        const atMs = Date.parse(state.captured_at);
        setShown((before) => ({
          ...before,
          series: before.series.map((one) => extended(one, atMs, values.get(one.key))),
        }));
      }
    });
    return () => {
      unsubscribe();
      paced.stop();
      stop.abort();
    };
  }, [model, wanted]);
  return shown;
}
