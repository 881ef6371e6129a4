import { expect, it } from 'vitest';
import { ageOf } from '../../../src/dashboard/ui/age.ts';
import { lengthOf, REDACTED, valueText, visible } from '../../../src/dashboard/ui/value-text.ts';
import { createWriter } from '../../../src/probes/drivers/v8/tree/own-data.ts';
import { REDACTED as WRITTEN_BY_THE_DAEMON } from '../../../src/semantic/redact.ts';

it('knows what stands for a secret', () => {
  expect(REDACTED).toBe(WRITTEN_BY_THE_DAEMON);
});

it('writes values as JSON, and cuts long texts', () => {
  expect([null, true, 1.5, 'a "b"'].map((value) => valueText(value))).toEqual(['null', 'true', '1.5', '"a \\"b\\""']);
  expect(valueText('x'.repeat(10), 3)).toBe('"xxx…');
});

it('tells how long a text is in the app, not what is left of it here', () => {
  expect(lengthOf('tea')).toBe('3 characters');
  expect(lengthOf(String(createWriter()('x'.repeat(6000))))).toBe(
    '6,000 characters, of which the first 4,096 are read',
  );
});

it('shows what would hide in a text, or turn it around', () => {
  expect(valueText('user\u202egpj.exe')).toBe('"user\\u202egpj.exe"');
  expect(valueText('a\u200bb\ufeff\u0085', 2)).toBe('"a\\u200b…');
  // Connected characters stay: families of emoji are joined by an invisible character.
  expect(valueText('👩\u200d👧 שלום')).toBe('"👩\u200d👧 שלום"');
});

it.each([
  ['turned around', 'invoice\u202egpj.exe', 'invoice\\u202egpj.exe'],
  ['isolated', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['marked from right to left', 'a\u200fb\u061c', 'a\\u200fb\\u061c'],
  ['of two lines', 'shop\nIt is safe.', 'shop\\u000aIt is safe.'],
  ['of two lines in other ways', 'a\rb\u2028c\u0085d', 'a\\u000db\\u2028c\\u0085d'],
  ['with control characters', 'a\u0000b\u001b[31mc\u007f', 'a\\u0000b\\u001b[31mc\\u007f'],
  ['with what takes no room', 'pay\u200bpal\u00ad\ufeff', 'pay\\u200bpal\\u00ad\\ufeff'],
  ['as it is, where nothing hides', 'Größe שלום 👩\u200d👧', 'Größe שלום 👩\u200d👧'],
])('writes a name %s', (_, name, shown) => {
  expect(visible(name)).toBe(shown);
});

it('tells ages in the largest unit', () => {
  expect([0, 59_999, 60_000, 3_600_000].map((age) => ageOf(0, age))).toEqual([
    'now',
    '59 s ago',
    '1 min ago',
    '1 h ago',
  ]);
});
