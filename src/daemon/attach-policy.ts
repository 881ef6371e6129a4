/**
 * Decides which programs are attached to without being asked: apps, not tools, according to [scanner] attach. Pure; the
 * tracker supplies the facts.
 */
import type { Config } from '../model/config.ts';
import type { ToolKind } from './tool-commands.ts';

/** Getters, because some cost file reads, and most programs are judged without them. */
export interface AttachFacts {
  /** Somebody asked for this app before. */
  readonly isKnown: boolean;
  /** Null if it is no tool. */
  readonly tool: ToolKind | null;
  /** A tool that started it, directly or through others, or null. */
  readonly startedBy: ToolKind | null;
  readonly hasWindow: boolean;
  /** On a socket of its own. */
  readonly listens: boolean;
  /** Programs that it started are running, or were a moment ago. */
  readonly runsOthers: boolean;
  readonly ageMs: number;
  /** A younger program is always left alone. */
  readonly settleMs: number;
  /** Share of one core that it has used since its start. */
  readonly load: number;
  /** It belongs to a user whose programs a root daemon leaves alone. */
  readonly isForeign: boolean;
  /** It is root's, and an attach would briefly give other users of this machine access. */
  readonly isExposed: boolean;
}

export interface Verdict {
  readonly attach: boolean;
  /** For people, the end of "It is (not) attached to by itself: ". */
  readonly why: string;
  /** It must be judged again later. */
  readonly mayChange: boolean;
}

/** Servers live longer than this. */
const SERVER_AGE_MS = 3000;
/** Most commands have ended by then. */
const PLAIN_AGE_MS = 20_000;
/** Above it a program computes, and does not wait for people. */
const BUSY_LOAD = 0.5;

const YOUNG = 'it has only just started';

export function judge(facts: AttachFacts, mode: Config['scanner']['attach']): Verdict {
  if (facts.isForeign) return no('it belongs to another user, and [scanner] other_users is off');
  // Also for known programs: somebody may have asked for the same program of another user.
  if (facts.isExposed)
    return no(
      'it belongs to root, and while its inspector is open any user of this machine could run code in it; [scanner] root_inspectors is off',
    );
  if (mode === 'all') return yes('[scanner] attach is "all"');
  if (mode === 'asked' || mode === 'none') return no(`[scanner] attach is "${mode}"`);
  if (facts.isKnown) return yes('somebody asked for it before');
  if (facts.tool !== null) return no(`it is a ${facts.tool}`);
  if (facts.startedBy !== null) return no(`it was started by a ${facts.startedBy}`);
  if (facts.ageMs < facts.settleMs) return notYet(YOUNG);
  if (facts.hasWindow) return yes('it has a window');
  if (facts.ageMs < SERVER_AGE_MS) return notYet(YOUNG);
  if (facts.listens) return yes('it listens on a socket');
  if (facts.ageMs < PLAIN_AGE_MS) return notYet('it neither listens nor has a window, and has not run for 20 s yet');
  // A script that waits for a command looks from outside like an app that waits for people.
  if (facts.runsOthers) return notYet('it may only wait for a program that it has started');
  if (facts.load > BUSY_LOAD) return notYet('it is busy most of the time');
  return yes('it has run for a while and mostly waits');
}

const yes = (why: string): Verdict => ({ attach: true, why, mayChange: false });
const no = (why: string): Verdict => ({ attach: false, why, mayChange: false });
const notYet = (why: string): Verdict => ({ attach: false, why, mayChange: true });
