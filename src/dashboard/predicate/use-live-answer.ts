/** The answer to an expression, requested again whenever the app has changed; null while unwanted or pending. */
import { useEffect, useState } from 'preact/hooks';
import type { AppModel } from '../live/app-model.ts';
import { type Answer, AT_ONCE_MS, askDaemon } from './answer.ts';
import { onChange } from './on-change.ts';
import { Paced } from './paced.ts';

/** At most twice a second: each request may be a capture of the app. */
const PACE_MS = 500;

export function useLiveAnswer(model: AppModel, expression: string, isWanted: boolean): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    setAnswer(null);
    if (!isWanted || expression.trim() === '') return;
    const stop = new AbortController();
    const { substrate, pid } = model;
    const paced = new Paced(async () => {
      const latest = await askDaemon(substrate, { pid, expression, timeoutMs: AT_ONCE_MS, signal: stop.signal });
      if (!stop.signal.aborted) setAnswer(latest);
    }, PACE_MS);
    // Not for every letter.
    const timer = setTimeout(() => paced.ask(), PACE_MS / 2);
    const unsubscribe = onChange(model, () => paced.ask());
    return () => {
      clearTimeout(timer);
      unsubscribe();
      paced.stop();
      stop.abort();
    };
  }, [model, expression, isWanted]);
  return answer;
}
