/**
 * The protocol between the daemon and the two agents inside a document. Each agent is one object that is made by one
 * evaluate and held only by its object id: no global is written. All its methods take and return JSON text.
 *
 * - The state agent (`state/`) lives in the page's own world and reads the objects of the app: stores, components,
 * globals, closures.
 * - The DOM agent (`dom/`) lives in an isolated world, where the page can neither see it nor have replaced a built-in,
 * and reads the visible content: forms, tables, lists, dialogs, status texts, web storage; it also finds the controls
 * that actions use.
 */
import type { LeafRoot, LeafUpdate } from '../../../../model/leaves.ts';
import type { Effect, RawParameter } from '../../../../model/raw-action.ts';
import type { Accessor } from '../tree/accessors.ts';

export interface PageAgentOptions {
  maxKeys: number;
  /** How long one call may occupy the page's thread, in ms. */
  sliceMs: number;
  /** The limit for the first report of a document, in ms of the page's time; a later one may use a part of it. */
  budgetMs: number;
  /** Prefix of raw root names: the site, and the frame inside it. An identifier; never part of a shown key. */
  rootPrefix: string;
  /** Prefix of shown keys: empty in the main frame, `frames.checkout` in a frame. */
  labelPrefix: string;
}

/** The budget of one call ended before the report was complete: call again with the same arguments. */
export interface Unfinished {
  more: true;
  /** First the inspector has to check some objects (see `suspects` below). */
  suspects?: boolean;
}

interface PageReport {
  more: false;
  leaves: LeafUpdate;
  /** Null if unchanged since the last report. */
  roots: LeafRoot[] | null;
  /** Null if unchanged since the last report. */
  actions: PageAction[] | null;
  rawCount: number;
  coverage: number;
  /** There is more, beyond the budget. */
  stopped: boolean;
  /** How long the page's thread was occupied for this report, all slices together. */
  spentMs: number;
  /** Exceptions that the agent dropped so far, by place; absent if unchanged. */
  discarded?: Record<string, number>;
  /** The state agent only. Only globals were found: the app's state is probably in closures. */
  wantsClosures?: boolean;
  /** The state agent only. Some objects are not read before the inspector has checked them: they might be Proxies. */
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

/** Failures known to the browser; keys below `page`. */
export interface PageTroubles {
  readonly failed_requests?: number;
  readonly failed_request?: string;
  readonly errors?: number;
  readonly error?: string;
}

/** Something that can be done in the page. */
export interface PageAction {
  /** Identifies it inside its agent; the same after a reload of the same app. */
  binding: string;
  name: string;
  description: string;
  /** Source of its function, from which the daemon reads parameters and effect; null if they are given here. */
  source: string | null;
  /** With a source: accessors that it may use. */
  accessors?: Accessor[];
  parameters: RawParameter[];
  effect: Effect;
}

export interface InvokeResult {
  ok: boolean;
  /** False if nothing was called. */
  dispatched: boolean;
  /** Its result or exception, in short. */
  text: string;
}
