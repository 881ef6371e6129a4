/**
 * Reads scalars from JSON, the same way for all runtimes. The tables of the runtimes say which type uses which rule.
 */
import type { Fit, MadeValue } from './made-value.ts';
import type { ScalarRule } from './value-table.ts';

const MAX_DIGITS = 1000;
/** A number is passed as text only if nothing else fits. */
const AS_TEXT = 20;
const WRITTEN_COST = 6;
/** Numbers beyond this are read as fractions. */
const LARGE = 1e18;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;

/** The function, and its type, that makes a value. */
export interface Maker {
  readonly owner: string;
  readonly by: string;
}

interface NumberTraits {
  readonly maker: Maker;
  /** True if a JSON number would not be exact. */
  readonly takesText: boolean;
  readonly isValue: boolean;
  /** The preference among overloads for whole numbers and for fractions: the lower the better. */
  readonly rank: { readonly whole: number; readonly fraction: number };
  readonly boxCost?: number;
}

const text = (value: string): MadeValue => ({ is: 'json', json: value });
export const made = ({ owner, by }: Maker, of: readonly MadeValue[], otherwise: string): MadeValue => ({
  is: 'call',
  owner,
  by,
  of,
  otherwise,
});

export function wholeNumber(range: readonly [bigint, bigint] | null, traits: NumberTraits): ScalarRule {
  const wanted = range === null ? 'a whole number' : `a whole number from ${range[0]} to ${range[1]}`;
  return numberRule(wanted, traits, (digits) => {
    const whole = wholeOf(digits);
    return whole === null || (range !== null && (whole < range[0] || whole > range[1])) ? null : String(whole);
  });
}

/** `max`: the largest number that the type can hold. */
export function fraction(max: number, traits: NumberTraits): ScalarRule {
  return numberRule('a number', traits, (digits) => (Math.abs(Number(digits)) <= max ? digits : null));
}

/** Exact fractions. */
export function decimal(max: number, traits: NumberTraits): ScalarRule {
  return numberRule('a number', traits, (digits) =>
    Math.abs(Number(digits)) <= max ? (/e/i.test(digits) ? plainDigits(digits) : digits) : null,
  );
}

function numberRule(wanted: string, traits: NumberTraits, digitsOf: (given: string) => string | null): ScalarRule {
  const { maker, takesText, isValue, rank, boxCost = 0 } = traits;
  return {
    ...{ json: 'number', wanted, isHinted: false, isValue },
    read: (json, otherwise, isKey) => {
      const isText =
        typeof json === 'string' && (takesText || isKey) && json.length <= MAX_DIGITS && DECIMAL.test(json);
      const given = typeof json === 'number' && Number.isFinite(json) ? String(json) : isText ? json : null;
      const digits = given === null ? null : digitsOf(given);
      if (digits === null) return null;
      const isWhole = Number.isInteger(Number(given)) && Math.abs(Number(given)) < LARGE;
      const place = isText && !isKey ? AS_TEXT : isWhole ? rank.whole : rank.fraction;
      return { value: made(maker, [text(digits)], otherwise), cost: boxCost + 2 * place };
    },
  };
}

/** Null if it has a fraction, or an absurd number of digits. */
function wholeOf(given: string): bigint | null {
  const plain = plainDigits(given);
  const [digits = '', rest = ''] = plain?.split('.') ?? [];
  return digits === '' || /[^0]/.test(rest) ? null : BigInt(digits.replace(/^\+/, ''));
}

/** The number without an exponent; null if it would have an absurd number of digits. */
function plainDigits(given: string): string | null {
  const [, sign = '', whole = '', part = '', power = '0'] = DECIMAL.exec(given) ?? [];
  const digits = whole + part;
  const point = whole.length + Number(power);
  if (digits === '' || Math.abs(point) + digits.length > MAX_DIGITS) return null;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  const filled = point > 0 ? digits : '0'.repeat(1 - point) + digits;
  const at = Math.max(1, point);
  return `${sign}${filled.slice(0, at)}.${filled.slice(at)}`;
}

export function flag(isValue: boolean, maker: Maker, cost: number): ScalarRule {
  return {
    ...{ json: 'boolean', wanted: 'true or false', isHinted: false, isValue },
    read: (json, otherwise, isKey) => {
      const isSaid = typeof json === 'boolean' || (isKey && (json === 'true' || json === 'false'));
      return isSaid ? { value: made(maker, [text(String(json))], otherwise), cost } : null;
    },
  };
}

/** `maker`: null for the platform's own text type. */
export function plainText(maker: Maker | null, cost: number): ScalarRule {
  return {
    ...{ json: 'string', wanted: 'text', isHinted: false, isValue: false },
    read: (json, otherwise) =>
      typeof json === 'string' ? { value: maker ? made(maker, [text(json)], otherwise) : text(json), cost } : null,
  };
}

export function character(isValue: boolean, maker: Maker): ScalarRule {
  return {
    ...{ json: 'string', wanted: 'one character', isHinted: true, isValue },
    read: (json, otherwise) =>
      typeof json === 'string' && json.length === 1 ? { value: made(maker, [text(json)], otherwise), cost: 5 } : null,
  };
}

/** A value written as text. The platform may still refuse what matches `pattern`. */
export function written(wanted: string, pattern: RegExp, maker: Maker, isValue = false): ScalarRule {
  return {
    ...{ json: 'string', wanted, isHinted: true, isValue },
    read: (json, otherwise): Fit | null =>
      typeof json === 'string' && pattern.test(json)
        ? { value: made(maker, [text(json)], otherwise), cost: WRITTEN_COST }
        : null,
  };
}
