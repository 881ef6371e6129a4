/** A value as a cell of a CSV file. Not part of the package: for the command line and the dashboard. */
import type { Scalar } from './types.ts';

/** A spreadsheet would treat such a text as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvCell(value: Scalar | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
