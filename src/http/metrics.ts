/** What the daemon counts about itself, in the text format of Prometheus. Every label has a bounded set of values. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BudgetPart } from '../model/budget.ts';
import type { Runtime } from '../model/process.ts';
import type { AppSummary } from '../model/wire.ts';
import type { BucketName } from './rate-limit.ts';

interface RequestFacts {
  /** The pattern, never the path: that has pids in it, and perhaps a key. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly keyId: string | null;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const CYCLE_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90];
const NAMED_METHODS = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
// Keys come and go over the life of a daemon; the series of those beyond this are counted together.
const MAX_NAMED_KEYS = 200;

const KEY_REQUESTS = 'substrate_key_requests_total';

export function createMetrics(): Metrics {
  return new Metrics();
}

export class Metrics {
  private readonly registry = new Registry();
  private readonly namedKeys = new Set<string>();
  private apps: () => readonly AppSummary[] = () => [];

  private readonly requests = new Counter({
    name: 'substrate_http_requests_total',
    help: 'Requests answered, by route pattern, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers: [this.registry],
  });
  private readonly requestSeconds = new Histogram({
    name: 'substrate_http_request_duration_seconds',
    help: 'Time from the request to its answer.',
    labelNames: ['route', 'method'] as const,
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  private readonly keyRequests = new Counter({
    name: KEY_REQUESTS,
    help: 'Requests that a key let in, by the id of the key.',
    labelNames: ['key_id'] as const,
    registers: [this.registry],
  });
  private readonly rateLimitCounter = new Counter({
    name: 'substrate_rate_limited_total',
    help: 'Requests refused because a bucket was empty.',
    labelNames: ['bucket'] as const,
    registers: [this.registry],
  });
  private readonly watchConnections = new Gauge({
    name: 'substrate_watch_connections',
    help: 'Open watch connections.',
    registers: [this.registry],
  });
  private readonly droppedCounter = new Counter({
    name: 'substrate_watch_dropped_total',
    help: 'Notifications not sent because their reader was too slow.',
    registers: [this.registry],
  });
  private readonly cycles = new Counter({
    name: 'substrate_probe_cycles_total',
    help: 'Probe cycles, by runtime and outcome.',
    labelNames: ['runtime', 'outcome'] as const,
    registers: [this.registry],
  });
  private readonly cycleSeconds = new Histogram({
    name: 'substrate_probe_cycle_duration_seconds',
    help: 'Time that a probe cycle took.',
    labelNames: ['runtime'] as const,
    buckets: CYCLE_SECONDS,
    registers: [this.registry],
  });
  private readonly budgetCounter = new Counter({
    name: 'substrate_probe_budget_spent_total',
    help: 'Attaches after which not all was read, by runtime and the part of the budget that was spent.',
    labelNames: ['runtime', 'part'] as const,
    registers: [this.registry],
  });
  private readonly tracked = new Gauge({
    name: 'substrate_tracked_processes',
    help: 'Processes that are tracked, by runtime and probe status.',
    labelNames: ['runtime', 'probe_status'] as const,
    registers: [this.registry],
  });

  /** Reported by the daemon after each cycle. */
  probeCycle(runtime: Runtime, seconds: number, ok: boolean): void {
    this.cycles.inc({ runtime, outcome: ok ? 'ok' : 'failed' });
    this.cycleSeconds.observe({ runtime }, seconds);
  }

  budgetSpent(runtime: Runtime, part: BudgetPart): void {
    this.budgetCounter.inc({ runtime, part });
  }

  request({ route, method, status, seconds, keyId }: RequestFacts): void {
    const known = NAMED_METHODS.has(method) ? method : 'other';
    this.requests.inc({ route, method: known, status: String(status) });
    this.requestSeconds.observe({ route, method: known }, seconds);
    if (keyId !== null) this.keyRequests.inc({ key_id: this.labelOf(keyId) });
  }

  rateLimited(bucket: BucketName): void {
    this.rateLimitCounter.inc({ bucket });
  }

  watchOpened(): void {
    this.watchConnections.inc();
  }

  watchClosed(): void {
    this.watchConnections.dec();
  }

  watchDropped(): void {
    this.droppedCounter.inc();
  }

  /** Asked whenever the metrics are read. */
  setApps(list: () => readonly AppSummary[]): void {
    this.apps = list;
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** `withKeys`: with the series that name the ids of keys. */
  async text(withKeys: boolean): Promise<string> {
    this.tracked.reset();
    for (const { runtime, probe_status } of this.apps()) this.tracked.inc({ runtime, probe_status });
    if (withKeys) return this.registry.metrics();
    const names = this.registry.getMetricsAsArray().map(({ name }) => name);
    const shown = names.filter((name) => name !== KEY_REQUESTS);
    const texts = await Promise.all(shown.map((name) => this.registry.getSingleMetricAsString(name)));
    return `${texts.join('\n\n')}\n`;
  }

  private labelOf(keyId: string): string {
    if (this.namedKeys.has(keyId)) return keyId;
    if (this.namedKeys.size >= MAX_NAMED_KEYS) return 'other';
    this.namedKeys.add(keyId);
    return keyId;
  }
}
