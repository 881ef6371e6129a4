/** The list of apps, polled about once a second while the page is visible, and the changes in each. */
import {
  type Approval,
  type AppSummary,
  type HealthResponse,
  type Substrate,
  SubstrateError,
} from '../../client/index.ts';
import { Activity } from './activity.ts';
import { ActivityWatchers } from './activity-watchers.ts';
import { Listeners } from './listeners.ts';

const POLL_MS = 1000;
const LONGEST_PAUSE_MS = 8000;
const POLLS_PER_HEALTH = 15;

export type Link =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** Retried automatically. A reason means that the daemon answered; null that nobody does. */
  | { readonly kind: 'lost'; readonly reason: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

export class AppsModel {
  readonly substrate: Substrate;
  apps: readonly AppSummary[] = [];
  /** Actions that wait for a person; empty if this page's key may not decide about them. */
  approvals: readonly Approval[] = [];
  health: HealthResponse | null = null;
  link: Link = { kind: 'connecting' };
  private readonly activity = new Map<number, Activity>();
  private readonly watchers: ActivityWatchers;
  private readonly listeners = new Listeners<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private polls = 0;
  private isPolling = false;
  private mayDecide = true;
  private readonly isElsewhere: boolean;

  /** `isElsewhere`: of another host, which may refuse a key that the daemon of this page takes. */
  constructor(substrate: Substrate, isElsewhere = false) {
    this.substrate = substrate;
    this.isElsewhere = isElsewhere;
    this.watchers = new ActivityWatchers(substrate, (pid, count) => this.activityOf(pid).add(count, Date.now()));
  }

  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  /** Returns a function that stops. */
  start(): () => void {
    const onVisibility = () => (document.hidden ? this.rest() : void this.poll());
    document.addEventListener('visibilitychange', onVisibility);
    onVisibility();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      this.rest();
    };
  }

  activityOf(pid: number): Activity {
    const known = this.activity.get(pid);
    if (known) return known;
    const made = new Activity();
    this.activity.set(pid, made);
    return made;
  }

  /** The page is hidden: nothing is polled or watched. */
  private rest(): void {
    clearTimeout(this.timer);
    this.watchers.follow([]);
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    clearTimeout(this.timer);
    try {
      if (this.health === null || this.failures > 0 || this.polls % POLLS_PER_HEALTH === 0)
        this.health = await this.substrate.health();
      this.apps = await this.substrate.apps();
      this.approvals = await this.waiting();
      this.polls++;
      this.failures = 0;
      this.link = { kind: 'connected' };
    } catch (error) {
      this.failures++;
      this.link = linkAfter(error, this.isElsewhere);
    } finally {
      this.isPolling = false;
    }
    const isConnected = this.link.kind === 'connected';
    this.forgetEnded();
    this.listeners.notify();
    // After the listeners: browsers open one socket after the other, and the visible app comes first.
    if (isConnected && !document.hidden) this.watchers.follow(this.apps.filter(({ has_state }) => has_state));
    if (this.link.kind !== 'refused' && !document.hidden)
      this.timer = setTimeout(() => void this.poll(), Math.min(LONGEST_PAUSE_MS, POLL_MS * 2 ** this.failures));
  }

  async decide(id: string, approve: boolean): Promise<void> {
    await this.substrate.decide(id, approve);
    this.approvals = this.approvals.filter((approval) => approval.id !== id);
    this.listeners.notify();
  }

  private async waiting(): Promise<readonly Approval[]> {
    if (!this.mayDecide) return [];
    try {
      return await this.substrate.approvals();
    } catch (error) {
      if (!(error instanceof SubstrateError) || error.code !== 'forbidden_scope') throw error;
      this.mayDecide = false;
      return [];
    }
  }

  private forgetEnded(): void {
    const pids = new Set(this.apps.map(({ pid }) => pid));
    for (const pid of this.activity.keys()) if (!pids.has(pid)) this.activity.delete(pid);
  }
}

function linkAfter(error: unknown, isElsewhere: boolean): Link {
  if (!(error instanceof SubstrateError)) return { kind: 'lost', reason: null };
  const isRefused = !isElsewhere && (error.status === 401 || error.status === 403);
  return { kind: isRefused ? 'refused' : 'lost', reason: error.message };
}
