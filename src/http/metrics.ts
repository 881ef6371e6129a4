/** The daemon's own counters, in the text format of Prometheus. Every label has a limited set of values. */
import type { BudgetPart } from '../model/budget.ts';
import type { Runtime } from '../model/process.ts';
import type { AppSummary } from '../model/wire.ts';
import { CONTENT_TYPE, Count, Histogram, type Metric, type Observed, type Series } from './prometheus.ts';
import type { BucketName } from './rate-limit.ts';

interface RequestFacts {
  /** The pattern, never the path, which has pids in it, and perhaps a key. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly keyId: string | null;
}

interface RequestSeries {
  readonly method: string;
  readonly status: number;
  readonly count: Series;
  readonly duration: Observed;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const CYCLE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const NAMED_METHODS = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
// Keys come and go over the life of a daemon; the series beyond this limit are counted together.
const MAX_NAMED_KEYS = 200;

const KEY_REQUESTS = 'substrate_key_requests_total';

export function createMetrics(): Metrics {
  return new Metrics();
}

export class Metrics {
  private readonly namedKeys = new Set<string>();
  private readonly requestSeries = new Map<string, readonly RequestSeries[]>();
  private apps: () => readonly AppSummary[] = () => [];

  private readonly requests = new Count(
    'counter',
    'substrate_http_requests_total',
    'Requests answered, by route pattern, method and status.',
    ['route', 'method', 'status'],
  );
  private readonly requestSeconds = new Histogram(
    'substrate_http_request_duration_seconds',
    'Time from the request to its answer.',
    ['route', 'method'],
    REQUEST_SECONDS,
  );
  private readonly keyRequests = new Count(
    'counter',
    KEY_REQUESTS,
    'Requests that a key let in, by the id of the key.',
    ['key_id'],
  );
  private readonly rateLimitCounter = new Count(
    'counter',
    'substrate_rate_limited_total',
    'Requests refused because a bucket was empty.',
    ['bucket'],
  );
  private readonly watchConnections = new Count('gauge', 'substrate_watch_connections', 'Open watch connections.');
  private readonly droppedCounter = new Count(
    'counter',
    'substrate_watch_dropped_total',
    'Notifications not sent because their reader was too slow.',
  );
  private readonly cycles = new Count(
    'counter',
    'substrate_probe_cycles_total',
    'Probe cycles, by runtime and outcome.',
    ['runtime', 'outcome'],
  );
  private readonly cycleSeconds = new Histogram(
    'substrate_probe_cycle_duration_seconds',
    'Time that a probe cycle took.',
    ['runtime'],
    CYCLE_SECONDS,
  );
  private readonly budgetCounter = new Count(
    'counter',
    'substrate_probe_budget_spent_total',
    'Attaches after which not all was read, by runtime and the part of the budget that was spent.',
    ['runtime', 'part'],
  );
  private readonly tracked = new Count(
    'gauge',
    'substrate_tracked_processes',
    'Processes that are tracked, by runtime and probe status.',
    ['runtime', 'probe_status'],
  );

  private readonly all: readonly Metric[] = [
    this.requests,
    this.requestSeconds,
    this.keyRequests,
    this.rateLimitCounter,
    this.watchConnections,
    this.droppedCounter,
    this.cycles,
    this.cycleSeconds,
    this.budgetCounter,
    this.tracked,
  ];
  readonly contentType = CONTENT_TYPE;

  /** Reported by the daemon after each cycle. */
  probeCycle(runtime: Runtime, seconds: number, ok: boolean): void {
    this.cycles.add({ runtime, outcome: ok ? 'ok' : 'failed' });
    this.cycleSeconds.observe({ runtime }, seconds);
  }

  budgetSpent(runtime: Runtime, part: BudgetPart): void {
    this.budgetCounter.add({ runtime, part });
  }

  request({ route, method, status, seconds, keyId }: RequestFacts): void {
    const { count, duration } = this.seriesOf(route, NAMED_METHODS.has(method) ? method : 'other', status);
    count.value++;
    this.requestSeconds.observeIn(duration, seconds);
    if (keyId !== null) this.keyRequests.add({ key_id: this.labelOf(keyId) });
  }

  /** Cached by the parts of their name, because joining these takes longer than counting. */
  private seriesOf(route: string, method: string, status: number): RequestSeries {
    const known = this.requestSeries.get(route) ?? [];
    const found = known.find((series) => series.method === method && series.status === status);
    if (found !== undefined) return found;
    const count = this.requests.seriesOf({ route, method, status: String(status) });
    const added = { method, status, count, duration: this.requestSeconds.seriesOf({ route, method }) };
    this.requestSeries.set(route, [...known, added]);
    return added;
  }

  rateLimited(bucket: BucketName): void {
    this.rateLimitCounter.add({ bucket });
  }

  watchOpened(): void {
    this.watchConnections.add({});
  }

  watchClosed(): void {
    this.watchConnections.add({}, -1);
  }

  watchDropped(): void {
    this.droppedCounter.add({});
  }

  /** Called whenever the metrics are read. */
  setApps(list: () => readonly AppSummary[]): void {
    this.apps = list;
  }

  /** `withKeys` includes the series with ids of keys. */
  text(withKeys: boolean): string {
    this.tracked.reset();
    for (const { runtime, probe_status } of this.apps()) this.tracked.add({ runtime, probe_status });
    const shown = this.all.filter(({ name }) => withKeys || name !== KEY_REQUESTS);
    return `${shown.map((metric) => metric.text()).join('\n\n')}\n`;
  }

  private labelOf(keyId: string): string {
    if (this.namedKeys.has(keyId)) return keyId;
    if (this.namedKeys.size >= MAX_NAMED_KEYS) return 'other';
    this.namedKeys.add(keyId);
    return keyId;
  }
}
