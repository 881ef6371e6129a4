/** The outcome of a run in one of five words, however the daemon reported it. */
import { type ActionResponse, ConnectionError, SubstrateError } from '../../client/index.ts';
import type { ChangeRow } from '../changes/change-rows.tsx';
import { messageOf } from '../ui/message-of.ts';
import { adviceFor } from './advice.ts';

export type Verdict = 'success' | 'unverified' | 'failed' | 'refused' | 'unknown';

export interface Outcome {
  readonly verdict: Verdict;
  readonly message: string;
  /** The error code of the API, and the remedy. */
  readonly code: string | null;
  readonly advice: string | null;
  readonly response: ReportedResponse | null;
}

/** Without the whole state, which would be kept with each run. */
export interface ReportedResponse extends Omit<ActionResponse, 'updated_state' | 'state_delta'> {
  readonly changes: readonly ChangeRow[] | null;
}

/** `wereNull`: the keys that existed with the value null before it ran. */
export function outcomeOfResponse(
  { updated_state, state_delta, ...answer }: ActionResponse,
  wereNull: ReadonlySet<string>,
): Outcome {
  const response: ReportedResponse = {
    ...answer,
    changes: state_delta && changesOf(state_delta, wereNull, updated_state),
  };
  const verdict = response.success ? 'success' : response.verification?.passed === false ? 'unverified' : 'failed';
  const advice = verdict === 'unverified' ? 'It did run. Look at the state before you try again.' : null;
  return { verdict, message: response.message, code: null, advice, response };
}

/** The API also uses null for an absent key; the states before and after show which it is. */
function changesOf(
  delta: NonNullable<ActionResponse['state_delta']>,
  wereNull: ReadonlySet<string>,
  after: ActionResponse['updated_state'],
): ChangeRow[] {
  const isGone = (path: string) => after !== null && !Object.hasOwn(after.objects, path);
  return Object.entries(delta).map(([path, ends]) => ({
    path,
    before: ends.before === null && !wereNull.has(path) ? undefined : ends.before,
    after: ends.after === null && isGone(path) ? undefined : ends.after,
  }));
}

export function outcomeOfError(error: unknown, wasCancelled: boolean): Outcome {
  const message = messageOf(error);
  if (wasCancelled) {
    const text = 'No longer waited for. The app may have run it all the same.';
    return {
      verdict: 'unknown',
      message: text,
      code: null,
      advice: 'Look at the state before you try again.',
      response: null,
    };
  }
  if (error instanceof SubstrateError) {
    const verdict = error.executed === true ? 'unknown' : 'refused';
    return { verdict, message, code: error.code, advice: adviceFor(error), response: null };
  }
  const advice = error instanceof ConnectionError ? 'Whether it ran is not known: look at the state first.' : null;
  return { verdict: 'unknown', message, code: null, advice, response: null };
}
