/** A chart of curves on logarithmic axes as SVG, readable on light and dark pages, with the exponent of each curve. */
import fs from 'node:fs';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Chart {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  readonly curves: readonly Curve[];
}

const WIDTH = 780;
const HEIGHT = 400;
const PLOT = { left: 70, right: 450, top: 50, bottom: 340 };
const LINE_HEIGHT = 22;
/** Distinguishable by colour-blind people, and on both backgrounds. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#808080'];

/** The slope of the curve on logarithmic axes: 0 is constant, 1 is linear. */
export function exponentOf(points: readonly Point[]): number {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (of: (point: Point) => number) => logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}

export function writeChart(file: string, chart: Chart): void {
  fs.writeFileSync(file, `${svg(chart).join('\n')}\n`);
}

function svg({ title, xName, yName, curves }: Chart): string[] {
  const all = curves.flatMap(({ points }) => points).filter(({ x, y }) => x > 0 && y > 0);
  const xAxis = axis(all.map(({ x }) => x));
  const yAxis = axis(all.map(({ y }) => y));
  const px = (x: number) => PLOT.left + xAxis.at(x) * (PLOT.right - PLOT.left);
  const py = (y: number) => PLOT.bottom - yAxis.at(y) * (PLOT.bottom - PLOT.top);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="13" fill="#808080">`,
    `<title>${title}, ${yName}, by ${xName}</title>`,
    text(PLOT.left, 25, title, 'font-size="15" font-weight="bold"'),
    ...xAxis.ticks.flatMap((x) => [
      line(px(x), PLOT.top, px(x), PLOT.bottom),
      text(px(x), PLOT.bottom + 18, short(x), 'text-anchor="middle"'),
    ]),
    ...yAxis.ticks.flatMap((y) => [
      line(PLOT.left, py(y), PLOT.right, py(y)),
      text(PLOT.left - 8, py(y) + 4, short(y), 'text-anchor="end"'),
    ]),
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 42, xName, 'text-anchor="middle"'),
    text(PLOT.left, PLOT.top - 8, yName),
    ...curves.flatMap((curve, at) => drawn(curve, COLOURS[at % COLOURS.length] ?? '', at, px, py)),
    '</svg>',
  ];
}

function drawn(
  { name, points }: Curve,
  colour: string,
  at: number,
  px: (x: number) => number,
  py: (y: number) => number,
): string[] {
  const shown = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: px(x), y: py(y) }));
  const top = PLOT.top + 10 + at * LINE_HEIGHT;
  const legend = `${name}: x^${exponentOf(points).toFixed(2)}`;
  return [
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${shown.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')}"/>`,
    ...shown.map(({ x, y }) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${colour}"/>`),
    `<rect x="${PLOT.right + 20}" y="${top - 10}" width="12" height="12" fill="${colour}"/>`,
    text(PLOT.right + 40, top, legend),
  ];
}

/** Whole powers of ten around the values. */
function axis(values: readonly number[]): { readonly ticks: number[]; at(value: number): number } {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
  return { ticks, at: (value) => (Math.log10(value) - low) / (high - low) };
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#808080" stroke-opacity="0.3"/>`;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${round(x)}" y="${round(y)}"${attributes === '' ? '' : ` ${attributes}`}>${escaped}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  return value >= 1000 ? `${value / 1000}k` : String(Number(value.toPrecision(1)));
}
