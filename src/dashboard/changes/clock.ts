/** The local time to the millisecond, because captures follow each other closely. */
const FORMAT = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

export function clockTime(when: string | number): string {
  return FORMAT.format(new Date(when));
}
