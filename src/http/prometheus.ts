/** Counters, gauges and histograms in the text format of Prometheus. Counting a request takes a few map look-ups. */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface Metric {
  readonly name: string;
  text(): string;
}

type Values<Label extends string> = Readonly<Record<Label, string>>;

export interface Series {
  /** `{route="/x",method="GET"}`, or empty without labels. */
  readonly labels: string;
  value: number;
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`;
}

/** Separates the values of labels in the name of a series. No label of ours contains it. */
const BETWEEN = '\u0000';

function nameOf<Label extends string>(labels: readonly Label[], values: Values<Label>): string {
  let name = '';
  for (const label of labels) name += values[label] + BETWEEN;
  return name;
}

function labelText<Label extends string>(labels: readonly Label[], values: Values<Label>): string {
  return labels.map((label) => `${label}=${quoted(values[label])}`).join(',');
}

const inBraces = (text: string) => (text === '' ? '' : `{${text}}`);

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}`;
}

/** A counter, or a gauge, which may go down. */
export class Count<Label extends string = never> implements Metric {
  readonly name: string;
  private readonly help: string;
  private readonly type: 'counter' | 'gauge';
  private readonly labels: readonly Label[];
  private readonly series = new Map<string, Series>();

  constructor(type: 'counter' | 'gauge', name: string, help: string, labels: readonly Label[] = []) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.reset();
  }

  add(values: Values<Label>, amount = 1): void {
    this.seriesOf(values).value += amount;
  }

  /** The caller may keep it until `reset`, to count the same series repeatedly. */
  seriesOf(values: Values<Label>): Series {
    const name = nameOf(this.labels, values);
    let series = this.series.get(name);
    if (series === undefined) {
      series = { labels: inBraces(labelText(this.labels, values)), value: 0 };
      this.series.set(name, series);
    }
    return series;
  }

  reset(): void {
    this.series.clear();
    // Without labels there is one series, which exists from the start.
    if (this.labels.length === 0) this.series.set('', { labels: '', value: 0 });
  }

  text(): string {
    const lines = [...this.series.values()].map(({ labels, value }) => `${this.name}${labels} ${value}`);
    return [head(this.name, this.help, this.type), ...lines].join('\n');
  }
}

export interface Observed {
  readonly labels: string;
  /** By the first bucket that is large enough; the last one has no limit. */
  readonly counts: number[];
  sum: number;
}

export class Histogram<Label extends string> implements Metric {
  readonly name: string;
  private readonly help: string;
  private readonly labels: readonly Label[];
  /** Ascending. */
  private readonly bounds: readonly number[];
  private readonly series = new Map<string, Observed>();

  constructor(name: string, help: string, labels: readonly Label[], bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.bounds = bounds;
  }

  observe(values: Values<Label>, value: number): void {
    this.observeIn(this.seriesOf(values), value);
  }

  /** The caller may keep it, to observe the same series repeatedly. */
  seriesOf(values: Values<Label>): Observed {
    const name = nameOf(this.labels, values);
    let observed = this.series.get(name);
    if (observed === undefined) {
      const counts = Array.from({ length: this.bounds.length + 1 }, () => 0);
      observed = { labels: labelText(this.labels, values), counts, sum: 0 };
      this.series.set(name, observed);
    }
    return observed;
  }

  observeIn(observed: Observed, value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? 0)) bucket++;
    observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1;
    observed.sum += value;
  }

  text(): string {
    const lines = [...this.series.values()].flatMap(({ labels, counts, sum }) => {
      const rest = labels === '' ? '' : `,${labels}`;
      let total = 0;
      const buckets = counts.map((count, at) => {
        total += count;
        return `${this.name}_bucket{le="${this.bounds[at] ?? '+Inf'}"${rest}} ${total}`;
      });
      return [
        ...buckets,
        `${this.name}_sum${inBraces(labels)} ${sum}`,
        `${this.name}_count${inBraces(labels)} ${total}`,
      ];
    });
    return [head(this.name, this.help, 'histogram'), ...lines].join('\n');
  }
}
