import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hide, redactMessage, redactReturn, secretsAmong } from '../../../src/semantic/redact-return.ts';

describe('what a method gives back', () => {
  it('keeps what is harmless as it is', () => {
    const value = { sku: 'rye', 'lines[0].price': 2.5, 'lines.length': 1, paid: false, note: null };
    expect(redactReturn(value, 'orders.find')).toEqual(value);
  });

  it('hides by the name of the method, however the value looks', () => {
    expect(redactReturn('plain words', 'session.getToken')).toBe('[redacted]');
    expect(redactReturn(4711, 'card.getPin')).toBe('[redacted]');
    expect(redactReturn(['one', 'two'], 'vault.recoveryCodes')).toEqual(['[redacted]', '[redacted]']);
  });

  it('hides by the name of a field', () => {
    expect(redactReturn({ name: 'ann', password: 'hunter2' }, 'users.find')).toEqual({
      name: 'ann',
      password: '[redacted]',
    });
  });

  it('hides by the shape of the value, and keeps the rest of the text', () => {
    expect(redactReturn('use Bearer abcdef0123456789 here', 'help')).toBe('use [redacted] here');
    expect(redactReturn({ message: 'no access with sk_live_0123456789abcdef0' }, 'pay')).toEqual({
      message: 'no access with [redacted]',
    });
  });

  it('says nothing of a secret in the message either', () => {
    expect(redactMessage('getToken returned plain words', 'plain words', 'session.getToken')).toBe(
      'getToken returned [redacted]',
    );
    expect(redactMessage('count returned 3', 3, 'orders.count')).toBe('count returned 3');
  });

  it('hides the rest of the message by the usual rules, too', () => {
    expect(redactMessage('getToken returned kd83 for db password=hunter2', 'kd83', 'session.getToken')).toBe(
      'getToken returned [redacted] for db password=[redacted]',
    );
  });

  it.each([
    ['session.getToken', '8f3kZq2pWm'],
    ['vault.getPassword', 'hunter2'],
    ['card.getPin', '4711'],
    ['vault.readCredentials', '{"user":"ann","value":"letmein"}'],
  ])('quotes nothing of what %s gives', (name, text) => {
    expect(redactMessage(`${name} returned ${text}`, text, name)).toBe(`${name} returned [redacted]`);
  });

  it.each([
    ['parser.nextToken', 'identifier'],
    ['user.hasPassword', 'true'],
    ['session.getToken', 'null'],
    ['orders.count', '3'],
  ])('quotes what %s gives', (name, text) => {
    expect(redactMessage(`${name} returned ${text}`, text, name)).toBe(`${name} returned ${text}`);
  });

  it('does not repeat a secret that it was given', () => {
    const given = secretsAmong({ password: 'tiger lily', user: 'bob', pin: '12', token: 7 });
    expect(given).toEqual(['tiger lily']);
    expect(hide(given, 'bad password tiger lily for bob')).toBe('bad password [redacted] for bob');
    expect(hide(given, { at: ['tiger lily', 3], ok: null })).toEqual({ at: ['[redacted]', 3], ok: null });
  });

  it('takes any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => JSON.stringify(redactReturn(value, 'some.method'))).not.toThrow();
      }),
    );
  });

  it('ends on a structure without an end', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => JSON.stringify(redactReturn(circle, 'x'))).not.toThrow();
  });
});
