import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DiagnosticsPort,
  encodeGuid,
  encodeMessage,
  encodeText,
  parseAnswer,
  parseProcessInfo,
  Refused,
} from '../../../../src/probes/drivers/clr/coreclr/diagnostics-ipc.ts';

const hex = (bytes: Buffer) => bytes.toString('hex');
const MAGIC = Buffer.from('DOTNET_IPC_V1\0').toString('hex');
const answer = (command: number, content: Buffer) => encodeMessage([0xff, command], content);

describe('messages of the diagnostics of .NET', () => {
  it('are as .NET reads them', () => {
    expect(hex(encodeMessage([4, 8]))).toBe(`${MAGIC}140004080000`);
    expect(hex(encodeText('/a'))).toBe('030000002f0061000000');
    expect(hex(encodeMessage([4, 7], encodeText('/a')))).toBe(`${MAGIC}1e0004070000030000002f0061000000`);
    expect(hex(encodeGuid('5f1b5c1e-7f0d-4a7e-9a51-3f0e5d8c2b61'))).toBe('1e5c1b5f0d7f7e4a9a513f0e5d8c2b61');
  });

  it('cannot be wrong: that would end the program', () => {
    expect(() => encodeText('/a\0b')).toThrow(RangeError);
    expect(() => encodeGuid('5f1b5c1e')).toThrow(RangeError);
    expect(() => encodeMessage([4, 7], Buffer.alloc(70_000))).toThrow(RangeError);
    const port = Object.create(DiagnosticsPort.prototype) as DiagnosticsPort;
    return expect(port.applyStartupHook('relative.dll')).rejects.toThrow(RangeError);
  });

  it('are answered by content, or by a refusal', () => {
    expect(parseAnswer(answer(0, Buffer.from('abc')))?.toString()).toBe('abc');
    const refused = Buffer.from('85131380', 'hex');
    expect(() => parseAnswer(answer(0xff, refused))).toThrow(new Refused(0x80131385));
    expect(new Refused(0x80131385).message).toBe('0x80131385');
  });

  it('come in pieces', () => {
    const whole = answer(0, Buffer.from('abc'));
    for (let length = 0; length < whole.length; length++) expect(parseAnswer(whole.subarray(0, length))).toBeNull();
  });

  it.each([
    ['of another protocol', Buffer.from('HTTP/1.1 400 Bad Request')],
    ['shorter than its header', Buffer.from(`${MAGIC}0500ff000000`, 'hex')],
    ['that is a question', encodeMessage([4, 8])],
    ['that is refused without a reason', answer(0xff, Buffer.alloc(0))],
  ])('%s are none', (_, bytes) => {
    expect(() => parseAnswer(bytes)).toThrow('no answer of .NET');
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (noise, hasMagic) => {
        const bytes = Buffer.concat([hasMagic ? Buffer.from(MAGIC, 'hex') : Buffer.alloc(0), noise]);
        try {
          const content = parseAnswer(bytes);
          expect(content === null || content.length <= bytes.length).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).message).toMatch(/no answer of \.NET|^0x[0-9a-f]{8}$/);
        }
      }),
    );
  });
});

describe('what .NET says about itself', () => {
  const texts = (...all: string[]) => Buffer.concat(all.map(encodeText));
  const info = texts('dotnet a.dll', 'Linux', 'x64', 'a', '9.0.1+c8acea22626efab11c13778c028975acdc34678f');

  it('has the version of the runtime', () => {
    expect(parseProcessInfo(Buffer.concat([Buffer.alloc(28), info, texts('linux-x64')]), 3)).toEqual({
      version: '9.0.1',
    });
    expect(parseProcessInfo(Buffer.concat([Buffer.alloc(24), info]), 2)).toEqual({ version: '9.0.1' });
    expect(parseProcessInfo(Buffer.concat([Buffer.alloc(24), texts('dotnet', 'Linux', 'x64')]), 1)).toEqual({
      version: null,
    });
    const preview = texts('dotnet a.dll', 'Linux', 'x64', 'a', '10.0.0-preview.3');
    expect(parseProcessInfo(Buffer.concat([Buffer.alloc(24), preview]), 2)).toEqual({
      version: '10.0.0-preview.3',
    });
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(1 as const, 2 as const, 3 as const),
        (noise, version) => {
          const result = parseProcessInfo(Buffer.from(noise), version);
          expect(result.version === null || /^\d/.test(result.version)).toBe(true);
        },
      ),
    );
    fc.assert(
      fc.property(fc.nat(info.length + 24), (length) => {
        const cut = Buffer.concat([Buffer.alloc(24), info]).subarray(0, length);
        expect(parseProcessInfo(cut, 2).version).toBe(length === info.length + 24 ? '9.0.1' : null);
      }),
    );
  });
});
