/** The differences between the known values and a state that was read as a whole. */
import type { DiffResponse, Scalar } from '../../client/index.ts';

export type Differences = Pick<DiffResponse, 'changed' | 'added' | 'removed'>;

export function differencesFrom(
  values: ReadonlyMap<string, Scalar>,
  objects: Readonly<Record<string, Scalar>>,
): Differences {
  const differences: Differences = { changed: [], added: [], removed: [] };
  const keys = Object.keys(objects);
  let common = 0;
  for (const path of keys) {
    const after = objects[path] ?? null;
    const before = values.get(path);
    if (before === undefined) differences.added.push({ path, value: after });
    else {
      common++;
      if (before !== after) differences.changed.push({ path, before, after });
    }
  }
  if (common < values.size)
    for (const [path, value] of values) if (!Object.hasOwn(objects, path)) differences.removed.push({ path, value });
  return differences;
}
