/** The one place that says whether a process can be attached to, whether that happens by itself, and why. Pure. */

/** What is known of a process; the doctor knows more of it than a daemon, or less. */
export interface VerdictFacts {
  /** Its state is being read. */
  readonly isAttached: boolean;
  /** What can be seen from outside; null: nobody looked. */
  readonly diagnosis: { readonly blocker: string | null; readonly remedy: string | null } | null;
  /** What the daemon met when it last tried; null: nothing, or it did not try. */
  readonly problem: string | null;
  /** The daemon does not try again while this process runs. */
  readonly givenUp: boolean;
  /** Whether the daemon attaches without being asked, and why; null: no daemon has judged it. */
  readonly policy: { readonly attach: boolean; readonly why: string } | null;
}

export interface AttachVerdict {
  readonly status: 'attached' | 'attachable' | 'blocked';
  /** The daemon attaches to it, or goes on trying to, without being asked. */
  readonly byItself: boolean;
  /** What is in the way; null: nothing. */
  readonly blocker: string | null;
  /** What helps; null: nothing that is known, or the blocker says it. */
  readonly remedy: string | null;
  /** For people: all of the above, without contradiction. */
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

/** What the daemon met says more than what can be seen from outside, unless it is the same. */
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

/** Of a process that nothing keeps from being attached to. */
function whether({ policy }: VerdictFacts): string[] {
  if (policy === null || policy.why === '') return [];
  if (policy.attach) return [`It is being attached to: ${policy.why}.`];
  return [`It is not attached to by itself: ${policy.why}. Asking for its state attaches to it.`];
}

/** Of one that something keeps from it. */
function next({ policy, givenUp }: VerdictFacts): string[] {
  if (givenUp || policy === null || policy.why === '') return [];
  return policy.attach
    ? [`The daemon goes on trying: ${policy.why}.`]
    : [`The daemon does not try by itself: ${policy.why}.`];
}
