/**
 * What the daemon and the two agents inside a document say to each other. Each agent is one object that is made by one
 * evaluate and held by its object id alone: no global is written. All its methods take and return JSON text.
 *
 * - The state agent (`state/`) lives in the page's own world and reads the objects of the app: stores, components,
 *   globals, closures.
 * - The DOM agent (`dom/`) lives in an isolated world, where the page can neither see it nor have replaced a built-in,
 *   and reads what a person sees: forms, tables, lists, dialogs, status texts, web storage; it also finds the controls
 *   that actions use.
 */
import type { LeafRoot, LeafUpdate } from '../../../../model/leaves.ts';
import type { Effect, RawParameter } from '../../../../model/raw-action.ts';
import type { Accessor } from '../tree/accessors.ts';

export interface PageAgentOptions {
  maxKeys: number;
  /** How long one call may hold the page's thread, in ms. */
  sliceMs: number;
  /** What the first report of a document may take of the page's time, in ms; a later one may take a part of it. */
  budgetMs: number;
  /** Raw names of roots begin with it: the site, and the frame inside it. An identifier; never part of a shown key. */
  rootPrefix: string;
  /** Shown keys begin with it: empty in the main frame, `frames.checkout` in a frame. */
  labelPrefix: string;
}

/** The budget of one call is used up before the report is ready: ask again with the same arguments. */
export interface Unfinished {
  more: true;
  /** First the inspector has to look at some objects (see `suspects` below). */
  suspects?: boolean;
}

interface PageReport {
  more: false;
  leaves: LeafUpdate;
  /** null: the same as in the last report. */
  roots: LeafRoot[] | null;
  /** null: the same as in the last report. */
  actions: PageAction[] | null;
  rawCount: number;
  coverage: number;
  /** There is more, for which the budget was not enough. */
  stopped: boolean;
  /** How long the page's thread was held for this report, all its slices together. */
  spentMs: number;
  /** Exceptions that the agent dropped so far, by place; absent: as last time. */
  discarded?: Record<string, number>;
  /** The state agent only. Nothing but globals was found: what the app knows is likely hidden in closures. */
  wantsClosures?: boolean;
  /** The state agent only. Some objects are not read before the inspector has looked at them: they might be Proxies. */
  suspects?: boolean;
}

export interface DomReport extends PageReport {
  context: PageContext;
}

export interface PageContext {
  url: string;
  /** Path of the URL. */
  location: string;
  /** Names the screen: a route pattern, or the heading of the main landmark. Not a copy of the URL. */
  view: string | null;
  title: string;
  visible: boolean;
  focused: boolean;
}

/** What the browser knows to have failed; keys below `page`. */
export interface PageTroubles {
  readonly failed_requests?: number;
  readonly failed_request?: string;
  readonly errors?: number;
  readonly error?: string;
}

/** Something that can be done in the page. */
export interface PageAction {
  /** Names it inside its agent; the same after a reload of the same app. */
  binding: string;
  name: string;
  description: string;
  /** Source of the function behind it, from which the daemon reads parameters and effect; null: they stand here. */
  source: string | null;
  /** With a source: what it may read or write that is code itself. */
  accessors?: Accessor[];
  parameters: RawParameter[];
  effect: Effect;
}

export interface InvokeResult {
  ok: boolean;
  /** False: nothing was called. */
  dispatched: boolean;
  /** What it returned or threw, in short. */
  text: string;
}
