import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPath } from '../../../../../src/model/path.ts';
import {
  looksLikeLabel,
  looksLikeValue,
  splitPair,
  squeeze,
} from '../../../../../src/probes/drivers/v8/page/dom/names.ts';
import { NameAllocator } from '../../../../../src/probes/insight/name-allocator.ts';
import { firstName, shorten, toName, toValue } from '../../../../../src/probes/insight/screen/words.ts';
import { growsLinearly } from '../../../../support/cpu-time.ts';

const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem());

describe('toName', () => {
  it.each([
    ['Recipient', 'recipient'],
    ["Recipient's e-mail *", 'recipients_e_mail'],
    ['firstName', 'first_name'],
    ['userAPIToken', 'user_api_token'],
    ['iPhone case', 'iphone_case'],
    ['login-form', 'login_form'],
    ['Größe (cm)', 'große_cm'],
    ['Prénom', 'prenom'],
    ['2FA code', '_2fa_code'],
    ['  Total:  ', 'total'],
    ['名前', '名前'],
    ['한국어', '한국어'],
    ['🛒', ''],
    ['→ “…”', ''],
    ['', ''],
    ['__proto__', 'proto'],
    ['one two three four five six seven eight', 'one_two_three_four_five_six'],
  ])('%j is %j', (text, name) => {
    expect(toName(text)).toBe(name);
  });

  it('makes short names that are the same again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const name = toName(text);
        expect(name.length).toBeLessThanOrEqual(41);
        expect(name).not.toMatch(/\s|__|_$/);
        expect(toName(text)).toBe(name);
      }),
    );
  });

  it('needs no quotes for what is written in ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_:.*$') }), (text) => {
        const name = toName(text);
        if (name !== '') expect(joinPath('x', name)).toBe(`x.${name}`);
      }),
    );
  });
});

describe('firstName and NameAllocator', () => {
  it('takes the first that says something', () => {
    expect(firstName(null, '', ' * ', undefined, 'Send now')).toBe('send_now');
    expect(firstName(null)).toBe('');
  });

  it('hands each name out once', () => {
    const allocator = new NameAllocator();
    expect(['a', 'a', 'a_2', 'a', 'b'].map((name) => allocator.take(name))).toEqual(['a', 'a_2', 'a_2_2', 'a_3', 'b']);
  });
});

describe('toValue', () => {
  it.each<[string, string | number]>([
    ['42.50', 42.5],
    ['0', 0],
    ['-3', -3],
    ['−3', -3],
    ['+7', 7],
    ['1,234.50', 1234.5],
    ['12,34', '12,34'],
    ['1.234,50', '1.234,50'],
    ['007', '007'],
    ['$4.40', '$4.40'],
    ['50%', '50%'],
    ['1e5', '1e5'],
    ['12345678901234567890', '12345678901234567890'],
    ['', ''],
    ['.5', '.5'],
    ['NaN', 'NaN'],
  ])('%j is %j', (text, value) => {
    expect(toValue(text)).toBe(value);
  });

  it('gives back numbers that were written plainly', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(99), (whole, part) => {
        expect(toValue(String(whole))).toBe(whole);
        expect(toValue(`${whole}.${part}`)).toBe(Number(`${whole}.${part}`));
      }),
    );
  });

  it('keeps every other text', () => {
    const likely = fc.stringMatching(/^[-+]?[0-9]{1,18}(?:,[0-9]{3}){0,2}(?:\.[0-9]{0,3})?$/);
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(texts, likely), (text) => {
        const value = toValue(text);
        seen.add(typeof value);
        expect(value).toBe(typeof value === 'string' ? text : Number(text.replaceAll(',', '')));
      }),
    );
    expect([...seen].sort()).toEqual(['number', 'string']);
  });
});

describe('pairs in text', () => {
  it.each([
    ['Total: 42.50', { name: 'total', value: '42.50' }],
    ['Ship to : Ada Lovelace', { name: 'ship_to', value: 'Ada Lovelace' }],
    ['3 items left', { name: 'items_left', value: '3' }],
    ['Starts at 10:30', null],
    ['http://example.org', null],
    ['Just a sentence', null],
    ['12', null],
  ])('%j is %j', (text, pair) => {
    expect(splitPair(text)).toEqual(pair);
  });

  it('survives any text in bounded time', () => {
    const likely = fc.tuple(fc.lorem({ maxCount: 3 }), fc.constantFrom(': ', ' : ', ':'), texts);
    let pairs = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          likely.map((parts) => parts.join('')),
        ),
        (text) => {
          const pair = splitPair(text);
          if (!pair) return;
          pairs++;
          expect(text).toContain(pair.value);
        },
      ),
    );
    expect(pairs).toBeGreaterThan(0);
    for (const piece of ['a', 'a :', '1 '])
      expect(growsLinearly((length) => splitPair(piece.repeat(length / piece.length)))).toBe(true);
  });

  it('tells labels from values', () => {
    for (const label of ['Total', 'Ship to', 'Größe']) expect(looksLikeLabel(label)).toBe(true);
    for (const text of ['', 'T', '42', 'Done.', 'Room 12']) expect(looksLikeLabel(text)).toBe(false);
    for (const value of ['42', '$4.40', '50 %', '12 Jan 2026']) expect(looksLikeValue(value)).toBe(true);
    for (const text of ['Ada', 'a sentence with the number 3 in it']) expect(looksLikeValue(text)).toBe(false);
  });
});

it('squeezes and shortens', () => {
  expect(squeeze('  a \n\t b ')).toBe('a b');
  expect(shorten('abcdef', 3)).toBe('abc…');
  expect(shorten('abc', 3)).toBe('abc');
});
