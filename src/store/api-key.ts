/** An API key: `sk_substrate_` and 40 random characters, stored only as its BLAKE3 hash. */
import { randomInt } from 'node:crypto';
import { blake3 } from '@noble/hashes/blake3.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 40;

export function generateKey(): string {
  let key = 'sk_substrate_';
  // randomInt draws from the CSPRNG, without a bias towards some characters.
  for (let i = 0; i < RANDOM_CHARS; i++) key += ALPHABET.charAt(randomInt(ALPHABET.length));
  return key;
}

export function hashKey(key: string): Buffer {
  return Buffer.from(blake3(Buffer.from(key, 'utf8')));
}

/** Decodes `blake3:<hex>` or `hash:<hex>`. */
export function digestOf(keyHash: string): Buffer {
  return Buffer.from(keyHash.slice(keyHash.indexOf(':') + 1), 'hex');
}
