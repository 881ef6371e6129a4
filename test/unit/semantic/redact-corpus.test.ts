/** The share of hidden values among secrets, and among others. */
import { describe, expect, it } from 'vitest';
import { hasSecretName } from '../../../src/semantic/labels.ts';
import { judgeName, REDACTED, redact, redactText } from '../../../src/semantic/redact.ts';
import { redactMessage, redactReturn } from '../../../src/semantic/redact-return.ts';
import { type Group, plain } from '../../fixtures/redaction/corpus.ts';
import { freshHarmless, freshSecrets } from '../../fixtures/redaction/fresh.ts';
import { harmless } from '../../fixtures/redaction/harmless.ts';
import { heldHarmless, heldSecrets } from '../../fixtures/redaction/held.ts';
import { moreHarmless, moreSecrets } from '../../fixtures/redaction/more.ts';
import { secrets } from '../../fixtures/redaction/secrets.ts';

interface Outcome {
  readonly what: string;
  /** For a secret: nothing of it is left. Otherwise: something is missing. */
  readonly isHidden: boolean;
  /** For a text with a secret: everything around it is still there. */
  readonly keepsRest: boolean;
}

const shownValue = (path: string, value: string | number) => String(redact(value, judgeName(path)));

function outcomes({ values = [], texts = [], returns = [], keys = [] }: Group): Outcome[] {
  return [
    ...values.map(([path, value]) => {
      const real = typeof value === 'string' ? plain(value) : value;
      return { what: `${path} = ${real}`, isHidden: shownValue(path, real) !== String(real), keepsRest: true };
    }),
    ...texts.map(([text, gone, stays = []]) => {
      const shown = redactText(plain(text));
      const isKept = stays.every((part) => shown.includes(plain(part)));
      const isHidden = gone.length === 0 ? !isKept : gone.every((part) => !shown.includes(plain(part)));
      return { what: `${plain(text)} -> ${shown}`, isHidden, keepsRest: isKept };
    }),
    ...returns.map(([action, value]) => {
      const told = redactMessage(`${action} returned ${value}`, value, action);
      const isHidden = redactReturn(value, action) !== value && !told.includes(` ${value}`);
      return { what: `${action} returned ${value}`, isHidden, keepsRest: true };
    }),
    ...keys.map((path) => ({ what: path, isHidden: hasSecretName(plain(path)), keepsRest: true })),
  ];
}

const percent = (part: readonly unknown[], all: readonly unknown[]) =>
  Math.round((1000 * part.length) / all.length) / 10;

function rates(ofSecrets: readonly Group[], ofHarmless: readonly Group[]) {
  const [secret, other] = [ofSecrets.flatMap(outcomes), ofHarmless.flatMap(outcomes)];
  const shown = secret.filter(({ isHidden }) => !isHidden);
  const hidden = other.filter(({ isHidden }) => isHidden);
  const torn = secret.filter(({ isHidden, keepsRest }) => isHidden && !keepsRest);
  return { secret, other, shown, hidden, torn, missed: percent(shown, secret), wrong: percent(hidden, other) };
}

describe('the corpus', () => {
  const held = rates(heldSecrets, heldHarmless);
  const fresh = rates(freshSecrets, freshHarmless);
  const all = rates(
    [...secrets, ...moreSecrets, ...heldSecrets, ...freshSecrets],
    [...harmless, ...moreHarmless, ...heldHarmless, ...freshHarmless],
  );

  it('prints its rates', () => {
    const line = (name: string, { secret, other, missed, wrong, torn }: typeof all) =>
      `${name}: ${secret.length} secrets, ${(100 - missed).toFixed(1)} % hidden; ${other.length} harmless, ` +
      `${wrong.toFixed(1)} % wrongly hidden; ${torn.length} texts lost more than the secret`;
    console.info([line('all', all), line('held out', held), line('written last', fresh)].join('\n'));
    expect(all.secret.length + all.other.length).toBeGreaterThanOrEqual(450);
    expect(held.secret.length + held.other.length).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['all', all],
    ['held out', held],
  ])('is told apart: %s', (_name, { shown, hidden, torn, missed, wrong }) => {
    const cases = [...shown, ...hidden, ...torn].map(({ what }) => what);
    expect.soft(missed, `wrong about:\n${cases.join('\n')}`).toBeLessThanOrEqual(5);
    expect.soft(wrong, `wrong about:\n${cases.join('\n')}`).toBeLessThanOrEqual(5);
    expect.soft(torn.length).toBeLessThanOrEqual(2);
  });
});

describe('what may never be shown', () => {
  it.each([
    ['password', 'hunter2'],
    ['user.password', 'correct horse battery staple'],
    ['db.passwd', 'letmein'],
    ['clientSecret', 'letmein'],
    ['apiKey', 'abc'],
    ['privateKey', 'abc-def'],
    ['accessToken', 'abcdef'],
    ['密码', 'letmein'],
    ['пароль', 'letmein'],
    ['usuario["contraseña"]', 'letmein'],
    ['mot_de_passe', 'letmein'],
    ['note', 'ghp_¦abcdefghijklmnopqrst0123456789ABCDEF'],
    ['note', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'],
    ['note', '-----BEGIN PRIVATE KEY-----\nMIIE'],
    ['note', 'postgres://app:hunter2@db/shop'],
    ['note', '4111 1111 1111 1111'],
    ['log', '{"body":"{\\"password\\":\\"hunter2\\"}"}'],
  ])('%s = %s', (path, value) => {
    expect(shownValue(path, plain(value))).toBe(REDACTED);
  });
});

describe('what may never be hidden', () => {
  it.each([
    ['design.tokens.color', '#0a7cff'],
    ['parser.tokens[0].text', 'function'],
    ['pagination.nextToken', 'eyJpZCI6MTIzfQ=='],
    ['map.pin', 'Berlin'],
    ['tests.pass', 'all'],
    ['boarding.pass', 'Gate 12'],
    ['cookies.flavour', 'vanilla'],
    ['llm.maxTokens', '4096'],
    ['token', 'invalid'],
    ['labels.password', 'Password'],
    ['order.number', '4111111111111111'],
    ['commit', 'd670460b4b4aece5915caf5c68d12f560a9fe3e4'],
    ['servlet.name', 'SessionExample'],
    ['cart.items[0].name', 'Oat milk'],
  ])('%s = %s', (path, value) => {
    expect(shownValue(path, value)).toBe(value);
    expect(hasSecretName(path)).toBe(false);
  });
});
