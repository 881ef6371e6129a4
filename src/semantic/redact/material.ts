/**
 * Secrets that only their context reveals: the private members of a JSON Web Key, the bytes of a private key in a list
 * of numbers, the state of a generator with meaningless names.
 */
import { pathPattern } from '../../model/path.ts';
import type { Scalar } from '../../model/scalar.ts';
import { isPrivateDer } from './private-keys.ts';

/** RFC 7518: members of RSA keys, of curves, of a symmetric key. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
const KEY_TYPES: ReadonlySet<Scalar> = new Set(['RSA', 'EC', 'OKP', 'oct']);
/** Enough to recognise it. */
const DER_BEGINNING = 10;
const SEQUENCE = 0x30;

/** The shapes of leaves that are secret by the context of the leaf at `at`. Leaves of one list follow one another. */
export function materialAt(at: number, paths: readonly string[], values: readonly Scalar[]): readonly string[] {
  const path = paths[at] ?? '';
  const value = values[at] ?? null;
  if (value === SEQUENCE && path.endsWith('[0]')) return bytesFrom(at, path.slice(0, -3), paths, values);
  // Most leaves end here.
  switch (path.charCodeAt(path.length - 1)) {
    case 0x79: // y
      return path.endsWith('.kty') && KEY_TYPES.has(value) ? membersOf(path.slice(0, -4)) : [];
    case 0x69: // i, of the Mersenne Twister
      return path.endsWith('.mti') && typeof value === 'number' ? listIn(path.slice(0, -4), 'mt') : [];
    case 0x5d: // ], of ARC4
      return path.endsWith('.S[255]') && typeof value === 'number' ? listIn(path.slice(0, -7), 'S') : [];
    default:
      return [];
  }
}

const membersOf = (holder: string) => PRIVATE_MEMBERS.map((name) => pathPattern(`${holder}.${name}`));
const listIn = (holder: string, name: string) => [pathPattern(`${holder}.${name}[0]`)];

function bytesFrom(from: number, list: string, paths: readonly string[], values: readonly Scalar[]): string[] {
  const bytes: number[] = [];
  for (let index = 0; index < DER_BEGINNING; index++) {
    const byte = values[from + index];
    if (typeof byte !== 'number' || paths[from + index] !== `${list}[${index}]`) return [];
    // Java's bytes are signed.
    bytes.push(byte & 0xff);
  }
  return isPrivateDer(bytes) ? [pathPattern(`${list}[0]`)] : [];
}
