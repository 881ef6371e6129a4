import type { Engine } from '../../../src/semantic/engine.ts';

/** The confidence of a state, computed from its keys one by one. */
export function weighedConfidence(engine: Engine): number {
  const { keys, places } = engine.keyList();
  let [sum, weight] = [0, 0];
  for (const [pattern, at] of places) {
    if (!engine.salience.isShown(pattern)) continue;
    const mean = at.reduce((total, place) => total + (engine.confidenceOf(keys[place] ?? '', '') ?? 0), 0) / at.length;
    const share = engine.salience.of(pattern) * Math.min(at.length, 20);
    sum += share * mean;
    weight += share;
  }
  return weight === 0 ? 0.3 : Math.round((sum / weight) * 1000) / 1000;
}
