/** Keeps the agent's last report of its own failures, and the failures on the daemon's side of its probe. */
import { HEALTHY, type MissingPart, type ProbeHealth } from '../../model/health.ts';

interface Reported {
  readonly parts?: readonly MissingPart[] | undefined;
  readonly discarded?: Readonly<Record<string, number>> | undefined;
}

export class AgentHealth {
  private reported: ProbeHealth = HEALTHY;
  private readonly failed = new Map<string, MissingPart>();

  /** An absent field is unchanged. */
  take({ parts = this.reported.parts, discarded = this.reported.discarded }: Reported): void {
    this.reported = { parts, discarded };
  }

  /** Records a part that the daemon could not make work. */
  fail(name: string, problem: string): void {
    this.failed.set(name, { name, problem });
  }

  /** The part works again, in another page for example. */
  mend(name: string): void {
    this.failed.delete(name);
  }

  get report(): ProbeHealth {
    const { parts, discarded } = this.reported;
    const own = [...this.failed.values()].filter(({ name }) => !parts.some((part) => part.name === name));
    return { parts: [...parts, ...own], discarded };
  }
}

/** Joins the health of a probe with several agents. */
export function joinHealth(all: readonly ProbeHealth[]): ProbeHealth {
  const discarded: Record<string, number> = {};
  for (const each of all)
    for (const [place, count] of Object.entries(each.discarded)) discarded[place] = (discarded[place] ?? 0) + count;
  const parts = new Map(all.flatMap((each) => each.parts.map((part) => [part.name, part] as const)));
  return { parts: [...parts.values()], discarded };
}
