/** Figures that are collected point by point, printed as a table and drawn. */
import path from 'node:path';
import { ms, printTable } from '../shared/stats.ts';
import { type Curve, exponentOf, type Point, writeChart } from './chart.ts';

export class Curves {
  private readonly title: string;
  private readonly xName: string;
  private readonly yName: string;
  private readonly curves = new Map<string, Point[]>();

  constructor(title: string, xName: string, yName: string) {
    this.title = title;
    this.xName = xName;
    this.yName = yName;
  }

  add(name: string, x: number, y: number): void {
    const points = this.curves.get(name) ?? [];
    this.curves.set(name, points);
    points.push({ x, y });
  }

  /** `name`: of the file in docs/images. */
  show(name: string): void {
    const curves: Curve[] = [...this.curves].map(([curve, points]) => ({ name: curve, points }));
    const xs = [...new Set(curves.flatMap(({ points }) => points.map(({ x }) => x)))];
    const head = [`${this.title} (${this.yName})`, ...xs.map((x) => x.toLocaleString('en-US')), 'exponent'];
    const rows = curves.map(({ name: row, points }) => [
      row,
      ...xs.map((x) => ms(points.find((point) => point.x === x)?.y ?? Number.NaN)),
      exponentOf(points).toFixed(2),
    ]);
    printTable(`${this.title}, by ${this.xName}`, head, rows);
    const file = path.resolve('docs/images', `growth-${name}.svg`);
    writeChart(file, { title: this.title, xName: this.xName, yName: this.yName, curves });
  }
}
