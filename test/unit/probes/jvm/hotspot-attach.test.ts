import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnswer, requestV1, requestV2 } from '../../../../src/probes/drivers/jvm/attach-protocol.ts';
import { readLoadAnswer } from '../../../../src/probes/drivers/jvm/jvm-attach.ts';
import { attachOptions, type VmFacts } from '../../../../src/probes/drivers/jvm/vm-facts.ts';

describe('the attach protocol', () => {
  it('asks in both versions', () => {
    expect(requestV1('jcmd', ['VM.version']).toString()).toBe('1\0jcmd\0VM.version\0\0\0');
    expect(requestV1('load', ['/a.so', 'true', 'é']).toString()).toBe('1\0load\0/a.so\0true\0é\0');
    expect(requestV2('jcmd', ['VM.version']).toString()).toBe('2\x0016\0jcmd\0VM.version\0');
    expect(requestV2('load', ['é']).toString()).toBe('2\x008\0load\0é\0');
  });

  it('reads the answers', () => {
    expect(parseAnswer(Buffer.from('0\nreturn code: 0\n'))).toEqual({ status: 0, text: 'return code: 0\n' });
    expect(parseAnswer(Buffer.from('101\n'))).toEqual({ status: 101, text: '' });
    expect(parseAnswer(Buffer.from('-1'))).toEqual({ status: -1, text: '' });
    expect(() => parseAnswer(Buffer.from(''))).toThrow('the answer is not one of a JVM');
    expect(() => parseAnswer(Buffer.from('HTTP/1.1 400 Bad Request'))).toThrow('the answer is not one of a JVM');
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -999, max: 999 }), (text, status) => {
        expect(parseAnswer(Buffer.from(`${status}\n${text}`)).status).toBe(status);
      }),
    );
  });

  it.each<[string, number, string, ReturnType<typeof readLoadAnswer>]>([
    ['Java 9, loaded', 0, '0\n', null],
    ['Java 11 and later, loaded', 0, 'return code: 0\n', null],
    ['refused by the agent', 0, 'return code: 16\n', { text: 'it could not start', isEarly: false }],
    ['too early for the library', 0, 'return code: 13\n', { text: 'no class loader could be made', isEarly: true }],
    [
      'too early for the jar',
      1,
      'java.lang.NullPointerException\n\tat x',
      { text: 'java.lang.NullPointerException', isEarly: true },
    ],
    [
      'Java 25, not loaded',
      0,
      '/a.so: cannot open shared object file',
      { text: '/a.so: cannot open shared object file', isEarly: false },
    ],
    ['Java 9, not loaded', -1, '', { text: 'status -1', isEarly: false }],
    ['a code without a name', 0, 'return code: 102', { text: 'return code: 102', isEarly: false }],
  ])('understands the answer to a load: %s', (_, status, text, expected) => {
    expect(readLoadAnswer({ status, text })).toEqual(expected);
  });
});

describe('options that decide about the signal', () => {
  const perf = { command: null, version: 17, takesAttach: null, options: [] };
  const decide = (facts: Partial<VmFacts>) => attachOptions({ perf: null, options: [], ...facts } as VmFacts);

  it.each<[string, Partial<VmFacts>, ReturnType<typeof attachOptions>]>([
    ['none', {}, 'on'],
    ['what HotSpot says', { perf: { ...perf, takesAttach: false } }, 'off'],
    ['the option', { options: ['-XX:+DisableAttachMechanism'] }, 'off'],
    ['the option, as a file of flags has it', { options: ['+DisableAttachMechanism'] }, 'off'],
    [
      'two that contradict each other',
      { options: ['-XX:+DisableAttachMechanism', '-XX:-DisableAttachMechanism'] },
      'off',
    ],
    [
      'what HotSpot made of such two',
      { perf: { ...perf, takesAttach: true }, options: ['-XX:+DisableAttachMechanism'] },
      'on',
    ],
    ['unknown ones', { options: null }, 'unknown'],
    ['fewer signals', { options: ['-Xrs'] }, 'no signals'],
    ['fewer signals, by its long name', { options: ['-XX:+ReduceSignalUsage'] }, 'no signals'],
  ])('%s', (_, facts, expected) => {
    expect(decide(facts)).toBe(expected);
  });
});
