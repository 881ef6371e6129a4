/** Decides whether a process can be attached to, whether that happens without being asked, and why. Pure. */

/** The facts about a process. The doctor may know more of them than a daemon, or fewer. */
export interface VerdictFacts {
  readonly isAttached: boolean;
  /** The result of the checks from outside; null if nobody checked. */
  readonly diagnosis: { readonly blocker: string | null; readonly remedy: string | null } | null;
  /** The error of the daemon's last attempt; null if there was none. */
  readonly problem: string | null;
  /** The daemon does not try again while this process runs. */
  readonly givenUp: boolean;
  /** Whether the daemon attaches without being asked, and why; null if no daemon has decided. */
  readonly policy: { readonly attach: boolean; readonly why: string } | null;
}

export interface AttachVerdict {
  readonly status: 'attached' | 'attachable' | 'blocked';
  /** The daemon attaches to it, or keeps trying, without being asked. */
  readonly byItself: boolean;
  /** The obstacle, or null. */
  readonly blocker: string | null;
  /** The way to remove the obstacle; null if none is known or if the blocker names it. */
  readonly remedy: string | null;
  /** All of the above in sentences for people, without contradiction. */
  readonly sentences: readonly string[];
}

const NOT_AGAIN = 'It is not tried again while this process runs.';

export function verdictOf(facts: VerdictFacts): AttachVerdict {
  const { isAttached, policy, givenUp } = facts;
  const why = policy === null || policy.why === '' ? null : policy.why;
  if (isAttached) {
    const sentences = [`The daemon is attached to it${why === null ? '' : `: ${why}`}.`];
    return { status: 'attached', byItself: policy?.attach === true, blocker: null, remedy: null, sentences };
  }
  const { blocker, remedy } = obstacleOf(facts);
  if (blocker === null) {
    const sentences = ['It can be attached to.', ...whether(facts)];
    return { status: 'attachable', byItself: policy?.attach === true, blocker, remedy, sentences };
  }
  const byItself = policy?.attach === true && !givenUp;
  const cannot = byItself ? 'It cannot be attached to at the moment.' : 'It cannot be attached to.';
  const helps = remedy === null ? [] : [`What helps: ${remedy}`];
  return {
    status: 'blocked',
    byItself,
    blocker,
    remedy,
    sentences: [`${cannot} ${sentence(blocker)}`, ...helps, ...next(facts)],
  };
}

/** The daemon's own error is more precise than the checks from outside, so it wins unless both say the same. */
function obstacleOf({ diagnosis, problem, givenUp }: VerdictFacts): Pick<AttachVerdict, 'blocker' | 'remedy'> {
  const { blocker, remedy } = diagnosis ?? { blocker: null, remedy: null };
  const isOver = givenUp ? ` ${NOT_AGAIN}` : '';
  if (problem === null && blocker === null) return { blocker, remedy };
  if (problem === null || (blocker !== null && problem.includes(blocker)))
    return { blocker: `${blocker}${isOver}`, remedy };
  return { blocker: `${diagnosis === null ? '' : 'The daemon says: '}${problem}${isOver}`, remedy: null };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** For a process with no obstacle. */
function whether({ policy }: VerdictFacts): string[] {
  if (policy === null || policy.why === '') return [];
  if (policy.attach) return [`It is being attached to: ${policy.why}.`];
  return [`It is not attached to by itself: ${policy.why}. Asking for its state attaches to it.`];
}

/** For a process with an obstacle. */
function next({ policy, givenUp }: VerdictFacts): string[] {
  if (givenUp || policy === null || policy.why === '') return [];
  return policy.attach
    ? [`The daemon goes on trying: ${policy.why}.`]
    : [`The daemon does not try by itself: ${policy.why}.`];
}
