const format = new Intl.NumberFormat('en');

/** A number for people: `100,002`. */
export function grouped(count: number): string {
  return format.format(count);
}
