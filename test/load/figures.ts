/** Figures of a load that runs for hours: their size must not grow with it. */

const STEPS_PER_DOUBLING = 16;
const SMALLEST_MS = 0.01;
const LARGEST_STEP = 480;

/** Times in steps of about 4 %. */
export class Histogram {
  private readonly counts = new Array<number>(LARGEST_STEP + 1).fill(0);
  count = 0;

  add(ms: number): void {
    const step = Math.ceil(Math.log2(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) * STEPS_PER_DOUBLING);
    const at = Math.min(LARGEST_STEP, step);
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.count++;
  }

  /** The time that this share of them did not exceed. */
  part(share: number): number {
    let left = Math.max(1, Math.ceil(this.count * share));
    const step = this.counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return step < 0 ? Number.NaN : SMALLEST_MS * 2 ** (step / STEPS_PER_DOUBLING);
  }
}

/** Share of the memory of the second quarter. */
const MAX_SHARE = 0.2;
const MAX_MB = 30;

/** The growth from the second to the last quarter, in MB; 0 if it is within chance. The first one fills caches. */
export function steadyGrowthMb(samples: readonly number[]): number {
  const quarter = (at: number) => median(samples.slice((samples.length * at) / 4, (samples.length * (at + 1)) / 4));
  const [before, after] = [quarter(1), quarter(3)];
  return after > before * (1 + MAX_SHARE) + MAX_MB ? after - before : 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
