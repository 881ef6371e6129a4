import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const HASH_DIGITS = 16;

/**
 * `<slug>-<16 hex>`: readable, and the same after every restart of app or daemon. Separate for each user: a program
 * that uses the name of another user's program must not affect that one.
 */
export function makeAppId(appName: string, identity: string, uid: number): string {
  const slug = appName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 40)
    .replace(/-$/, '');
  const hash = bytesToHex(sha256(utf8ToBytes(`${uid}\0${identity}`))).slice(0, HASH_DIGITS);
  return `${slug === '' ? 'app' : slug}-${hash}`;
}
