import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath, pathPattern } from '../../../src/model/path.ts';
import { hasSecretName, replaceStars } from '../../../src/semantic/labels.ts';
import { isState, looksRandom } from '../../../src/semantic/redact/value-looks.ts';
import {
  HARMLESS,
  holdsSecret,
  isSecretName,
  judgeName,
  REDACTED,
  redact,
  redactText,
} from '../../../src/semantic/redact.ts';
import { growsLinearly } from '../../support/cpu-time.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const PRIVATE_KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nqweasd\n-----END RSA PRIVATE KEY-----';

const asState = (path: string, value: string | number | boolean | null) => redact(value, judgeName(path));

describe('secret names', () => {
  it.each([
    'password',
    'user.password',
    'PASSWORD',
    'userPassword',
    'user_password',
    'userpassword',
    'passwd',
    'db.pwd',
    'passphrase',
    'smtp.auth.pass',
    'DB_PASS',
    'secret',
    'clientSecret',
    'CLIENT_SECRET',
    'secrets["db main"]',
    'secretKey',
    'token',
    'accessToken',
    'accesstoken',
    'tokens[0]',
    'tokens.github',
    'oauth2Token',
    'userAPIToken',
    'csrfToken',
    'apiKey',
    'APIKey',
    'api_key',
    'apikey',
    'config.api.key',
    'headers["x-api-key"]',
    'AWS_SECRET_ACCESS_KEY',
    'privateKey',
    'headers.authorization',
    'headers.Cookie',
    'jwt',
    'passwordHash',
    'wallet.seedPhrase',
    'password1',
  ])('%s', (path) => {
    expect(asState(path, 'some text')).toBe(REDACTED);
  });
});

describe('names that are sure with a value that looks like it', () => {
  it.each(['card.securityCode', 'pin', 'user.pin', 'pinCode', 'cvv', 'otp', 'ssn', 'cardNumber', 'twoFactor.code'])(
    '%s of digits',
    (path) => {
      expect(asState(path, '482 913')).toBe(REDACTED);
      expect(asState(path, 'some text')).toBe('some text');
    },
  );

  it.each(['session.id', 'sessionId', 'sessionid', 'session_key', 'sid', 'csrf', 'user.salt', 'auth'])(
    '%s of letters and digits',
    (path) => {
      expect(asState(path, 'kd83hfls92')).toBe(REDACTED);
      expect(asState(path, 'some text')).toBe('some text');
    },
  );
});

describe('names with a value that tells otherwise', () => {
  it.each([
    ['token', 'expired'],
    ['auth.token', 'none'],
    ['password', '••••••'],
    ['password', 'null'],
    ['env.DB_PASSWORD', '$VAULT_DB'],
    ['labels.password', 'Passwort'],
    ['t.password', 'Mot de passe'],
    ['errors.password', 'must have eight characters'],
  ])('%s: %s stays', (path, value) => {
    expect(asState(path, value)).toBe(value);
  });

  it.each([
    ['password', 'expired'],
    ['password', 'Password'],
    ['t.password', 'Winter'],
    ['t.password', 'correct horse'],
    ['labels.password', 'hunter2'],
    ['labels.password', 'Summer2024'],
    ['errors.token', 'kd83hfls92'],
  ])('%s: %s goes', (path, value) => {
    expect(asState(path, value)).toBe(REDACTED);
  });
});

describe('harmless names', () => {
  it.each([
    'token_count',
    'tokenCount',
    'tokens.length',
    'tokenType',
    'tokenExpiresAt',
    'tokensUsed',
    'passwordLength',
    'passwordPolicy',
    'passwordStrength',
    'password_hint',
    'secretName',
    'apiKeyId',
    'apiKeyName',
    'keyboard',
    'keyboard.layout',
    'key',
    'keys[0]',
    'monkey',
    'author',
    'authors[0].name',
    'authority',
    'tokenizer',
    'tokenizer.settings.mode',
    'secretary',
    'secretariat.city',
    'compass',
    'passenger',
    'passage',
    'bypass',
    'boarding.passes[0].gate',
    'pin.color',
    'pins[0].label',
    'pinned',
    'spinner',
    'session.user',
    'cart.items[0].name',
    'primaryKey',
    'sortKey',
    'cardTitle',
    'phone.number',
    'zip.code',
    '[0]',
    '',
  ])('%j', (path) => {
    expect(asState(path, 'some text')).toBe('some text');
  });

  it('shows flags, null and empty texts below any name', () => {
    for (const value of [true, false, null, '']) expect(asState('user.hasPassword.secret', value)).toBe(value);
  });
});

