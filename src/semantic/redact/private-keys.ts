/** Private keys by their bytes: DER, as such or in base64, and base64 of a PEM file. */

const LONGEST = 160;

/** For base64, by its beginning. */
export function isPrivateKey(base64: string): boolean {
  const beginning = base64.replace(/=+$/, '').slice(0, LONGEST).replaceAll('-', '+').replaceAll('_', '/');
  const bytes = atob(beginning.slice(0, beginning.length - (beginning.length % 4)));
  if (base64.startsWith('LS0tLS1')) return bytes.includes('PRIVATE KEY');
  return isPrivateDer(Array.from(bytes.slice(0, 12), (byte) => byte.charCodeAt(0)));
}

/**
 * A sequence that begins with a version (0, 1, or 3 for PKCS #12): all forms of private keys do, while certificates and
 * public keys begin with another sequence or with a long number, and signatures with two long numbers.
 */
export function isPrivateDer(bytes: readonly number[]): boolean {
  const [tag, length = 0] = bytes;
  if (tag !== 0x30) return false;
  const long = length & 0x80 ? length & 0x7f : 0;
  if (long > 2 || (long === 0 && length < 38)) return false;
  const [integer, size, version, next = 0] = bytes.slice(2 + long);
  // Followed by an integer, an octet string, or a sequence.
  return integer === 0x02 && size === 0x01 && [0, 1, 3].includes(version ?? -1) && [0x02, 0x04, 0x30].includes(next);
}
