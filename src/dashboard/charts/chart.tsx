/** One key over time: steps, minimum and maximum, and its value at the pointer. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Scalar } from '../../client/index.ts';
import { clockTime } from '../changes/clock.ts';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/grouped.ts';
import { Icon } from '../ui/icon.tsx';
import { Value } from '../ui/value.tsx';
import { valueText, visible } from '../ui/value-text.ts';
import { type Extent, extentOf, indexAt, numberOf, type Point, type Series, stepPath } from './series.ts';

const HEIGHT = 120;
/** Room for the width of the line, and the dot. */
const EDGE = 6;
const MAX_VALUE = 60;

export interface ChartProps {
  readonly series: Series;
  /** The same for all charts. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The time at the pointer, in this chart or another one, or null. */
  readonly atMs: number | null;
  readonly onPoint: (atMs: number | null) => void;
  readonly onSave: () => void;
  readonly onUnpin: () => void;
}

export function Chart(props: ChartProps) {
  const { series, atMs, onSave, onUnpin } = props;
  const { points } = series;
  const key = visible(series.key);
  const extent = extentOf(points);
  const at = atMs === null ? points.length - 1 : indexAt(points, atMs);
  const value = points[at]?.value;
  return (
    <section class="charts-card" aria-label={key}>
      <header>
        <h3 title={key}>{key}</h3>
        <Button kind="quiet" label={`Download ${key} as CSV`} onClick={onSave} disabled={points.length === 0}>
          CSV
        </Button>
        <Button kind="quiet" label={`Unpin ${key}`} onClick={onUnpin}>
          <Icon name="close" />
        </Button>
      </header>
      <p class="charts-reading">
        <strong>{value === undefined ? <i>not there</i> : <Value value={value} limit={MAX_VALUE} />}</strong>
        <span>{atMs === null ? 'now' : clockTime(atMs)}</span>
      </p>
      {extent === null ? (
        <NoNumbers points={points} />
      ) : (
        <>
          <Plot {...props} extent={extent} at={at} />
          <p class="charts-axis" aria-hidden="true">
            <span>{clockTime(props.fromMs)}</span>
            <span>{clockTime(props.toMs)}</span>
          </p>
        </>
      )}
      <Facts extent={extent} points={points} />
    </section>
  );
}

function NoNumbers({ points }: Pick<Series, 'points'>) {
  return (
    <p class="charts-none" style={{ height: `${HEIGHT}px` }}>
      {points.length === 0
        ? 'The kept history does not have this key.'
        : 'This is no number: only numbers and booleans are drawn.'}
    </p>
  );
}

function Facts({ extent, points }: { extent: Extent | null } & Pick<Series, 'points'>) {
  const isFlag = isFlags(points);
  const shown = (number: number) => (isFlag ? String(number === 1) : number.toLocaleString());
  const last = numberOf(points.at(-1)?.value);
  const changes = Math.max(0, points.length - 1);
  return (
    <dl class="charts-facts">
      {extent && <Fact name="least" text={shown(extent.least)} />}
      {extent && <Fact name="most" text={shown(extent.most)} />}
      {last !== null && <Fact name="last" text={shown(last)} />}
      <Fact name="changes" text={grouped(changes)} />
    </dl>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function isFlags(points: readonly Point[]): boolean {
  return points.every(({ value }) => typeof value !== 'number');
}

function Plot(props: ChartProps & { extent: Extent; at: number }) {
  const { series, fromMs, toMs, atMs, onPoint, at } = props;
  const { points } = series;
  const key = visible(series.key);
  // True is above false, even if only one of them occurs.
  const extent = isFlags(points) ? { least: 0, most: 1 } : props.extent;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const span = Math.max(1, toMs - fromMs);
  const x = (ms: number) => EDGE + (Math.max(0, ms - fromMs) / span) * (width - 2 * EDGE);
  const range = extent.most - extent.least;
  const y = (value: number) =>
    range === 0 ? HEIGHT / 2 : HEIGHT - EDGE - ((value - extent.least) / range) * (HEIGHT - 2 * EDGE);
  const held = points[at]?.value;
  const number = numberOf(held);
  const onMove = (event: PointerEvent) => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const share = (event.clientX - left - EDGE) / Math.max(1, width - 2 * EDGE);
    onPoint(Math.round(fromMs + Math.min(1, Math.max(0, share)) * span));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, at, points.length);
    if (next === null) return;
    event.preventDefault();
    onPoint(next === 'none' ? null : (points[next]?.atMs ?? null));
  };
  return (
    <div
      ref={box}
      class="charts-plot"
      role="slider"
      tabIndex={0}
      aria-label={`${key} over time`}
      aria-valuemin={fromMs}
      aria-valuemax={toMs}
      aria-valuenow={atMs ?? toMs}
      aria-valuetext={`${clockTime(atMs ?? toMs)}: ${spoken(held)}`}
      onKeyDown={onKeyDown}
      onPointerMove={onMove}
      onPointerDown={onMove}
      onPointerLeave={() => onPoint(null)}
      onBlur={() => onPoint(null)}
    >
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} aria-hidden="true">
        <path class="charts-edge" d={`M0 ${y(extent.most)}H${width}M0 ${y(extent.least)}H${width}`} />
        <path class="charts-line" d={stepPath(points, toMs, x, y)} />
        {atMs !== null && <path class="charts-cross" d={`M${x(atMs)} 0V${HEIGHT}`} />}
        {number !== null && <circle class="charts-dot" cx={x(atMs ?? toMs)} cy={y(number)} r="4" />}
      </svg>
    </div>
  );
}

/** The point that a keyboard key leads to; null if the key has no meaning here. */
function nextPoint(key: string, at: number, count: number): number | 'none' | null {
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'Escape' ? 'none' : null;
}

function spoken(value: Scalar | undefined): string {
  return value === undefined ? 'not there' : valueText(value, MAX_VALUE);
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(320);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return width;
}
