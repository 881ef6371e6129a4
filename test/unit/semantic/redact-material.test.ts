/** Secrets by content, whatever their names: private keys as bytes, the state of random generators. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { REDACTED } from '../../../src/semantic/redact.ts';

type Leaves = readonly (readonly [path: string, value: Scalar])[];

const full = (leaves: Leaves) =>
  ({ kind: 'full', paths: leaves.map(([path]) => path), values: leaves.map(([, value]) => value) }) as const;

function shown(leaves: Leaves): ReadonlyMap<string, Scalar> {
  const engine = new Engine('app', 'app', null);
  engine.apply(full(leaves), []);
  return new Map(leaves.map(([path], slot) => [path, engine.table.valueAt(slot) ?? null]));
}

const listed = (path: string, numbers: Iterable<number>): Leaves =>
  [...numbers].map((number, at) => [`${path}[${at}]`, number] as const);
const hiddenOf = (leaves: Leaves) => [...shown(leaves).values()].filter((value) => value === REDACTED).length;

const pairs = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 1024 }),
  curve: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  edwards: generateKeyPairSync('ed25519'),
};
const privateDer = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1') => key.export({ format: 'der', type });
const privateBytes: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['PKCS #8 of RSA', privateDer(pairs.rsa.privateKey, 'pkcs8')],
  ['PKCS #1', privateDer(pairs.rsa.privateKey, 'pkcs1')],
  ['PKCS #8 of a curve', privateDer(pairs.curve.privateKey, 'pkcs8')],
  ['SEC 1', privateDer(pairs.curve.privateKey, 'sec1')],
  ['PKCS #8 of Ed25519', privateDer(pairs.edwards.privateKey, 'pkcs8')],
];
const publicBytes: readonly (readonly [name: string, bytes: Buffer])[] = [
  ...Object.entries(pairs).map(
    ([name, { publicKey }]) => [`SPKI of ${name}`, publicKey.export({ format: 'der', type: 'spki' })] as const,
  ),
  ['PKCS #1 of a public key', pairs.rsa.publicKey.export({ format: 'der', type: 'pkcs1' })],
  ['a hash', createHash('sha512').update('x').digest()],
];

describe('private keys', () => {
  it.each(privateBytes)('%s in a list of numbers is hidden', (_name, bytes) => {
    expect(hiddenOf(listed('cfg.blob', bytes))).toBe(bytes.length);
    expect(hiddenOf(listed('cfg.blob', new Int8Array(bytes)))).toBe(bytes.length);
  });

  it.each(privateBytes)('%s in base64 is hidden', (_name, bytes) => {
    expect(hiddenOf([['cfg.blob', bytes.toString('base64')]])).toBe(1);
    expect(hiddenOf([['cfg.blob', bytes.toString('base64url')]])).toBe(1);
  });

  it('as a PEM file in base64 is hidden', () => {
    const { privateKey, publicKey } = pairs.rsa;
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const pem = Buffer.from(privateKey.export({ format: 'pem', type }));
      expect(hiddenOf([['cfg.blob', pem.toString('base64')]])).toBe(1);
    }
    const pem = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }));
    expect(hiddenOf([['cfg.blob', pem.toString('base64')]])).toBe(0);
  });

  it.each(publicBytes)('%s is shown', (_name, bytes) => {
    expect(hiddenOf(listed('cfg.blob', bytes))).toBe(0);
    expect(hiddenOf([['cfg.blob', bytes.toString('base64')]])).toBe(0);
  });

  it.each(Object.entries(pairs))(
    'the private members of a JSON Web Key of %s are hidden, and no others',
    (_name, pair) => {
      const jwk = Object.entries(pair.privateKey.export({ format: 'jwk' }));
      const values = shown(jwk.map(([name, value]) => [`ring.items[0].${name}`, String(value)]));
      for (const [name, value] of jwk) {
        const isPrivate = ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(name);
        expect.soft(values.get(`ring.items[0].${name}`), name).toBe(isPrivate ? REDACTED : value);
      }
    },
  );

  it('a symmetric JSON Web Key that comes later is hidden, and stays so when names are made anew', () => {
    const engine = new Engine('app', 'app', null);
    engine.apply(
      full([
        ['map.k', 'Kiel'],
        ['map.title', 'North'],
      ]),
      [],
    );
    engine.apply(
      {
        kind: 'delta',
        removed: [],
        changed: [],
        added: [
          [2, 'ring.k', 'abc'],
          [3, 'ring.kty', 'oct'],
        ],
      },
      null,
    );
    expect([engine.table.valueAt(0), engine.table.valueAt(2)]).toEqual(['Kiel', REDACTED]);
    engine.relabelSoon();
    engine.apply({ kind: 'delta', removed: [], changed: [[2, 'def']], added: [] }, null);
    expect([engine.table.valueAt(0), engine.table.valueAt(2)]).toEqual(['Kiel', REDACTED]);
  });

  it.each(['privateKey', 'account.secretKey.data', 'network_key', 'identity.signingKey.bytes', 'wallet.seed'])(
    'a list of bytes below %s is hidden',
    (path) => {
      expect(hiddenOf(listed(path, randomBytes(32)))).toBe(32);
    },
  );

  it.each(['keys', 'primaryKeys', 'piano.keys', 'prompt.tokens', 'apiKeys', 'sprite.data', 'publicKey.bytes'])(
    'a list of numbers below %s is shown',
    (path) => {
      expect(hiddenOf(listed(path, [3, 200, 17, 255, 0]))).toBe(0);
    },
  );

  it.each([
    ['cfg.encryption.key', randomBytes(32).toString('base64')],
    ['device.localKey', 'a7c3e9f1b2d44f6a'],
  ])('%s by what it looks like', (path, value) => {
    expect(hiddenOf([[path, value]])).toBe(1);
  });

  it.each([
    ['rows[0].key', '64f1c2a9b7e34d0012ab34cd'],
    ['rows[0].key', '3f8a2c10-77d4-4b1e-9c3f-52e6a1d0b7f8'],
    ['cache.entries[0].key', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['peer.publicKey', '6NTG8bijkPFVuAc7ZswZ+W/FRNH8quskdCtoUHtJJvU='],
    ['chart.dataKey', 'uv'],
    ['log.line', 'press any key: continue'],
  ])('%s = %s is shown', (path, value) => {
    expect(hiddenOf([[path, value]])).toBe(0);
  });
});

const words = (count: number) => Array.from({ length: count }, () => randomBytes(4).readInt32BE());

describe('the state of random generators', () => {
  it.each([
    ['sjcl', listed('sjcl.random._key', words(8))],
    ['the pools of sjcl', listed('sjcl.random._pools[0]._h', words(8))],
    ['sjcl, minified', listed('$tw.crypto.sjcl.random.b', words(8))],
    ['an object called so', listed('lottery.rng.state', [1, 2, 3, 4])],
    ['SecureRandom', listed('auth.secureRandom.state.words', words(5))],
    ['.NET Random', listed('dice._prng._seedArray', words(56).map(Math.abs))],
    ['.NET Random, below any name', listed('dice._seedArray', words(56).map(Math.abs))],
    ['xoshiro of .NET', [0, 1, 2, 3].map((at) => [`dice._impl._s${at}`, 2 ** 61 + at * 2 ** 40] as const)],
    ['java.util.Random', [['lottery.random.seed', 214378465118823]]],
    ['java.util.Random, with an AtomicLong', [['lottery.random.seed.value', 214378465118823]]],
    ['a large number as a text', [['lottery.rng.state', '14695981039346656037n']]],
  ] satisfies readonly (readonly [string, Leaves])[])('%s is hidden', (_name, leaves) => {
    expect(hiddenOf(leaves)).toBe(leaves.length);
  });

  it('the Mersenne Twister is known by its index, and ARC4 by its length', () => {
    const twister: Leaves = [...listed('a.mt', words(624)), ['a.mti', 12]];
    expect(hiddenOf(twister)).toBe(624);
    const arc4: Leaves = [...listed('a.S', [...Array(256).keys()].reverse()), ['a.i', 3], ['a.j', 250]];
    expect(hiddenOf(arc4)).toBe(256);
  });

  it.each<[string, Scalar]>([
    ['world.seed', -(2 ** 61)],
    ['game.rng.seed', 1337],
    ['settings.random.seed', 42],
    ['random.picks[2]', 14],
    ['randomPosts[0].views', 2 ** 40],
    ['brand.colors[0]', 16777215],
    ['tournament.seeds[1]', 4],
    ['range.state', 3],
    ['grid.s1', 12],
  ])('%s = %s is shown', (path, value) => {
    expect(hiddenOf([[path, value]])).toBe(0);
  });
});
