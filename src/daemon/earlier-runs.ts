/**
 * Remembers which keys each action changed, so that a person can judge it before confirming. Names only, never values.
 */
import type { EarlierRuns as EarlierRunsOfOne } from '../model/wire.ts';
import type { Session } from './session.ts';

const MAX_ACTIONS = 500;
const MAX_KEYS = 20;

export class EarlierRuns {
  private readonly known = new WeakMap<Session, Map<string, EarlierRunsOfOne>>();

  /** `changed`: the keys that differ after the action; null if the state could not be read. */
  note(session: Session, binding: string, changed: readonly string[] | null): void {
    const runs = this.known.get(session) ?? new Map<string, EarlierRunsOfOne>();
    this.known.set(session, runs);
    const earlier = runs.get(binding);
    // The latest run comes last, so that the oldest is dropped first.
    runs.delete(binding);
    runs.set(binding, {
      count: (earlier?.count ?? 0) + 1,
      last_changed: changed?.slice(0, MAX_KEYS) ?? earlier?.last_changed ?? [],
    });
    const [oldest] = runs.keys();
    if (runs.size > MAX_ACTIONS && oldest !== undefined) runs.delete(oldest);
  }

  of(session: Session, binding: string): EarlierRunsOfOne {
    return this.known.get(session)?.get(binding) ?? { count: 0, last_changed: [] };
  }
}