describe('numbers', () => {
  it.each([
    ['pin', 1234],
    ['user.pin', 0],
    ['pinCode', 1234],
    ['cvv', 123],
    ['card.securityCode', 123],
    ['otp', 123456],
    ['ssn', 123456789],
    ['password', 12345678],
    ['passcode', 1],
    ['card.number', 4111111111111111],
  ])('%s: %d goes', (path, value) => {
    expect(asState(path, value)).toBe(REDACTED);
  });

  it.each([
    ['tokens', 512],
    ['maxTokens', 4096],
    ['usage.total_tokens', 77],
    ['tokens.perSecond', 20],
    ['token_count', 3],
    ['passwordLength', 12],
    ['cookies.size', 2],
    ['pins.length', 9],
    ['card.number', 7],
    ['total', 4111111111111111],
    ['secrets.attempts', 3],
  ])('%s: %d stays', (path, value) => {
    expect(asState(path, value)).toBe(value);
  });
});

describe('secret shapes', () => {
  it.each([
    JWT,
    `token is ${JWT}, keep it`,
    `Bearer ${JWT}`,
    'Bearer abcdef123456',
    'bearer abcdefGHIJkl',
    'Basic dXNlcjpwYXNzd29yZA==',
    PRIVATE_KEY,
    '-----BEGIN PRIVATE KEY-----\nMIIE',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'sk_live_51Hx8KqLm29vTzR4',
    'tok_live_51Hx8KqLm29vTzR4',
    'sk_substrate_0123456789abcdefghijABCDEFGHIJ0123456789',
    'rk_test_51Hx8KqLm29vTzR4',
    'sk-proj-abcdefghijklmnop0123456789',
    'ghp_abcdefghijklmnopqrst0123456789ABCDEF',
    'github_pat_11ABCDEFG0abcdefghijkl',
    'glpat-abcdefghijklmnop1234',
    'npm_abcdefghijklmnopqrstuvwxyz0123456789',
    'xoxb-123456789012-abcdefghijkl',
    'AKIAIOSFODNN7EXAMPLE',
    'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'postgres://app:hunter2@db.internal:5432/shop',
    'cannot reach redis://:hunter2@10.0.0.1:6379',
    'https://user:pa%20ss@example.org/path',
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '378282246310005',
    '3782 822463 10005',
    '5555555555554444',
    '2223003122003222',
    '6011000990139424',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In…',
    'eyJhbGciOiJIUzI1NiJ9… [5000 characters]',
    'postgres://admin:sup3rs3cret…',
    'postgres://admin:sup3rs3cret… [120 characters]',
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://discord.com/api/webhooks/123456789012345678/abcDEF-ghi_jkl',
    'https://discordapp.com/api/v10/webhooks/123456789012345678/abcDEF-ghi_jkl',
  ])('%s', (text) => {
    expect(holdsSecret(text)).toBe(true);
    expect(asState('note', text)).toBe(REDACTED);
    const shown = redactText(`before ${text} after`);
    expect(shown).toContain(REDACTED);
    expect(shown).not.toContain(text);
  });

  it.each([
    'hello world, nothing to see',
    'Basic understanding',
    'Basic Subscription',
    'Basic 2024-2025',
    'Token economics',
    'Bearer certificates',
    'eyJ',
    'https://example.org:8080/path?user=a@b.c',
    'https://example.org/@user:name@x',
    'mailto:ann@example.org',
    '12:30 meet ann@example.org',
    'npm-run-all-the-things-now',
    'sk-learn-extension-package',
    'pk_customeraddresseshistory',
    'task-management-dashboard-v2',
    '-----BEGIN CERTIFICATE-----',
    '4111111111111112',
    '1234567890123456',
    '1700000000000',
    '2026-01-02T03:04:05.000Z',
    '550e8400-e29b-41d4-a716-446655440000',
    'd41d8cd98f00b204e9800998ecf8427e',
    '+49 30 1234 5678 9012',
    'https://example.org:8080… [300 characters]',
    'https://example.org/a:b… [300 characters]',
    'see docs at hooks.slack.com/services/',
    'a long text that was cut… [9000 characters]',
    'Keyboard: QWERTY; tokenCount=7',
    '',
  ])('%j is none', (text) => {
    expect(holdsSecret(text)).toBe(false);
    expect(asState('note', text)).toBe(text);
    expect(redactText(text)).toBe(text);
  });
});

