/** Token buckets, one per key and kind of request. A bucket holds the tokens of one period, so a short burst passes. */
import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';

export type BucketName = 'state' | 'action' | 'snapshot';

/** Milliseconds on a clock that never goes back. */
export type Clock = () => number;

interface Bucket {
  tokens: number;
  at: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
// Key ids come from the keys file only; the limit is for a file that somebody fills and empties all day.
const MAX_BUCKETS = 10_000;

export class RateLimiter {
  private readonly buckets: Record<BucketName, TokenBuckets> | null;

  constructor(config: Config['rate_limit'], clock: Clock = () => performance.now()) {
    const ttlMs = config.bucket_ttl_secs * SECOND_MS;
    this.buckets = config.enabled
      ? {
          state: new TokenBuckets(config.state_per_second, SECOND_MS, ttlMs, clock),
          action: new TokenBuckets(config.action_per_second, SECOND_MS, ttlMs, clock),
          snapshot: new TokenBuckets(config.snapshot_per_minute, MINUTE_MS, ttlMs, clock),
        }
      : null;
  }

  /** Takes one token, or throws `rate_limited` with the time until there is one. */
  spend(name: BucketName, owner: string): void {
    const buckets = this.buckets?.[name];
    const waitMs = buckets?.spend(owner) ?? 0;
    if (buckets === undefined || waitMs === 0) return;
    throw new SubstrateError('rate_limited', `Over the limit of ${buckets.limit} for ${MEANING[name]}.`, {
      retryAfterMs: waitMs,
    });
  }
}

const MEANING: Record<BucketName, string> = {
  state: 'reading requests of one key',
  action: 'action and learn requests of one key',
  snapshot: 'fresh snapshots of one key',
};

export class TokenBuckets {
  readonly limit: string;
  private readonly capacity: number;
  private readonly msPerToken: number;
  private readonly ttlMs: number;
  private readonly clock: Clock;
  /** Oldest use first. */
  private readonly buckets = new Map<string, Bucket>();

  constructor(capacity: number, periodMs: number, ttlMs: number, clock: Clock) {
    this.limit = `${capacity} per ${periodMs === MINUTE_MS ? 'minute' : 'second'}`;
    this.capacity = capacity;
    this.msPerToken = periodMs / capacity;
    // A dropped bucket comes back full, so none may be dropped before it would be full anyway.
    this.ttlMs = Math.max(ttlMs, periodMs);
    this.clock = clock;
  }

  get size(): number {
    return this.buckets.size;
  }

  /** Returns 0 if a token was taken, otherwise the milliseconds until there is one. */
  spend(owner: string): number {
    const now = this.clock();
    const bucket = this.buckets.get(owner) ?? { tokens: this.capacity, at: now };
    bucket.tokens = Math.min(this.capacity, bucket.tokens + (now - bucket.at) / this.msPerToken);
    bucket.at = now;
    this.buckets.delete(owner);
    this.evict(now);
    this.buckets.set(owner, bucket);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) * this.msPerToken));
    bucket.tokens -= 1;
    return 0;
  }

  private evict(now: number): void {
    for (const [owner, { at }] of this.buckets) {
      if (now - at < this.ttlMs && this.buckets.size < MAX_BUCKETS) return;
      this.buckets.delete(owner);
    }
  }
}
