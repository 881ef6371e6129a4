/** Broken or malicious code is followed or refused, and soon. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLR } from '../../../../src/probes/drivers/clr/clr-platform.ts';
import { JAVA } from '../../../../src/probes/drivers/jvm/java-platform.ts';
import type { CodeBody, Instructions } from '../../../../src/probes/insight/effects/code-facts.ts';
import { UnfollowableError } from '../../../../src/probes/insight/effects/instruction-set.ts';
import type { Platform } from '../../../../src/probes/insight/effects/platform.ts';
import { unite } from '../../../../src/probes/insight/effects/value-origin.ts';
import { cpuTime } from '../../../support/cpu-time.ts';
import { RecordedFacts } from '../../../support/recorded-facts.ts';

const SOON_MS = 2000;
const NO_CODE: Instructions = {
  ...{ id: 1, isOpaque: false, code: '', isStatic: true, parameters: 0, variables: 0, stack: 0, type: null },
  ...{ handlers: [], references: [], handled: [], closures: [], notes: [] },
};
const codeOf = (...bytes: number[]) => Buffer.from(bytes).toString('base64');

function followed(platform: Platform, code: Instructions, members = new Map()): CodeBody | null {
  try {
    return platform.follow(code, members);
  } catch (error) {
    if (error instanceof UnfollowableError) return null;
    throw error;
  }
}

describe.each<[string, Platform]>([
  ['java-shop', JAVA],
  ['csharp-shop-mono-mcs', CLR],
])('%s', (name, platform) => {
  const { code } = new RecordedFacts(name).all;
  const members = new Map(code.members.map((member) => [member.id, member]));
  const bodies = code.bodies.filter(({ isOpaque }) => !isOpaque);

  it('is followed as it is', () => {
    expect(bodies.length).toBeGreaterThan(100);
    for (const body of bodies) expect(platform.follow(body, members).id).toBe(body.id);
  });

  it('is followed or refused with flipped, missing and further bytes', () => {
    let understood = 0;
    const mangled = fc.record({
      body: fc.constantFrom(...bodies),
      flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      cut: fc.nat(10),
      more: fc.uint8Array({ maxLength: 8 }),
      stack: fc.constantFrom(null, 0, 1000),
      handlers: fc.array(fc.tuple(fc.nat(40), fc.nat(80), fc.nat(80), fc.boolean(), fc.nat(80)), { maxLength: 3 }),
    });
    const property = fc.property(mangled, ({ body, flips, cut, more, stack, handlers }) => {
      const bytes = Buffer.from(body.code, 'base64');
      for (const [at, value] of flips) bytes[at % bytes.length] = value;
      const kept = cut === 0 ? bytes.subarray(0, bytes.length >> 1) : bytes;
      const changed = Buffer.concat([kept, cut === 1 ? more : Buffer.alloc(0)]).toString('base64');
      const given = { ...body, code: changed, stack: stack ?? body.stack, handlers: [...body.handlers, ...handlers] };
      const took = cpuTime(() => {
        if (followed(platform, given, members) !== null) understood++;
      });
      expect(took).toBeLessThan(SOON_MS);
    });
    fc.assert(property, { numRuns: 2000 });
    // Some of it must still be valid: otherwise nothing was tested.
    expect(understood).toBeGreaterThan(20);
  });

  it('is refused without what it refers to', () => {
    const referring = bodies.filter(({ references }) => references.length > 0);
    for (const body of referring) expect(followed(platform, body)).toBeNull();
    for (const body of referring) expect(followed(platform, { ...body, references: [] }, members)).toBeNull();
  });
});

describe('jumps', () => {
  const TAKES_ONE = { ...NO_CODE, isStatic: false, parameters: 1, variables: 2, stack: 2 };

  it('lead past code that is never reached', () => {
    const [field] = new RecordedFacts('java-shop').all.code.members;
    if (field === undefined) throw new Error('nothing was recorded');
    const members = new Map([[1, { ...field, id: 1, name: 'x', descriptor: 'I', isStatic: false }]]);
    const code = codeOf(167, 0, 5, 0, 177, 42, 27, 181, 0, 1, 177);
    expect(followed(JAVA, { ...TAKES_ONE, code, references: [1] }, members)?.writes).toEqual([['field', 2, 8, 'x']]);
  });

  it('may be the last instruction', () => {
    const code = codeOf(167, 0, 4, 177, 27, 154, 0xff, 0xfe, 167, 0xff, 0xfc);
    expect(followed(JAVA, { ...TAKES_ONE, code })).toMatchObject({ isOpaque: false, writes: [] });
    const il = codeOf(0x2b, 1, 0x2a, 0x03, 0x2d, 0xfc, 0x2b, 0xfb);
    expect(followed(CLR, { ...TAKES_ONE, code: il })).toMatchObject({ isOpaque: false, writes: [] });
  });
});

describe('code that means harm', () => {
  it.each<[string, Platform, Partial<Instructions>]>([
    ['jumps out of the code', JAVA, { code: codeOf(167, 0x7f, 0xff) }],
    ['jumps into an instruction', JAVA, { code: codeOf(167, 0, 2) }],
    ['runs beyond the end', JAVA, { code: codeOf(0) }],
    ['has a stack that overflows', JAVA, { code: codeOf(3, 3, 177), stack: 1 }],
    ['takes from an empty stack', JAVA, { code: codeOf(87, 177), stack: 1 }],
    ['has stacks that differ', JAVA, { code: codeOf(3, 167, 0xff, 0xff), stack: 9 }],
    ['reads a variable that is not there', JAVA, { code: codeOf(26, 177), stack: 1 }],
    [
      'has a switch without an end',
      JAVA,
      { code: codeOf(170, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff) },
    ],
    ['has subroutines', JAVA, { code: codeOf(168, 0, 3, 177), stack: 1 }],
    ['jumps out of the code', CLR, { code: codeOf(0x2b, 0x70) }],
    ['has half an operation', CLR, { code: codeOf(0xfe) }],
    ['has an operation that there is not', CLR, { code: codeOf(0x24, 0x2a) }],
    ['calls by an address', CLR, { code: codeOf(0x29, 0, 0, 0, 0, 0x2a) }],
    ['has a switch without an end', CLR, { code: codeOf(0x16, 0x45, 0xff, 0xff, 0xff, 0x7f, 0x2a), stack: 1 }],
    ['reads a variable that is not there', CLR, { code: codeOf(0x06, 0x2a), stack: 1 }],
    ['leaves values behind', CLR, { code: codeOf(0x16, 0x16, 0x2a), stack: 2 }],
  ])('%s', (_what, platform, code) => {
    expect(followed(platform, { ...NO_CODE, ...code })).toBeNull();
  });

  it('is not followed for long, however large its frames are', () => {
    // As many branches as fit, each back to the beginning.
    const bytes = Array.from({ length: 1990 }, (_, at) => [
      3,
      153,
      ...[(-3 * at) >> 8, -3 * at].map((each) => each & 255),
    ]);
    const code = { ...NO_CODE, code: codeOf(...bytes.flat().slice(0, 5996), 177), variables: 1000, stack: 1000 };
    expect(cpuTime(() => void followed(JAVA, code))).toBeLessThan(SOON_MS);
  });
});

describe('origins', () => {
  it('are united however many calls they come from', () => {
    const bit = fc.nat(52).map((at) => 2 ** at);
    fc.assert(
      fc.property(fc.array(bit), fc.array(bit), (ones, others) => {
        const all = (bits: readonly number[]) => bits.reduce(unite, 0);
        expect(unite(all(ones), all(others))).toBe(
          [...new Set([...ones, ...others])].reduce((sum, each) => sum + each, 0),
        );
      }),
    );
  });
});