describe('named secrets in texts of the state', () => {
  it.each([
    '{"user":"bob","password":"hunter2"}',
    'Server=db;User Id=sa;Password=hunter2;',
    'paid with 4111 1111 1111 1111 today',
    'token: abcdefghijkl',
    'token: abcdef…',
    'PGPASSWORD=hunter2 psql',
    'pwd=x',
  ])('%s is redacted as a whole', (text) => {
    expect(asState('note', text)).toBe(REDACTED);
  });

  it.each([
    '{"user":"bob","password":null}',
    'tokens: 7',
    'Order 12: two cups, to go',
    'a=b&c=d',
    'const x: number = 1',
  ])('%s stays', (text) => {
    expect(asState('note', text)).toBe(text);
  });
});

describe('names of keys', () => {
  it.each([
    ['9f8e7d6c5b4a3928', 'tokens'],
    ['kd83hfls92', 'apiKeys'],
    ['kd83hfls92', 'cookies'],
    ['kd83hfls92kd', 'app.sessions'],
    ['kd83hfls92kd', 'session_store'],
    ['ann', 'usersByToken'],
    ['correct horse', 'cache.usersByPassword'],
  ])('%s below %s is a secret', (name, container) => {
    expect(isSecretName(name, container)).toBe(true);
  });

  it.each([
    ['db-main', 'secrets'],
    ['my app', 'apiKeys'],
    ['user-theme', 'cookies'],
    ['web.xml', 'servlets.SessionExample'],
    ['font-size-2xl', 'tokens'],
    ['kd83hfls92kd', 'items'],
    ['kd83hfls92kd', 'obsessions'],
    ['kd83hfls92kd', 'design.tokens'],
    ['2024', 'ordersByYear'],
  ])('%s below %s is none', (name, container) => {
    expect(isSecretName(name, container)).toBe(false);
  });
});

describe('redactText', () => {
  it.each([
    [`returned {"user":"ann","token":"abc","total":3}`, `returned {"user":"ann","token":"[redacted]","total":3}`],
    [`{"password":"a\\"b c","pin":1234,"tokens":7}`, `{"password":"[redacted]","pin":[redacted],"tokens":7}`],
    [`{"hasPassword":true,"password":null,"secret":""}`, `{"hasPassword":true,"password":null,"secret":""}`],
    [`login?user=ann&password=hunter2&x=1`, `login?user=ann&password=[redacted]&x=1`],
    [`{ apiKey: 'abc', keyboard: 'de' }`, `{ apiKey: '[redacted]', keyboard: 'de' }`],
    [`authorization: Bearer abc`, `authorization: [redacted]`],
    [`Authorization: Bearer abcdefgh12345`, `Authorization: [redacted]`],
    [`"password":"cut off here`, `"password":"[redacted]`],
    [`card 4111 1111 1111 1111 ok`, `card [redacted] ok`],
    [`key ${PRIVATE_KEY} end`, `key [redacted] end`],
    [`a ${JWT}; b`, `a [redacted]; b`],
    [`cart.addItem returned 3`, `cart.addItem returned 3`],
    ['', ''],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('leaves no secret that stands in any text', () => {
    const secrets = [
      JWT,
      'ghp_abcdefghijklmnopqrst0123456789ABCDEF',
      'tok_live_51Hx8KqLm29vTzR4',
      'AKIAIOSFODNN7EXAMPLE',
    ];
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom(...secrets), (before, after, secret) => {
        expect(redactText(`${before} ${secret} ${after}`)).not.toContain(secret);
      }),
    );
  });
});

