/**
 * Calls only when a key has changed: a model also notifies that its app still exists. Returns a function that stops.
 */
import type { AppModel } from '../live/app-model.ts';

export function onChange(model: Pick<AppModel, 'subscribe'>, act: () => void): () => void {
  return model.subscribe((keys) => {
    if (keys === null || keys.length > 0) act();
  });
}
