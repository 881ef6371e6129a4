/** Describes a change of the keys file for the log: added and removed keys, and changed permissions. */
import type { KeyRecord } from '../model/key-record.ts';
import { describePermissions } from '../model/permissions.ts';

export function keyChanges(before: readonly KeyRecord[], after: readonly KeyRecord[]): string[] {
  const known = new Map(before.map((record) => [record.id, record]));
  const ids = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((record) => {
      const old = known.get(record.id);
      if (old === undefined) return [`${record.id} was added: ${powerOf(record)}`];
      return powerOf(old) === powerOf(record) ? [] : [`${record.id} was changed: ${powerOf(record)}`];
    }),
    ...before.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} was deleted`),
  ];
}

function powerOf(record: KeyRecord): string {
  const until = record.expires_at ? `; until ${record.expires_at}` : '';
  return record.enabled ? `${describePermissions(record)}${until}` : 'disabled';
}