describe('long texts', () => {
  const patterns = [
    'eyJ-',
    'eyJaaaaaaaaaa.',
    'sk-',
    'sk_live_',
    'a.',
    'a://',
    'a://a:',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'Bearer ',
    'Bearer a',
    'AAAA',
    'aA',
    'xoxb-',
    '4 ',
    '41',
    'a=',
    'a="',
    'a="\\',
    'password=',
    'password="',
    ' ',
    'AKIA',
    'eyJaaaaaaaaaa…',
    'a://a:a',
    'hooks.slack.com/services/',
    'token:',
    'key',
    '/?a=',
    '/reset-password/',
    '/#password=',
    '-eyJ',
    '-eyJaaaaaaaaaa.',
    'eyJaaaaaaaaaaaaaaaa-',
    'ghp_aaaaaaaaaaaaaaaa.',
    'a:APA91b',
    '12345678:',
    '<a ',
    '<a>',
    '<password>',
    '<password a="',
    '<![CDATA[',
    '--a ',
    '--password ',
    'password is ',
    'password "',
    'curl ',
    'curl -u a',
    'mysql ',
    ' login -',
    'login a password ',
    'name="a"\n\n',
    'IDENTIFIED BY ',
    '%3D',
    'token%253D',
    '%22token%22%3A%22',
    'token={',
    '"token":[',
    '"token":{"',
    'token=[\\"',
    '\\\\"',
    'token:\\\\"',
    'value="',
    'name="token" value="',
    'DE89 3704 ',
    'Basic aaaaaaaa ',
    'パスワード:',
    'é',
    'aA',
    'tokenToken',
    'privateKey.',
    'isToken',
    'token.errors.',
    'mot de passe ',
    'x[0]"\\"',
  ];

  const look = (text: string) => {
    redact(text, judgeName(text));
    hasSecretName(text);
    redactText(text);
    pathPattern(text);
    replaceStars(`[*]${text}`, () => '[0]');
    parsePath(text);
    looksRandom(text);
    isState(text);
  };
  const isLinear = (piece: string) => growsLinearly((length) => look(piece.repeat(Math.ceil(length / piece.length))));

  it.each(patterns)('%j repeated takes time that grows with the length', (pattern) => {
    expect(isLinear(pattern)).toBe(true);
  });

  it('is so for pieces of all of them together, and for any others', () => {
    const together = fc.array(fc.constantFrom(...patterns), { minLength: 2, maxLength: 3 }).map((all) => all.join(''));
    const any = fc.string({ minLength: 1, maxLength: 6 });
    fc.assert(fc.property(fc.oneof(together, any), isLinear), { numRuns: 15 });
  });
});

describe('addresses', () => {
  it.each([
    ['https://shop.example/?access_token=abcdef0123456789', 'https://shop.example/?access_token=[redacted]'],
    ['https://shop.example/#access_token=abcdef&state=1', 'https://shop.example/#access_token=[redacted]&state=1'],
    ['https://shop.example/cb?code=4f9a8b7c6d5e4f3a&x=2', 'https://shop.example/cb?code=[redacted]&x=2'],
    ['https://shop.example/?password=hunter2', 'https://shop.example/?password=[redacted]'],
    ['https://b.example/f?X-Amz-Signature=9f8e7d6c5b4a39281706', 'https://b.example/f?X-Amz-Signature=[redacted]'],
    ['https://shop.example/reset-password/9f8e7d6c5b4a39281706', 'https://shop.example/reset-password/[redacted]'],
    ['https://shop.example/list?page=2&token=abc123', 'https://shop.example/list?page=2&token=[redacted]'],
  ])('%s loses its secret and nothing else', (address, clean) => {
    expect(redact(address, HARMLESS)).toBe(clean);
    expect(redactText(`see ${address} now`)).toBe(`see ${clean} now`);
  });

  it.each([
    'https://shop.example/?country=DE&code=DE',
    'https://shop.example/orders/1001/edit#top',
    'https://shop.example/confirm/order',
    'http://127.0.0.1:7842/substrate/v1/state/42?fresh=true',
    'Read more: https://docs.example/?topic=tokens',
  ])('%s has none', (text) => {
    expect(redact(text, HARMLESS)).toBe(text);
    expect(redactText(text)).toBe(text);
  });
});
